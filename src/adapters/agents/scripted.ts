// An agent that follows a script, in process and without a model: for tests, demonstrations and trying out a procedure.
import { appendFileSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { inside } from '../../files/guard.js'
import type { Agent, Answer, AskRequest } from '../../ports.js'
import { redact } from '../../process/secrets.js'
import { completionWord } from '../../text/reply/reply.js'
import { loadScript, type Script, type Turn } from './script.js'

export type ScriptedAgentOptions = { name: string; scriptPath: string; inText?: boolean }

/** Throws Refusal for a bad script: nothing is wrong any more once the agent is there. */
export async function scriptedAgent({ name, scriptPath, inText = false }: ScriptedAgentOptions): Promise<Agent> {
  const script = await loadScript(scriptPath)
  return {
    name,
    describe: `scripted by ${scriptPath}`,
    person: false,
    inText,
    priced: true,
    async ready() {
      return null
    },
    async ask(request, signal) {
      const turn = turnFor(script, request.effect.turn)
      if (turn === null) return answer('failed', `the script ends after ${script.turns.length} turns`)
      try {
        return await play(turn, request, signal)
      } catch (error) {
        return answer('failed', error instanceof Error ? error.message : String(error))
      }
    },
  }
}

function turnFor({ turns, after }: Script, turn: number): Turn | null {
  return turns[turn - 1] ?? (after === 'stop' ? null : (turns.at(-1) ?? null))
}

function answer(ending: Answer['ending'], note: string): Answer {
  return { ending, note, text: '', files: [], spent: { seconds: 0, tokens: 0, usd: 0 } }
}

/** Files first, then the sleep, then the words: an agent that is cut off has usually done something and said nothing. */
async function play(turn: Turn, request: AskRequest, signal: AbortSignal): Promise<Answer> {
  if (signal.aborted) return answer('aborted', 'stopped before it began')
  // What an earlier attempt said would pass for the answer of this one.
  rmSync(request.responsePath, { force: true })
  changeFiles(turn, request.cwd)
  const slept = await sleep(turn.sleepSeconds ?? 0, request, signal)
  const spent = { seconds: slept.seconds, tokens: turn.tokens ?? 0, usd: turn.usd ?? 0 }
  request.onActivity({ kind: 'spent', spent })
  if (slept.cut !== null) return { ...answer(slept.cut, slept.note), spent }
  const text = said(turn.say ?? '', request)
  if (text !== '') {
    writeFileSync(request.responsePath, redact(text), { mode: 0o600 })
    request.onActivity({ kind: 'output', bytes: Buffer.byteLength(text) })
  }
  const ending = turn.ending ?? 'done'
  const files = text === '' ? [] : [request.responsePath]
  return { ending, note: `turn ${request.effect.turn} of the script: ${ending}`, text, files, spent }
}

/** `{{prompt}}` plays an agent that only repeats what it was told. */
function said(say: string, { effect, prompt }: AskRequest): string {
  return say.replace(/\{\{(done|failed|prompt)\}\}/g, (_, what: 'done' | 'failed' | 'prompt') => {
    if (what === 'prompt') return prompt
    return effect.nonce === '' ? '' : completionWord(what, effect.nonce)
  })
}

// — time —
type Slept = { seconds: number; cut: 'timeout' | 'silence' | 'aborted' | null; note: string }

/** Whole sleeps count as long as the script says, so that a session with the same script spends the same. */
async function sleep(seconds: number, { limits }: AskRequest, signal: AbortSignal): Promise<Slept> {
  const limit = Math.min(limits.wallSeconds, limits.silenceSeconds)
  const allowed = Math.min(seconds, limit)
  const startedAt = performance.now()
  try {
    if (allowed > 0) await wait(allowed * 1000, undefined, { signal })
  } catch {
    return { seconds: (performance.now() - startedAt) / 1000, cut: 'aborted', note: 'stopped on request' }
  }
  if (seconds <= limit) return { seconds, cut: null, note: '' }
  if (limits.silenceSeconds < limits.wallSeconds) return { seconds: limit, cut: 'silence', note: `ended after ${limit} s (silence limit)` }
  return { seconds: limit, cut: 'timeout', note: `ended after ${limit} s (wall-clock limit)` }
}

// — files —
function changeFiles(turn: Turn, cwd: string): void {
  for (const path of turn.delete ?? []) rmSync(inside(cwd, path), { recursive: true, force: true })
  for (const [path, text] of Object.entries(turn.write ?? {})) writeFileSync(writable(cwd, path), text)
  for (const [path, text] of Object.entries(turn.append ?? {})) appendFileSync(writable(cwd, path), text)
}

/** A file with a second name could be one outside; a pipe could wait for ever. */
function writable(cwd: string, path: string): string {
  const absolute = inside(cwd, path)
  const entry = lstatSync(absolute, { throwIfNoEntry: false })
  if (entry && (!entry.isFile() || entry.nlink > 1)) throw new Error(`${JSON.stringify(path)} is not a plain file with one name`)
  if (!entry) mkdirSync(dirname(absolute), { recursive: true })
  return absolute
}
