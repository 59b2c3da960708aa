// Half-open spans [start, end) on a number line: which overlap, what they cover, what is left free.

export function span(start, end) {
  if (!Number.isFinite(start) || !Number.isFinite(end)) throw new TypeError('a span needs two numbers')
  if (end < start) throw new RangeError(`span ends before it starts: ${start}..${end}`)
  return { start, end }
}

export function overlaps(a, b) {
  return a.start < b.end && b.start < a.end
}

export function contains(outer, point) {
  return point >= outer.start && point < outer.end
}

/** Spans that touch become one. */
export function merge(spans) {
  const sorted = [...spans].sort((a, b) => a.start - b.start || a.end - b.end)
  const merged = []
  for (const next of sorted) {
    const last = merged[merged.length - 1]
    if (last && next.start <= last.end) {
      last.end = Math.max(last.end, next.end)
    } else {
      merged.push({ start: next.start, end: next.end })
    }
  }
  return merged
}

export function covered(spans) {
  let total = 0
  for (const { start, end } of merge(spans)) {
    total += end - start
  }
  return total
}

/** What of `window` is not covered by any of the spans. */
export function gaps(window, spans) {
  const free = []
  let cursor = window.start
  for (const busy of merge(spans)) {
    if (busy.end <= window.start) continue
    if (busy.start >= window.end) break
    if (busy.start > cursor) free.push({ start: cursor, end: busy.start })
    cursor = Math.max(cursor, busy.end)
  }
  if (cursor < window.end) free.push({ start: cursor, end: window.end })
  return free
}

/** The earliest gap of at least `length`, or null. */
export function firstFit(window, spans, length) {
  for (const gap of gaps(window, spans)) {
    if (gap.end - gap.start >= length) {
      return { start: gap.start, end: gap.start + length }
    }
  }
  return null
}

/** The most spans that are open at one and the same point. */
export function busiest(spans) {
  const edges = spans.flatMap(({ start, end }) => (start === end ? [] : [[start, 1], [end, -1]]))
  edges.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  let open = 0
  let most = 0
  for (const [, change] of edges) {
    open += change
    most = Math.max(most, open)
  }
  return most
}
