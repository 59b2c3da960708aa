// Reads a journal for the trials, on its own: it shares no line with the reader that is tried.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Whole lines only; what stands after the last newline was never finished. */
export function readLines(path) {
  const text = readFileSync(path, 'utf8')
  return text.slice(0, text.lastIndexOf('\n') + 1).split('\n').slice(0, -1)
}

function eventsOf(lines) {
  return lines.flatMap((line) => JSON.parse(line).events)
}

/** What is wrong with the chain of records: numbers, sums, and each record's hold on the one before. */
export function faultsOfChain(lines) {
  let before = ''
  return lines.flatMap((line, index) => {
    const { seq, prev, sum } = JSON.parse(line)
    const body = line.replace(/,"sum":"[0-9a-f]{32}"\}$/, '}')
    const faults = []
    if (seq !== index + 1) faults.push(`record ${index + 1} says it is ${seq}`)
    if (prev !== before) faults.push(`record ${seq} does not follow the one before`)
    if (createHash('sha256').update(body).digest('hex').slice(0, 32) !== sum) faults.push(`record ${seq} has another sum`)
    before = sum
    return faults
  })
}

/** How often each effect was asked for, and how often its end was recorded. */
export function effectsOf(lines) {
  const effects = {}
  for (const event of eventsOf(lines)) {
    const id = event.type === 'asked' ? event.effect.id : event.type === 'observed' ? event.report.effect : null
    if (id === null) continue
    effects[id] ??= { asked: 0, observed: 0 }
    effects[id][event.type]++
  }
  return effects
}

export function finishOf(lines) {
  return eventsOf(lines).findLast((event) => event.type === 'decided')?.decision.finish ?? null
}
