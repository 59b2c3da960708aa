// Tells an answer from the reasoning that some models write around it: closed, never closed, nested, or never opened.

/** A tag in quotes or backticks is spoken of, not used. */
const TAG = /(?<![`'"])<(\/?)(?:think|thinking|thought|reasoning|reflection)(?:\s[^<>]{0,200})?>/gi

/** Leaves aside reasoning blocks: nested, never closed (to the end), or never opened (from the last tag, or the beginning). */
export function stripReasoning(text: string): string {
  let kept = ''
  let depth = 0
  let from = 0
  for (const tag of text.matchAll(TAG)) {
    const closes = tag[1] === '/'
    if (depth === 0 && !closes) kept += text.slice(from, tag.index)
    depth = closes ? Math.max(0, depth - 1) : depth + 1
    from = tag.index + tag[0].length
  }
  return (depth === 0 ? kept + text.slice(from) : kept).trim()
}

/** A piece of an answer, and where it ends. */
export type Taken<T> = { value: T; end: number }

/**
 * Takes pieces out of what is no reasoning, in order. A tag inside a piece is content. `opener` has to be global; `take` gives null
 * where no piece begins after all.
 */
export function piecesOutside<T>(text: string, opener: RegExp, take: (open: RegExpExecArray) => Taken<T> | null): T[] {
  const found: T[] = []
  const state = { depth: 0, sinceTag: 0 }
  let tag = from(TAG, text, 0)
  let open = from(opener, text, 0)
  while (open) {
    const isTag = tag !== null && tag.index < open.index
    const end = isTag && tag ? passTag(tag, found, state) : takePiece(open, found, state.depth === 0 ? take : null)
    if (tag && tag.index < end) tag = from(TAG, text, end)
    if (open.index < end) open = from(opener, text, end)
  }
  while (tag) tag = from(TAG, text, passTag(tag, found, state))
  return found
}

function from(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** A tag that closes what was never opened makes reasoning of all that came since the tag before. */
function passTag(tag: RegExpExecArray, found: unknown[], state: { depth: number; sinceTag: number }): number {
  const closes = tag[1] === '/'
  if (closes && state.depth === 0) found.length = state.sinceTag
  state.depth = closes ? Math.max(0, state.depth - 1) : state.depth + 1
  state.sinceTag = found.length
  return tag.index + tag[0].length
}

function takePiece<T>(open: RegExpExecArray, found: T[], take: ((open: RegExpExecArray) => Taken<T> | null) | null): number {
  const taken = take?.(open) ?? null
  if (taken) found.push(taken.value)
  return Math.max(taken?.end ?? 0, open.index + 1)
}
