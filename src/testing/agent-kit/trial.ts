// One ask of an adapter under test, in a folder of its own, with everything that has to hold of any answer looked at.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Activity, Agent, Answer, AskRequest } from '../../ports.js'
import { MADE, SAID, type Behaviour } from './behaviours.js'
import { plainSpeech, type Speech } from './speech.js'
import { writeStubAgent, type StubAgent } from './stub.js'

/** What one case gives to whoever makes the adapter. All of it is removed afterwards. */
export type KitPlace = {
  /** For whatever the adapter needs: settings, scripts, logs. */
  readonly folder: string
  /** Where the agent works; empty at first. */
  readonly cwd: string
  /** What the far end has to do in this case. A program that is started in place of the agent's does it by itself. */
  readonly behaviour: Behaviour
  /** That program: it speaks as `speech` says and behaves as the case wants. */
  readonly stub: StubAgent
  /** What the far end has to say when it goes well, and the file that it has to write then, below `cwd`. */
  readonly says: string
  /** The file that the far end has to write when it goes well, by its path below `cwd`. */
  readonly makes: { readonly path: string; readonly text: string }
  /** To be used as the key or token of the agent, where it has one. It must not come out anywhere. */
  readonly secret: string
  /** With the behaviour `limit`: when it is over, in milliseconds of the wall clock. */
  readonly until: number
}

/** The adapter, with what has to be closed after the case where there is something. */
export type Made = Agent | { agent: Agent; close(): Promise<void> | void }

/** What the kit has to know of an adapter. */
export type AgentKitOptions<Name extends string = string> = {
  /** Called once for each case, with a place of its own. */
  make(place: KitPlace): Made | Promise<Made>
  /** How the program speaks that stands in for the agent's; as a plain command unless told. */
  speech?: Speech
  /** Cases that this adapter has no way to get into, by name. */
  lacks?: readonly Name[]
}

export type Trial = {
  behaviour: Behaviour
  prompt?: string
  limits?: Partial<AskRequest['limits']>
  /** `first sign`: when there is one, or after a while without. */
  abort?: 'before' | 'first sign'
  listener?: (activity: Activity) => void
  /** Before the adapter is made. */
  prepare?: (place: KitPlace) => void
}

export type Tried = { answer: Answer; place: KitPlace; activities: Activity[]; seconds: number; agent: Agent }

export function check(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message)
}

/** Less than what test runners allow for a test, so that it is the kit which says what is wrong. */
const LIMITS = { wallSeconds: 25, silenceSeconds: 25, outputBytes: 256 * 1024 }
/** How long an answer is waited for after the limit that should have brought it. */
const PATIENCE_SECONDS = 20
const LIMIT_AHEAD_MS = 90 * 60 * 1000

/** Makes the adapter, asks it once, looks at the answer, and hands everything on; then takes all of it away. */
export async function tried(options: AgentKitOptions, trial: Trial, look: (tried: Tried) => void | Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'greenlatch-kit-'))
  const place = placeIn(folder, options, trial)
  try {
    trial.prepare?.(place)
    const made = await options.make(place)
    const { agent, close } = 'agent' in made ? made : { agent: made, close: () => {} }
    try {
      const result = await askOnce(agent, place, trial)
      checkAnswer(result)
      await look(result)
      await checkNothingRuns(place)
    } finally {
      await close()
    }
  } finally {
    endStarted(place)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function placeIn(folder: string, { speech = plainSpeech }: AgentKitOptions, { behaviour }: Trial): KitPlace {
  const until = Date.now() + LIMIT_AHEAD_MS
  const cwd = join(folder, 'work')
  mkdirSync(cwd)
  const stub = writeStubAgent({ path: join(folder, 'stub-agent'), speech, behaves: [behaviour], until })
  return { folder, cwd, behaviour, stub, until, says: SAID, makes: MADE, secret: `kit-secret-${process.pid}-${Math.round(until)}` }
}

async function askOnce(agent: Agent, place: KitPlace, trial: Trial): Promise<Tried> {
  const abort = new AbortController()
  const activities: Activity[] = []
  const responses = join(place.folder, 'iteration-1')
  mkdirSync(responses)
  const request = requestFor(place, join(responses, 'act-response.md'), trial, (activity) => {
    activities.push(activity)
    if (trial.abort === 'first sign') abort.abort()
    trial.listener?.(activity)
  })
  if (trial.abort === 'before') abort.abort()
  const began = performance.now()
  const asking = agent.ask(request, abort.signal).catch((error: unknown) => {
    throw new Error(`ask() threw, where it must answer: ${String(error)}`)
  })
  // Some give no sign of life before they are done.
  const late = trial.abort === 'first sign' ? setTimeout(() => abort.abort(), 2000) : undefined
  const answer = await within(asking, request.limits.wallSeconds + PATIENCE_SECONDS)
  clearTimeout(late)
  check(answer !== undefined, 'ask() answered "not yet", which only a person may')
  return { answer, place, activities, agent, seconds: (performance.now() - began) / 1000 }
}

async function within<T>(work: Promise<T>, seconds: number): Promise<T> {
  const over = new AbortController()
  const late = sleep(seconds * 1000, undefined, { signal: over.signal }).then(() => {
    throw new Error(`no answer after ${seconds} s: its limits do not end it`)
  })
  late.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}

const PLAIN = { stance: null, focus: null, scope: null, roles: {} }

function requestFor({ cwd }: KitPlace, responsePath: string, trial: Trial, onActivity: AskRequest['onActivity']): AskRequest {
  return {
    session: 'kit',
    effect: {
      kind: 'ask', id: '1.act', phase: 'act', iteration: 1, plan: 0, tree: 't0', pins: 'start', base: 'iteration-1/act', opensIteration: true, opensPlan: false,
      role: 'implementer', answers: 'implementer', yields: 'candidate', turn: 1, posture: PLAIN, hints: [], nonce: '', decides: true,
    },
    prompt: trial.prompt ?? 'Please make the tests pass.',
    responsePath,
    cwd,
    top: cwd,
    limits: { ...LIMITS, ...trial.limits },
    left: { tokens: null, usd: null },
    onActivity,
  }
}

// ───────────────────────────── what holds of any answer ─────────────────────────────

const ENDINGS = ['done', 'failed', 'cancelled', 'unavailable', 'timeout', 'silence', 'aborted']
const MOST_TEXT_CHARS = 8 * 1024 * 1024
/** The codes by which a text would take hold of a terminal. */
const CONTROL = /[^\P{Cc}\t\n\r]/u

function checkAnswer({ answer, place: { secret }, agent }: Tried): void {
  const { ending, note, text, files, spent, usage } = answer
  check(ENDINGS.includes(ending), `the ending ${JSON.stringify(ending)} is not one of ${ENDINGS.join(', ')}`)
  check(!note.includes('\n') && note.length <= 1000, `the note is not one short line: ${JSON.stringify(note.slice(0, 200))}`)
  check(!CONTROL.test(note) && !CONTROL.test(text), 'the note or the text carries terminal codes')
  check(text.length <= MOST_TEXT_CHARS, `the text has ${text.length} characters: what an agent says has to be bounded`)
  for (const file of files) check(isAbsolute(file) && existsSync(file), `the file ${file} is not there, or its path is not absolute`)
  for (const [what, amount] of Object.entries(spent)) check(Number.isFinite(amount) && amount >= 0, `spent.${what} is ${amount}`)
  if (usage) {
    for (const amount of [usage.input, usage.cachedInput, usage.output]) check(Number.isFinite(amount) && amount >= 0, `usage counts ${amount} tokens`)
    const sum = usage.input + usage.cachedInput + usage.output
    check(sum === spent.tokens, `spent.tokens is ${spent.tokens}, while usage comes to ${sum}`)
  }
  check(![agent.name, agent.describe, note, text].join('\n').includes(secret), 'its secret comes out in its description or its answer')
}

async function checkNothingRuns({ stub }: KitPlace): Promise<void> {
  for (const { pid } of stub.starts()) check(await isGone(pid), `process ${pid}, which it started, is still running after its answer`)
}

const GONE_SECONDS = 5

/** One that is ended may be listed a little longer. */
export async function isGone(pid: number): Promise<boolean> {
  for (const until = performance.now() + GONE_SECONDS * 1000; performance.now() < until; await sleep(20)) if (!isRunning(pid)) return true
  return false
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const status = `/proc/${pid}/status`
  try {
    return !existsSync('/proc/self/status') || !/^State:\s+[ZX]/m.test(readFileSync(status, 'utf8'))
  } catch {
    return false
  }
}

/** After a case that failed nothing of it may go on. */
function endStarted({ folder, stub }: KitPlace): void {
  const noted = readdirSync(folder).filter((name) => name.endsWith('.orphan')).map((name) => Number(readFileSync(join(folder, name), 'utf8')))
  for (const pid of [...stub.starts().map((start) => start.pid), ...noted]) {
    try {
      if (pid > 1 && isRunning(pid)) process.kill(pid, 'SIGKILL')
    } catch {
      // It has just gone by itself.
    }
  }
}
