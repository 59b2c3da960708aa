// What an agent may reach from inside a sandbox, by what it is and by what its user has set: nothing that a model has said counts here.
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { Reach } from '../../ports.js'
import { needsOf, type Needs } from './needs.js'

export type Started = {
  /** By which name it is known; null for any other command. */
  known: string | null
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
}

/** Variables that say where a model is. */
const MODEL_VARIABLE = /^(ANTHROPIC|OPENAI|AZURE_OPENAI|GOOGLE|GEMINI|OPENROUTER|OLLAMA|LMSTUDIO|DASHSCOPE|QWEN|CODEX|OPENCODE|GOOSE|MISTRAL|GROQ|DEEPSEEK|LITELLM|LLM)_/
const MOST_SETTINGS_BYTES = 256 * 1024

export function reachOfAgent({ known, argv, env }: Started): Reach {
  const needs = needsOf(known)
  const home = needs && homeOf(needs, { ...process.env, ...env })
  const variables = Object.entries({ ...process.env, ...env }).filter(([name]) => MODEL_VARIABLE.test(name) || name in env)
  const told = [...argv, ...variables.map(([, value]) => value ?? '')].flatMap(addressesIn)
  const settings = home?.given.map((path) => textOf(join(homedir(), path))) ?? []
  return {
    network: { hosts: [...new Set([...(needs?.hosts ?? []), ...told, ...settings.flatMap(modelsIn)])] },
    read: argv.filter((word) => isAbsolute(word)).flatMap(visible),
    ...(home && { home }),
  }
}

/** Where a variable names another place for its folder, below the home folder too, the files are meant there. */
function homeOf({ refreshed, given, moved }: Needs, environment: Started['env']): NonNullable<Reach['home']> {
  const place = moved && environment[moved.variable]
  const below = place && isAbsolute(place) ? relative(homedir(), place) : null
  if (!moved || below === null || below.startsWith('..')) return { refreshed, given }
  const move = (path: string): string => (path.startsWith(`${moved.folder}/`) ? join(below, path.slice(moved.folder.length + 1)) : path)
  return { refreshed: refreshed.map(move), given: given.map(move) }
}

/** `http://127.0.0.1:1234/v1` → `127.0.0.1:1234`, for every address that stands in a text. */
function addressesIn(text: string): string[] {
  return [...text.matchAll(/https?:\/\/[^\s"'`<>,;)\]}\\]+/g)].flatMap(([found]) => {
    if (!URL.canParse(found)) return []
    const { hostname, port, protocol } = new URL(found)
    return [`${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`]
  })
}

/** Settings name other addresses too: only models, and servers of this machine, are meant. */
function modelsIn(text: string): string[] {
  const bases = [...text.matchAll(/base_?(?:url|path)["']?\s*[:=]\s*["']?(https?:\/\/[^\s"',]+)/gi)].flatMap(([, address = '']) => addressesIn(address))
  return [...bases, ...addressesIn(text).filter((address) => /^(127\.|localhost:|\[::1\])/.test(address))]
}

/** Variables that an agent's own settings name, such as the one that holds the key of a provider of the user's own. Prose names many that are not meant. */
export function variablesInSettings(known: string | null): string[] {
  const needs = needsOf(known)
  const files = needs === null ? [] : homeOf(needs, process.env).given.filter((path) => /\.(toml|jsonc?|ya?ml)$/.test(path))
  const words = new Set(files.flatMap((path) => textOf(join(homedir(), path)).match(/[A-Za-z_][A-Za-z0-9_]{3,}/g) ?? []))
  return words.size === 0 ? [] : Object.keys(process.env).filter((name) => words.has(name))
}

/** Empty for what cannot be read: the agent itself will say so, where it needs it. */
function textOf(path: string): string {
  try {
    const entry = statSync(path)
    return entry.isFile() && entry.size <= MOST_SETTINGS_BYTES ? readFileSync(path, 'utf8') : ''
  } catch {
    return ''
  }
}

/** A program or file that the user's own command names, with the package it is a part of. */
export function visible(path: string): string[] {
  if (!existsSync(path)) return []
  const real = realpathSync(path)
  const parts = real.split(sep)
  const at = parts.indexOf('node_modules')
  return [...(at > 0 ? [parts.slice(0, at + 1).join(sep)] : [real]), ...(lstatSync(path).isSymbolicLink() ? [dirname(path)] : [])]
}
