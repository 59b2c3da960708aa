// Loads the settings: built-in values, the user's file, the repository's file, the environment and the flags, each over the last.
import { dirname, join, resolve } from 'node:path'
import { AGENTS_FILE, readAgentsFile } from './agents-file.js'
import { environmentLayer } from './environment.js'
import { executableOf, isOfRepository, partsOf, type Parts, type Site } from './executable.js'
import { checkFlags } from './flags.js'
import { absolutePath, type Environment, repositoryRoot, type SettingsFile, settingsFiles } from './locate.js'
import { refusalOfFile } from './many-faults.js'
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
  /** `none`: only the environment and the flags, for those who must get by while a file is broken. `user`: nothing of the repository's. */
  files?: 'none' | 'user'
  flags: Layer
}

/** Throws Refusal, with one line, for anything of the user's that is wrong. */
export async function loadConfig(request: ConfigRequest): Promise<Config> {
  const root = repositoryRoot(request.cwd)
  const there = request.files === 'none' ? [] : settingsFiles({ ...request, root })
  const files = request.files === 'user' ? there.filter(({ tier }) => tier === 'user' || request.file !== undefined) : there
  const read: FileSource[] = []
  for (const file of files) read.push(await fileSource(file, { root, base: dirname(file.path), home: request.home }, readSource(file)))
  const declared = await declaredGates(request, root, read)
  const all = declared ? [...read.filter(({ tier }) => tier === 'user'), declared, ...read.filter(({ tier }) => tier === 'project')] : read
  const counting = request.flags.gates ? read : all
  const sources = [BUILT_IN, ...counting, environmentSource(request), flagSource(request)]
  const foreign = all.filter(({ parts }) => Object.keys(parts).length > 0)
  const executable = executableOf(Object.assign({}, ...foreign.map(({ parts }) => parts)) as Parts, foreign.map(({ name }) => name))
  return { ...merge(sources), root, files: files.map((file) => file.path), executable }
}

/** `parts`: what needs trust. A file of the user's, wherever they keep it, is theirs; one that lies in the repository came with it. */
type FileSource = Source & { name: string; parts: Parts }

async function fileSource(file: SettingsFile, site: Site, text: string): Promise<FileSource> {
  const { parseSettings } = await import('./document.js')
  const parsed = parseSettings(text)
  if (parsed.faults.length > 0) throw refusalOfFile(file.name, parsed.faults, 'greenlatch schema config')
  const where = (key: string): string => `${file.name}:${parsed.lineOf(steps(key))}`
  const { name, tier } = file
  if (parsed.value === null) return { tier, layer: {}, where, name, parts: {} }
  const { checkSettings } = await import('./schema.js')
  const checked = checkSettings(parsed.value)
  if ('faults' in checked) {
    const faults = checked.faults.map((fault) => ({ line: parsed.lineOf(fault.path), text: fault.text }))
    throw refusalOfFile(file.name, faults, 'greenlatch schema')
  }
  const parts = tier === 'project' && isOfRepository(file.path, site.root) ? partsOf(checked.layer, site) : {}
  return { tier, layer: withAbsolutePaths(checked.layer, (path) => absolutePath(path, site.base, site.home)), where, name, parts }
}

/** Gates that are typed take the place of those; but what is trusted is the same whether or not some are typed. */
async function declaredGates({ files, flags, home }: ConfigRequest, root: string, read: readonly FileSource[]): Promise<FileSource | null> {
  const isNamed = read.some(({ tier, layer }) => tier === 'project' && layer.gates)
  const isIdle = flags.gates && read.every(({ parts }) => Object.keys(parts).length === 0)
  return files !== undefined || isNamed || isIdle ? null : agentsSource(root, home)
}

/** Nothing but gates is taken from a file that is written for every agent. */
async function agentsSource(root: string, home: string): Promise<FileSource | null> {
  const block = readAgentsFile(root)
  if (block === null) return null
  const file: SettingsFile = { tier: 'project', path: join(root, AGENTS_FILE), name: AGENTS_FILE }
  const source = await fileSource(file, { root, base: root, home }, block)
  const other = Object.keys(source.layer).find((key) => key !== 'gates')
  if (other !== undefined) throw refusalOfFile(file.name, [{ line: Number(source.where(other).split(':').at(-1)), text: `"${other}" belongs into greenlatch.yaml; only gates are taken from ${AGENTS_FILE}` }], 'greenlatch schema config')
  return source.layer.gates ? source : null
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
