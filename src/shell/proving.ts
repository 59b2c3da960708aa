// What a passing sealed check proves beyond its exit status: new tests that fail without the change, and gates that were the goal.
import type { Report, Session } from '../core/types.js'
import type { GateOutcome } from '../ports.js'
import type { CheckPorts } from './live.js'
import type { Check, Trials } from './trials.js'

/** How many new tests are tried without the change. */
const MOST_NEW = 200
/** How many are named in a line for people. */
const MOST_NAMED = 5

type Heard = Exclude<GateOutcome, 'aborted'>
export type Proved = Pick<Report, 'sealed' | 'evidence' | 'exceptions' | 'note'>

export async function prove(
  ports: CheckPorts,
  session: Session,
  effect: Check,
  trials: Trials,
  heard: readonly { outcome: Heard; expected: ReadonlySet<string> }[],
): Promise<Proved | 'aborted'> {
  const seal = await ports.workspace.seal(effect.tree, effect.pins)
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
  return { sealed: { tree: effect.tree, pins: seal.pins }, evidence: evidence.slice(0, MOST_NEW), exceptions: seal.exceptions, note }
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

function named(ids: readonly string[]): string {
  const rest = ids.length - MOST_NAMED
  return `${ids.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
