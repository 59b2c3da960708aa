// Ways to get nowhere that lie outside the work itself: an agent or a gate that does not run, breaches of the rules, gates that waver.
import { counted } from '../amounts.js'
import { isMost, listed, RECENT, type Case, type Rule } from './rules.js'
import type { Wrong } from './turns.js'
import { hidingText } from '../confinement.js'

const TROUBLES_IN_A_ROW = 3

/** Every check passed before anything was changed, and whoever was asked found nothing to mend. */
export const nothingFails: Rule = (facts) => {
  const { turns, judged } = facts
  if (!isOver(facts) || turns.baseline?.length !== 0 || judged.some(({ edited }) => edited)) return null
  return { evidence: ['nothing failed at the start', `it says: ${turns.troubles.note}`] }
}

/** Whoever makes the candidates said of the last one that there is none. An iteration that is gone on with is not opened again. */
function isOver({ turns: { troubles }, session }: Case): boolean {
  const phase = session.procedure.phases[troubles.phase]
  return troubles.cause === 'over' && phase?.kind === 'ask' && phase.opensIteration === true
}

/** The last ask ended with its agent saying so. Who it was, and why that one, tells whether somebody else could do more. */
export const nothingLeft: Rule = (facts) => {
  if (!isOver(facts)) return null
  const { turns: { troubles }, session } = facts
  const asked = [...new Set(Object.values(session.roles))].join(', ')
  const { agent: origin } = (session.setup['origins'] as { agent?: string } | undefined) ?? {}
  return { evidence: [`it says: ${troubles.note}`, `asked: ${asked}${origin === undefined ? '' : ` (from ${origin})`}`] }
}

/** The same, where a limit of its own ended the search and not the lack of anything to try. */
export function cutShort(words: string): Rule {
  return (facts) => (facts.turns.troubles.note.includes(words) ? nothingLeft(facts) : null)
}

/** The same, where it was reached and the last one ended by a failure of its own, not by a limit or a broken answer; or every iteration ended so. */
export const agentFailed: Rule = (facts) => {
  const { turns: { troubles }, session } = facts
  const match = troubles.cause === 'agent' ? (failedThroughout(facts) ?? agentUnavailable(facts)) : null
  const folder = session.iteration === 0 ? 'the folder' : `iteration-${session.iteration} of the folder`
  return match && { evidence: [...match.evidence, `all that it put out lies in ${folder} that greenlatch path ${session.id} names`] }
}

/** No iteration had an answer. */
const failedThroughout: Rule = ({ turns: { troubles, asked } }) => {
  if (asked.failed === 0 || asked.failed < asked.iterations) return null
  return { evidence: [`the agent failed in ${asked.failed} of ${asked.iterations} iterations`, `it last said: ${troubles.note}`] }
}

/** An end by errors of the agent, or three asks in a row that came to nothing. */
export const agentUnavailable: Rule = ({ turns: { troubles, last }, finish }) => {
  const byAgent = finish?.code === 7 && (last?.cause === 'infrastructure' || last?.cause === 'setbacks' || last?.cause === 'route')
  if (!byAgent && troubles.row < TROUBLES_IN_A_ROW) return null
  const said = troubles.note === '' ? [] : [`it last said: ${troubles.note}`]
  return { evidence: [`${counted(Math.max(1, troubles.row), 'ask')} in a row came to nothing`, ...said] }
}

/** It ended where the agent had answered, and its answers were of no use. */
export const unusableAnswer: Rule = ({ turns: { troubles, last }, finish }) => {
  const isEnd = finish !== null && last?.cause === 'route' && troubles.row > 0 && (troubles.cause === 'reply' || troubles.cause === 'answer')
  return isEnd ? { evidence: [`${counted(troubles.row, 'answer')} in a row could not be used: ${troubles.note}`] } : null
}

/** The last check could not be judged because the command of a gate does not run. */
export const gateCannotRun: Rule = ({ session, turns: { unrunnable, baseline } }) => {
  if (unrunnable === null) return null
  const since = baseline === null ? 'it never ran in this session' : 'it ran at the start, and does not run any more even on the files as they were then: something outside of them has changed'
  return { evidence: [`${unrunnable.gate}: ${unrunnable.note}`, since, ...[hidingText(session.setup) ?? []].flat()] }
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
    return { evidence: [lead, `named: ${listed(subjects)}`, ...saidOf(breaches), ...takenBack(breaches), ...permission(breaches)], breached: subjects, ...newestKept(breaches) }
  }
}

const MOST_SAID = 5

/** What was done there, each thing once. */
function saidOf(breaches: readonly Wrong[]): string[] {
  return [...new Set(breaches.flatMap(({ says }) => says ?? []))].slice(-MOST_SAID)
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
