// Loads the settings: built-in values, the user's file, the repository's file, the environment and the flags, each over the last.
import { dirname, resolve } from 'node:path'
import type { Refusal } from '../errors.js'
import type { Fault } from './document.js'
import { environmentLayer } from './environment.js'
import { checkFlags } from './flags.js'
import { absolutePath, type Environment, repositoryRoot, type SettingsFile, settingsFiles } from './locate.js'
import { refusalOf } from './many-faults.js'
import { BUILT_IN, merge, type Source } from './merge.js'
import { withAbsolutePaths } from './paths.js'
import { flagName, type ScalarKey, variableName } from './scalars.js'
import { readSource } from './source.js'
import type { Config, Layer } from './types.js'

export type ConfigRequest = {
  cwd: string
  env: Environment
  home: string
  /** Read instead of `greenlatch.yaml`. */
  file?: string
  /** `none`: only the environment and the flags, for those who must get by while a file is broken. */
  files?: 'none'
  flags: Layer
}

/** Throws Refusal, with one line, for anything of the user's that is wrong. */
export async function loadConfig(request: ConfigRequest): Promise<Config> {
  const root = repositoryRoot(request.cwd)
  const files = request.files === 'none' ? [] : settingsFiles({ ...request, root })
  const fromFiles: Source[] = []
  for (const file of files) fromFiles.push(await fileSource(file, request.home))
  const sources = [BUILT_IN, ...fromFiles, environmentSource(request), flagSource(request)]
  return { ...merge(sources), root, files: files.map((file) => file.path) }
}

async function fileSource(file: SettingsFile, home: string): Promise<Source> {
  const text = readSource(file)
  const { parseSettings } = await import('./document.js')
  const parsed = parseSettings(text)
  if (parsed.faults.length > 0) throw refusal(file, parsed.faults, 'greenlatch config')
  const where = (key: string): string => `${file.name}:${parsed.lineOf(steps(key))}`
  if (parsed.value === null) return { tier: file.tier, layer: {}, where }
  const { checkSettings } = await import('./schema.js')
  const checked = checkSettings(parsed.value)
  if ('faults' in checked) {
    const faults = checked.faults.map((fault) => ({ line: parsed.lineOf(fault.path), text: fault.text }))
    throw refusal(file, faults, 'greenlatch schema')
  }
  const base = dirname(file.path)
  return { tier: file.tier, layer: withAbsolutePaths(checked.layer, (path) => absolutePath(path, base, home)), where }
}

function environmentSource(request: ConfigRequest): Source {
  const layer = environmentLayer(request.env)
  return { tier: 'environment', layer: relativeToFolder(layer, request), where: (key) => variableName(key as ScalarKey) }
}

function flagSource(request: ConfigRequest): Source {
  checkFlags(request.flags)
  return { tier: 'flag', layer: relativeToFolder(request.flags, request), where: flagName }
}

function relativeToFolder(layer: Layer, { cwd, home }: ConfigRequest): Layer {
  return withAbsolutePaths(layer, (path) => absolutePath(path, resolve(cwd), home))
}

/** A key has two steps at most; the second is a name, which may hold dots. */
function steps(key: string): string[] {
  const dot = key.indexOf('.')
  return dot < 0 ? [key] : [key.slice(0, dot), key.slice(dot + 1)]
}

/** All faults of the file, in its order. */
function refusal(file: SettingsFile, faults: readonly Fault[], next: string): Refusal {
  const inOrder = faults.toSorted((a, b) => a.line - b.line)
  return refusalOf(inOrder.map(({ line, text }) => `${file.name}:${line}: ${text}`), next)
}
