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

const phase = z.string().describe('The phase that checked; empty before one did.')
const verdict = z.enum(VERDICTS).describe('What the check came to; `error` also before there was one.')
const spentSeconds = z.number().min(0)
const runs = z.strictObject({ failed: count.describe('Runs in which it failed.'), of: count.describe('Runs in all.') })
const EXIT_MEANS = '`timeout`: it was ended at a limit. `error`: it could not be run. `not run`: a gate before it did not pass.'
const gate = z.strictObject({
  gate: z.string().describe('Its name in the settings.'),
  exit: z.enum(['pass', 'fail', 'timeout', 'error', 'not run']).describe(EXIT_MEANS),
  complete: z.boolean().describe('False when the run broke off.'),
  known: z.boolean().describe('Whether its tests are known by id.'),
  missing: count.describe('How many tests of the start were not reported, or are skipped now.'),
  more: count.describe('How many failures there are beyond those listed.'),
  seconds: spentSeconds.describe('How long it ran, by the clock.'),
  note: z.string().describe('One line for people; empty where there is nothing to add.'),
})
const gates = z.array(gate).describe('In the order they ran.')

const identity = {
  gate: z.string().describe('The gate that found it, or what else did, such as a review.'),
  subject: z.string().describe('The test, or what else is wrong.'),
  fingerprint: z.string().describe('Its identity, the same from run to run.'),
}
const CLASS_MEANS = '`scope`: what may not be changed was. `integrity`: what checks are judged by was changed. `behaviour`: all else.'
const failure = {
  ...identity,
  class: z.enum(['behaviour', 'scope', 'integrity']).describe(CLASS_MEANS),
  message: z.string().describe('What was said of it, for people.'),
  runs: runs.describe('How often it failed of how many runs.'),
  before: runs.nullable().describe('The same on the start tree, where that was tried.'),
}

const baselineFailures = z.strictObject({
  ...head,
  captured: z.boolean().describe('False when the start was not looked at.'),
  targets: texts.describe('What has to be proved, where that was narrowed down.'),
  excuse: texts.describe('What may go on failing.'),
  gates,
  failures: z
    .array(z.strictObject({ ...failure, status: z.enum(['failing', 'flaky']).describe('`flaky`: it fails now and then.') }))
    .describe('What failed before any work.'),
})

const STATUSES = ['new', 'same', 'changed', 'regressed', 'excused', 'flaky'] as const
const STATUS_MEANS = [
  'Against the check before: new, the same fault, another fault of the same subject, or back after it was fixed.',
  'Excused and flaky ones do not count.',
].join(' ')

const currentFailures = z.strictObject({
  ...head,
  phase,
  sealed: z.boolean().describe('Whether this was the deciding check.'),
  verdict,
  gates,
  failures: z
    .array(
      z.strictObject({
        ...failure,
        status: z.enum(STATUSES).describe(STATUS_MEANS),
        baseline: z.boolean().describe('Whether its subject failed at the start.'),
      }),
    )
    .describe('What failed in the last check, whether or not it counts.'),
  fixed: z
    .array(
      z.strictObject({
        ...identity,
        iteration: count.describe('In which it was gone.'),
        status: z.literal('fixed').describe('The same for all of these, so that they can stand in one list with failures.'),
      }),
    )
    .describe('What failed at some time and does not now.'),
  counts: z
    .strictObject({
      new: count.describe('Failures that the check before did not have.'),
      same: count.describe('Failures as they were in the check before.'),
      changed: count.describe('Subjects that fail by another fault than before.'),
      regressed: count.describe('Failures that are back after they were fixed.'),
      excused: count.describe('Failures that may go on as they are.'),
      flaky: count.describe('Failures that come and go by chance.'),
      fixed: count.describe('Entries of `fixed`.'),
      fresh: count.describe('Failures that were not there at the start.'),
    })
    .describe('How many there are of each status.'),
})

const { version, session } = head
const fingerprintHistory = z.strictObject({
  version,
  session,
  judged: count.describe('How many iterations were judged in all; the newest 200 are listed.'),
  entries: z
    .array(
      z.strictObject({
        iteration: head.iteration,
        phase,
        tree: head.tree,
        verdict,
        key: z.string().describe('Identity of the failing set; empty when nothing fails.'),
        failing: count.describe('How many different failures count.'),
        fingerprints: texts.describe('Of these failures, at most 50.'),
      }),
    )
    .describe('The last check of each iteration, the oldest first.'),
  counts: z
    .array(
      z.strictObject({
        ...identity,
        first: count.describe('The first iteration listed that has it.'),
        last: count.describe('The last iteration listed that has it.'),
        seen: count.describe('In how many of the entries it is.'),
        row: count.describe('In how many in a row, up to the newest.'),
      }),
    )
    .describe('One for each fingerprint of the entries, the last seen first; at most 500.'),
})

const completionReasons = z.strictObject({
  ...head,
  outcome: z.enum(OUTCOMES).nullable().describe('Null while the session has not ended.'),
  code: count.nullable().describe('The exit code.'),
  label: z.enum(LABELS).nullable().describe('How far the result is proved.'),
  why: z.string().describe('Why it ended; before that, why the last decision was made.'),
  proved: z.boolean().describe('Whether the target was proved on this very tree.'),
  reasons: texts.describe('Why it ended or goes on, then what fails.'),
  fingerprints: texts.describe('Of what fails.'),
  evidence: texts.describe('What proves the work beyond the tests that failed at the start.'),
  exceptions: texts.describe('What keeps a proof from being a full one.'),
  excused: texts.describe('What failed in the last check and may go on failing.'),
  flaky: texts.describe('What is known to fail by chance.'),
  fixed: texts.describe('What failed at the start and does not now.'),
  fresh: texts.describe('What fails and did not at the start.'),
  stall: z
    .strictObject({
      repeats: count.describe('The same failures in a row.'),
      subjects: count.describe('The same tests failing in a row, whatever they say.'),
      revisits: count.describe('Times back at a state seen before.'),
      plateau: count.describe('Iterations without getting better.'),
      level: count.describe('The largest of those that the ladder listens to.'),
      rung: z.int().min(-1).describe('The rung of the ladder in force; -1 for none.'),
      stance: z.string().nullable().describe('The name of the stance in force; null for none.'),
    })
    .describe('How far nothing gets better, and what is done about it.'),
})

const spend = z.strictObject({
  seconds: spentSeconds.describe('Active time.'),
  tokens: count.describe('Input and output together.'),
  usd: z.number().min(0).nullable().describe('US dollars; null where nobody knows what it costs.'),
})

/** What hooks and addresses are told. */
export const EVENT_SCHEMA = z.strictObject({
  event: z.enum(HOOK_EVENTS).describe('What happened.'),
  session,
  procedure: z.string().describe('The name of the procedure.'),
  state: z.string().describe('The one word for where it stands.'),
  phase: z.string().describe('The phase under way, or the one that comes next.'),
  iteration: head.iteration,
  max_iterations: count.describe('0 is no limit.'),
  failing: count.nullable().describe('Null until something was checked.'),
  best: z
    .strictObject({ iteration: count.describe('The one that made it; 0 for the start.'), failing: count.describe('What fails there.') })
    .nullable()
    .describe('The best state so far; null before there is one.'),
  rung: z.string().nullable().describe('The rung of the ladder in force; null for none.'),
  spent: spend.describe('What the session has used.'),
  budget: z.record(z.string(), z.union([z.number(), z.string()])).describe('The most it may use; what is missing or 0 is no limit.'),
  pid: z.int().nullable().describe('The process that works on it; null when none does.'),
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
