// What every command starts from: the folder it works in, the settings in force, and where sessions are kept.
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { keysOf } from '../agent-entry.js'
import { loadConfig } from '../config/load.js'
import { repositoryId, stateHome } from '../config/locate.js'
import type { Config, Layer } from '../config/types.js'
import { EXIT, Refusal } from '../errors.js'
import { lookAt, nearestThere } from '../files/look.js'
import { printable } from '../files/durable.js'
import { quoteWord } from '../text/prompt/quote.js'
import { learnFrom } from './agents-env.js'
import { isCi, type FaceFlags } from './face.js'
import { createOutput, type Format, type Output } from './output.js'
import { requireOwnState } from './own-state.js'

export type GlobalFlags = FaceFlags & {
  C?: string
  config?: string
  stateDir?: string
  json?: boolean
  output?: Format
  input?: boolean
  yes?: boolean
}

export type Context = {
  cwd: string
  config: Config
  /** The settings file that was named instead of the usual one. */
  settingsFile?: string
  /** Where the sessions of this repository are. */
  store: string
  output: Output
  /** What is asked for of how progress is shown. */
  face: FaceFlags
  /** Whether a question may be asked. */
  mayAsk: boolean
  /** Whether the offered answer is taken without asking. */
  yes: boolean
}

/** For commands that need only the sessions: a settings file that is broken, perhaps by the agent, must not take the brakes away. */
export async function openSessions(flags: GlobalFlags, layer: Layer = {}): Promise<Context> {
  try {
    return await openContext(flags, layer)
  } catch (error) {
    if (!(error instanceof Refusal) || flags.config !== undefined) throw error
    const context = await openContext(flags, layer, 'none')
    context.output.say(`warning: ${error.message}; going on without settings files`)
    return context
  }
}

export async function openContext(flags: GlobalFlags, layer: Layer = {}, files?: 'none' | 'user'): Promise<Context> {
  const cwd = workingFolder(flags.C)
  const home = homeFolder()
  if (flags.config?.trim() === '') throw new Refusal(EXIT.usage, '--config: the name of the file is empty', 'greenlatch --config <file>')
  const config = await loadConfig({
    cwd,
    env: process.env,
    home,
    ...(files && { files }),
    ...(flags.config !== undefined && { file: flags.config }),
    flags: { ...layer, ...(flags.stateDir !== undefined && { stateDir: flags.stateDir }) },
  })
  learnFrom({ ...config.values, keys: keysOf(config.values.agents) })
  const store = join(stateHome({ env: process.env, home, settings: config.values }), repositoryId(config.root), 'sessions')
  requireOwnState(store)
  return {
    cwd,
    config,
    ...(flags.config !== undefined && { settingsFile: resolve(cwd, flags.config) }),
    store,
    output: createOutput(flags),
    face: flags,
    mayAsk: flags.input !== false && !isCi(process.env) && process.stdin.isTTY === true && process.stderr.isTTY === true,
    yes: flags.yes === true,
  }
}

export function workingFolder(named: string | undefined): string {
  if (named?.trim() === '') throw new Refusal(EXIT.usage, '-C: the name of the folder is empty', 'ls -la')
  const cwd = named === undefined ? currentFolder() : resolve(named)
  const next = `ls -la ${quoteWord(nearestThere(cwd))}`
  if (lookAt(cwd, next)?.isDirectory()) return cwd
  throw new Refusal(EXIT.usage, `there is no folder ${printable(cwd)}`, next)
}

/** A home that is no whole path would scatter settings and sessions over whatever folder one is in. */
function homeFolder(): string {
  const home = homedir()
  if (isAbsolute(home)) return home
  throw new Refusal(EXIT.usage, 'HOME is not the whole path of a folder', 'export HOME=<folder>')
}

function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    throw new Refusal(EXIT.usage, 'the folder you are in does not exist any more', 'cd to a folder that exists')
  }
}
