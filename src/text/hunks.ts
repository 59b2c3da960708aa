// Hunks of a text: where it was changed, and what it becomes when only some of them are taken.

/** Lines counted from 0. Where `removed` is 0, it is put in before line `at`. */
export type Hunk = { at: number; removed: number; from: number; added: number }

/** From a patch of one file without lines around the changes. */
export function readHunks(patch: string): Hunk[] {
  return Array.from(patch.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm), ([, at = '', removed = '1', from = '', added = '1']) => ({
    at: Number(at) - (removed === '0' ? 0 : 1),
    removed: Number(removed),
    from: Number(from) - (added === '0' ? 0 : 1),
    added: Number(added),
  }))
}

/** `hunks` are some of those between the two texts, in their order. */
export function takeHunks(before: string, after: string, hunks: readonly Hunk[]): string {
  const [old, now] = [linesOf(before), linesOf(after)]
  let at = 0
  const parts: string[] = []
  for (const hunk of hunks) {
    parts.push(old.slice(at, hunk.at).join(''), now.slice(hunk.from, hunk.from + hunk.added).join(''))
    at = hunk.at + hunk.removed
  }
  return parts.join('') + old.slice(at).join('')
}

/** Counted from 1; the last line where nothing but the end is gone. */
export function firstChangedLine(before: string, after: string): number {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const at = now.findIndex((line, index) => line !== old[index])
  return at < 0 ? now.length : at + 1
}

/** Each with its own line break, where it has one. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}
