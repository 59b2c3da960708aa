// Compares two lists of lines: the fewest lines added and removed, as steps and as text.

function table(before, after) {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array(after.length + 1).fill(0))
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      if (before[i] === after[j]) {
        lengths[i][j] = lengths[i + 1][j + 1] + 1
      } else {
        lengths[i][j] = Math.max(lengths[i + 1][j], lengths[i][j + 1])
      }
    }
  }
  return lengths
}

/** Steps `keep`, `remove` and `add`; lines are removed before others are added in their place. */
export function diff(before, after) {
  const lengths = table(before, after)
  const steps = []
  let i = 0
  let j = 0
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      steps.push({ kind: 'keep', line: before[i] })
      i += 1
      j += 1
    } else if (lengths[i + 1][j] >= lengths[i][j + 1]) {
      steps.push({ kind: 'remove', line: before[i] })
      i += 1
    } else {
      steps.push({ kind: 'add', line: after[j] })
      j += 1
    }
  }
  while (i < before.length) {
    steps.push({ kind: 'remove', line: before[i] })
    i += 1
  }
  while (j < after.length) {
    steps.push({ kind: 'add', line: after[j] })
    j += 1
  }
  return steps
}

export function counts(steps) {
  const added = steps.filter(({ kind }) => kind === 'add').length
  const removed = steps.filter(({ kind }) => kind === 'remove').length
  return { added, removed, kept: steps.length - added - removed }
}

/** Share of lines that both have, from 0 to 1. */
export function similarity(before, after) {
  const all = before.length + after.length
  if (all === 0) return 1
  return (2 * counts(diff(before, after)).kept) / all
}

export function patch(before, steps) {
  const result = []
  let at = 0
  for (const { kind, line } of steps) {
    if (kind === 'add') {
      result.push(line)
      continue
    }
    if (before[at] !== line) throw new Error(`line ${at + 1} is not as expected`)
    if (kind === 'keep') result.push(line)
    at += 1
  }
  return result.concat(before.slice(at))
}

/** As text, with so many unchanged lines around each change; left-out lines become three dots. */
export function show(steps, context = 1) {
  const near = steps.map((_, at) => steps.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'keep'))
  const marks = { keep: ' ', add: '+', remove: '-' }
  const lines = []
  steps.forEach(({ kind, line }, at) => {
    if (near[at]) {
      lines.push(marks[kind] + line)
    } else if (lines.at(-1) !== '...') {
      lines.push('...')
    }
  })
  return lines.join('\n')
}
