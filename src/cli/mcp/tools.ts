// The loop as tools for editors and agents: each one is a command of ours with its flags, and what it may be told is written here.
import * as z from 'zod'
import { NAME, NAME_EXPECTED } from '../../config/scalars.js'

/** A command line of ours: words, what stands on standard input, and how long it may take. It answers in JSON unless it says otherwise. */
export type Line = {
  argv: string[]
  /** Handed over as a file. */
  task?: string
  stdin?: string
  seconds?: number
  form?: 'text'
  /** What is done with its session when nobody wants the answer any more. */
  takenBackBy?: (session: string) => string[]
}

/** `changes`: whether a session is moved by it; `looks` only reads. */
export type Tool<Input = never> = {
  title: string
  description: string
  kind: 'looks' | 'changes'
  input: z.ZodType<Input>
  line: (input: Input) => Line
}

const LONGEST_WAIT_SECONDS = 300
/** Money is counted in millionths of a dollar. */
const COST_DIGITS = 6
const LEAST_COST = 0.000001

const session = z.string().max(100).regex(/^\w[\w.-]*$/, 'the name of a session, as start_run returns it').optional().describe('which session; the newest of this repository where none is named')
/** What becomes a word of a command line, which can hold no NUL. */
const words = (longest: number): z.ZodString => z.string().max(longest).regex(/^[^\0]*$/, 'a NUL character cannot be handed on; leave it out')

const patterns = z.array(words(500)).max(50).optional()

type Named = { session?: string | undefined }

const named = z.strictObject({ session })

/** Values come as `--flag=value`, so that none of them can be taken for a flag. */
function flag(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`]
}

function many(name: string, values: readonly string[] | undefined): string[] {
  return (values ?? []).flatMap((value) => flag(name, value))
}

/** Names of sessions begin with no dash. */
function of(command: string, { session: id }: Named, ...flags: string[]): string[] {
  return [command, ...flags, ...(id === undefined ? [] : [id])]
}

function tool<Input>(made: Tool<Input>): Tool {
  return made as unknown as Tool
}

/** What is run and who is asked stays with the settings: gates and commands cannot be named from here, and nothing is accepted. */
const startRun = z.strictObject({
  task: words(50_000).min(1).describe('what has to be done, in words'),
  procedure: z.string().regex(NAME, NAME_EXPECTED).optional().describe('which loop, built in or of the settings; where none is named, what the settings say, else converge'),
  target: patterns.describe('tests that have to pass in the end, by id or with *'),
  excuse: patterns.describe('tests that may go on failing'),
  allow: patterns.describe('paths that may be changed'),
  deny: patterns.describe('paths that may not be changed'),
  agent: z.string().max(100).regex(/^[a-z][\w-]*$/i, 'a known or configured name').optional().describe('who does the work, by a known or configured name'),
  fresh: z.boolean().optional().describe('a new session, although an unfinished one could be gone on with: what a refusal calls --fresh'),
  parallel: z.boolean().optional().describe('a new session beside one of the same procedure that is running: what a refusal calls --parallel'),
  max_iterations: z.int().min(1).max(1000).optional(),
  max_minutes: z.int().min(1).max(10_000).optional().describe('most active time'),
  max_tokens: z.int().min(1).max(999_999_999).optional(),
  max_cost: z.number().min(LEAST_COST).max(100_000).optional().describe('most money, in US dollars'),
})

function runLine(input: z.infer<typeof startRun>): Line {
  const words = [
    ...many('target', input.target),
    ...many('excuse', input.excuse),
    ...many('allow', input.allow),
    ...many('deny', input.deny),
    ...flag('agent', input.agent),
    ...(input.fresh === true ? ['--fresh'] : []),
    ...(input.parallel === true ? ['--parallel'] : []),
    ...flag('max-iterations', input.max_iterations),
    ...flag('max-time', input.max_minutes === undefined ? undefined : `${input.max_minutes}m`),
    ...flag('max-tokens', input.max_tokens),
    ...flag('max-cost', input.max_cost?.toFixed(COST_DIGITS)),
  ]
  const procedure = input.procedure === undefined ? [] : [input.procedure]
  return { argv: ['run', '--detach', ...words, ...procedure], task: input.task, seconds: 120, takenBackBy: (session) => ['stop', session, '--cancel'] }
}

export const TOOLS: Readonly<Record<string, Tool>> = {
  start_run: tool({
    title: 'Start a run',
    description: 'Starts the loop on a task in the background and returns its session at once. Checks and agents are those of the settings of the repository.',
    kind: 'changes',
    input: startRun,
    line: runLine,
  }),
  status: tool({
    title: 'Where a session stands',
    description: 'State, iteration, failing checks, spend, and what is waited for.',
    kind: 'looks',
    input: named,
    line: (input) => ({ argv: of('status', input) }),
  }),
  wait: tool({
    title: 'Wait for a session',
    description: `Returns when the session has come to rest, or after the time named (at most ${LONGEST_WAIT_SECONDS} s), with where it stands then.`,
    kind: 'looks',
    input: z.strictObject({ session, seconds: z.int().min(1).max(LONGEST_WAIT_SECONDS).default(45) }),
    line: ({ seconds, ...input }) => ({ argv: of('status', input, '--wait'), seconds }),
  }),
  list: tool({
    title: 'All sessions',
    description: 'The sessions of this repository, each with its outcome or state.',
    kind: 'looks',
    input: z.strictObject({}),
    line: () => ({ argv: ['sessions'] }),
  }),
  report: tool({
    title: 'What was proved',
    description: 'How a session ended, its label (verified, partly verified, unverified) and the evidence.',
    kind: 'looks',
    input: named,
    line: (input) => ({ argv: of('report', input) }),
  }),
  diagnosis: tool({
    title: 'Why it stands where it stands',
    description: 'A named pattern, its evidence, what was tried, and what to do next.',
    kind: 'looks',
    input: named,
    line: (input) => ({ argv: of('explain', input) }),
  }),
  diff: tool({
    title: 'What it changed',
    description: 'The change from the start to the result, or of one iteration.',
    kind: 'looks',
    input: z.strictObject({ session, iteration: z.int().min(1).optional() }),
    line: ({ iteration, ...input }) => ({ argv: of('diff', input, ...flag('iter', iteration)), form: 'text' }),
  }),
  hint: tool({
    title: 'Give guidance',
    description: 'A hint for the next candidate.',
    kind: 'changes',
    input: z.strictObject({ session: session.unwrap(), text: words(10_000).min(1) }),
    line: ({ session: id, text }) => ({ argv: ['hint', '--', id, text] }),
  }),
  reply: tool({
    title: 'Answer what waits',
    description: "Hands in a person's answer to the prompt that a session waits for; its file is prompt in status. The session does not go on by itself: call resume afterwards.",
    kind: 'changes',
    input: z.strictObject({ session, text: z.string().min(1).max(1_000_000) }),
    line: ({ text, ...input }) => ({ argv: of('reply', input), stdin: text }),
  }),
  pause: tool({
    title: 'Pause',
    description: 'Lets the phase under way come to its end, then rests; resume goes on.',
    kind: 'changes',
    input: named,
    line: (input) => ({ argv: of('pause', input) }),
  }),
  stop: tool({
    title: 'Stop',
    description: 'Ends the phase under way at once; nothing is lost, and resume goes on.',
    kind: 'changes',
    input: named,
    line: (input) => ({ argv: of('stop', input, '--now') }),
  }),
  resume: tool({
    title: 'Go on',
    description: 'Goes on in the background with a session that was paused, stopped or interrupted, or with more of a budget that is spent.',
    kind: 'changes',
    input: z.strictObject({ session, max_iterations: z.int().min(1).max(1000).optional() }),
    line: ({ max_iterations, ...input }) => ({ argv: of('resume', input, '--detach', ...flag('max-iterations', max_iterations)), seconds: 60 }),
  }),
}
