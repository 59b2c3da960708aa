// Tells failures that are real from tests that fail now and then: runs them again alone, and where it matters on the start tree.
import type { Failure, Runs, Session, Tree } from '../core/types.js'
import type { GateOutcome } from '../ports.js'
import { cut } from '../text/failures/recorded.js'
import type { Heard } from './live.js'
import type { Check, Trials } from './trials.js'

/** More failures than this are no matter of chance, and are not tried again. */
const MOST_SUSPECTS = 50
/** How often a test has to pass alone on the start tree to count as steady there. */
const STEADY_RUNS = 5

type Tally = Map<string, Runs>

/** What a triage has to know. `expected` are the tests of the start tree. */
export type Suspicion = { trials: Trials; session: Session; effect: Check; where: Tree | 'here'; expected: ReadonlySet<string> }

/** The same outcome with every suspect's runs counted. Only tests that can be named can be tried alone. */
export async function triage(suspicion: Suspicion, heard: Heard): Promise<GateOutcome> {
  const { session, effect, where, expected } = suspicion
  const suspects = suspectsOf(session, effect, heard)
  if (suspects.length === 0 || suspects.length > MOST_SUSPECTS) return heard
  const here: Tally = new Map(suspects.map(({ subject, runs }) => [subject, runs]))
  const again = await tally(suspicion, heard, here, where, { times: effect.reruns, until: isMixed })
  if (again === 'aborted') return 'aborted'
  if (effect.baseline) return counted(heard, here, new Map())
  const inDoubt = suspects.map(({ subject }) => subject).filter((subject) => effect.sealed || !isMixed(here.get(subject)))
  const before: Tally = new Map(inDoubt.map((subject) => [subject, { failed: 0, of: 0 }]))
  const known: Tally = new Map([...before].filter(([subject]) => expected.has(subject)))
  const there = await tally(suspicion, heard, known, session.start, { times: STEADY_RUNS, until: ({ failed } = NONE) => failed > 0 })
  return there === 'aborted' ? 'aborted' : counted(heard, here, new Map([...before, ...known]))
}

const NONE: Runs = { failed: 0, of: 0 }

function isMixed({ failed, of }: Runs = NONE): boolean {
  return failed > 0 && failed < of
}

/** What failed before, or is known to fail now and then, needs no second look; a baseline looks at everything. */
function suspectsOf(session: Session, effect: Check, { result, failures, ids }: Heard): Failure[] {
  if (effect.reruns === 0 || !result.known || !result.complete || ids === null) return []
  const tests = new Set(ids)
  const settled = new Set(effect.baseline ? [] : [...(session.baseline ?? []), ...session.flaky])
  return failures.filter(({ subject }) => tests.has(subject) && !settled.has(cut(subject)))
}

type Plan = { times: number; until: (runs: Runs | undefined) => boolean }

/** Runs the tests of a tally alone, those that are not settled yet, and adds up what came out. */
async function tally({ trials }: Suspicion, { result }: Heard, runs: Tally, where: Tree | 'here', { times, until }: Plan): Promise<'aborted' | 'done'> {
  for (let time = 0; time < times; time += 1) {
    const open = [...runs.keys()].filter((subject) => !until(runs.get(subject)))
    if (open.length === 0) return 'done'
    const outcome = await trials.run(result.gate, where, open)
    if (outcome === 'aborted') return 'aborted'
    const failing = new Set(outcome.failures.map(({ subject }) => subject))
    const reported = new Set(outcome.ids ?? [])
    for (const subject of open) {
      if (!reported.has(subject)) continue
      const { failed, of } = runs.get(subject) ?? NONE
      runs.set(subject, { failed: failed + (failing.has(subject) ? 1 : 0), of: of + 1 })
    }
  }
  return 'done'
}

function counted(heard: Heard, here: Tally, before: Tally): Heard {
  return {
    ...heard,
    failures: heard.failures.map((failure) => {
      const there = before.get(failure.subject)
      return { ...failure, runs: here.get(failure.subject) ?? failure.runs, ...(there && { before: there }) }
    }),
  }
}
