// The shapes of the artifacts as JSON Schema, for programs that read them. Slow to load: import it only to print or to check.
import * as z from 'zod'
import { OUTCOMES, VERDICTS, type Label } from '../core/index.js'
import { HOOK_EVENTS } from '../text/happenings.js'
import type { ArtifactName, Artifacts } from '../text/artifacts/artifacts.js'

const LABELS = ['verified', 'partly verified', 'unverified'] as const satisfies readonly Label[]

const count = z.int().min(0)
const texts = z.array(z.string())
const head = {
  version: z.literal(1).describe('Raised when a field changes its meaning or goes.'),
  session: z.string().describe('The id of the session.'),
  iteration: count.describe('Counted from 1; 0 is before any work.'),
  tree: z.string().describe('The identity of the files it is about.'),
}

const runs = z.strictObject({ failed: count, of: count })
const gate = z.strictObject({
  gate: z.string(),
  exit: z.enum(['pass', 'fail', 'timeout', 'error', 'not run']),
  complete: z.boolean().describe('False when the run broke off.'),
  known: z.boolean().describe('Whether its tests are known by id.'),
  missing: count.describe('How many tests of the start were not reported, or are skipped now.'),
  more: count.describe('How many failures there are beyond those listed.'),
  seconds: z.number().min(0),
  note: z.string(),
})
const gates = z.array(gate).describe('In the order they ran.')

const identity = { gate: z.string(), subject: z.string().describe('The test, or what else is wrong.'), fingerprint: z.string() }
const failure = {
  ...identity,
  class: z.enum(['behaviour', 'scope', 'integrity']),
  message: z.string(),
  runs: runs.describe('How often it failed of how many runs.'),
  before: runs.nullable().describe('The same on the start tree, where that was tried.'),
}

const baselineFailures = z.strictObject({
  ...head,
  captured: z.boolean().describe('False when the start was not looked at.'),
  targets: texts.describe('What has to be proved, where that was narrowed down.'),
  excuse: texts.describe('What may go on failing.'),
  gates,
  failures: z.array(z.strictObject({ ...failure, status: z.enum(['failing', 'flaky']) })),
})

const STATUSES = ['new', 'same', 'changed', 'regressed', 'excused', 'flaky'] as const
const STATUS_MEANS = [
  'Against the check before: new, the same fault, another fault of the same subject, or back after it was fixed.',
  'Excused and flaky ones do not count.',
].join(' ')

const currentFailures = z.strictObject({
  ...head,
  phase: z.string(),
  sealed: z.boolean().describe('Whether this was the deciding check.'),
  verdict: z.enum(VERDICTS),
  gates,
  failures: z.array(
    z.strictObject({
      ...failure,
      status: z.enum(STATUSES).describe(STATUS_MEANS),
      baseline: z.boolean().describe('Whether its subject failed at the start.'),
    }),
  ),
  fixed: z
    .array(z.strictObject({ ...identity, iteration: count.describe('In which it was gone.'), status: z.literal('fixed') }))
    .describe('What failed at some time and does not now.'),
  counts: z.strictObject({
    new: count, same: count, changed: count, regressed: count, excused: count, flaky: count, fixed: count,
    fresh: count.describe('Failures that were not there at the start.'),
  }),
})

const { version, session } = head
const fingerprintHistory = z.strictObject({
  version,
  session,
  judged: count.describe('How many iterations were judged in all; the newest 200 are listed.'),
  entries: z.array(
    z.strictObject({
      iteration: head.iteration,
      phase: z.string(),
      tree: head.tree,
      verdict: z.enum(VERDICTS),
      key: z.string().describe('Identity of the failing set; empty when nothing fails.'),
      failing: count,
      fingerprints: texts.describe('At most 50.'),
    }),
  ),
  counts: z.array(
    z.strictObject({
      ...identity,
      first: count.describe('The first iteration listed that has it.'),
      last: count,
      seen: count.describe('In how many of the entries it is.'),
      row: count.describe('In how many in a row, up to the newest.'),
    }),
  ),
})

const completionReasons = z.strictObject({
  ...head,
  outcome: z.enum(OUTCOMES).nullable().describe('Null while the session has not ended.'),
  code: count.nullable().describe('The exit code.'),
  label: z.enum(LABELS).nullable().describe('How far the result is proved.'),
  why: z.string(),
  proved: z.boolean().describe('Whether the target was proved on this very tree.'),
  reasons: texts.describe('Why it ended or goes on, then what fails.'),
  fingerprints: texts.describe('Of what fails.'),
  evidence: texts.describe('What proves the work beyond the tests that failed at the start.'),
  exceptions: texts.describe('What keeps a proof from being a full one.'),
  excused: texts,
  flaky: texts,
  fixed: texts.describe('What failed at the start and does not now.'),
  fresh: texts.describe('What fails and did not at the start.'),
  stall: z.strictObject({
    repeats: count.describe('The same failures in a row.'),
    subjects: count.describe('The same tests failing in a row, whatever they say.'),
    revisits: count.describe('Times back at a state seen before.'),
    plateau: count.describe('Iterations without getting better.'),
    level: count,
    rung: z.int().min(-1).describe('The rung of the ladder in force; -1 for none.'),
    stance: z.string().nullable(),
  }),
})

const spend = z.strictObject({ seconds: z.number().min(0), tokens: count, usd: z.number().min(0).nullable().describe('Null where nobody knows what it costs.') })

/** What hooks and addresses are told. */
export const EVENT_SCHEMA = z.strictObject({
  event: z.enum(HOOK_EVENTS),
  session,
  procedure: z.string(),
  state: z.string().describe('The one word for where it stands.'),
  phase: z.string(),
  iteration: head.iteration,
  max_iterations: count.describe('0 is no limit.'),
  failing: count.nullable().describe('Null until something was checked.'),
  best: z.strictObject({ iteration: count, failing: count }).nullable(),
  rung: z.string().nullable().describe('The rung of the ladder in force.'),
  spent: spend,
  budget: z.record(z.string(), z.union([z.number(), z.string()])),
  pid: z.int().nullable(),
  at: z.string().describe('When it happened.'),
  text: z.string().describe('One line for people.'),
})

export const ARTIFACT_SCHEMAS: { [Name in ArtifactName]: z.ZodType<Artifacts[Name]> } = {
  baseline_failures: baselineFailures,
  current_failures: currentFailures,
  failure_fingerprint_history: fingerprintHistory,
  completion_reasons: completionReasons,
}

export function artifactJsonSchemas(): Record<ArtifactName | 'event', object> {
  const entries = Object.entries({ ...ARTIFACT_SCHEMAS, event: EVENT_SCHEMA })
  const named = entries.map(([name, schema]) => [name, { ...z.toJSONSchema(schema), title: `Greenlatch ${name}` }])
  return Object.fromEntries(named) as Record<ArtifactName | 'event', object>
}
