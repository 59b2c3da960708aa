// `npm run fingerprints`: how well fingerprints tell faults apart on the planted corpus. Writes docs/fingerprints.md, exits 1 below
// the goal. `--check` writes nothing; `--goal` sets another goal; `--list` shows every confused pair.
import { build } from 'esbuild'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { documentOf, summaryOf } from './fingerprints/document.mjs'
import { figuresOf, judgePairs } from './fingerprints/evaluate.mjs'
import { root } from './results.mjs'

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    goal: { type: 'string', default: '0.98' },
    corpus: { type: 'string', default: join(root, 'test', 'corpus', 'fingerprints') },
  },
})
const goal = Number(options.goal)

const pairs = await judgePairs(await loadOurs(), options.corpus)
console.log(summaryOf(pairs))
if (options.list) listConfused()
if (!options.check) writeFileSync(join(root, 'docs', 'fingerprints.md'), documentOf(pairs, goal))
process.exitCode = figuresOf(pairs).f >= goal ? 0 : 1

function listConfused() {
  for (const { runner, kind, is, says, told } of pairs) {
    if (is !== says) console.log(`\n${runner}: ${kind}, is ${is}\n  ${told.join('\n  ')}`)
  }
}

/** The readers and the recipe as they are shipped, bundled for this one run. */
async function loadOurs() {
  const folder = mkdtempSync(join(tmpdir(), 'greenlatch-fingerprints-'))
  const outfile = join(folder, 'ours.mjs')
  const exported = { readReport: './src/adapters/gates/readers/index.js', failureOf: './src/text/failures/fingerprint.js' }
  const contents = Object.entries(exported).map(([name, path]) => `export { ${name} } from '${path}'`).join('\n')
  try {
    await build({
      absWorkingDir: root, stdin: { contents, resolveDir: root, loader: 'ts' }, outfile, bundle: true, format: 'esm',
      platform: 'node', target: 'node20.19', logLevel: 'error',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
