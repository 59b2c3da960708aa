// Reads a profile that is written as YAML and Markdown, from a file or a folder, and checks all of it.
import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { suggestion } from './faults.js'
import { refusalOfFile } from './many-faults.js'
import { readSource } from './source.js'
import { quote, shown } from './words.js'
import { quoteWord } from '../text/prompt/quote.js'

export type WrittenParameter = { description: string; required?: boolean; default?: string }
export type WrittenReply = 'plan' | 'blocks' | 'verdict'

export type WrittenProfile = {
  name: string
  summary?: string
  parameters: Record<string, WrittenParameter>
  phases: Record<string, { prompt: string; reply?: WrittenReply }>
}

/** What the file may name in a prompt besides its own parameters, and which ways of reading there are. */
export type Known = { names: readonly string[]; replies: readonly string[]; placeholdersIn: (text: string) => string[] }

type Fault = { path: readonly string[]; text: string }
type Reader = { faults: Fault[]; folder: string; known: Known }

/** The name of the file in a folder. */
const FILE = 'profile.yaml'
const PHASES: readonly string[] = ['planning', 'generation', 'review', 'revision']
const KEYS = ['name', 'summary', 'parameters', 'prompts', 'replies'] as const
const NAME = /^[a-z][a-z0-9_-]{0,39}$/i

/** Throws Refusal with every fault, each with its line. */
export async function readProfileFile(path: string, known: Known): Promise<WrittenProfile> {
  const file = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, FILE) : path
  const { parseSettings } = await import('./document.js')
  const parsed = parseSettings(textOf(file))
  const reader: Reader = { faults: [], folder: dirname(file), known }
  const fallback = basename(file) === FILE ? basename(dirname(resolve(file))) : basename(file).replace(/\.ya?ml$/, '')
  const profile = parsed.faults.length > 0 ? null : profileOf(parsed.value, fallback, reader)
  const faults = [...parsed.faults, ...reader.faults.map((fault) => ({ line: parsed.lineOf(fault.path), text: fault.text }))]
  if (profile === null || faults.length > 0) throw refusalOfFile(file, faults, `"\${EDITOR:-vi}" ${quoteWord(file)}`)
  return profile
}

function textOf(path: string): string {
  return readSource({ tier: 'project', path, name: path })
}

function profileOf(value: unknown, fallback: string, reader: Reader): WrittenProfile | null {
  const map = mapAt(value, [], reader)
  if (map === null) return null
  unknownKeys(map, KEYS, [], reader)
  const parameters = parametersOf(map['parameters'], reader)
  const phases = phasesOf(map, [...reader.known.names, ...Object.keys(parameters)], reader)
  const summary = textAt(map['summary'], ['summary'], reader)
  return { name: textAt(map['name'], ['name'], reader) ?? fallback, ...(summary !== undefined && { summary }), parameters, phases }
}

// ───────────────────────────── parameters ─────────────────────────────

function parametersOf(value: unknown, reader: Reader): Record<string, WrittenParameter> {
  const map = value === undefined || value === null ? {} : (mapAt(value, ['parameters'], reader) ?? {})
  return Object.fromEntries(Object.entries(map).map(([name, entry]) => [name, parameterOf(name, entry, reader)]))
}

function parameterOf(name: string, value: unknown, reader: Reader): WrittenParameter {
  const path = ['parameters', name]
  if (!NAME.test(name)) reader.faults.push({ path, text: `${quote(name)} is no name for a parameter (letters, digits, "_" and "-")` })
  if (name !== 'task' && reader.known.names.includes(name)) reader.faults.push({ path, text: `${quote(name)} is given to every prompt already` })
  if (typeof value === 'string') return { description: value }
  const map = mapAt(value, path, reader) ?? {}
  unknownKeys(map, ['description', 'required', 'default'], path, reader)
  const description = textAt(map['description'], [...path, 'description'], reader)
  if (description === undefined) reader.faults.push({ path, text: `parameters.${name}: "description" is missing` })
  const { required } = map
  if (required !== undefined && typeof required !== 'boolean') {
    reader.faults.push({ path: [...path, 'required'], text: `parameters.${name}.required: expected true or false, found ${shown(required)}` })
  }
  const preset = textAt(map['default'], [...path, 'default'], reader)
  return { description: description ?? '', ...(required === true && { required }), ...(preset !== undefined && { default: preset }) }
}

// ───────────────────────────── prompts and replies ─────────────────────────────

function phasesOf(map: Record<string, unknown>, names: readonly string[], reader: Reader): WrittenProfile['phases'] {
  const prompts = map['prompts'] === undefined ? {} : (mapAt(map['prompts'], ['prompts'], reader) ?? {})
  const replies = map['replies'] === undefined ? {} : (mapAt(map['replies'], ['replies'], reader) ?? {})
  const all = [...new Set([...PHASES, ...Object.keys(prompts)])]
  unknownKeys(replies, all, ['replies'], reader)
  const phases = all.flatMap((phase) => {
    const prompt = promptOf(phase, prompts[phase], names, reader)
    const reply = replyOf(phase, replies[phase], reader)
    return prompt === null ? [] : [[phase, { prompt, ...reply }] as const]
  })
  return Object.fromEntries(phases)
}

/** Text, or `{ file }`; where nothing is said, the file of that name beside this one. */
function promptOf(phase: string, value: unknown, names: readonly string[], reader: Reader): string | null {
  const path = ['prompts', phase]
  const page = typeof value === 'string' ? { name: `the prompt for ${phase}`, text: value } : pageOf(phase, value, path, reader)
  if (page === null) return null
  if (page.text.trim() === '') reader.faults.push({ path, text: `${page.name} is empty` })
  for (const name of reader.known.placeholdersIn(page.text)) {
    if (!names.includes(name)) reader.faults.push({ path, text: `${page.name} has {{${name}}}, which stands for nothing (${suggestion(name, names)})` })
  }
  return page.text
}

function pageOf(phase: string, value: unknown, path: string[], reader: Reader): { name: string; text: string } | null {
  const map = value === undefined ? { file: `${phase}.md` } : mapAt(value, path, reader)
  if (map === null) return null
  unknownKeys(map, ['file'], path, reader)
  const named = textAt(map['file'], [...path, 'file'], reader)
  if (named === undefined) return null
  const file = resolve(reader.folder, named)
  if (value !== undefined || existsSync(file)) return { name: named, text: textOf(file) }
  const missing = `there is no prompt for ${phase}: write one under "prompts", or put ${named} beside this file`
  if (PHASES.includes(phase)) reader.faults.push({ path: ['prompts'], text: missing })
  return null
}

function replyOf(phase: string, value: unknown, reader: Reader): { reply?: WrittenReply } {
  if (value === undefined) return {}
  const { replies } = reader.known
  if (typeof value === 'string' && replies.includes(value)) return { reply: value as WrittenReply }
  const hint = typeof value === 'string' ? suggestion(value, replies) : `allowed: ${replies.join(', ')}`
  reader.faults.push({ path: ['replies', phase], text: `replies.${phase}: ${shown(value)} is no way to read a response (${hint})` })
  return {}
}

// ───────────────────────────── plain values ─────────────────────────────

function mapAt(value: unknown, path: readonly string[], { faults }: Reader): Record<string, unknown> | null {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  faults.push({ path, text: `${path.length === 0 ? '' : `${path.join('.')}: `}expected a map, found ${shown(value)}` })
  return null
}

function textAt(value: unknown, path: readonly string[], { faults }: Reader): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  faults.push({ path, text: `${path.join('.')}: expected text, found ${shown(value)}` })
  return undefined
}

function unknownKeys(map: Record<string, unknown>, allowed: readonly string[], path: readonly string[], { faults }: Reader): void {
  for (const key of Object.keys(map).filter((name) => !allowed.includes(name))) {
    const place = path.length === 0 ? '' : ` in ${path.join('.')}`
    faults.push({ path: [...path, key], text: `unknown key ${quote(key)}${place} (${suggestion(key, allowed)})` })
  }
}
