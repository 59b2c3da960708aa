// Does one effect in the outside world and says how it went, in the one shape of a report.
import { emptyReport, type Effect, type Failure, type GateResult, type Report, type Session, type Spend, type Verdict } from '../core/index.js'
import type { Activity, Answer, Folder, Limits } from '../ports.js'
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
  const agent = ports.agents[name]
  if (!agent) return report(emptyReport(effect), 'error', 'agent', `no agent "${name}" for the role ${effect.answers}`)
  // Whether anything moved is told by the files alone; where the agent's own word decides, nobody asks.
  const moves = effect.yields === 'candidate'
  const before = moves && !effect.decides ? await ports.workspace.tree() : null
  const meter = startMeter(ports, session, effect, agent.person ? 'silent' : 'marked')
  const answer = await agent.ask(
    {
      session: session.id,
      effect,
      prompt: ports.folder.read(promptPath(effect)) ?? '',
      promptPath: ports.folder.resolve(promptPath(effect)),
      responsePath: ports.folder.resolve(awaitedPath(effect)),
      cwd: ports.workspace.cwd,
      limits: within(ports.limits.agent, effect),
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

/** Gates run in their written order; after the first that does not pass the rest are not run. */
async function performCheck(ports: Ports, session: Session, effect: Check): Promise<Performed> {
  const meter = startMeter(ports, session, effect, 'marked')
  const gates: GateResult[] = []
  const failures: Failure[] = []
  const files: string[] = []
  for (const name of effect.gates) {
    if (gates.some((gate) => gate.exit !== 'pass')) {
      gates.push(gateResult(name, 'not run', 'an earlier gate did not pass'))
      continue
    }
    const outcome = await runGate(ports, session, effect, name, meter.onActivity)
    if (outcome === 'aborted') return { kind: 'aborted', spent: meter.stop() }
    gates.push(outcome.result)
    failures.push(...outcome.failures)
    files.push(...outcome.files)
  }
  const broken = gates.find((gate) => gate.exit === 'error')
  const bad = gates.find((gate) => gate.exit !== 'pass')
  return {
    kind: 'report',
    report: {
      ...emptyReport(effect),
      verdict: broken ? 'error' : bad ? 'fail' : 'pass',
      cause: broken ? 'gate' : null,
      note: bad ? `${bad.gate}: ${bad.note}` : '',
      gates,
      failures: failures.slice(0, MOST_FAILURES).map((failure) => ({ ...failure, subject: cut(failure.subject), message: cut(failure.message) })),
      diffLines: await ports.workspace.diffLines(session.start, effect.tree),
      files: files.flatMap((file) => ports.folder.refer(file) ?? []),
      spent: meter.stop(),
    },
  }
}

async function runGate(ports: Ports, session: Session, effect: Check, name: string, onActivity: (activity: Activity) => void) {
  const gate = ports.gates[name]
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
function within(limits: Limits, effect: Effect): Limits {
  const left = effect.left.seconds
  return left === undefined ? limits : { ...limits, wallSeconds: Math.min(limits.wallSeconds, Math.max(1, left)) }
}

type Meter = { onActivity: (activity: Activity) => void; stop: (said?: Spend) => Spend }

/** Measures an effect by the monotonic clock and leaves a mark on disk, so that a crash does not forget what it had cost. */
function startMeter(ports: Ports, session: Session, effect: Effect, mark: 'marked' | 'silent'): Meter {
  const started = ports.clock.seconds()
  let told: Spend = { seconds: 0, tokens: 0, usd: 0 }
  const spent = (): Spend => ({ ...told, seconds: ports.clock.seconds() - started })
  const write = (): void => markBegun.write(ports.folder, { effect: effect.id, cuts: session.cuts, spent: spent() })
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

type Begun = { effect: string; cuts: number; spent: Spend }

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
