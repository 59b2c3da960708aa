// `npm run bench`: what the loop costs and how it behaves, beside bare commands and other loops → docs/performance.md.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitForCalm } from './bench/calm.mjs'
import { documentOf } from './bench/document.mjs'
import { GNU_TIME } from './bench/measure.mjs'
import { CLI } from './bench/ours.mjs'
import { readOptions, refuse, someOf } from './options.mjs'
import { root } from './results.mjs'

const KEPT = join(root, '.cache', 'bench')
if (!existsSync(CLI)) refuse('dist/greenlatch.cjs is not there: npm run build')
if (!existsSync(GNU_TIME)) refuse(`${GNU_TIME} is not there: apt-get install time`)
// Some parts load what is built.
const { SECTIONS } = await import('./bench/sections/index.mjs')
const options = readOptions('bench', {
  only: { value: 'PARTS', says: 'measures some parts, with commas between them, and keeps the figures of the others' },
  quick: { says: 'takes small sizes and writes nothing' },
})
const wanted = someOf(options, 'only', Object.keys(SECTIONS))

const measuredNow = {}
for (const id of wanted) measuredNow[id] = await measureOne(id)
const results = options.quick ? measuredNow : { ...keptResults(), ...measuredNow }
const text = documentOf(options.only && options.quick ? Object.fromEntries(wanted.map((id) => [id, SECTIONS[id]])) : SECTIONS, results)
if (options.quick) {
  console.log(`${text}\n--quick: small sizes, nothing was written`)
} else {
  writeFileSync(join(root, 'docs', 'performance.md'), text)
  console.log(text.split('\n## ').find((part) => part.startsWith('Goals')))
}

async function measureOne(id) {
  const place = mkdtempSync(join(tmpdir(), 'greenlatch-bench-'))
  const tell = (words) => console.error(`${id}: ${words}`)
  const { load, isCalm } = await waitForCalm(options.quick ? { patienceSeconds: 0 } : {})
  if (!isCalm) tell(`the machine is not calm: ${load.toFixed(1)} other processes want to run`)
  const began = performance.now()
  try {
    const figures = await SECTIONS[id].measure({ quick: options.quick, place, tell })
    const seconds = (performance.now() - began) / 1000
    tell(`${seconds.toFixed(0)} s`)
    const result = { figures, seconds, load, isCalm, commit: commitNow(), date: new Date().toISOString().slice(0, 10), machine: `${cpus().length} cores (${cpus()[0]?.model.trim()})`, node: process.version }
    if (!options.quick) keep(id, result)
    return result
  } catch (error) {
    // The other parts are measured all the same, and the document says what went wrong here.
    tell(error.stack)
    process.exitCode = 1
    return { failed: error.message }
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** What the figures are of: the last commit, with a mark where files stand otherwise. The document itself is what changes while parts are measured. */
function commitNow() {
  const git = (...args) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain', '--', '.', ':!docs/performance.md')
  return `${git('rev-parse', '--short=9', 'HEAD')}${changed === '' ? '' : '+'}`
}

function keep(id, result) {
  mkdirSync(KEPT, { recursive: true })
  writeFileSync(join(KEPT, `${id}.json`), JSON.stringify(result))
}

function keptResults() {
  const paths = Object.keys(SECTIONS).map((id) => [id, join(KEPT, `${id}.json`)]).filter(([, path]) => existsSync(path))
  return Object.fromEntries(paths.map(([id, path]) => [id, JSON.parse(readFileSync(path, 'utf8'))]))
}
