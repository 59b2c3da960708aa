// What is claimed of a session, each claim with the record that carries it: whoever doubts one knows where to look.
import type { Effect, Event, Session } from '../../core/types.js'
import type { JournalRecord } from '../../ports.js'
import { counted } from '../amounts.js'
import { sandboxText } from '../confinement.js'
import type { Claim } from './view.js'

type Said = { kind: string; text: string }

/** The effect that was open before the record, and the session after it. */
type At = { open: Effect | null; after: Session }

/** The newest claim of each kind. A new end, or work that goes on after one, takes back what was claimed of the end before. */
export function claimsAfter(claims: readonly Claim[], { events, seq, sum }: JournalRecord, at: At): readonly Claim[] {
  const { after } = at
  const made = events.flatMap((event) => claimsOf(event, at)).map((said) => ({ ...said, seq, sum }))
  const isOpenAgain = after.finish === null
  const kept = claims.filter(({ kind }) => !made.some((claim) => claim.kind === kind) && !(isOpenAgain && OF_AN_END.has(kind)))
  return made.length === 0 && kept.length === claims.length ? claims : [...kept, ...made]
}

const OF_AN_END = new Set(['outcome', 'proof', 'exceptions'])

function claimsOf(event: Event, { open, after }: At): Said[] {
  switch (event.type) {
    case 'opened':
      return [{ kind: 'start', text: `began on tree ${event.tree} with procedure ${event.procedure.name}` }, ...sandboxClaim(event.setup)]
    case 'extended':
      return event.cast ? sandboxClaim(event.cast.setup) : []
    case 'observed':
      return open?.kind === 'check' ? checked(event, open) : []
    case 'baselined':
      return [baselineClaim(event)]
    case 'minimised':
      return [{ kind: 'minimised', text: event.report.note }]
    case 'decided':
      return event.decision.finish ? ended(event.decision.finish, after) : []
    case 'accepted':
      return [{ kind: 'accepted', text: `tree ${event.tree} was accepted: ${event.note}` }]
    case 'undone':
    case 'redone':
      return [{ kind: 'moved', text: `a person moved it from iteration ${event.from.iteration} to ${event.to.iteration}` }]
    case 'repaired':
      return [{ kind: 'repaired', text: `the journal was repaired: ${event.note}` }]
    default:
      return []
  }
}

function sandboxClaim(setup: object): Said[] {
  const text = sandboxText(setup)
  return text === null ? [] : [{ kind: 'sandbox', text: `agents and gates ran in the sandbox ${text}` }]
}

type Judged = Pick<Extract<Event, { type: 'observed' }>, 'report' | 'judgement'>

function baselineClaim({ judgement }: Judged): Said {
  const flaky = judgement.flaky.length > 0 ? `, ${judgement.flaky.length} flaky and set aside` : ''
  return { kind: 'baseline', text: `before the work: ${judgement.failing.length + judgement.found.length} failing${flaky}` }
}

function checked({ report, judgement }: Judged, { baseline }: Extract<Effect, { kind: 'check' }>): Said[] {
  if (baseline) return report.gates.length > 0 ? [baselineClaim({ report, judgement })] : []
  if (report.sealed === null || judgement.verdict !== 'pass') return []
  const gates = counted(report.gates.length, 'gate')
  const evidence = report.evidence.map((text) => ({ kind: `evidence: ${text}`, text }))
  return [{ kind: 'seal', text: `the sealed check passed ${gates} on tree ${report.sealed.tree}, pinned files ${report.sealed.pins}` }, ...evidence]
}

function ended({ outcome, label, code, why }: NonNullable<Session['finish']>, { proof }: Session): Said[] {
  const proved = proof && outcome === 'converged' ? [{ kind: 'proof', text: `tree ${proof.tree} is what was proved` }] : []
  const exceptions = proof && proof.exceptions.length > 0 ? [{ kind: 'exceptions', text: `except: ${proof.exceptions.join('; ')}` }] : []
  return [{ kind: 'outcome', text: `${outcome} (${label}), exit ${code}: ${why}` }, ...proved, ...exceptions]
}
