// Ways to get nowhere that lie outside the work itself: an agent or a gate that does not run, breaches of the rules, gates that waver.
import { counted } from './amounts.js'
import { isMost, listed, RECENT, type Rule } from './diagnosis-rules.js'
import type { Wrong } from './diagnosis-turns.js'

const TROUBLES_IN_A_ROW = 3

/** An end by errors of the agent, or three asks in a row that came to nothing. */
export const agentUnavailable: Rule = ({ turns: { troubles, last }, finish }) => {
  const byAgent = finish?.code === 7 && (last?.cause === 'infrastructure' || last?.cause === 'setbacks' || last?.cause === 'route')
  if (!byAgent && troubles.row < TROUBLES_IN_A_ROW) return null
  const said = troubles.note === '' ? [] : [`it last said: ${troubles.note}`]
  return { evidence: [`${counted(Math.max(1, troubles.row), 'ask')} in a row came to nothing`, ...said] }
}

/** The last check could not be judged because the command of a gate does not run. */
export const gateCannotRun: Rule = ({ turns: { unrunnable, baseline } }) => {
  if (unrunnable === null) return null
  const since = baseline === null ? 'it never ran in this session' : 'it ran at the start, so something that was changed since keeps it from running'
  return { evidence: [`${unrunnable.gate}: ${unrunnable.note}`, since] }
}

/** The baseline ran, and knows nothing of a test that was named. */
export const unknownTest: Rule = ({ turns: { misnamed } }) => (misnamed === null ? null : { evidence: [misnamed] })

/** Breaches of one class in half of the last iterations and more than once, or an end by them. */
export function breachRule(kind: Wrong['class'], verb: string): Rule {
  return ({ judged, turns, finish }) => {
    const recent = judged.slice(-RECENT)
    const breached = recent.filter(({ failing }) => failing.some((wrong) => wrong.class === kind))
    const isEnd = finish !== null && turns.last?.cause === 'breaches' && recent.at(-1)?.failing.some((wrong) => wrong.class === kind)
    if (!isEnd && !isMost(breached.length, recent.length, 2)) return null
    const breaches = breached.flatMap(({ failing }) => failing.filter((wrong) => wrong.class === kind))
    const subjects = [...new Set(breaches.map(({ subject }) => subject))]
    const lead = `${breached.length} of the last ${counted(recent.length, 'iteration')} ${verb}`
    return { evidence: [lead, `named: ${listed(subjects)}`, ...takenBack(breaches), ...permission(breaches)], ...newestKept(breaches) }
  }
}

function newestKept(breaches: readonly Wrong[]): { kept?: string } {
  const kept = breaches.findLast(({ breach }) => breach?.kept)?.breach?.kept
  return kept ? { kept } : {}
}

/** The iterations themselves show nothing of it any more. */
function takenBack(breaches: readonly Wrong[]): string[] {
  const { kept } = newestKept(breaches)
  return kept === undefined ? [] : [`taken back each time, and the last of it kept as ${kept}`]
}

function permission(breaches: readonly Wrong[]): string[] {
  const permits = [...new Set(breaches.flatMap(({ breach }) => breach?.permit ?? []))].map((what) => `--permit ${what}`)
  return permits.length === 0 ? [] : [`a run with ${permits.join(' ')} would let it, and prove at most partly`]
}

/** A gate that said two things of one tree, twice; or iterations in which nothing failed but what has also passed when it was run again. */
export const flakyGate: Rule = ({ turns: { wavering }, judged, window }) => {
  const flips = judged.filter(({ flipped }) => flipped.length > 0)
  const mixed = window.filter(({ failing }) => failing.length > 0 && failing.every(({ subject }) => wavering.has(subject)))
  if (flips.length < 2 && !isMost(mixed.length, window.length, 2)) return null
  const gates = [...new Set(flips.flatMap(({ flipped }) => flipped))]
  const subjects = [...new Set(mixed.flatMap(({ failing }) => failing.map(({ subject }) => subject)))]
  const again = `in ${counted(mixed.length, 'iteration')} nothing failed but what has passed when it was run again: ${listed(subjects)}`
  return {
    evidence: [
      ...(flips.length > 0 ? [`${listed(gates)} said different things of the same files, ${flips.length} times`] : []),
      ...(mixed.length > 0 ? [again] : []),
    ],
  }
}
