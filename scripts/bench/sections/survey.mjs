// A survey of many sources: the first, which parses all of them, and the second, which knows every file by its contents.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { count, goal, largest, median, megabytes, ms, percent, table, times, verdict } from '../figures.mjs'
import { inChild } from '../measure.mjs'
import { bundled } from '../ours.mjs'

const GOAL_SHARE = 0.05

export const title = 'A survey, first and second'

export async function measure({ quick, place, tell }) {
  const size = quick ? 300 : 10_000
  const names = ['workspace/store', 'workspace/snapshot', 'workspace/blobs', 'survey/survey', 'survey/listing']
  const module = await bundled(names.map((name) => `adapters/${name}`))
  writeSources(join(place, 'sources'), size)
  const tree = (await inChild(import.meta.filename, 'keepSources', { module, place })).tree
  const look = () => inChild(import.meta.filename, 'surveyOnce', { module, place, tree })
  const first = await look()
  tell('first')
  const again = []
  for (let round = 0; round < 3; round++) again.push(await look())
  const middle = (key) => median(again.map((one) => one[key]))
  return { size, first, again: Object.fromEntries(Object.keys(first).map((key) => [key, middle(key)])) }
}

export async function keepSources({ module, place }) {
  const ours = await import(module)
  const store = await ours.openStore(join(place, 'survey.git'))
  return ours.snapshot({ store, folder: join(place, 'sources'), index: join(place, 'survey.index'), aside: join(place, 'aside'), strays: 'aside', base: ours.emptyTree(store) })
}

/** In a process of its own, so that only what lies on disk is known from before. */
export async function surveyOnce({ module, place, tree }) {
  const ours = await import(module)
  const store = await ours.openStore(join(place, 'survey.git'))
  const began = performance.now()
  const entries = ours.readListing(await ours.listTree(store, tree))
  const listed = performance.now() - began
  let read = 0
  /** Time until each file is handed out, not that of what is done with it. */
  async function* readBlobs(ids) {
    let from = performance.now()
    for await (const blob of ours.readBlobs(store, ids)) {
      read += performance.now() - from
      yield blob
      from = performance.now()
    }
  }
  await ours.surveyTree({ entries, read: readBlobs, cacheFolder: join(place, 'survey-cache') })
  return { wall: performance.now() - began, listed, read, cpu: process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000 }
}

function writeSources(folder, size) {
  for (let n = 0; n < size; n++) {
    const { ending, text } = source(n)
    const path = join(folder, `p${Math.floor(n / 100)}`, `module${n}.${ending}`)
    if (n % 100 === 0) mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

/** A few functions in one of six languages, no two files alike. */
function source(n) {
  const lines = (make) => Array.from({ length: 20 }, (_, k) => make(`work${n}_${k}`, k)).join('\n')
  const kinds = [
    { ending: 'py', text: `import os\nclass C${n}:\n  pass\n${lines((name, k) => `def ${name}(a, b=${k}):\n    return a + b\n`)}` },
    { ending: 'ts', text: `import { x } from './x.js'\n${lines((name, k) => `export function ${name}(a: number): number {\n  return a + ${k}\n}`)}` },
    { ending: 'js', text: `import { x } from './x.js'\n${lines((name, k) => `export function ${name}(a) {\n  return a + ${k}\n}`)}` },
    { ending: 'go', text: `package p${n}\nimport "fmt"\n${lines((name, k) => `func ${name}(a int) int {\n\treturn a + ${k}\n}`)}` },
    { ending: 'rs', text: `use std::fmt;\n${lines((name, k) => `pub fn ${name}(a: i32) -> i32 {\n    a + ${k}\n}`)}` },
    { ending: 'java', text: `import java.util.List;\nclass C${n} {\n${lines((name, k) => `  int ${name}(int a) { return a + ${k}; }`)}\n}` },
  ]
  return kinds[n % kinds.length]
}

export function render({ size, first, again }) {
  const line = (name, { wall, cpu, megabytes: peak }) => [name, ms(wall), percent(wall / first.wall), ms(cpu), megabytes(peak)]
  const parts = ({ wall, listed, read }) => ({ 'listing the tree by git': listed, 'reading the files out of the store': read, 'parsing, the cache and the tables': wall - listed - read })
  return {
    goals: [goal('a second survey against the first', again.wall / first.wall, { most: GOAL_SHARE, write: percent, why: `what is kept of ${count(size)} sources has to be read again, ${(again.wall / size * 1000).toFixed(0)} µs for each; a first survey takes only ${ms(first.wall / size)} for each, on all processors` })],
    body: `${count(size)} sources in six languages, each survey in a process of its own.

${table(['survey', 'clock', 'of the first', 'CPU', 'peak RSS'], [line('first', first), line('second', again)])}

${verdict({
  slowest: `at first ${largest(parts(first))}; the second time ${largest(parts(again))}`,
  limit: `git's listing of the tree, ${ms(again.listed)}`,
  near: `${times(again.wall / again.listed)} of it, ${ms((again.wall - again.listed) / size * 1000)} more for 1,000 files`,
})}`,
  }
}
