// Judges fingerprints on the planted corpus: pairs of the same fault seen twice and of different faults, and how often they are told apart.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const GATE = 'tests'
const WHOLE_RUN = 'whole run'

/**
 * Three times the recipe was judged on families nobody had looked at. `firstLook` is the F it had then; what was wrong was put right
 * afterwards, and the families joined those that are looked at.
 */
export const HELD_OUT = [
  {
    name: 'held out first', firstLook: 0.9307,
    families: 'absent assign busy clock config count expiry hook missing nest property remote street sum syntax token',
  },
  {
    name: 'held out second', firstLook: 0.9277,
    families: 'accent basket calls closed email essay export lacking lock logged matrix money typeof upload worker zero',
  },
  { name: 'held out third', firstLook: 0.9311, families: 'cache callee csv duplicate flag retry schema' },
]

/** Whole runs hold families of all parts, so they belong to none. */
export function partOf({ family }) {
  if (family === WHOLE_RUN) return 'whole runs'
  return HELD_OUT.find(({ families }) => families.split(' ').includes(family))?.name ?? 'looked at from the start'
}

/** All pairs with what they should be and what the fingerprints say. `ours`: the reader and the recipe as they are shipped. */
export async function judgePairs(ours, corpus) {
  const reports = await readReports(ours, corpus)
  const pairs = [...pairsOfFaults(reports), ...pairsOfSets(reports)]
  return pairs.map(({ one, other, ...pair }) => ({ ...pair, says: one !== null && one === other ? 'same' : 'different' }))
}

async function readReports(ours, corpus) {
  const scratch = mkdtempSync(join(tmpdir(), 'greenlatch-fingerprints-'))
  try {
    const reports = []
    const index = JSON.parse(readFileSync(join(corpus, 'index.json'), 'utf8'))
    for (const entry of index) reports.push(await readOne(ours, corpus, scratch, entry))
    return reports
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function readOne({ readReport, failureOf }, corpus, scratch, entry) {
  const path = join(scratch, basename(entry.file, '.gz'))
  writeFileSync(path, gunzipSync(readFileSync(join(corpus, entry.file))))
  const run = await readReport({ path, format: entry.format, roots: entry.roots })
  const failing = [...run.cases.filter((test) => test.status === 'fail'), ...run.troubles]
  const failures = failing.map((item) => failureOf(GATE, item))
  const seen = Object.entries(entry.tests).map(([suffix, label]) => {
    const [family, fault] = label.split('/')
    return { family, fault, failure: find(failures, suffix) ?? null }
  })
  return { file: entry.file, runner: entry.runner, failures, seen }
}

function find(failures, suffix) {
  const ending = failures.find(({ subject }) => subject.endsWith(suffix))
  return ending ?? failures.find(({ subject }) => subject.includes(suffix)) ?? failures.find(({ message }) => message.includes(suffix))
}

const print = ({ failure }) => failure?.fingerprint ?? null

/** Within a runner and a family every observation is compared with every other; twins are compared as well. */
function pairsOfFaults(reports) {
  const ofRunner = eachTwo(reports).filter(([a, b]) => a.runner === b.runner)
  return ofRunner.flatMap(([a, b]) => a.seen.flatMap((one) => b.seen.flatMap((other) => {
    const isTwin = one.family === 'first' && other.family === 'second'
    if (one.family !== other.family && !isTwin) return []
    const isSame = !isTwin && one.fault === other.fault
    const kind = isTwin ? 'other test' : isSame ? 'again' : `other ${nearness(one.fault, other.fault)}`
    const told = [tell(a, one), tell(b, other)]
    return [{ runner: a.runner, family: one.family, kind, is: isSame ? 'same' : 'different', one: print(one), other: print(other), told }]
  })))
}

function nearness(one, other) {
  const [first, ...rest] = [one, other].filter((fault) => fault !== 'base')
  return rest.length === 0 ? first : 'fault'
}

function tell({ file }, { family, fault, failure }) {
  return `${file} ${family}/${fault}: ${failure ? `${failure.subject} | ${failure.message}` : 'not found'}`
}

/** Whole runs: the same faults in any order, and one more failing test. */
function pairsOfSets(reports) {
  const runs = reports.filter(({ file }) => /\/(?:base|fixed)-/.test(file))
  return eachTwo(runs).filter(([a, b]) => a.runner === b.runner).map(([a, b]) => {
    const isSame = /\/base-/.test(a.file) && /\/base-/.test(b.file)
    const [kind, is] = isSame ? ['set again', 'same'] : ['one more failing', 'different']
    return { runner: a.runner, family: WHOLE_RUN, kind, is, one: setOf(a), other: setOf(b), told: [a.file, b.file] }
  })
}

function setOf({ failures }) {
  return [...new Set(failures.map(({ fingerprint }) => fingerprint))].toSorted().join()
}

function eachTwo(list) {
  return list.flatMap((one, at) => list.slice(at + 1).map((other) => [one, other]))
}

/** Of pairs said to be the same, how many are (precision); of those that are, how many are said to be (recall); and their F. */
export function figuresOf(pairs) {
  const count = (is, says) => pairs.filter((pair) => pair.is === is && pair.says === says).length
  const [hits, wrong, missed] = [count('same', 'same'), count('different', 'same'), count('same', 'different')]
  const precision = hits / (hits + wrong || 1)
  const recall = hits / (hits + missed || 1)
  const f = (2 * precision * recall) / (precision + recall || 1)
  return { pairs: pairs.length, same: hits + missed, different: pairs.length - hits - missed, wrong, missed, precision, recall, f }
}
