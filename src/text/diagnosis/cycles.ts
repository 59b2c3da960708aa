// What comes back: states that repeat with a period, and two tests of which one always fails.
import type { Turn } from './turns.js'

const MOST_STATES = 60
const LONGEST_PERIOD = 20
const MOST_SUBJECTS = 12

export type Cycle = { period: number; matches: number; by: 'files' | 'failures' }

/**
 * Files that come back: each state leads to the next and the last to the first again, with two states more than one round has; or the same
 * files after the same distance, again and again. The first is not misled by being put back meanwhile, the second by an agent that counts.
 */
export function cycleOfFiles(judged: readonly Turn[]): Cycle | null {
  const recent = judged.slice(-MOST_STATES)
  return roundOf(recent) ?? periodOf(recent.map(({ tree, key }) => `${tree} ${key}`), 'files', (period) => Math.min(period, 3))
}

/** Failures alone come back by chance too: they count only after a whole round of them and one more. */
export function cycleOfFailures(judged: readonly Turn[]): Cycle | null {
  return periodOf(judged.slice(-MOST_STATES).map(({ key }) => key), 'failures', (period) => period + 1)
}

function roundOf(recent: readonly Turn[]): Cycle | null {
  const next = new Map(recent.map(({ base, tree }) => [base, tree]))
  const last = recent.at(-1)?.tree ?? ''
  const round = [last]
  for (let at = next.get(last); at !== last; at = next.get(at)) {
    if (at === undefined || round.length >= LONGEST_PERIOD || round.includes(at)) return null
    round.push(at)
  }
  const made = recent.filter(({ tree }) => round.includes(tree)).length
  const isOneWay = recent.every(({ base, tree }) => !round.includes(base) || next.get(base) === tree)
  const isRound = round.length > 1 && made >= round.length + 2 && isOneWay
  return isRound ? { period: round.length, matches: made - round.length, by: 'files' } : null
}

function periodOf(states: readonly string[], by: Cycle['by'], least: (period: number) => number): Cycle | null {
  for (let period = 2; period <= Math.min(LONGEST_PERIOD, states.length - 2); period++) {
    const matches = matchesAt(states, period)
    const round = new Set(states.slice(-period))
    if (matches >= least(period) && round.size > 1) return { period, matches, by }
  }
  return null
}

/** How many of the last states are those of one period before, without a gap. */
function matchesAt(states: readonly string[], period: number): number {
  let matches = 0
  while (matches + period < states.length && states.at(-1 - matches) === states.at(-1 - matches - period)) matches += 1
  return matches
}

export type Contradiction = { one: string; other: string; oneGreen: number; otherGreen: number }

/**
 * Two trees each way round: two states that are only gone to and fro between are a cycle and prove nothing of the tests. And the two have
 * to be most of what comes and goes: among many tests that fail in turn, some pair is always apart by chance.
 */
export function contradiction(judged: readonly Turn[]): Contradiction | null {
  const recent = judged.slice(-MOST_STATES)
  const rows = recent.map(({ failing, tree, heard }) => {
    return { tree, heard: new Set(heard), red: new Set(failing.map(({ subject }) => subject)) }
  })
  const gates = new Map(recent.flatMap(({ failing }) => failing.map(({ subject, gate }) => [subject, gate] as const)))
  const isTurning = (subject: string, gate: string): boolean => rows.some(({ heard, red }) => heard.has(gate) && !red.has(subject))
  const turning = [...gates].filter(([subject, gate]) => isTurning(subject, gate)).slice(0, MOST_SUBJECTS)
  const coming = rows.flatMap(({ red }) => turning.filter(([subject]) => red.has(subject))).length
  for (const [place, [one, gateOfOne]] of turning.entries()) {
    for (const [other, gateOfOther] of turning.slice(place + 1)) {
      const both = rows.filter(({ heard }) => heard.has(gateOfOne) && heard.has(gateOfOther))
      if (both.some(({ red }) => !red.has(one) && !red.has(other))) continue
      const oneGreen = both.filter(({ red }) => !red.has(one))
      const otherGreen = both.filter(({ red }) => !red.has(other))
      if (trees(oneGreen) < 2 || trees(otherGreen) < 2) continue
      const reds = rows.flatMap(({ red }) => [one, other].filter((subject) => red.has(subject))).length
      if (reds * 3 < coming * 2) continue
      return { one, other, oneGreen: oneGreen.length, otherGreen: otherGreen.length }
    }
  }
  return null
}

function trees(rows: readonly { tree: string }[]): number {
  return new Set(rows.map(({ tree }) => tree)).size
}
