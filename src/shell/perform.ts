// Does one effect in the outside world and says how it went, in the one shape of a report.
import { emptyReport } from '../core/index.js'
import type { Effect, Failure, Report, Session } from '../core/types.js'
import type { Answer, Limits } from '../ports.js'
import { readReview, readWord } from '../text/reply.js'
import { cut, MOST_FAILURES } from './bounds.js'
import { performCheck } from './check.js'
import type { Performed, Ports } from './live.js'
import { startMeter, tell } from './meter.js'
import { putBack } from './put-back.js'

type Ask = Extract<Effect, { kind: 'ask' }>

export async function perform(ports: Ports, session: Session, effect: Effect): Promise<Performed> {
  const done = await performKind(ports, session, effect)
  return done.kind === 'report' ? { kind: 'report', report: { ...done.report, endedAt: ports.clock.now() } } : done
}

async function performKind(ports: Ports, session: Session, effect: Effect): Promise<Performed> {
  switch (effect.kind) {
    case 'ask':
      return performAsk(ports, session, effect)
    case 'check':
      return performCheck(ports, session, effect)
    case 'workspace':
      return performWorkspace(ports, session, effect)
  }
}

function failed(effect: Effect, cause: Report['cause'], note: string): Performed {
  return { kind: 'report', report: { ...emptyReport(effect), verdict: 'error', cause, note } }
}

// ───────────────────────────── ask ─────────────────────────────

async function performAsk(ports: Ports, session: Session, effect: Ask): Promise<Performed> {
  const name = session.roles[effect.answers] ?? ''
  const agent = Object.hasOwn(ports.agents, name) ? ports.agents[name] : undefined
  if (!agent) return failed(effect, 'agent', `no agent "${name}" for the role ${effect.answers}`)
  const meter = startMeter(ports, session, effect, agent.person ? 'silent' : 'marked')
  const answer = await agent.ask(
    {
      session: session.id,
      effect,
      prompt: ports.folder.read(promptPath(effect)) ?? '',
      responsePath: ports.folder.resolve(awaitedPath(effect)),
      cwd: ports.workspace.cwd,
      limits: within(ports.limits.agent, session),
      onActivity: meter.onActivity,
    },
    ports.control.now,
  )
  const spent = meter.stop(answer?.spent)
  if (!answer) return { kind: 'not yet' }
  if (answer.ending === 'aborted') return { kind: 'aborted', spent }
  // Whether anything moved is told by the files alone, and only a candidate may move them.
  const kept = effect.yields === 'candidate' ? await ports.workspace.keep(effect) : await putBack(ports, effect, `the ${effect.role}`)
  for (const text of kept.notices) tell(ports, text)
  const files = answer.files.flatMap((file) => ports.folder.refer(file) ?? [])
  const word = effect.nonce ? readWord(answer.text, effect.nonce) : null
  const base: Report = { ...emptyReport(effect), tree: kept.tree, failures: kept.failures, spent, files, word }
  return { kind: 'report', report: outOfScope(effect, readAnswer(base, effect, answer)) }
}

/** Where no check follows to judge it, a breach fails the ask itself. */
function outOfScope(effect: Ask, report: Report): Report {
  const [breach] = report.failures
  if (!effect.decides || breach?.class !== 'scope' || report.verdict !== 'pass') return report
  return { ...report, verdict: 'error', cause: 'guard', note: breach.message }
}

/** The agent's ending is only its word: it fails an ask that moved nothing, and decides only where the procedure says so. */
function readAnswer(base: Report, effect: Ask, answer: Answer): Report {
  const note = answer.note
  switch (answer.ending) {
    case 'cancelled':
      return { ...base, verdict: 'cancelled', note }
    case 'unavailable':
      return { ...base, verdict: 'error', cause: 'infrastructure', note }
    case 'done':
      return effect.yields === 'review' ? readReviewed(base, answer.text) : { ...base, note }
    case 'failed':
    case 'timeout':
    case 'silence':
    case 'aborted': {
      const keepsCandidate = effect.yields === 'candidate' && !effect.decides && base.tree !== effect.tree
      const cause = answer.ending === 'failed' || answer.ending === 'aborted' ? 'agent' : answer.ending
      return { ...base, verdict: keepsCandidate ? 'pass' : 'error', cause, note }
    }
  }
}

function readReviewed(base: Report, text: string): Report {
  const review = readReview(text)
  if (!review) return { ...base, verdict: 'error', cause: 'agent', note: 'the review says neither pass nor fail' }
  const failures = review.findings.map(cut).map<Failure>((finding) => ({
    gate: 'review', subject: finding, class: 'behaviour', fingerprint: finding, message: finding, runs: { failed: 1, of: 1 },
  }))
  return { ...base, verdict: review.verdict, failures: failures.slice(0, MOST_FAILURES) }
}

// ───────────────────────────── workspace ─────────────────────────────

async function performWorkspace(ports: Ports, session: Session, effect: Extract<Effect, { kind: 'workspace' }>): Promise<Performed> {
  if (!ports.workspace.actions.includes(effect.action)) return failed(effect, 'guard', `this workspace cannot ${effect.action}`)
  const meter = startMeter(ports, session, effect, 'marked')
  const acted = await ports.workspace.act(session, effect, ports.control.now)
  const spent = meter.stop()
  if (acted === 'aborted') return { kind: 'aborted', spent }
  const files = acted.files.flatMap((file) => ports.folder.refer(file) ?? [])
  const { verdict, cause, note, tree = effect.tree } = acted
  return { kind: 'report', report: { ...emptyReport(effect), verdict, cause, note, tree, files, spent } }
}

// ───────────────────────────── files and limits ─────────────────────────────

export function promptPath(effect: Effect): string {
  return `${effect.base}-prompt.md`
}

export function awaitedPath(effect: Effect): string {
  return `${effect.base}-response.md`
}

/** A call may take no longer than what is left of the session's own time. */
function within(limits: Limits, { budget, spent }: Session): Limits {
  const most = budget.seconds ?? 0
  return most === 0 ? limits : { ...limits, wallSeconds: Math.min(limits.wallSeconds, Math.max(1, most - spent.seconds)) }
}
