// How fast reports are read and their failures given identities, in how much memory; and how fast text is rid of secrets.
import { createReadStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { count, goal, median, megabytes, table, times, verdict } from '../figures.mjs'
import { inChild } from '../measure.mjs'
import { bundled } from '../ours.mjs'
import { SHAPES, writeReport } from '../reports.mjs'

const GOALS = { speed: 50, memory: 200, safe: 100 }
const CHUNK = 64 * 1024
const KNOWN_SECRETS = Array.from({ length: 8 }, (_, n) => `value-${n}-${'abcdefgh'.repeat(3)}/${n}`)
const MODULES = ['adapters/gates/readers/index', 'text/failures/fingerprint', 'text/redact', 'text/sanitise']

export const title = 'Reading reports'

export async function measure({ quick, place, tell }) {
  const module = await bundled(MODULES)
  const [size, rounds] = quick ? [10, 1] : [100, 3]
  const path = join(place, 'report')
  const rows = []
  for (const [shape, how] of Object.entries(SHAPES)) {
    const megabytesRead = writeReport(path, how, size)
    const found = []
    const bare = []
    for (let round = 0; round < rounds; round++) {
      bare.push(await inChild(import.meta.filename, 'readBare', { path }))
      found.push(await inChild(import.meta.filename, 'readOne', { module, path, format: how.format }))
    }
    rmSync(path)
    const middle = found.toSorted((a, b) => a.cpu - b.cpu)[Math.floor(rounds / 2)]
    rows.push({ ...middle, shape, size: megabytesRead, bare: median(bare.map(({ cpu }) => cpu)), megabytes: Math.max(...found.map((each) => each.megabytes)) })
    tell(shape)
  }
  return { size, rows, text: await inChild(import.meta.filename, 'cleanText', { module, size }) }
}

export async function readOne({ module, path, format }) {
  const { readReport, failureOf } = await import(module)
  const [started, wall] = [process.cpuUsage(), performance.now()]
  const run = await readReport({ path, format, roots: ['/checkout'] })
  if (!run.complete) throw new Error(run.note)
  const failures = [...run.cases.filter(({ status }) => status === 'fail'), ...run.troubles].map((item) => failureOf('test', item))
  return { ...since(started, wall), tests: run.cases.length + run.more, failures: failures.length, last: failures.at(-1)?.subject }
}

/** What Node takes to read the file and to find its lines, which nobody on Node gets below. */
export async function readBare({ path }) {
  const [started, wall] = [process.cpuUsage(), performance.now()]
  let lines = 0
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK })) {
    for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', at + 1)) lines += 1
  }
  return { ...since(started, wall), lines }
}

/** Seconds of the processor and by the clock. */
function since(started, wall) {
  const { user, system } = process.cpuUsage(started)
  return { cpu: (user + system) / 1e6, wall: (performance.now() - wall) / 1000 }
}

export async function cleanText({ module, size }) {
  const { redactedStream, createSanitiser } = await import(module)
  const bytes = printedText(size * 1024 * 1024)
  const pieces = Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, at) => bytes.subarray(at * CHUNK, (at + 1) * CHUNK))
  const cpuOf = (work) => median([1, 2, 3].map(() => {
    const started = process.cpuUsage()
    work()
    return since(started, 0).cpu
  }))
  const speed = (work) => bytes.length / 1e6 / cpuOf(work)
  const redact = () => {
    const stream = redactedStream(KNOWN_SECRETS)
    for (const piece of pieces) stream.push(piece)
    stream.end()
  }
  const sanitise = () => {
    const sanitiser = createSanitiser()
    for (const piece of pieces) sanitiser.push(piece.toString('utf8'))
    sanitiser.end()
  }
  return { bare: speed(() => pieces.forEach((piece) => piece.toString('utf8'))), redaction: speed(redact), sanitising: speed(sanitise) }
}

/** Lines as test runners print them: names, times, paths, colours here and there, and now and then a token. */
function printedText(size) {
  const lines = []
  for (let n = 0, length = 0; length < size; n++) {
    const line = n % 500 === 499
      ? `    Authorization: Bearer ${'q7Zp'.repeat(9)}${n}\n`
      : n % 7 === 0
        ? `\u001b[32m  ✓\u001b[39m src/adapters/workspace/checkout-${n % 97}.test.ts > keeps what the user had (${n % 900} ms)\n`
        : `    at Object.<anonymous> (/home/someone/project/src/module-${n % 311}/file.ts:${n % 400}:${n % 80}) expected ${n} to be ${n + 1}\n`
    lines.push(line)
    length += line.length
  }
  return Buffer.from(lines.join(''))
}

export function render({ size, rows, text }) {
  const speed = ({ size: read, cpu }) => read / cpu
  const perSecond = (value) => `${value.toFixed(0)} MB/s`
  const line = (row) => [row.shape, `${row.size.toFixed(0)} MB`, count(row.tests), count(row.failures), perSecond(speed(row)), times(row.cpu / row.bare), perSecond(row.size / row.wall), megabytes(row.megabytes)]
  const slowest = rows.toSorted((a, b) => speed(a) - speed(b))[0]
  const both = 1 / (1 / text.redaction + 1 / text.sanitising)
  const bothAlone = 1 / (1 / both - 1 / text.bare)
  const why = `${slowest.shape} holds ${count(slowest.tests)} tests, each of which becomes a record: ${(slowest.cpu / slowest.tests * 1e6).toFixed(1)} µs of CPU for each; only reading the file and finding its lines takes ${perSecond(slowest.size / slowest.bare)}`
  return {
    goals: [
      goal('slowest report, read and identified, by CPU', speed(slowest), { least: GOALS.speed, write: perSecond, why }),
      goal('redaction and sanitising together, by CPU, decoding of UTF-8 included', both, { least: GOALS.safe, write: perSecond }),
      goal('memory of a reader, Node included', Math.max(...rows.map((row) => row.megabytes)), { most: GOALS.memory, write: megabytes }),
    ],
    body: `A report of ${size} MB is read and every failure in it given its identity, in a process of its own; "to bare" is against a program that only reads the file and finds its lines. A report that is one JSON document is read up to 64 MB. One test in ten thousand fails, where nothing else is said; of more than 200,000 tests the rest is only counted.

${table(['report', 'size', 'tests', 'failures', 'by CPU', 'CPU to bare', 'by the clock', 'peak RSS'], rows.map(line))}

All that a process prints goes through redaction (8 known values) and sanitising first, by CPU: redaction ${perSecond(text.redaction)}, sanitising ${perSecond(text.sanitising)}, both ${perSecond(both)}, ${perSecond(bothAlone)} without the decoding of UTF-8 that is counted with sanitising; only decoding ${perSecond(text.bare)}, so both take ${times(text.bare / both)} of that.

${verdict({
  slowest: `${slowest.shape}, ${perSecond(speed(slowest))}`,
  limit: `reading and finding lines, ${perSecond(slowest.size / slowest.bare)} for that report`,
  near: `${times(slowest.cpu / slowest.bare)} of it there, ${times(Math.min(...rows.map((row) => row.cpu / row.bare)))} at best; a suite would have to print more than ${perSecond(speed(slowest))} for the reader to be what one waits for`,
})}`,
  }
}
