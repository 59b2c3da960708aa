// An agent that is a known command line: started headless, watched by its records, believed in nothing but its closing one.
import { resolve } from 'node:path'
import type { CliEntry, Price } from '../../../agent-entry.js'
import type { Agent, Answer, AskRequest, Usage } from '../../../ports.js'
import { findExecutable } from '../../../process/command-line.js'
import { runProcess } from '../../../process/run.js'
import type { ProcessResult } from '../../../process/types.js'
import { faultIn } from '../../../text/agent-faults.js'
import { counted } from '../../../text/amounts.js'
import { rawLineFeed } from '../../../text/line-feed.js'
import { quoteCommand, quoteWord } from '../../../text/quote.js'
import { sanitise } from '../../../text/sanitise.js'
import { countTokens } from '../../../text/tokens.js'
import { artifactPath, placeOf } from '../place.js'
import { addUsage, NO_USAGE, spendOf, withPrice } from '../usage.js'
import type { Dialect, ReadRecord, Told } from './types.js'

export type CliAgentOptions = { name: string; entry: CliEntry; dialect: Dialect; cwd: string; price?: Price | undefined; inText?: boolean }

export function cliAgent({ name, entry, dialect, cwd, price, inText = false }: CliAgentOptions): Agent {
  const program = entry.program ?? dialect.program
  const environment = { ...dialect.env, ...entry.env }
  const found = (): string | null => findExecutable(program.includes('/') ? resolve(cwd, program) : program, { ...process.env, ...environment })
  const argvFor = (request: Pick<AskRequest, 'cwd' | 'left'>): [string, ...string[]] => {
    const wish = { model: entry.model ?? null, cwd: request.cwd, left: request.left }
    return [found() ?? program, ...dialect.args(wish), ...(entry.args ?? [])]
  }
  return {
    name,
    describe: quoteCommand([program, ...argvFor({ cwd, left: { tokens: null, usd: null } }).slice(1)]),
    person: false,
    inText,
    priced: dialect.priced || price !== undefined,
    async ready() {
      if (found() === null) return `${quoteWord(program)} is not an executable program, here or on PATH`
      return dialect.obstacle?.({ ...process.env, ...environment }) ?? null
    },
    async version() {
      const path = found()
      return path === null ? null : versionOf(path, cwd)
    },
    ask: (request, signal) => ask(request, signal, { argv: argvFor(request), env: environment, dialect, price }),
  }
}

const VERSION_LIMITS = { wallSeconds: 20, silenceSeconds: 20, outputBytes: 64 * 1024 }

async function versionOf(program: string, cwd: string): Promise<string | null> {
  const { exitCode, stdout } = await runProcess({ argv: [program, '--version'], cwd, limits: VERSION_LIMITS })
  return exitCode === 0 ? (/\d+\.\d+\.\d+[\w.+-]*/.exec(stdout.text)?.[0] ?? null) : null
}

type How = { argv: [string, ...string[]]; env: Dialect['env']; dialect: Dialect; price: Price | undefined }

async function ask(request: AskRequest, signal: AbortSignal, { argv, env, dialect, price }: How): Promise<Answer> {
  const listener = listen(request, dialect, price)
  const recordsPath = artifactPath(request, 'records.jsonl')
  const stderrPath = artifactPath(request, 'stderr.log')
  const result = await runProcess({
    argv,
    stdin: request.prompt,
    cwd: request.cwd,
    env: { ...env, ...placeOf(request) },
    limits: request.limits,
    stdoutPath: recordsPath,
    stderrPath,
    onOutput: (bytes) => request.onActivity({ kind: 'output', bytes }),
    onCut: (note) => request.onActivity({ kind: 'cut', note }),
    onText: listener.hear,
    ...(listener.hearError && { onErrorText: listener.hearError }),
    signal: AbortSignal.any([signal, listener.unserved]),
  })
  const files = [...(result.stdout.bytes > 0 ? [recordsPath] : []), ...(result.stderr.bytes > 0 ? [stderrPath] : [])]
  return answerOf(listener.end(), result, files, request)
}

// ───────────────────────────── listening ─────────────────────────────

type Ended = Extract<Told, { kind: 'ended' }>

/** `retry` is what it could not do when it was heard last; `gaveUp` says that we have ended it for that. */
type Heard = { text: string; worked: boolean; usage: Usage | null; ended: Ended | null; retry: string; gaveUp: boolean }

type Listener = {
  hear: (text: string) => void
  hearError?: (text: string) => void
  /** Aborted when it has done nothing but try again for as long as it may be silent. */
  unserved: AbortSignal
  end: () => Heard
}

/** Records may be long: a whole file is one line of JSON. */
const LONGEST_RECORD_CHARS = 8 * 1024 * 1024
const MOST_NOTE_CHARS = 200

function listen(request: AskRequest, { newReader, readComplaint }: Dialect, price: Price | undefined): Listener {
  const began = performance.now()
  const heard: Heard = { text: '', worked: false, usage: null, ended: null, retry: '', gaveUp: false }
  const unserved = new AbortController()
  let patience: NodeJS.Timeout | undefined
  const take = (told: Told): void => {
    const news = hearIn(heard, told, price)
    if (told.kind === 'retry') {
      patience ??= setTimeout(() => {
        heard.gaveUp = true
        unserved.abort()
      }, request.limits.silenceSeconds * 1000)
    } else if (heard.retry === '') {
      clearTimeout(patience)
      patience = undefined
    }
    if (news === 'spent' && heard.usage) request.onActivity({ kind: 'spent', spent: spendOf(heard.usage, (performance.now() - began) / 1000) })
    else if (news === 'note' && 'note' in told) request.onActivity({ kind: told.kind === 'retry' ? 'retry' : 'doing', note: oneLine(told.note) })
  }
  const feedOf = (read: ReadRecord) => rawLineFeed((line) => read(line).forEach(take), LONGEST_RECORD_CHARS)
  const feed = feedOf(newReader())
  const errors = readComplaint && feedOf(readComplaint)
  return {
    hear: feed.push,
    ...(errors && { hearError: errors.push }),
    unserved: unserved.signal,
    end: () => {
      feed.end()
      errors?.end()
      clearTimeout(patience)
      return heard
    },
  }
}

/** Whatever shows that its model answers again makes an end of the retries. */
function hearIn(heard: Heard, told: Told, price: Price | undefined): 'spent' | 'note' | 'nothing' {
  if (told.kind === 'retry') heard.retry = told.note
  else if (told.kind !== 'goes-on') heard.retry = ''
  switch (told.kind) {
    case 'text':
      heard.text = told.text
      heard.worked = true
      return 'nothing'
    case 'doing':
      heard.worked = true
      return 'note'
    case 'retry':
      return 'note'
    case 'goes-on':
      heard.ended = null
      return 'nothing'
    case 'used':
    case 'total':
      heard.usage = withPrice(told.kind === 'used' ? addUsage(heard.usage ?? NO_USAGE, told.usage) : told.usage, price)
      return 'spent'
    case 'ended':
      heard.ended = told
      return 'nothing'
  }
}

function oneLine(text: string): string {
  return sanitise(text).replace(/\s+/g, ' ').trim().slice(0, MOST_NOTE_CHARS)
}

// ───────────────────────────── the verdict ─────────────────────────────

function answerOf(heard: Heard, result: ProcessResult, files: string[], { prompt, limits }: AskRequest): Answer {
  const verdict = verdictOf(heard, result, limits.silenceSeconds)
  const left = result.leftovers === 0 ? '' : `; ${counted(result.leftovers, 'process', 'processes')} left running and ended`
  const said = heard.ended?.how === 'done' ? heard.ended.text : undefined
  return {
    ...verdict,
    note: oneLine(verdict.note) + left,
    text: sanitise(said ?? heard.text),
    files,
    spent: spendOf(heard.usage ?? leastOf(heard, prompt), result.seconds),
    ...(heard.usage && { usage: heard.usage }),
  }
}

/** Who worked and was ended before it could say what it used has read the prompt, and written what it said. */
function leastOf({ worked, text }: Heard, prompt: string): Usage {
  return worked ? { ...NO_USAGE, input: countTokens(prompt), output: Math.ceil(text.length / 4) } : NO_USAGE
}

type Verdict = Pick<Answer, 'ending' | 'note' | 'until'>

/** Our own limits come first, then the closing record; an exit status alone shows nothing, a missing record a failure. */
function verdictOf({ ended, retry, gaveUp }: Heard, { ending, note, exitCode, stderr }: ProcessResult, patienceSeconds: number): Verdict {
  // Whoever still tries to reach its model when our limit is over has not been slow: it could not be served.
  if (ending === 'aborted' && gaveUp) return unservedBy(`ended after ${patienceSeconds} s of nothing but retries: ${retry}`, retry)
  if (ending === 'aborted') return { ending, note }
  if (ending === 'timeout' || ending === 'silence') return retry === '' ? { ending, note } : unservedBy(`${note}, ${retry}`, retry)
  if (ending === 'unstartable') return { ending: 'unavailable', note }
  if (ended?.how === 'done') return { ending: 'done', note: ended.note || note }
  if (ended?.how === 'unavailable') return unservedBy(ended.note, ended.note, ended.until)
  const fault = faultIn(ended ? ended.note : stderr.text, Date.now())
  if (fault) return { ending: 'unavailable', note: fault.note, ...(fault.until !== undefined && { until: fault.until }) }
  if (ended) return { ending: 'failed', note: ended.note }
  const complaint = (stderr.text.trim().split('\n').at(-1) ?? '').trim()
  return { ending: 'failed', note: `ended without its closing record (${exitCode === null ? note : `exit ${exitCode}`})${complaint && `: ${complaint}`}` }
}

/** Where nobody has told when the limit is over, the words may. */
function unservedBy(note: string, complaint: string, until = faultIn(complaint, Date.now())?.until): Verdict {
  return { ending: 'unavailable', note, ...(until !== undefined && { until }) }
}
