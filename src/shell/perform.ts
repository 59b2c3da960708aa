// Does one effect in the outside world and says how it went, in the one shape of a report.
import { emptyReport, failsAlready } from '../core/index.js'
import type { Effect, Failure, GateResult, Report, Session, Spend } from '../core/types.js'
import type { Activity, Answer, GateOutcome, Kept, Limits, Stood } from '../ports.js'
import { readReview, readWord } from '../text/reply.js'
import type { Ports } from './live.js'
import { startMeter, tell } from './meter.js'

export type Performed = { kind: 'report'; report: Report } | { kind: 'not yet' } | { kind: 'aborted'; spent: Spend }

type Ask = Extract<Effect, { kind: 'ask' }>
type Check = Extract<Effect, { kind: 'check' }>

/** What a record may carry of failures; the whole output stands in the gate's own file. */
const MOST_FAILURES = 100
const MOST_MESSAGE = 240
/** How many paths a line for people names. */
const MOST_NAMED = 5

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
  const kept = effect.yields === 'candidate' ? await ports.workspace.keep(effect) : await drop(ports, effect, `the ${effect.role}`)
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

/** What someone wrote who may not move the tree is taken away again, kept in salvage, and said. */
async function drop(ports: Ports, effect: Effect, who: string): Promise<Kept> {
  const stood = await ports.workspace.stand({ tree: effect.tree, iteration: effect.iteration }, `written by ${who}`)
  const said = saidOf(stood)
  const notices = said ? [...stood.notices, `${who} wrote into the tree; put back: ${said}`] : stood.notices
  return { tree: effect.tree, failures: [], notices }
}

/** Which paths were put back and where they are kept, in one line; null when there were none. */
export function saidOf({ paths, more, salvage }: Stood): string | null {
  if (paths.length === 0) return null
  const rest = more + Math.max(0, paths.length - MOST_NAMED)
  const named = paths.slice(0, MOST_NAMED).join(', ')
  return `${named}${rest > 0 ? ` and ${rest} more` : ''}${salvage ? ` (kept as ${salvage})` : ''}`
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

// ───────────────────────────── check ─────────────────────────────

/** Gates run in their written order, up to the first whose failures count; a baseline runs them all. */
async function performCheck(ports: Ports, session: Session, effect: Check): Promise<Performed> {
  const meter = startMeter(ports, session, effect, 'marked')
  const report = emptyReport(effect)
  let over = false
  for (const name of effect.gates) {
    const outcome: GateOutcome = over ? notRun(name) : await runGate(ports, session, effect, name, meter.onActivity)
    if (outcome === 'aborted') return { kind: 'aborted', spent: meter.stop() }
    const listed = outcome.failures.slice(0, MOST_FAILURES - report.failures.length)
    report.gates.push({ ...outcome.result, more: outcome.failures.length - listed.length })
    report.failures.push(...listed.map(bounded))
    report.files.push(...outcome.files.flatMap((file) => ports.folder.refer(file) ?? []))
    over = over || outcome.result.exit === 'error' || (!effect.baseline && failsAlready(session, effect, report))
  }
  for (const text of (await drop(ports, effect, 'the gates')).notices) tell(ports, text)
  const broken = report.gates.find((gate) => gate.exit === 'error')
  const bad = broken ?? report.gates.find((gate) => gate.exit !== 'pass')
  return {
    kind: 'report',
    report: {
      ...report,
      verdict: broken ? 'error' : bad ? 'fail' : 'pass',
      cause: broken ? 'gate' : null,
      note: bad ? `${bad.gate}: ${bad.note}` : '',
      diffLines: await ports.workspace.diffLines(session.start, effect.tree),
      spent: meter.stop(),
    },
  }
}

function bounded(failure: Failure): Failure {
  return { ...failure, subject: cut(failure.subject), message: cut(failure.message) }
}

function notRun(name: string): GateOutcome {
  return { result: gateResult(name, 'not run', 'an earlier gate did not pass'), failures: [], files: [] }
}

type OnActivity = (activity: Activity) => void

async function runGate(ports: Ports, { id }: Session, effect: Check, name: string, onActivity: OnActivity): Promise<GateOutcome> {
  const gate = Object.hasOwn(ports.gates, name) ? ports.gates[name] : undefined
  if (!gate) return { result: gateResult(name, 'error', 'there is no such gate'), failures: [], files: [] }
  const base = ports.folder.resolve(effect.base)
  return gate.run({ session: id, effect, cwd: ports.workspace.cwd, base, limits: ports.limits.gate, onActivity }, ports.control.now)
}

function gateResult(gate: string, exit: GateResult['exit'], note: string): GateResult {
  return { gate, exit, complete: false, known: false, missing: 0, seconds: 0, note }
}

function cut(text: string): string {
  return text.length > MOST_MESSAGE ? `${text.slice(0, MOST_MESSAGE - 1)}…` : text
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
