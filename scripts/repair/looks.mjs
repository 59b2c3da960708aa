// How often a part that nobody tunes on was looked at: every look makes it a little less unseen, so each is written down, also one that was
// broken off.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../results.mjs'

const PATH = join(root, 'test', 'corpus', 'repair', 'looks.json')

/** Those at one part; a look without a name was one at `report`. */
export function looks(part) {
  return all().filter((look) => (look.part ?? 'report') === part)
}

function all() {
  return JSON.parse(readFileSync(PATH, 'utf8'))
}

export function noteLook(part, seed, bugs) {
  writeFileSync(PATH, `[\n${[...all(), { part, seed, bugs }].map((look) => `  ${JSON.stringify(look)}`).join(',\n')}\n]\n`)
}
