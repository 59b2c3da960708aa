// Does a check: runs its gates where they have to be run, sorts out chance, and says in a report what holds.
import { emptyReport, failsAlready, isSealed } from '../core/index.js'
import type { GateResult, Report, Session } from '../core/types.js'
import type { GateOutcome } from '../ports.js'
import { counted } from '../text/amounts.js'
import { bounded, MOST_FAILURES } from './bounds.js'
import { expectedOf, isWhole, plannedList, plannedTests, withMissing, writeList, type Expected, type Recorded } from './expected.js'
import type { CheckPorts, Heard, Performed } from './live.js'
import { keptForPrompts } from './kept-for-prompts.js'
import { startMeter, tell } from './meter.js'
import { misnamed } from './named-tests.js'
import { prove } from './proving.js'
import { triage, type Suspicion } from './triage.js'
import { notRun, startTrials, type Check, type Trials } from './trials.js'
import { blamed } from './unrunnable.js'

/** A suite that takes longer than this is not run once more only to confirm that it is green. */
const LONG_SUITE_SECONDS = 300

/** Below this a suite is always run whole. */
const SHORT_SUITE_SECONDS = 30

type Hearing = { outcome: Heard; expected: Expected }

export async function performCheck(ports: CheckPorts, session: Session, effect: Check): Promise<Performed> {
  const meter = startMeter(ports, session, effect, 'marked')
  const trials = startTrials(ports, session, effect, meter.onActivity)
  try {
    const report = await judgeTree(ports, session, effect, trials)
    const spent = meter.stop()
    return report === 'aborted' ? { kind: 'aborted', spent } : { kind: 'report', report: { ...report, spent } }
  } finally {
    meter.stop()
    await trials.clear()
  }
}

/** Gates run in their written order, up to the first whose failures count; a baseline runs them all. */
async function judgeTree(ports: CheckPorts, session: Session, effect: Check, trials: Trials): Promise<Report | 'aborted'> {
  const report = emptyReport(effect)
  const hearings: Hearing[] = []
  let over = false
  for (const name of effect.gates) {
    const expected = expectedOf(ports.folder, session, name)
    const suspicion = { trials, session, effect, where: whereOf(effect), expected: expected.given }
    const outcome: GateOutcome = over ? notRun(name) : ((await stillFailing(ports, suspicion, name)) ?? (await hear(suspicion, name, expected)))
    if (outcome === 'aborted') return 'aborted'
    hearings.push({ outcome, expected })
    if (isWhole(outcome.result) && outcome.ids !== null) durationsOf(ports).set(name, outcome.result.seconds)
    take(ports, session, effect, report, { outcome, expected })
    over = over || outcome.result.exit === 'error' || (!effect.baseline && failsAlready(session, effect, report))
  }
  for (const text of shadowsOf(effect, trials, report)) tell(ports, text)
  const settled = { ...report, ...verdictOf(session, report), diffLines: await ports.workspace.diffLines(session.start, effect.tree) }
  settled.keeps = await keptForPrompts(ports, session, effect, { heard: hearings.map(({ outcome }) => outcome), diffLines: settled.diffLines })
  if (effect.baseline) {
    sayCost(ports, session, report.gates)
    const note = misnamed(session, hearings.map(({ outcome }) => outcome))
    if (note !== null) return { ...settled, verdict: 'error', cause: 'gate', note }
  }
  if (!effect.sealed || settled.verdict === 'error' || failsAlready(session, effect, report)) return settled
  const proved = await prove(ports, session, effect, trials, hearings.map(({ outcome, expected }) => ({ outcome, expected: expected.given })))
  if (proved === 'aborted') return 'aborted'
  return { ...settled, ...proved, failures: [...settled.failures, ...(proved.failures ?? [])], note: proved.note }
}

/** A baseline and the deciding check are run where nobody has worked. */
function whereOf(effect: Check): string {
  return effect.baseline || effect.sealed ? effect.tree : 'here'
}

/** How long each gate took when it was last run to its end, as far as this process has seen. */
const durations = new WeakMap<CheckPorts, Map<string, number>>()

function durationsOf(ports: CheckPorts): Map<string, number> {
  const known = durations.get(ports) ?? new Map<string, number>()
  durations.set(ports, known)
  return known
}

/** In a long suite the failing tests come first: when they all fail as before, the rest would tell nothing new. */
async function stillFailing(ports: CheckPorts, { trials, session, effect, where }: Suspicion, name: string): Promise<GateOutcome | null> {
  const before = session.facing.filter(({ gate, class: kind }) => gate === name && kind === 'behaviour')
  const isLong = (durationsOf(ports).get(name) ?? 0) > SHORT_SUITE_SECONDS
  if (effect.baseline || effect.sealed || !isLong || before.length === 0 || before.length >= MOST_FAILURES) return null
  const outcome = await trials.run(name, where, before.map(({ subject }) => subject))
  if (outcome === 'aborted') return 'aborted'
  const failing = new Set(outcome.failures.map(({ fingerprint }) => fingerprint))
  if (!isWhole(outcome.result) || !before.every(({ fingerprint }) => failing.has(fingerprint))) return null
  const note = `${counted(before.length, 'test')} that failed before still fail; the others were not run`
  return { ...outcome, ids: null, result: { ...outcome.result, note } }
}

/** One gate, with a second look at whatever chance may have had a hand in. */
async function hear(suspicion: Suspicion, name: string, expected: Expected): Promise<GateOutcome> {
  const { trials, effect, where } = suspicion
  const once = await trials.run(name, where)
  if (once === 'aborted') return 'aborted'
  // A time limit that was hit says as much about the machine as about the tests.
  const settled = once.result.exit === 'timeout' && effect.reruns > 0 ? await trials.run(name, where) : once
  if (settled === 'aborted') return 'aborted'
  const confirmed = await confirm(suspicion, withMissing(settled, expected), expected)
  const blame = confirmed === 'aborted' ? 'aborted' : await blamed(suspicion, confirmed)
  return blame === 'aborted' ? 'aborted' : triage(suspicion, blame)
}

/** Green has to come out again as often as the phase says. */
async function confirm({ trials, effect, where }: Suspicion, first: Heard, expected: Expected): Promise<GateOutcome> {
  if (first.result.exit !== 'pass' || first.result.missing > 0 || first.result.seconds > LONG_SUITE_SECONDS) return first
  for (let time = 1; time <= effect.confirm; time += 1) {
    const again = await trials.run(first.result.gate, where)
    if (again === 'aborted') return 'aborted'
    const heard = withMissing(again, expected)
    const mixed = heard.failures.map((failure) => ({ ...failure, runs: { failed: 1, of: 1 + time } }))
    if (heard.result.exit !== 'pass' || heard.result.missing > 0) return { ...heard, failures: mixed }
  }
  return first
}

function take(ports: CheckPorts, session: Session, effect: Check, report: Report, { outcome, expected }: Hearing): void {
  const { result, failures, files } = outcome
  const listed = failures.slice(0, MOST_FAILURES - report.failures.length)
  report.gates.push({ ...result, more: failures.length - listed.length })
  report.failures.push(...listed.map(bounded))
  report.files.push(...files.flatMap((file) => ports.folder.refer(file) ?? []))
  const list = effect.baseline ? baselineList(outcome) : plannedList(outcome, plannedTests(ports.folder, session), expected)
  if (list !== null) report.ids[result.gate] = writeList(ports.folder, effect.base, result.gate, list)
}

function baselineList({ result, ids, skipped }: Heard): Recorded | null {
  return isWhole(result) && ids !== null ? { ids, skipped } : null
}

/** What a gate that is kept back says stays out of the note, which later prompts may carry. */
function verdictOf({ when }: Session, { gates }: Report): Pick<Report, 'verdict' | 'cause' | 'note'> {
  const broken = gates.find((gate) => gate.exit === 'error')
  const noteOf = ({ gate, note }: GateResult): string => (when[gate] === 'sealed' ? 'a gate that is kept back does not pass' : `${gate}: ${note}`)
  const bad = broken ?? gates.find((gate) => gate.exit !== 'pass' || gate.missing > 0)
  return { verdict: broken ? 'error' : bad ? 'fail' : 'pass', cause: broken ? 'gate' : null, note: bad ? noteOf(bad) : '' }
}

/** Green where the agent worked, red in a clean copy: what lies beside the tracked files is named. */
function shadowsOf(effect: Check, trials: Trials, { gates }: Report): string[] {
  if (!effect.sealed || gates.every(({ exit, missing }) => exit === 'pass' && missing === 0)) return []
  const shadows = trials.copyOf(effect.tree)?.shadows() ?? []
  return shadows.length === 0 ? [] : [`not green in a clean copy; differing outside the tracked files: ${shadows.join(', ')}`]
}

/** What the checks of one iteration will take, by what they took just now. */
function sayCost(ports: CheckPorts, { procedure }: Session, gates: readonly GateResult[]): void {
  const seconds = gates.reduce((sum, gate) => sum + gate.seconds, 0)
  const seal = Object.values(procedure.phases).find(isSealed)
  const runs = seal ? 1 + (seal.confirm ?? 0) : 0
  if (seconds * (1 + runs) < 60) return
  const sealed = runs === 0 ? '' : `, the deciding one ${counted(Math.ceil((seconds * runs) / 60), 'minute')}`
  tell(ports, `a check takes about ${counted(Math.ceil(seconds / 60), 'minute')}${sealed}`)
}
