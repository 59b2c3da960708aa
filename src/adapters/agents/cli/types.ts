// What is known of an agent's command line: how it is started, how its records are read, and where it keeps its login.
import type { CliName, Price } from '../../../agent-entry.js'
import type { AskRequest, Usage } from '../../../ports.js'

/**
 * One thing that a record says. `used` is one step, `total` all of a run so far. `ended` is the closing record: nothing
 * else is evidence of how it went, least of all the exit status; `goes-on` takes it back, where an agent begins anew after it.
 * The last `text` is the answer unless the closing record brings one. `isLogin`: it is not served before somebody has logged in;
 * `atOnce`: it would go on trying all the same, and is ended.
 */
export type Told =
  | { kind: 'text'; text: string }
  | { kind: 'goes-on' }
  | { kind: 'doing' | 'retry'; note: string }
  | { kind: 'used' | 'total'; usage: Usage }
  | { kind: 'ended'; how: 'done' | 'failed'; note: string; text?: string }
  | { kind: 'ended'; how: 'unavailable'; note: string; until?: number; isLogin?: true; atOnce?: true }

/** Reads one line. Lines that are no records say nothing. */
export type ReadRecord = (line: string) => Told[]

export type Wish = { model: string | null; cwd: string; left: AskRequest['left'] }

export type Dialect = {
  readonly name: CliName
  /** What is looked for on PATH. */
  readonly program: string
  /** The prompt comes on standard input, which is then ended. */
  args(wish: Wish): string[]
  /** Put over the environment that everything we start gets: no update checks, no telemetry. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The same where a sandbox is around it. */
  readonly confinedEnv?: Readonly<Record<string, string>>
  /** A fresh one for every ask: it may remember what it has read. */
  newReader(): ReadRecord
  /** Reads standard error, where that alone says that the model cannot be reached. */
  readonly readComplaint?: ReadRecord
  /** Whether its records say what a run costs. */
  readonly priced: boolean
  /** What its models cost by the published list, for a run that was ended before it could say so; null is a model that is not known. */
  listPrice?(model: string | null): Price
  /** What a person does to log in. */
  readonly login: string
  /** Files that it reads and refreshes for its login, under the home folder. */
  readonly loginFiles: readonly string[]
  /** Environment variables, each of which is a login by itself. */
  readonly loginVariables: readonly string[]
  /** What would keep it from starting at all in this environment, in one line. */
  obstacle?(environment: Readonly<Record<string, string | undefined>>): string | null
}
