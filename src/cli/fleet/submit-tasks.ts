// From what is typed after `fleet submit` to tasks: one, a file of them, one over many repositories, or several candidates of each.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { namedHashes } from '../../config/trust-store.js'
import { EXIT, Refusal } from '../../errors.js'
import type { Candidate, TaskWords } from '../../fleet/types.js'
import { builtinProcedures } from '../../procedures/index.js'
import { isObject } from '../../text/reply/json.js'
import { holdsNul } from '../nul.js'

export type SubmitFlags = TaskWords & {
  file?: string
  repository?: string[]
  repositories?: string
  ref?: string
  remote?: string
  bestOf?: number
  enough?: number
  label?: string[]
  priority?: number
  attempts?: number
  backOff?: string
  batch?: string
  batchCost?: number
  rate?: string[]
  again?: string[]
  trust?: string[]
}

/** A task that is not yet bound to a commit. */
export type Wanted = { procedure: string | null; text: string; repository: string; ref: string; words: TaskWords; labels: string[]; priority: number | null; trust?: string[]; candidate?: Candidate }

const WORDS = [
  'agent', 'aiCmd', 'aiCmdAlias', 'url', 'model', 'gate', 'target', 'excuse', 'permit', 'require', 'allow', 'deny', 'diffBudget',
  'minIterations', 'failureThreshold', 'maxIterations', 'maxTime', 'maxTokens', 'maxCost',
] as const
const LINE_KEYS = ['task', 'repository', 'ref', 'gate', 'trust', 'labels', 'priority']
/** The queue's engine knows none after it. */
const LAST_PRIORITY = 2_097_151
const MOST_CANDIDATES = 100
const NEXT = 'greenlatch fleet submit --help'

export function wantedTasks(args: readonly string[], flags: SubmitFlags, cwd: string, usual: string | null): Wanted[] {
  const words = Object.fromEntries(WORDS.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]]))) as TaskWords
  const [procedure, text] = split(args)
  if (flags.priority !== undefined && !isPriority(flags.priority)) throw new Refusal(EXIT.usage, `--priority: 1 to ${LAST_PRIORITY}`, 'greenlatch fleet submit --priority 1')
  const lines = flags.file === undefined ? [{}] : fileLines(resolve(cwd, flags.file), text)
  const repositories = [...(flags.repository ?? []), ...(flags.repositories === undefined ? [] : plainLines(resolve(cwd, flags.repositories)))]
  const everywhere = repositories.length > 0 ? repositories : usual === null ? [] : [usual]
  const trust = flags.trust && namedHashes(flags.trust, '--trust')
  const tasks = lines.flatMap((line) => (line.repository === undefined ? everywhere : [line.repository]).map((repository): Wanted => ({
    procedure,
    text: line.task ?? text,
    repository,
    ref: line.ref ?? flags.ref ?? 'HEAD',
    words: { ...words, ...(line.gate && { gate: line.gate }) },
    labels: line.labels ?? flags.label ?? [],
    priority: line.priority ?? flags.priority ?? null,
    ...((line.trust ?? trust) && { trust: line.trust ?? trust }),
  })))
  if (tasks.length === 0) throw new Refusal(EXIT.usage, 'no repository is named, and this folder has none with a remote "origin"', 'greenlatch fleet submit --repository <address>')
  tasks.forEach(refuseUnclear)
  return tasks.flatMap((task, at) => candidatesOf(task, flags, at))
}

function split(args: readonly string[]): [procedure: string | null, text: string] {
  const [first, ...rest] = args
  return first !== undefined && Object.hasOwn(builtinProcedures, first) ? [first, rest.join(' ')] : [null, args.join(' ')]
}

type Line = Partial<Pick<Wanted, 'repository' | 'ref' | 'labels' | 'priority' | 'trust'>> & { task?: string; gate?: string[] }

function fileLines(path: string, text: string): Line[] {
  if (text !== '') throw new Refusal(EXIT.usage, 'the task is given twice: as words and by --file', NEXT)
  const lines = plainLines(path)
  if (lines.length === 0) throw new Refusal(EXIT.usage, `there is no task in ${path}`, NEXT)
  return lines.map((line, at) => (line.startsWith('{') ? objectLine(line, `${path}:${at + 1}`) : { task: line }))
}

function objectLine(line: string, where: string): Line {
  const bad = (what: string): Refusal => new Refusal(EXIT.usage, `${where}: ${what}`, NEXT)
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw bad('this is no JSON object')
  }
  if (!isObject(value)) throw bad('this is no JSON object')
  const odd = Object.keys(value).find((key) => !LINE_KEYS.includes(key))
  if (odd !== undefined) throw bad(`"${odd}" is none of ${LINE_KEYS.join(', ')}`)
  const { task, repository, ref, gate, trust, labels, priority } = value
  const isTexts = (list: unknown): boolean => list === undefined || (Array.isArray(list) && list.every((one) => typeof one === 'string'))
  const isTextOrTexts = (one: unknown): boolean => isTexts(one) || typeof one === 'string'
  const isText = (one: unknown): boolean => one === undefined || typeof one === 'string'
  if (![task, repository, ref].every(isText)) throw bad('task, repository and ref are texts')
  if (!isTexts(labels) || !isTextOrTexts(gate) || !isTextOrTexts(trust)) throw bad('gate, trust and labels are lists of texts')
  if (priority !== undefined && !isPriority(priority)) throw bad(`priority is a whole number from 1 to ${LAST_PRIORITY}`)
  return { ...(value as Line), ...(gate !== undefined && { gate: [gate].flat() as string[] }), ...(trust !== undefined && { trust: namedHashes([trust].flat() as string[], where) }) }
}

function isPriority(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= LAST_PRIORITY
}

function plainLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  } catch {
    throw new Refusal(EXIT.usage, `${path} cannot be read`, NEXT)
  }
}

/** Whoever submits says who answers and what decides, or which state of the repository's own settings may say so. */
function refuseUnclear({ words, procedure, labels, text, trust, repository, ref }: Wanted): void {
  const bad = (what: string, next: string): Refusal => new Refusal(EXIT.usage, what, next)
  if (!trust && !words.agent && words.aiCmd === undefined && words.aiCmdAlias === undefined && words.url === undefined) {
    throw bad('who answers has to be said: a worker does not read the settings of repositories, unless --trust names their state', 'greenlatch fleet submit --agent <name>')
  }
  if (words.agent?.some((name) => /(^|=)paste$/.test(name))) throw bad('a person cannot answer in a fleet', 'greenlatch fleet submit --agent <name>')
  const known = builtinProcedures as Readonly<Record<string, { policies: { goal?: unknown } }>>
  if (!trust && !words.gate && known[procedure ?? 'converge']?.policies.goal) throw bad(`procedure "${procedure ?? 'converge'}" needs a check to prove its work by, and none is named`, 'greenlatch fleet submit --gate "<your test command>"')
  const label = labels.find((name) => !/^[a-z0-9][a-z0-9_.-]{0,40}$/i.test(name))
  if (label !== undefined) throw bad(`--label: ${JSON.stringify(label)} is no plain name`, 'greenlatch fleet submit --label gpu')
  if (holdsNul([text, words, repository, ref])) throw bad('a task holds a NUL character, which can be handed to no program', NEXT)
  if (text.length > 100_000) throw bad('a task has at most 100,000 characters', NEXT)
}

function candidatesOf(task: Wanted, { bestOf = 1, enough }: SubmitFlags, at: number): Wanted[] {
  if (bestOf < 1 || bestOf > MOST_CANDIDATES) throw new Refusal(EXIT.usage, `--best-of: 1 to ${MOST_CANDIDATES}`, NEXT)
  if (enough !== undefined && (enough < 1 || enough > bestOf)) throw new Refusal(EXIT.usage, `--enough: 1 to ${bestOf}`, NEXT)
  if (bestOf === 1) return [task]
  const candidate = { group: String(at), of: bestOf, enough: enough ?? Math.ceil(bestOf / 2) }
  return Array.from({ length: bestOf }, () => ({ ...task, candidate }))
}
