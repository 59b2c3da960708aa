// Asks an agent, and takes in what it left: its files, and what the text of its answer comes to.
import { emptyReport } from '../core/index.js'
import type { Ref, Report, Session } from '../core/types.js'
import type { Activity, Agent, Answer, Beside, Kept, Ran, Reading, TextFile } from '../ports.js'
import { mayAskAgain } from '../text/reply/read-reply.js'
import { readWord } from '../text/reply/reply.js'
import { noticeOf, ranText } from '../text/reply/commands.js'
import { askInTurn, chainFor } from './asking.js'
import { bounded, MOST_FAILURES } from './bounds.js'
import { limitsWithin } from './budget-hold.js'
import { isCorrection, takeTests, type Corrected } from './corrections.js'
import type { Ask, Performed, Ports } from './live.js'
import { startMeter, tell, type Meter } from './meter.js'
import { asItStands, putBack } from './put-back.js'
import { awaitedPath, promptPath } from './ask-files.js'

export async function performAsk(ports: Ports, session: Session, effect: Ask): Promise<Performed> {
  const name = session.roles[effect.answers] ?? ''
  const [first, ...others] = chainFor(ports, name)
  if (!first) return { kind: 'report', report: errorOf(effect, `no agent "${name}" for the role ${effect.answers}`) }
  const meter = startMeter(ports, session, effect, first.person ? 'silent' : 'marked')
  try {
    return await askOne(ports, session, effect, [first, ...others], meter)
  } finally {
    meter.stop()
  }
}

async function askOne(ports: Ports, session: Session, effect: Ask, chain: [Agent, ...Agent[]], meter: Meter): Promise<Performed> {
  const edits = chain.some((agent) => mayEdit(session, effect, agent))
  const request = {
    session: session.id,
    effect,
    prompt: ports.folder.read(promptPath(effect)) ?? '',
    responsePath: ports.folder.resolve(awaitedPath(effect)),
    cwd: ports.workspace.cwd,
    top: ports.workspace.top,
    mayWrite: edits ? ports.workspace.mayWrite : () => `the ${effect.role} answers in text, and files it writes are not kept`,
    failing: session.facing,
  }
  const { agent, answer } = await askInTurn({ ports, session, effect, request, onActivity: meter.onActivity }, chain)
  const report = !answer || answer.ending === 'aborted' ? 'aborted' : await take(ports, session, effect, { agent, answer, onActivity: meter.onActivity })
  const spent = meter.stop(answer?.spent)
  if (!answer) return { kind: 'not yet' }
  return report === 'aborted' ? { kind: 'aborted', spent } : { kind: 'report', report: { ...outOfScope(effect, report), by: agent.name, spent } }
}

function errorOf(effect: Ask, note: string): Report {
  return { ...emptyReport(effect), verdict: 'error', cause: 'agent', note }
}

// ───────────────────────────── taking it in ─────────────────────────────

type Answered = { agent: Agent; answer: Answer; onActivity: (activity: Activity) => void }

/** Whether anything moved is told by the files alone, and only plans, candidates and tests may move them. */
async function take(ports: Ports, session: Session, effect: Ask, answered: Answered): Promise<Report | 'aborted'> {
  const { answer, agent } = answered
  // Before anything is read: what a reply changes by parts are the files that were asked about.
  const cleared = mayEdit(session, effect, agent) ? asItStands(effect) : await putBack(ports, effect, `the ${effect.role}`)
  const reading = answer.ending === 'done' ? ports.read(session, effect, answer.text, besideOf(ports, session, effect, answered)) : null
  const left = await leftBy(ports, session, effect, answered, reading, cleared)
  if (left === 'aborted') return 'aborted'
  const { kept, refused, turnedDown, ran } = left
  const said = [...refused.map((why) => `not written: ${why}`), ...turnedDown.map((why) => `tests turned down: ${why}`)]
  tellRan(ports, ran)
  for (const text of [...(reading?.warnings ?? []), ...kept.notices, ...said, ...idle(effect, answered, reading, kept)]) tell(ports, text)
  const files = [...answer.files.flatMap((file) => ports.folder.refer(file) ?? []), ...writeUsage(ports, effect, answered)]
  const word = effect.nonce ? readWord(answer.text, effect.nonce) : null
  const { tree, changed, pins, failures, planted = [] } = kept
  const base: Report = { ...emptyReport(effect), tree, changed, pins, failures, files, word, ids: left.ids }
  const report = reading ? withReading(ports, session, effect, { ...base, note: answer.note }, reading, left) : withoutReading(base, effect, answer)
  return planted.length === 0 ? report : { ...report, note: [report.note, ...planted.map((line) => `planted: ${line}`)].join('; ') }
}

/** Whoever looks elsewhere is called for the first that was not run, and hears of the others with it. */
function tellRan({ reporter, clock }: Ports, ran: readonly Ran[]): void {
  const called = ran.find(({ ending }) => ending === 'blocked')
  for (const one of ran) {
    for (const text of noticeOf(one)) reporter.notice({ kind: 'warning', text, at: clock.now(), ...(one === called && { blocked: true as const }) })
  }
}

/** A person may answer by blocks or by hand; one who did neither should hear of it. */
function idle({ yields, tree }: Ask, { agent }: Answered, reading: Reading | null, kept: Kept): string[] {
  if (!agent.person || yields !== 'candidate' || !reading || reading.verdict !== 'pass') return []
  if (reading.files.length + reading.deletes.length + reading.commands.length > 0 || kept.tree !== tree) return []
  return ['the reply has no file block, and nothing was changed in the folder: all stays as it was']
}

function besideOf({ folder, workspace }: Ports, session: Session, effect: Ask, { agent }: Answered): Beside {
  const kept = (name: string): string | undefined => {
    const ref = session.kept[name]
    return ref && folder.read(ref.path)
  }
  return { kept, inText: isInText(session, effect, agent), edits: mayEdit(session, effect, agent), current: (path) => workspace.read(path) }
}

function isInText({ procedure }: Session, { phase: name }: Ask, agent: Agent): boolean {
  const phase = procedure.phases[name]
  return agent.inText || (phase?.kind === 'ask' && phase.replies === 'text')
}

/** A person may do both: edit in the folder, and hand in what somebody else has written. */
function mayEdit(session: Session, effect: Ask, agent: Agent): boolean {
  return effect.yields === 'candidate' && (agent.person || !isInText(session, effect, agent))
}

/** `refused` are files of a candidate that were not written, `turnedDown` says why tests were not taken, `ran` how commands went. */
type Left = Corrected & { refused: string[]; ran: readonly Ran[] }

const NOTHING_MORE = { refused: [], turnedDown: [], ids: {}, tests: null, ran: [] }

async function leftBy(
  ports: Ports, session: Session, effect: Ask, { answer, onActivity }: Answered, reading: Reading | null, cleared: Kept,
): Promise<Left | 'aborted'> {
  const files = reading?.files ?? []
  if (isCorrection(effect) && files.length > 0) {
    const taken = await takeTests(ports, session, effect, files, onActivity)
    return taken === 'aborted' ? 'aborted' : { ...NOTHING_MORE, ...taken, kept: alsoSaying(taken.kept, cleared) }
  }
  if (effect.yields !== 'candidate') return { ...NOTHING_MORE, kept: cleared }
  const deletes = reading?.deletes ?? []
  const { refused } = files.length + deletes.length === 0 ? { refused: [] } : await ports.workspace.write(files, deletes)
  // What commands leave in the folder is part of the candidate, and measured with it.
  const ran = refused.length > 0 ? [] : await runCommands(ports, session, effect, reading?.commands ?? [], { after: answer.spent.seconds, onActivity })
  return ran === 'aborted' ? 'aborted' : { ...NOTHING_MORE, refused, ran, kept: alsoSaying(await ports.workspace.keep(effect), cleared) }
}

type Meanwhile = { after: number; onActivity: Answered['onActivity'] }

async function runCommands(
  ports: Ports, session: Session, effect: Ask, lines: readonly string[], { after, onActivity }: Meanwhile,
): Promise<readonly Ran[] | 'aborted'> {
  if (lines.length === 0) return []
  if (!ports.commands) return lines.map((line) => ({ line, ending: 'left out', note: 'no commands are run here', output: '' }))
  const { wallSeconds } = limitsWithin(ports.limits.agent, session, after)
  return ports.commands.run({ session: session.id, effect, cwd: ports.workspace.cwd, lines, wallSeconds, onActivity }, ports.control.now)
}

function alsoSaying(kept: Kept, { notices }: Kept): Kept {
  return { ...kept, notices: [...notices, ...kept.notices] }
}

/** Tests that were turned down fail the plan they came with, as long as there is no other. */
function withReading(ports: Ports, session: Session, effect: Ask, base: Report, reading: Reading, left: Left): Report {
  const { turnedDown } = left
  const first = effect.yields === 'plan' && effect.plan === 1
  if (first && turnedDown.length > 0) return { ...base, verdict: 'error', cause: 'answer', note: turnedDown.join('; ') }
  if (left.refused.length > 0 && mayAskAgain(session, effect)) return { ...base, verdict: 'error', cause: 'reply', note: left.refused.join('; ') }
  // What an audit proposes counts as a correction only when tests are different by it.
  const verdict = effect.yields === 'tests' && base.pins === null && reading.verdict === 'fail' ? 'pass' : reading.verdict
  return {
    ...base,
    verdict,
    cause: verdict !== 'error' ? null : reading.final ? 'said' : reading.again ? 'reply' : 'answer',
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

/** What the next prompts have to know besides: tests that were taken, files that were not, how commands went. */
function leftForNext({ kept }: Session, { yields, base }: Ask, { keeps }: Reading, { refused, tests, ran }: Left): Reading['keeps'] {
  if (yields !== 'candidate') return tests ? { tests } : {}
  const commands = ran.length === 0 ? null : { path: `${base}-commands.md`, text: ranText(ran) }
  return {
    ...((commands || kept['commands']) && { commands }),
    ...(refused.length > 0 && { refused: { path: `${base}-refused.md`, text: `${keeps['refused']?.text ?? ''}${refused.map((line) => `- ${line}\n`).join('')}` } }),
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
function withoutReading(base: Report, effect: Ask, { ending, note, until, closed, cut }: Answer): Report {
  if (ending === 'cancelled') return { ...base, verdict: 'cancelled', note }
  // A limit that is over in time has been waited for already, and a login nobody gets by asking again.
  if (ending === 'unavailable') return { ...base, verdict: 'error', cause: until === undefined && !closed ? 'infrastructure' : 'limit', note }
  if (ending === 'exhausted') return { ...base, verdict: 'error', cause: 'over', note }
  const keepsCandidate = effect.yields === 'candidate' && !effect.decides && base.tree !== effect.tree
  const cause = ending === 'timeout' || ending === 'silence' ? ending : cut ? 'reply' : 'agent'
  return { ...base, verdict: keepsCandidate ? 'pass' : 'error', cause, note }
}

/** Where no check follows to judge it, a breach fails the ask itself. */
function outOfScope(effect: Ask, report: Report): Report {
  const [breach] = report.failures
  if (!effect.decides || breach?.class !== 'scope' || report.verdict !== 'pass') return report
  return { ...report, verdict: 'error', cause: 'guard', note: breach.message }
}
