// What every adapter of an agent owes, one named case each.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer } from '../../ports.js'
import { plainSpeech } from './speech.js'
import { check, isGone, tried, type AgentKitOptions, type Trial, type Tried } from './trial.js'

type Case = { title: string; trial: Trial; look(tried: Tried, options: AgentKitOptions): void | Promise<void> }

const SHORT = { wallSeconds: 1.5 }
const QUIET = { silenceSeconds: 1.5 }
const CANARY = 'canary-7f3a'
/** More than a pipe or an argument holds. */
const LONG_PROMPT = `--help\n"$(touch broken)" ${CANARY}\n${'prompt '.repeat(50_000)}\nthe end of it`
const NEAR_MS = 90_000
/** So many pieces of output are surely more than the beginning. */
const ENOUGH = 6
const SLACK_BYTES = 64 * 1024

const MARKERS = ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'GEMINI_CLI', 'CODEX_THREAD_ID', 'OPENCODE', 'VITEST', 'VITEST_POOL_ID', 'NODE_TEST_CONTEXT', 'JEST_WORKER_ID', 'NODE_OPTIONS', 'NODE_CHANNEL_FD', 'GIT_DIR']

const CASES = {
  success: {
    title: 'success: an agent that ends well is done, with what it said and what it changed',
    trial: { behaviour: 'success' },
    look({ answer, place, activities, agent }) {
      ended(answer, 'done')
      check(answer.text.includes(place.says), `the text is not what the agent said: ${JSON.stringify(answer.text.slice(0, 200))}`)
      check(activities.length > 0, 'no sign of life was given')
      if (agent.inText) return
      const made = join(place.cwd, place.makes.path)
      check(existsSync(made) && readFileSync(made, 'utf8') === place.makes.text, `the file that the agent wrote is not in the folder it was told to work in (${place.cwd})`)
    },
  },
  'no-change': {
    title: 'no change: an agent that changes nothing is done as well, and the adapter writes nothing into its folder',
    trial: { behaviour: 'no-change' },
    look({ answer, place }) {
      ended(answer, 'done')
      untouched(place.cwd)
    },
  },
  error: {
    title: 'error: an agent that fails by its own word has failed, and the note says why',
    trial: { behaviour: 'error' },
    look({ answer }) {
      ended(answer, 'failed')
      check(answer.note.trim() !== '', 'the note is empty')
    },
  },
  wall: {
    title: 'wall limit: an agent that goes on for ever is ended, and its work so far stays',
    trial: { behaviour: 'chatter', limits: SHORT },
    look({ answer, place, agent, activities }) {
      ended(answer, 'timeout')
      // On a machine that is very busy it may not have come to it.
      if (!agent.inText && activities.length >= ENOUGH) check(existsSync(join(place.cwd, place.makes.path)), 'what the agent had done before it was ended is gone')
    },
  },
  silence: {
    title: 'silence limit: an agent that is never heard of again is ended',
    trial: { behaviour: 'silence', limits: QUIET },
    // A server that has gone silent may as well be called out of reach; a program that was started has been heard of.
    look: ({ answer, place }) => ended(answer, 'silence', ...(place.stub.starts().length > 0 ? [] : ['unavailable' as const])),
  },
  flood: {
    title: 'flood: output without end is cut, in the answer and on disk, and does not decide how it ended',
    trial: { behaviour: 'flood', limits: { outputBytes: 256 * 1024 } },
    look({ answer }) {
      ended(answer, 'done', 'failed')
      for (const file of answer.files) check(statSync(file).size <= 256 * 1024 + SLACK_BYTES, `${file} has ${statSync(file).size} bytes, of 262144 allowed`)
    },
  },
  garbage: {
    title: 'garbage: bytes that say nothing are no success where a closing record is owed',
    trial: { behaviour: 'garbage' },
    look: ({ answer }, { speech = plainSpeech }) => (speech.evidence === 'record' ? ended(answer, 'failed', 'unavailable') : ended(answer, 'done', 'failed')),
  },
  partial: {
    title: 'partial record: an agent whose closing record is cut off has failed, whatever its exit status',
    trial: { behaviour: 'partial' },
    look: ({ answer }, { speech = plainSpeech }) => (speech.evidence === 'record' ? ended(answer, 'failed', 'unavailable') : ended(answer, 'done', 'failed')),
  },
  'retry-storm': {
    title: 'retry storm: an agent that tries for ever to reach its model is ended by the wall limit',
    trial: { behaviour: 'retry-storm', limits: SHORT },
    look({ answer, activities }, { speech = plainSpeech }) {
      const heard = activities.filter(({ kind }) => kind === 'output').length
      const told = activities.some(({ kind }) => kind === 'retry')
      check(told || speech.retries === null || heard < ENOUGH, 'no retry is told of, although its agent says that it tries again')
      ended(answer, 'unavailable', ...(told ? [] : ['timeout' as const]))
    },
  },
  limit: {
    title: 'limit: an agent that met a limit was out of reach; it has not failed',
    trial: { behaviour: 'limit' },
    look: ({ answer }) => ended(answer, 'unavailable'),
  },
  reset: {
    title: 'reset: the answer says when the limit is over, where the agent does',
    trial: { behaviour: 'limit' },
    look({ answer, place }) {
      const away = Math.abs((answer.until ?? 0) - place.until)
      check(away <= NEAR_MS, answer.until === undefined ? 'until is missing' : `until is ${Math.round(away / 1000)} s away from what the agent said`)
    },
  },
  interrupt: {
    title: 'interrupt: our signal ends the agent while it is at work',
    trial: { behaviour: 'silence', abort: 'first sign' },
    look: ({ answer }) => ended(answer, 'aborted'),
  },
  'interrupt-before': {
    title: 'interrupt before the start: an agent that was given up already is not begun',
    trial: { behaviour: 'success', abort: 'before' },
    look({ answer, place }) {
      ended(answer, 'aborted')
      untouched(place.cwd)
    },
  },
  orphan: {
    title: 'orphan: a process that the agent left behind in a session of its own is ended',
    trial: { behaviour: 'orphan' },
    async look({ answer, place }) {
      ended(answer, 'done')
      const note = readdirSync(place.folder).find((name) => name.endsWith('.orphan'))
      check(note !== undefined, 'the program left no process behind: was it started at all?')
      const pid = Number(readFileSync(join(place.folder, note), 'utf8'))
      check(await isGone(pid), `process ${pid}, which the agent left behind, is still running`)
    },
  },
  stdin: {
    title: 'stdin: the whole prompt comes on standard input, which is then ended',
    trial: { behaviour: 'success', prompt: LONG_PROMPT },
    look({ answer, place }) {
      ended(answer, 'done')
      const { stdin, stdinEnded } = onlyStart(place)
      check(stdinEnded, 'standard input was left open: most agents would wait on it for ever')
      check(stdin.includes(LONG_PROMPT), `of a prompt of ${LONG_PROMPT.length} characters ${stdin.length} came`)
      check(!existsSync(join(place.cwd, 'broken')), 'the prompt was run by a shell')
    },
  },
  environment: {
    title: 'environment: nothing of a test runner, of an agent around us or of a git hook is handed on',
    trial: { behaviour: 'success' },
    look({ place }) {
      const { env } = onlyStart(place)
      const found = MARKERS.filter((name) => name in env)
      check(found.length === 0, `the agent finds ${found.join(', ')} in its environment`)
    },
  },
  argv: {
    title: 'arguments: neither the prompt nor a secret can be seen in the list of processes',
    trial: { behaviour: 'success', prompt: LONG_PROMPT },
    look({ place }) {
      const argv = onlyStart(place).argv.join('\n')
      check(!argv.includes(CANARY), 'the prompt is among its arguments')
      check(!argv.includes(place.secret), 'its secret is among its arguments')
    },
  },
  missing: {
    title: 'missing: a program that is not there makes the agent not ready, and out of reach when it is asked all the same',
    trial: { behaviour: 'success', prepare: ({ stub }) => rmSync(stub.program) },
    async look({ answer, agent }) {
      ended(answer, 'unavailable')
      const why = await agent.ready()
      check(why !== null && !why.includes('\n'), 'ready() does not say in one line what is missing')
    },
  },
  listener: {
    title: 'listener: whoever listens may fail, and an answer comes all the same',
    trial: {
      behaviour: 'success',
      listener: () => {
        throw new Error('the listener fails')
      },
    },
    look: ({ answer }) => ended(answer, 'done', 'failed'),
  },
} satisfies Record<string, Case>

/** The cases of the kit by name. */
export type KitCaseName = keyof typeof CASES

/** What only adapters owe that start a program. */
export const PROCESS_CASES: readonly KitCaseName[] = ['orphan', 'stdin', 'environment', 'argv', 'missing']

/** One thing an adapter owes. */
export type KitCase = { readonly name: string; run(): Promise<void> }

/** Every case that the adapter can be brought into, each with a name that is a sentence; `run` throws with one line that says what does not hold. */
export function agentKit(options: AgentKitOptions<KitCaseName>): KitCase[] {
  const { lacks = [] } = options
  return Object.entries<Case>(CASES)
    .filter(([name]) => !lacks.includes(name as KitCaseName))
    .map(([name, { title, trial, look }]) => ({ name: title, run: () => withVariables(name === 'environment' ? MARKERS : [], () => tried(options, trial, (result) => look(result, options))) }))
}

/** Hands the cases to a test runner: vitest's `it`, or `test` of `node:test`. */
export function testAgent(test: (name: string, run: () => Promise<void>) => unknown, options: AgentKitOptions<KitCaseName>): void {
  for (const { name, run } of agentKit(options)) test(name, () => run())
}

function ended({ ending, note }: Answer, ...expected: Answer['ending'][]): void {
  check(expected.includes(ending), `it ended as "${ending}" (${note}), where "${expected.join('" or "')}" is owed`)
}

function untouched(cwd: string): void {
  const names = readdirSync(cwd)
  check(names.length === 0, `in the folder of the agent stands what it did not write: ${names.join(', ')}`)
}

function onlyStart({ stub }: Tried['place']): ReturnType<typeof stub.starts>[number] {
  const starts = stub.starts()
  const [start] = starts
  check(start !== undefined && starts.length === 1, `the program was started ${starts.length} times, where once is owed`)
  return start
}

/** For a while, where they are not set already. Node itself would mind NODE_OPTIONS. */
async function withVariables(names: readonly string[], run: () => Promise<void>): Promise<void> {
  const added = names.filter((name) => !(name in process.env) && name !== 'NODE_OPTIONS')
  for (const name of added) process.env[name] = '1'
  try {
    await run()
  } finally {
    for (const name of added) delete process.env[name]
  }
}
