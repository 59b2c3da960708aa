// Does one effect in the outside world and says how it went, in the one shape of a report.
import { emptyReport, failsAlready, type Effect, type Failure, type GateResult, type Report, type Session, type Spend, type Tree, type Verdict } from '../core/index.js'
import type { Activity, Answer, Folder, GateOutcome, Limits } from '../ports.js'
import { readReview, readWord } from '../text/reply.js'
import type { Ports } from './live.js'

export type Performed = { kind: 'report'; report: Report } | { kind: 'not yet' } | { kind: 'aborted'; spent: Spend }

type Ask = Extract<Effect, { kind: 'ask' }>
type Check = Extract<Effect, { kind: 'check' }>

/** What a record may carry of failures; the whole output stands in the gate's own file. */
const MOST_FAILURES = 100
const MOST_MESSAGE = 240
const HEARTBEAT_SECONDS = 5

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
      return report(emptyReport(effect), 'error', 'guard', `this workspace cannot ${effect.action}`)
  }
}

function report(base: Report, verdict: Verdict, cause: Report['cause'], note: string): Performed {
  return { kind: 'report', report: { ...base, verdict, cause, note } }
}

// ───────────────────────────── ask ─────────────────────────────

async function performAsk(ports: Ports, session: Session, effect: Ask): Promise<Performed> {
  const name = session.roles[effect.answers] ?? ''
  const agent = Object.hasOwn(ports.agents, name) ? ports.agents[name] : undefined
  if (!agent) return report(emptyReport(effect), 'error', 'agent', `no agent "${name}" for the role ${effect.answers}`)
  // Whether anything moved is told by the files alone; where the agent's own word decides, nobody asks.
  const moves = effect.yields === 'candidate'
  // A person has worked while we waited, so there is no telling what stood there before but the tree itself.
  const before = moves && !effect.decides && !agent.person ? await treeBefore(ports, session, effect) : null
  const meter = startMeter(ports, session, effect, agent.person ? 'silent' : 'marked', before)
  const answer = await agent.ask(
    {
      session: session.id,
      effect,
      prompt: ports.folder.read(promptPath(effect)) ?? '',
      promptPath: ports.folder.resolve(promptPath(effect)),
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
  const after = moves ? await ports.workspace.tree() : effect.tree
  const tree = after === before ? effect.tree : after
  const files = answer.files.flatMap((file) => ports.folder.refer(file) ?? [])
  const base: Report = { ...emptyReport(effect), tree, spent, files, word: effect.nonce ? readWord(answer.text, effect.nonce) : null }
  return { kind: 'report', report: readAnswer(base, effect, answer) }
}

/** What an attempt that was cut off has changed is its change still: the tree before is that before its first attempt. */
async function treeBefore(ports: Ports, session: Session, effect: Ask): Promise<Tree> {
  const begun = session.cuts > 0 ? markBegun.read(ports.folder) : null
  return begun?.effect === effect.id && begun.before ? begun.before : ports.workspace.tree()
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
  const failures = review.findings.map<Failure>((finding) => ({
    gate: 'review', subject: cut(finding), class: 'behaviour', fingerprint: cut(finding), message: cut(finding), runs: { failed: 1, of: 1 },
  }))
  return { ...base, verdict: review.verdict, failures: failures.slice(0, MOST_FAILURES) }
}

// ───────────────────────────── check ─────────────────────────────

/** Gates run in their written order, up to the first whose failures count; a baseline runs them all. */
async function performCheck(ports: Ports, session: Session, effect: Check): Promise<Performed> {
  const meter = startMeter(ports, session, effect, 'marked', null)
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

async function runGate(ports: Ports, session: Session, effect: Check, name: string, onActivity: (activity: Activity) => void): Promise<GateOutcome> {
  const gate = Object.hasOwn(ports.gates, name) ? ports.gates[name] : undefined
  if (!gate) return { result: gateResult(name, 'error', 'there is no such gate'), failures: [], files: [] }
  const base = ports.folder.resolve(effect.base)
  return gate.run({ session: session.id, effect, cwd: ports.workspace.cwd, base, limits: ports.limits.gate, onActivity }, ports.control.now)
}

function gateResult(gate: string, exit: GateResult['exit'], note: string): GateResult {
  return { gate, exit, complete: false, known: false, missing: 0, seconds: 0, note }
}

function cut(text: string): string {
  return text.length > MOST_MESSAGE ? `${text.slice(0, MOST_MESSAGE - 1)}…` : text
}

// ───────────────────────────── files, limits, spending ─────────────────────────────

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

type Meter = { onActivity: (activity: Activity) => void; stop: (said?: Spend) => Spend }

/** Measures an effect by the monotonic clock and leaves a mark on disk, so that a crash does not forget what it had cost. */
function startMeter(ports: Ports, session: Session, effect: Effect, mark: 'marked' | 'silent', before: Tree | null): Meter {
  const started = ports.clock.seconds()
  let told: Spend = { seconds: 0, tokens: 0, usd: 0 }
  const spent = (): Spend => ({ ...told, seconds: ports.clock.seconds() - started })
  const write = (): void => {
    try {
      markBegun.write(ports.folder, { effect: effect.id, cuts: session.cuts, spent: spent(), before })
    } catch (error) {
      // A mark is only a hint; the next record will fail loudly when the folder cannot be written.
      ports.reporter.notice({ kind: 'warning', text: `what this effect costs cannot be noted: ${String(error)}`, at: ports.clock.now() })
    }
  }
  if (mark === 'marked') write()
  const beat = mark === 'marked' ? setInterval(write, HEARTBEAT_SECONDS * 1000) : undefined
  beat?.unref()
  return {
    onActivity: (activity) => {
      if (activity.kind === 'spent') told = activity.spent
      if (activity.kind === 'cut') ports.reporter.notice({ kind: 'warning', text: `${effect.phase}: ${activity.note}`, at: ports.clock.now() })
      ports.reporter.notice({ kind: 'activity', effect, activity, at: ports.clock.now() })
    },
    stop: (said) => {
      clearInterval(beat)
      return said ? { ...said, seconds: spent().seconds } : spent()
    },
  }
}

type Begun = { effect: string; cuts: number; spent: Spend; before?: Tree | null }

/** The mark of an effect under way. It is a hint for after a crash and need not be durable. */
export const markBegun = {
  file: 'underway.json',
  write(folder: Folder, begun: Begun): void {
    folder.mark(markBegun.file, JSON.stringify(begun))
  },
  read(folder: Folder): Begun | null {
    try {
      return JSON.parse(folder.read(markBegun.file) ?? 'null') as Begun | null
    } catch {
      return null
    }
  },
}
