// Asks an agent, and takes in what it left: its files, and what the text of its answer comes to.
import { emptyReport } from '../core/index.js'
import type { Effect, Ref, Report, Session } from '../core/types.js'
import type { Agent, Answer, Kept, Limits, Reading, TextFile } from '../ports.js'
import { readWord } from '../text/reply.js'
import { bounded, MOST_FAILURES } from './bounds.js'
import type { Performed, Ports } from './live.js'
import { startMeter, tell } from './meter.js'
import { putBack } from './put-back.js'

type Ask = Extract<Effect, { kind: 'ask' }>

export async function performAsk(ports: Ports, session: Session, effect: Ask): Promise<Performed> {
  const name = session.roles[effect.answers] ?? ''
  const agent = Object.hasOwn(ports.agents, name) ? ports.agents[name] : undefined
  if (!agent) return { kind: 'report', report: errorOf(effect, `no agent "${name}" for the role ${effect.answers}`) }
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
  const report = await take(ports, session, effect, { agent, answer })
  return { kind: 'report', report: { ...outOfScope(effect, report), spent } }
}

function errorOf(effect: Ask, note: string): Report {
  return { ...emptyReport(effect), verdict: 'error', cause: 'agent', note }
}

// ───────────────────────────── taking it in ─────────────────────────────

type Answered = { agent: Agent; answer: Answer }

/** Whether anything moved is told by the files alone, and only plans, candidates and tests may move them. */
async function take(ports: Ports, session: Session, effect: Ask, answered: Answered): Promise<Report> {
  const { answer } = answered
  const reading = answer.ending === 'done' ? ports.read(session, effect, answer.text) : null
  const kept = await keepOf(ports, session, effect, answered, reading)
  for (const text of [...(reading?.warnings ?? []), ...kept.notices]) tell(ports, text)
  const files = answer.files.flatMap((file) => ports.folder.refer(file) ?? [])
  const word = effect.nonce ? readWord(answer.text, effect.nonce) : null
  const { tree, changed, pins } = kept
  const base: Report = { ...emptyReport(effect), tree, changed, pins, failures: kept.failures, files, word }
  return reading ? withReading(ports, effect, { ...base, note: answer.note }, reading) : withoutReading(base, effect, answer)
}

async function keepOf(ports: Ports, { procedure }: Session, effect: Ask, { agent }: Answered, reading: Reading | null): Promise<Kept> {
  const phase = procedure.phases[effect.phase]
  const inText = agent.inText || (phase?.kind === 'ask' && phase.replies === 'text')
  const own = effect.yields === 'candidate' && !inText
  const cleared = own ? null : await putBack(ports, effect, `the ${effect.role}`)
  const files = own ? [] : (reading?.files ?? [])
  const movesTree = own || (files.length > 0 && effect.yields !== 'response')
  if (!movesTree && cleared) return cleared
  const { refused } = await ports.workspace.write(files)
  const kept = await ports.workspace.keep(effect)
  return { ...kept, notices: [...(cleared?.notices ?? []), ...refused.map((why) => `not written: ${why}`), ...kept.notices] }
}

/** Tests that were turned down fail the plan they came with, as long as there is no other. */
function withReading(ports: Ports, effect: Ask, base: Report, reading: Reading): Report {
  const turnedDown = effect.yields === 'plan' || effect.yields === 'tests' ? base.failures.map(({ message }) => message) : []
  for (const message of turnedDown) tell(ports, `tests turned down: ${message}`)
  const first = effect.yields === 'plan' && effect.plan === 1
  if (first && turnedDown.length > 0) return { ...base, failures: [], verdict: 'error', cause: 'agent', note: turnedDown.join('; ') }
  const failures = turnedDown.length > 0 ? [] : [...base.failures, ...reading.failures]
  const verdict = effect.yields === 'tests' && turnedDown.length > 0 ? 'pass' : reading.verdict
  return {
    ...base,
    verdict,
    cause: verdict === 'error' ? 'agent' : null,
    note: reading.note || base.note,
    failures: failures.slice(0, MOST_FAILURES).map(bounded),
    keeps: verdict === 'error' ? {} : writeKeeps(ports, reading.keeps),
  }
}

function writeKeeps(ports: Ports, keeps: Reading['keeps']): Record<string, Ref | null> {
  const write = (file: TextFile | null): Ref | null => file && ports.folder.write(file.path, file.text)
  return Object.fromEntries(Object.entries(keeps).map(([name, file]) => [name, write(file)]))
}

/** The agent's ending is only its word: it fails an ask that moved nothing, and decides only where the procedure says so. */
function withoutReading(base: Report, effect: Ask, { ending, note }: Answer): Report {
  if (ending === 'cancelled') return { ...base, verdict: 'cancelled', note }
  if (ending === 'unavailable') return { ...base, verdict: 'error', cause: 'infrastructure', note }
  const keepsCandidate = effect.yields === 'candidate' && !effect.decides && base.tree !== effect.tree
  const cause = ending === 'timeout' || ending === 'silence' ? ending : 'agent'
  return { ...base, verdict: keepsCandidate ? 'pass' : 'error', cause, note }
}

/** Where no check follows to judge it, a breach fails the ask itself. */
function outOfScope(effect: Ask, report: Report): Report {
  const [breach] = report.failures
  if (!effect.decides || breach?.class !== 'scope' || report.verdict !== 'pass') return report
  return { ...report, verdict: 'error', cause: 'guard', note: breach.message }
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
