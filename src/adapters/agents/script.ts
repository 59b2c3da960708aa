// Reads the script of a scripted agent: YAML or JSON, checked as a whole before anything runs.
import { readFileSync } from 'node:fs'
import type { Document, LineCounter } from 'yaml'
import { EXIT, Refusal } from '../../errors.js'
import { partsOf } from '../../files/guard.js'
import type { Answer } from '../../ports.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { isObject } from '../../text/reply/json.js'

export type Turn = {
  say?: string
  write?: Record<string, string>
  append?: Record<string, string>
  delete?: string[]
  sleepSeconds?: number
  ending?: Extract<Answer['ending'], 'done' | 'failed' | 'unavailable' | 'cancelled'>
  tokens?: number
  usd?: number
}

export type Script = { turns: [Turn, ...Turn[]]; after: 'repeat' | 'stop' }

type Path = (string | number)[]
type Fault = { at: Path; problem: string }

const LARGEST_SCRIPT_BYTES = 16 * 1024 * 1024

/** Throws Refusal, naming file and line. */
export async function loadScript(path: string): Promise<Script> {
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(textOf(path), { lineCounter: lines, prettyErrors: false, logLevel: 'silent' })
  const broken = document.errors[0]
  if (broken) throw refused(path, lines.linePos(broken.pos[0]).line, broken.message)
  const value: unknown = plainValue(path, document)
  const fault = faultOf(value)
  if (fault) throw refused(path, lineOf(document, lines, fault.at), fault.problem)
  return { after: 'repeat', ...(value as Partial<Script> & Pick<Script, 'turns'>) }
}

function textOf(path: string): string {
  try {
    const text = readFileSync(path, 'utf8')
    if (text.length <= LARGEST_SCRIPT_BYTES) return text
  } catch (error) {
    throw refused(path, null, `it cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`)
  }
  throw refused(path, null, `it is longer than ${LARGEST_SCRIPT_BYTES} characters`)
}

/** Aliases that multiply without end are found only here. */
function plainValue(path: string, document: Document): unknown {
  try {
    return document.toJS()
  } catch (error) {
    throw refused(path, 1, error instanceof Error ? error.message : String(error))
  }
}

function refused(path: string, line: number | null, problem: string): Refusal {
  const place = line === null ? path : `${path}:${line}`
  return new Refusal(EXIT.usage, `${place}: the script of the agent is not usable (its form: docs/scripted-agent.md): ${problem}`, `"\${EDITOR:-vi}" ${quoteWord(path)}`)
}

/** The line of the faulty entry, or of the nearest thing around it that has one. */
function lineOf(document: Document, lines: LineCounter, at: Path): number {
  for (let depth = at.length; depth >= 0; depth -= 1) {
    const node = document.getIn(at.slice(0, depth), true) as { range?: [number, number, number] | null } | undefined
    if (node?.range) return lines.linePos(node.range[0]).line
  }
  return 1
}

// — what a script may say —
type Check = (value: unknown, at: Path) => Fault | undefined

const ENDINGS = ['done', 'failed', 'unavailable', 'cancelled']

const TURN: Record<string, Check> = {
  say: text,
  write: files,
  append: files,
  delete: paths,
  sleepSeconds: amount,
  ending: (value, at) => oneOf(ENDINGS, value, at),
  tokens: amount,
  usd: amount,
}

const SCRIPT: Record<string, Check> = {
  turns: (value, at) => {
    if (!Array.isArray(value) || value.length === 0) return { at, problem: '`turns` must be a list of at least one turn' }
    return firstFault(value.map((turn, n) => keysFault(turn, TURN, [...at, n])))
  },
  after: (value, at) => oneOf(['repeat', 'stop'], value, at),
}

function faultOf(value: unknown): Fault | undefined {
  return keysFault(value, SCRIPT, []) ?? ('turns' in (value as object) ? undefined : { at: [], problem: '`turns` is missing' })
}

function keysFault(value: unknown, known: Record<string, Check>, at: Path): Fault | undefined {
  const names = Object.keys(known).join(', ')
  if (!isObject(value)) return { at, problem: `${at.length === 0 ? 'the script' : 'a turn'} must be a map of ${names}` }
  return firstFault(
    Object.entries(value).map(([key, entry]) => {
      const check = Object.hasOwn(known, key) ? known[key] : undefined
      return check ? check(entry, [...at, key]) : { at: [...at, key], problem: `\`${key}\` is unknown; known are ${names}` }
    }),
  )
}

function firstFault(faults: readonly (Fault | undefined)[]): Fault | undefined {
  return faults.find((fault) => fault !== undefined)
}

function text(value: unknown, at: Path): Fault | undefined {
  return typeof value === 'string' ? undefined : { at, problem: `\`${at.at(-1)}\` must be text` }
}

function amount(value: unknown, at: Path): Fault | undefined {
  const isAmount = typeof value === 'number' && Number.isFinite(value) && value >= 0
  return isAmount ? undefined : { at, problem: `\`${at.at(-1)}\` must be a number that is not negative` }
}

function oneOf(words: readonly string[], value: unknown, at: Path): Fault | undefined {
  return words.includes(value as string) ? undefined : { at, problem: `\`${at.at(-1)}\` must be one of ${words.join(', ')}` }
}

function files(value: unknown, at: Path): Fault | undefined {
  if (!isObject(value)) return { at, problem: `\`${at.at(-1)}\` must be a map of path to text` }
  return firstFault(Object.entries(value).map(([path, content]) => pathFault(path, [...at, path]) ?? text(content, [...at, path])))
}

function paths(value: unknown, at: Path): Fault | undefined {
  if (!Array.isArray(value)) return { at, problem: `\`${at.at(-1)}\` must be a list of paths` }
  return firstFault(value.map((path, n) => text(path, [...at, n]) ?? pathFault(path as string, [...at, n])))
}

function pathFault(path: string, at: Path): Fault | undefined {
  try {
    const git = partsOf(path).find((part) => part.toLowerCase() === '.git')
    return git === undefined ? undefined : { at, problem: `the path ${JSON.stringify(path)} is refused: it leads into ${git}` }
  } catch (error) {
    return { at, problem: error instanceof Error ? error.message : String(error) }
  }
}
