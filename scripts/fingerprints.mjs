// `npm run fingerprints`: how well fingerprints tell faults apart on the planted corpus. Writes docs/fingerprints.md, exits 1 below
// the goal.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentOf, summaryOf } from './fingerprints/document.mjs'
import { figuresOf, judgePairs } from './fingerprints/evaluate.mjs'
import { readOptions } from './options.mjs'
import { root } from './results.mjs'
import { loadText } from './source.mjs'

const options = readOptions('fingerprints', {
  check: { says: 'writes nothing' },
  list: { says: 'shows every confused pair' },
  goal: { value: 'F', otherwise: '0.98', says: 'another goal' },
  corpus: { value: 'FOLDER', otherwise: join(root, 'test', 'corpus', 'fingerprints'), says: 'another corpus' },
})
const goal = Number(options.goal)

// The readers and the recipe as they are shipped.
const ours = await loadText(`
  export { readReport } from './src/adapters/gates/readers/index.js'
  export { failureOf } from './src/text/failures/fingerprint.js'`)
const pairs = await judgePairs(ours, options.corpus)
console.log(summaryOf(pairs))
if (options.list) listConfused()
if (!options.check) writeFileSync(join(root, 'docs', 'fingerprints.md'), documentOf(pairs, goal))
process.exitCode = figuresOf(pairs).f >= goal ? 0 : 1

function listConfused() {
  for (const { runner, kind, is, says, told } of pairs) {
    if (is !== says) console.log(`\n${runner}: ${kind}, is ${is}\n  ${told.join('\n  ')}`)
  }
}
