// Asks an agent, and takes in what it left: its files, and what the text of its answer comes to.
import { emptyReport } from '../core/index.js'
import type { Effect, Ref, Report, Session } from '../core/types.js'
import type { Activity, Agent, Answer, Beside, Kept, Limits, Reading, TextFile } from '../ports.js'
import { readWord } from '../text/reply.js'
import { askInTurn, chainFor } from './asking.js'
import { bounded, MOST_FAILURES } from './bounds.js'
import { isCorrection, takeTests, type Corrected } from './corrections.js'
import type { Performed, Ports } from './live.js'
import { startMeter, tell } from './meter.js'
import { putBack } from './put-back.js'

type Ask = Extract<Effect, { kind: 'ask' }>

export async function performAsk(ports: Ports, session: Session, effect: Ask): Promise<Performed> {
  const name = session.roles[effect.answers] ?? ''
  const [first, ...others] = chainFor(ports, name)
  if (!first) return { kind: 'report', report: errorOf(effect, `no agent "${name}" for the role ${effect.answers}`) }
  const meter = startMeter(ports, session, effect, first.person ? 'silent' : 'marked')
  const request = {
    session: session.id,
    effect,
    prompt: ports.folder.read(promptPath(effect)) ?? '',
    responsePath: ports.folder.resolve(awaitedPath(effect)),
    cwd: ports.workspace.cwd,
    limits: within(ports.limits.agent, session),
    failing: session.facing,
  }
  const { agent, answer } = await askInTurn({ ports, session, effect, request, onActivity: meter.onActivity }, [first, ...others])
  const report = !answer || answer.ending === 'aborted' ? 'aborted' : await take(ports, session, effect, { agent, answer, onActivity: meter.onActivity })
  const spent = meter.stop(answer?.spent)
  if (!answer) return { kind: 'not yet' }
  return report === 'aborted' ? { kind: 'aborted', spent } : { kind: 'report', report: { ...outOfScope(effect, report), spent } }
}

function errorOf(effect: Ask, note: string): Report {
  return { ...emptyReport(effect), verdict: 'error', cause: 'agent', note }
}

// ───────────────────────────── taking it in ─────────────────────────────

type Answered = { agent: Agent; answer: Answer; onActivity: (activity: Activity) => void }

/** Whether anything moved is told by the files alone, and only plans, candidates and tests may move them. */
async function take(ports: Ports, session: Session, effect: Ask, answered: Answered): Promise<Report | 'aborted'> {
  const { answer } = answered
  const reading = answer.ending === 'done' ? ports.read(session, effect, answer.text, besideOf(ports, session, effect, answered)) : null
  const left = await leftBy(ports, session, effect, answered, reading)
  if (left === 'aborted') return 'aborted'
  const { kept, refused, turnedDown } = left
  const notRun = reading?.commands ?? []
  const said = [...notRun.map((line) => `not run: ${line}`), ...refused.map((why) => `not written: ${why}`), ...turnedDown.map((why) => `tests turned down: ${why}`)]
  for (const text of [...(reading?.warnings ?? []), ...kept.notices, ...said]) tell(ports, text)
  const files = [...answer.files.flatMap((file) => ports.folder.refer(file) ?? []), ...writeUsage(ports, effect, answered)]
  const word = effect.nonce ? readWord(answer.text, effect.nonce) : null
  const { tree, changed, pins, failures } = kept
  const base: Report = { ...emptyReport(effect), tree, changed, pins, failures, files, word, ids: left.ids }
  return reading ? withReading(ports, session, effect, { ...base, note: answer.note }, reading, left) : withoutReading(base, effect, answer)
}

function besideOf({ folder }: Ports, session: Session, effect: Ask, { agent }: Answered): Beside {
  const kept = (name: string): string | undefined => {
    const ref = session.kept[name]
    return ref && folder.read(ref.path)
  }
  return { kept, inText: isInText(session, effect, agent) }
}

function isInText({ procedure }: Session, { phase: name }: Ask, agent: Agent): boolean {
  const phase = procedure.phases[name]
  return agent.inText || (phase?.kind === 'ask' && phase.replies === 'text')
}

/** `refused` are files of a candidate that were not written, `turnedDown` says why tests were not taken. */
type Left = Corrected & { refused: string[] }

const NOTHING_MORE = { refused: [], turnedDown: [], ids: {}, tests: null }

async function leftBy(ports: Ports, session: Session, effect: Ask, { agent, onActivity }: Answered, reading: Reading | null): Promise<Left | 'aborted'> {
  if (effect.yields === 'candidate' && !isInText(session, effect, agent)) return { ...NOTHING_MORE, kept: await ports.workspace.keep(effect) }
  const cleared = await putBack(ports, effect, `the ${effect.role}`)
  const files = reading?.files ?? []
  if (isCorrection(effect) && files.length > 0) {
    const taken = await takeTests(ports, session, effect, files, onActivity)
    return taken === 'aborted' ? 'aborted' : { ...taken, refused: [], kept: alsoSaying(taken.kept, cleared) }
  }
  if (effect.yields !== 'candidate') return { ...NOTHING_MORE, kept: cleared }
  const { refused } = await ports.workspace.write(files, reading?.deletes)
  return { ...NOTHING_MORE, refused, kept: alsoSaying(await ports.workspace.keep(effect), cleared) }
}

function alsoSaying(kept: Kept, { notices }: Kept): Kept {
  return { ...kept, notices: [...notices, ...kept.notices] }
}

/** Tests that were turned down fail the plan they came with, as long as there is no other. */
function withReading(ports: Ports, session: Session, effect: Ask, base: Report, reading: Reading, left: Left): Report {
  const { turnedDown } = left
  const first = effect.yields === 'plan' && effect.plan === 1
  if (first && turnedDown.length > 0) return { ...base, verdict: 'error', cause: 'agent', note: turnedDown.join('; ') }
  // What an audit proposes counts as a correction only when tests are different by it.
  const verdict = effect.yields === 'tests' && base.pins === null && reading.verdict === 'fail' ? 'pass' : reading.verdict
  return {
    ...base,
    verdict,
    cause: verdict !== 'error' ? null : reading.final ? 'said' : 'agent',
    note: noteOf(base, reading, left),
    failures: [...base.failures, ...reading.failures].slice(0, MOST_FAILURES).map(bounded),
    keeps: verdict === 'error' ? {} : writeKeeps(ports, { ...reading.keeps, ...leftForNext(session, effect, reading, left) }),
  }
}

function noteOf(base: Report, { note, files, verdict }: Reading, { turnedDown }: Left): string {
  if (turnedDown.length > 0) return `tests turned down: ${turnedDown.join('; ')}`
  const idle = verdict === 'fail' && files.length > 0 && base.pins === null
  return idle ? 'the corrected tests are those that are there' : note || base.note
}

/** What the next prompts have to know besides: tests that were taken, files that were not, commands that nobody ran. */
function leftForNext({ kept }: Session, { yields, base }: Ask, { keeps, commands }: Reading, { refused, tests }: Left): Reading['keeps'] {
  if (yields !== 'candidate') return tests ? { tests } : {}
  const asList = (lines: readonly string[]): string => lines.map((line) => `- ${line}\n`).join('')
  const notRun = commands.length === 0 ? null : { path: `${base}-commands.md`, text: `These were not run:\n\n${asList(commands)}` }
  return {
    ...((notRun || kept['commands']) && { commands: notRun }),
    ...(refused.length > 0 && { refused: { path: `${base}-refused.md`, text: `${keeps['refused']?.text ?? ''}${asList(refused)}` } }),
  }
}

/** What it used, by kind of token, for whoever wants more than the sum. */
function writeUsage({ folder }: Ports, { base }: Ask, { agent, answer }: Answered): Ref[] {
  return answer.usage ? [folder.write(`${base}-usage.json`, `${JSON.stringify({ agent: agent.name, ...answer.usage }, null, 2)}\n`)] : []
}

function writeKeeps(ports: Ports, keeps: Reading['keeps']): Record<string, Ref | null> {
  const write = (file: TextFile | null): Ref | null => file && ports.folder.write(file.path, file.text)
  return Object.fromEntries(Object.entries(keeps).map(([name, file]) => [name, write(file)]))
}

/** The agent's ending is only its word: it fails an ask that moved nothing, and decides only where the procedure says so. */
function withoutReading(base: Report, effect: Ask, { ending, note }: Answer): Report {
  if (ending === 'cancelled') return { ...base, verdict: 'cancelled', note }
  if (ending === 'unavailable') return { ...base, verdict: 'error', cause: 'infrastructure', note }
  if (ending === 'exhausted') return { ...base, verdict: 'error', cause: 'said', note }
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
