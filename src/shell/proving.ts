// What a passing sealed check proves beyond its exit status: new tests that fail without the change, and gates that were the goal.
import type { Failure, Report, Session } from '../core/types.js'
import { fingerprintOf } from '../text/failures/failing-lines.js'
import { cut } from '../text/failures/recorded.js'
import { bounded, MOST_FAILURES, named } from './bounds.js'
import type { CheckPorts, Heard } from './live.js'
import { tell } from './meter.js'
import type { Check, Trials } from './trials.js'

/** How many new tests are tried without the change. */
const MOST_NEW = 200

/** Only what fails carries a verdict: then nothing is sealed. */
export type Proved = Pick<Report, 'sealed' | 'evidence' | 'exceptions' | 'note'> & Partial<Pick<Report, 'verdict' | 'failures'>>

export async function prove(
  ports: CheckPorts,
  session: Session,
  effect: Check,
  trials: Trials,
  heard: readonly { outcome: Heard; expected: ReadonlySet<string> }[],
): Promise<Proved | 'aborted'> {
  const seal = await ports.workspace.seal(effect.tree, effect.pins, trials.writtenIn(effect.tree))
  const helped = seal.withoutTests === null ? NOBODY_HELPED : await tryWithoutNewTests(trials, seal.withoutTests, session, heard)
  if (helped === 'aborted') return 'aborted'
  if (helped.failures.length > 0) {
    const note = `these tests pass only beside the candidate's new tests, and fail without them: ${named(helped.failures.map(({ subject }) => subject))}`
    tell(ports, note)
    return { sealed: null, evidence: [], exceptions: [], verdict: 'fail', failures: helped.failures, note }
  }
  const evidence: string[] = []
  const vacuous: string[] = []
  for (const { outcome, expected } of heard) {
    const tried = seal.withTests === null ? { biting: [], idle: [] } : await tryNewTests(trials, seal.withTests, outcome, expected)
    if (tried === 'aborted') return 'aborted'
    evidence.push(...tried.biting.map((id) => `${id} is new and fails without the change`))
    vacuous.push(...tried.idle)
    if (isGoal(session, outcome)) evidence.push(`${outcome.result.gate} passes, and was not run on the start tree`)
  }
  const note = vacuous.length === 0 ? '' : `new tests that pass without the change too, and so prove nothing: ${named(vacuous)}`
  return { sealed: { tree: effect.tree, pins: seal.pins }, evidence: evidence.slice(0, MOST_NEW), exceptions: [...seal.exceptions, ...helped.untried], note }
}

type Helped = { failures: Failure[]; untried: string[] }

const NOBODY_HELPED: Helped = { failures: [], untried: [] }

/**
 * Tests that were there have to pass by the work alone. New ones are loaded beside them and could do anything: mend the code while it
 * runs, rewrite it, or speak in place of the runner.
 */
async function tryWithoutNewTests(
  trials: Trials, tree: string, { flaky }: Session, heard: readonly { outcome: Heard; expected: ReadonlySet<string> }[],
): Promise<Helped | 'aborted'> {
  const helped: Helped = { failures: [], untried: [] }
  for (const { outcome, expected } of heard) {
    const { result, failures } = outcome
    const known = new Set([...failures.map(({ subject }) => cut(subject)), ...flaky])
    const passing = result.known ? [...expected].filter((id) => !known.has(cut(id))) : []
    const left = await stillNotPassing(trials, tree, result.gate, passing)
    if (left === 'aborted') return 'aborted'
    if ('untried' in left) helped.untried.push(`${result.gate} could not be run without the new tests: ${left.untried}`)
    else helped.failures.push(...left.ids.slice(0, MOST_FAILURES).map((id) => helpedFailure(result.gate, id)))
  }
  return helped
}

/** A second time alone, so that chance is not taken for help. */
async function stillNotPassing(
  trials: Trials, tree: string, gate: string, wanted: readonly string[],
): Promise<{ ids: readonly string[] } | { untried: string } | 'aborted'> {
  let ids = wanted
  for (let time = 0; time < 2 && ids.length > 0; time += 1) {
    const outcome = await (time === 0 ? trials.run(gate, tree) : trials.run(gate, tree, ids))
    if (outcome === 'aborted') return 'aborted'
    if (outcome.result.exit === 'error' || outcome.result.exit === 'timeout') return { untried: outcome.result.note }
    ids = notPassing(outcome, ids)
  }
  return { ids }
}

function notPassing({ ids, failures }: Heard, wanted: readonly string[]): string[] {
  const [there, failing] = [new Set(ids), new Set(failures.map(({ subject }) => subject))]
  return wanted.filter((id) => !there.has(id) || failing.has(id))
}

function helpedFailure(gate: string, id: string): Failure {
  const message = `${id} passes only beside the candidate's new tests, and fails without them`
  return bounded({ gate, subject: id, class: 'integrity', fingerprint: fingerprintOf(gate, message), message, runs: { failed: 1, of: 1 } })
}

/** A gate that had already passed on the start tree proves nothing by passing again. */
function isGoal({ procedure, when }: Session, { result }: Heard): boolean {
  return procedure.policies.goal?.gates?.includes(result.gate) === true && when[result.gate] !== undefined && result.exit === 'pass'
}

type Tried = { biting: string[]; idle: string[] }

/** On the start tree with the candidate's tests: what cannot even be loaded there counts as failing. */
async function tryNewTests(trials: Trials, tree: string, { result, ids, skipped }: Heard, expected: ReadonlySet<string>): Promise<Tried | 'aborted'> {
  const passedOver = new Set(skipped)
  const fresh = (ids ?? []).filter((id) => !expected.has(id) && !passedOver.has(id)).slice(0, MOST_NEW)
  if (!result.known || fresh.length === 0) return { biting: [], idle: [] }
  let biting = fresh
  // Twice, so that a test which only fails now and then is not taken for one that notices the change.
  for (let time = 0; time < 2 && biting.length > 0; time += 1) {
    const outcome = await trials.run(result.gate, tree, biting)
    if (outcome === 'aborted') return 'aborted'
    if (outcome.result.exit === 'error' || outcome.result.exit === 'timeout') return { biting: [], idle: [] }
    const passing = new Set(outcome.ids ?? [])
    for (const { subject } of outcome.failures) passing.delete(subject)
    biting = biting.filter((id) => !passing.has(id))
  }
  return { biting, idle: fresh.filter((id) => !biting.includes(id)) }
}
