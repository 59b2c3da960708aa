// Values in the JSON of an answer, by whichever of their usual names they have: texts, files, and the steps of a plan.
import type { TextFile } from '../../ports.js'
import { lineOf } from '../prompt/delimited.js'
import { isObject, type JsonObject } from './json.js'
import { sanitise } from '../sanitise.js'

export { lineOf } from '../prompt/delimited.js'

/** The most that one answer may bring. */
const MOST_FILES = 500
const MOST_FILE_CHARS = 8_000_000
const LONGEST_PATH_CHARS = 200

const PATH = ['path', 'file', 'filename', 'file_path', 'name'] as const
const CONTENT = ['content', 'code', 'text', 'contents'] as const
const CHANGE = ['change', 'changes', 'description', 'task', 'steps', 'step', 'action'] as const

/** One text, or several below each other; empty when there is none. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.map(textOf).filter((text) => text !== '').join('\n') : ''
}

/** The first of these names that has a text. */
export function textIn(object: JsonObject, names: readonly string[]): string {
  return names.map((name) => textOf(object[name])).find((text) => text.trim() !== '') ?? ''
}

export function pathIn(object: JsonObject): string {
  return cleanPath(textIn(object, PATH))
}

/** Without marks around it and without `./` before it; whether it is allowed is for others to say. */
export function cleanPath(path: string): string {
  return path.trim().replace(/^(["'`])(.+)\1$/, '$2').replace(/^(?:\.\/)+/, '').trim()
}

export function shownPath(path: string): string {
  return lineOf(path, LONGEST_PATH_CHARS)
}

// — files —
export type Files = { files: TextFile[]; faults: string[] }

/** A list of `{ path, content }`, one of them, or a map of paths to contents. Of two with one path the last counts. */
export function filesIn(value: unknown, name: string): Files {
  const faults: string[] = []
  const files = new Map<string, string>()
  for (const [at, entry] of entriesOf(value, [PATH, CONTENT]).entries()) {
    const path = pathIn(entry)
    const text = CONTENT.map((key) => entry[key]).find((content) => typeof content === 'string')
    if (path === '') faults.push(`${name}[${at}] has no path`)
    else if (typeof text !== 'string' || text.trim() === '') faults.push(`${name}[${at}] (${shownPath(path)}) has no content`)
    else files.set(path, text.endsWith('\n') ? text : `${text}\n`)
  }
  const list = Array.from(files, ([path, text]) => ({ path, text }))
  return isTooMuch(list) ? { files: [], faults: [tooMuch(name)] } : { files: list, faults }
}

export function isTooMuch(files: readonly TextFile[]): boolean {
  return files.length > MOST_FILES || files.reduce((sum, { text }) => sum + text.length, 0) > MOST_FILE_CHARS
}

export function tooMuch(what: string): string {
  return `${what}: more than ${MOST_FILES} files or ${MOST_FILE_CHARS / 1_000_000} million characters`
}

/** As a list of objects. A map `a → b` becomes entries whose first names are the two that are given. */
function entriesOf(value: unknown, [keys, values]: readonly [readonly string[], readonly string[]]): JsonObject[] {
  if (Array.isArray(value)) return value.slice(0, MOST_FILES + 1).map((entry) => (isObject(entry) ? entry : { [values[0] ?? '']: entry }))
  if (typeof value === 'string' && value.trim() !== '') return [{ [values[0] ?? '']: value }]
  if (!isObject(value)) return []
  const isEntry = textIn(value, keys) !== '' && textIn(value, values) !== ''
  if (isEntry) return [value]
  return Object.entries(value).slice(0, MOST_FILES + 1).map(([path, content]) => ({ [keys[0] ?? '']: path, [values[0] ?? '']: content }))
}

// — steps of a plan —
/** `path` is empty where a step names none. */
export type Step = { path: string; change: string }
export type Steps = { steps: Step[]; faults: string[] }

/** A list of `{ path, change }` or of sentences, one of them, or a map of paths to changes. */
export function stepsIn(value: unknown): Steps {
  const faults: string[] = []
  const steps = entriesOf(value, [PATH, CHANGE]).flatMap((entry, at): Step[] => {
    const path = pathIn(entry)
    const change = textIn(entry, CHANGE).trim()
    if (change === '') faults.push(`plan[${at}]${path === '' ? '' : ` (${shownPath(path)})`} says no change`)
    return change === '' ? [] : [path === '' ? stepOf(change) : { path, change }]
  })
  return { steps: steps.slice(0, MOST_FILES), faults }
}

/** A sentence may begin with the file that it is about. */
function stepOf(sentence: string): Step {
  const [, path = '', change = ''] = /^`?([\w@.][\w@./-]*\.\w{1,8})`?\s*(?::|[-–—]\s)\s*(\S[^]*)$/.exec(sentence) ?? []
  return path === '' ? { path: '', change: sentence } : { path, change }
}

/** As a text for people and prompts. */
export function planText(steps: readonly Step[], tests: readonly TextFile[]): string {
  const lines = steps.map(({ path, change }, at) => {
    const text = sanitise(change).trim().replaceAll('\n', '\n   ')
    return path === '' ? `${at + 1}. ${text}` : `${at + 1}. \`${shownPath(path)}\`: ${text}`
  })
  const named = tests.length === 0 ? [] : ['', `Tests: ${tests.map(({ path }) => `\`${shownPath(path)}\``).join(', ')}`]
  return ['# Plan', '', ...lines, ...named, ''].join('\n')
}

export function pathsOf(steps: readonly Step[]): string[] {
  return [...new Set(steps.map(({ path }) => path).filter((path) => path !== ''))]
}
