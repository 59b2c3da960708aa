// Which of the known agents are here, and whether they are logged in, without starting any of them.
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { dialectOf } from '../adapters/agents/cli/table.js'
import { CLI_NAMES, LOGIN_COMMANDS, type AgentEntry, type CliName } from '../agent-entry.js'
import type { Config, SandboxSettings } from '../config/types.js'
import { Refusal } from '../errors.js'
import { findExecutable } from '../process/command-line.js'
import { AUTO, chooseSandbox } from './sandbox.js'

type Environment = Readonly<Record<string, string | undefined>>

export type Detected = {
  name: CliName
  /** Where its program is; null when it is not installed. */
  program: string | null
  /** The variable or file that its login is in; null when there is none. */
  login: string | null
  /** The command that logs in, and the variable that would do as well. */
  logsIn: string
  /** What would keep it from starting, in one line. */
  obstacle: string | null
}

/** In the order in which they are chosen. `sandbox`: the one they would work in, since some work only where they are confined. */
export function detectAgents(sandbox: SandboxSettings, environment: Environment = process.env, home = homedir()): Promise<Detected[]> {
  return Promise.all(CLI_NAMES.map((name) => detect(name, { sandbox, environment, home })))
}

type Where = { sandbox: SandboxSettings; environment: Environment; home: string }

async function detect(name: CliName, { sandbox, environment, home }: Where): Promise<Detected> {
  const { program, loginVariables, loginFiles, obstacle, confinedEnv } = await dialectOf(name)
  const inTheOpen = obstacle?.(environment) ?? null
  const inside = inTheOpen === null ? null : (obstacle?.({ ...environment, ...confinedEnv }) ?? null)
  const variable = loginVariables.find((each) => environment[each])
  const file = loginFiles.find((each) => existsSync(join(home, each)))
  return {
    name,
    program: findExecutable(program, environment),
    login: variable ?? (file === undefined ? null : `~/${file}`),
    logsIn: `${LOGIN_COMMANDS[name]}, or set ${loginVariables[0]}`,
    obstacle: inside === inTheOpen || (await isConfined(sandbox)) ? inside : inTheOpen,
  }
}

/** Whether a session with these settings would work in a sandbox on this machine. */
async function isConfined(sandbox: SandboxSettings): Promise<boolean> {
  try {
    return (await chooseSandbox({ agents: {}, sandbox }, 'greenlatch run')).name !== 'none'
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

export function isReady({ program, login, obstacle }: Detected): boolean {
  return program !== null && login !== null && obstacle === null
}

/** The settings with the first that could be asked right away; unchanged when there is none. */
export async function withDetectedAgent(config: Config): Promise<Config> {
  const chosen = (await detectAgents(config.values.sandbox)).find(isReady)
  if (!chosen) return config
  const origin = { tier: 'built-in' as const, where: `${chosen.program}, logged in by ${chosen.login}` }
  return { ...config, values: { ...config.values, agent: { '*': chosen.name } }, origins: { ...config.origins, agent: origin } }
}

/** Somebody who could be asked instead of this one; null where nobody is. */
export async function anotherAgent(than: string, sandbox: SandboxSettings = AUTO): Promise<string | null> {
  return (await detectAgents(sandbox)).find((each) => each.name !== than && isReady(each))?.name ?? null
}

/** What is said of those that would be started without a login: most of them need one. */
export async function loginNotices(agents: Readonly<Record<string, AgentEntry>>): Promise<string[]> {
  const told = await Promise.all(Object.entries(agents).map(async ([name, entry]) => {
    if (!('cli' in entry)) return []
    const { login, logsIn } = await detect(entry.cli, { sandbox: { ...AUTO, use: 'none' }, environment: { ...process.env, ...entry.env }, home: homedir() })
    return login === null ? [`no login of ${name} was found; if it needs one: ${logsIn}`] : []
  }))
  return told.flat()
}
