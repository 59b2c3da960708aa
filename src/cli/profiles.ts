// Which profile a session works with, its parameters, and how both are frozen with the session.
import { existsSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { readProfileFile } from '../config/profile-file.js'
import { refusalOf } from '../config/many-faults.js'
import { GIVEN_NAMES, placeholdersIn } from '../adapters/profiles/fill.js'
import { hashOf, loadModule, MODULE_ENDINGS } from '../adapters/profiles/module.js'
import { plainProfile } from '../adapters/profiles/plain.js'
import { REPLY_FORMS, type DataProfile, type Profile } from '../adapters/profiles/types.js'
import type { Procedure } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { printable } from '../files/durable.js'
import { nearest } from '../text/nearest.js'
import { quoteWord } from '../text/prompt/quote.js'
import { didYouMean } from './meant.js'
import { isByProfile, profilePhase, usesProfile } from './profile-phases.js'
import { sameRecorded } from './recorded.js'

export type ProfileFlags = { profile?: string; param?: string[] }

/** A profile that is data is kept whole; of a module its place and its hash are. */
export type FrozenProfile = { parameters: Record<string, string> } & (
  | { kind: 'data'; path: string | null; profile: DataProfile }
  | { kind: 'module'; name: string; path: string; sha: string }
)

const BUILT_IN: Readonly<Record<string, DataProfile>> = { plain: plainProfile }
const FILE_ENDINGS = new Set(['.yaml', '.yml', ...MODULE_ENDINGS])

// ───────────────────────────── choosing ─────────────────────────────

type Wanted = { procedure: Procedure; task: string | null; cwd: string }

/** Null for a procedure that works without. Throws Refusal for a profile that is not there, or does not fit. */
export async function chooseProfile(flags: ProfileFlags, wanted: Wanted): Promise<FrozenProfile | null> {
  if (!usesProfile(wanted.procedure)) {
    if (flags.profile === undefined && !flags.param) return null
    const flag = flags.profile === undefined ? '--param' : '--profile'
    throw new Refusal(EXIT.usage, `${flag}: procedure "${wanted.procedure.name}" works without a profile`, 'greenlatch procedures')
  }
  const found = await find(flags.profile ?? 'plain', wanted.cwd)
  refuseMissingPhases(found.profile, wanted.procedure)
  const parameters = parametersOf(found.profile, flags.param ?? [], wanted.task)
  if (found.sha === null) return { kind: 'data', path: found.path, profile: found.profile as DataProfile, parameters }
  return { kind: 'module', name: found.profile.name, path: found.path, sha: found.sha, parameters }
}

type Found = { profile: Profile; path: string | null; sha: null } | { profile: Profile; path: string; sha: string }

async function find(word: string, cwd: string): Promise<Found> {
  if (Object.hasOwn(BUILT_IN, word)) return { profile: BUILT_IN[word] ?? plainProfile, path: null, sha: null }
  const path = resolve(cwd, word)
  if (!existsSync(path)) throw notThere(word, path)
  if (MODULE_ENDINGS.includes(extname(path))) return { ...(await loadModule(path)), path }
  return { profile: await readWritten(path), path, sha: null }
}

function notThere(word: string, path: string): Refusal {
  const isPath = word.includes('/') || FILE_ENDINGS.has(extname(word))
  const what = isPath ? `there is no profile at ${printable(path)}` : `there is no profile "${word}"${didYouMean(word, Object.keys(BUILT_IN))}`
  const names = Object.keys(BUILT_IN)
  return new Refusal(EXIT.usage, `--profile: ${what}; it is the path of one, or ${names.join(' or ')}`, `greenlatch open --profile ${nearest(word, names) ?? names[0]}`)
}

function readWritten(path: string): Promise<DataProfile> {
  return readProfileFile(path, { names: GIVEN_NAMES, replies: REPLY_FORMS, placeholdersIn })
}

function refuseMissingPhases({ name, phases }: Profile, procedure: Procedure): void {
  const needed = Object.entries(procedure.phases).filter(([, phase]) => isByProfile(phase)).map(([phase, entry]) => profilePhase(phase, entry))
  const missing = needed.filter((phase) => !Object.hasOwn(phases, phase))
  if (missing.length === 0) return
  const what = `the profile "${name}" has no prompt for ${missing.join(', ')}, which procedure "${procedure.name}" asks for`
  throw new Refusal(EXIT.usage, what, `greenlatch procedures show ${procedure.name}`)
}

// ───────────────────────────── parameters ─────────────────────────────

/** A parameter called `task` is the task, where it is not given by itself. */
function parametersOf({ name, parameters: declared = {} }: Profile, words: readonly string[], task: string | null): Record<string, string> {
  const given = givenBy(words)
  const unknown = Object.keys(given).filter((key) => !Object.hasOwn(declared, key))
  const all: Record<string, string> = { ...(task !== null && Object.hasOwn(declared, 'task') && { task }), ...given }
  const missing = Object.entries(declared).filter(([key, { required }]) => required === true && (all[key] ?? declared[key]?.default ?? '').trim() === '')
  const faults = [
    ...unknown.map((key) => `--param: the profile "${name}" has no parameter "${key}"${didYouMean(key, Object.keys(declared))}`),
    ...missing.map(([key, { description }]) => `the profile "${name}" needs ${key}: ${description}`),
  ]
  if (faults.length > 0) throw refusalOf(faults, nextWith(missing.map(([key]) => key), Object.keys(declared)))
  return Object.fromEntries(Object.entries(declared).map(([key, { default: preset = '' }]) => [key, all[key] ?? preset]))
}

function nextWith(missing: readonly string[], declared: readonly string[]): string {
  const [first] = missing.length > 0 ? missing : declared
  if (first === undefined) return 'greenlatch open --help'
  return first === 'task' ? 'greenlatch open --task <file>' : `greenlatch open --param ${first}=<value>`
}

function givenBy(words: readonly string[]): Record<string, string> {
  const given: Record<string, string> = {}
  for (const word of words) {
    const [, key = '', value = ''] = /^([^=\s]+)=(.*)$/s.exec(word) ?? []
    if (key === '') throw new Refusal(EXIT.usage, `--param: "${word}" is not name=value`, 'greenlatch open --param <name>=<value>')
    if (Object.hasOwn(given, key)) throw new Refusal(EXIT.usage, `--param: "${key}" is given twice`, 'greenlatch open --help')
    given[key] = value
  }
  return given
}

// ───────────────────────────── a session's own ─────────────────────────────

export type Thawed = { profile: Profile; notices: string[] }

/** The profile as it was when the session was opened. Throws Refusal for a module that is another one by now. */
export async function thawProfile(frozen: FrozenProfile): Promise<Thawed> {
  switch (frozen.kind) {
    case 'data':
      return { profile: frozen.profile, notices: await changedSince(frozen.path, frozen.profile) }
    case 'module': {
      const { path, sha, name } = frozen
      if (!existsSync(path)) throw another(`the profile "${name}" is gone: ${printable(path)}; put it back`)
      if (hashOf(path) !== sha) throw another(`the profile "${name}" has changed since this session began: ${printable(path)}; put it back as it was`)
      return { profile: (await loadModule(path)).profile, notices: [] }
    }
  }
}

function another(what: string): Refusal {
  return new Refusal(EXIT.state, what, 'greenlatch open artifact')
}

async function changedSince(path: string | null, profile: DataProfile): Promise<string[]> {
  if (path === null) return []
  const now = await readWritten(path).catch(() => null)
  if (sameRecorded(now, profile)) return []
  return [`the profile ${quoteWord(path)} has changed; this session goes on with it as it was`]
}
