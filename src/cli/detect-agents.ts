// Which of the known agents are here, and whether they are logged in, without starting any of them.
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { dialectOf } from '../adapters/agents/cli/table.js'
import { CLI_NAMES, type CliName } from '../agent-entry.js'
import type { Config } from '../config/types.js'
import { findExecutable } from '../process/command-line.js'

type Environment = Readonly<Record<string, string | undefined>>

export type Detected = {
  name: CliName
  /** Where its program is; null when it is not installed. */
  program: string | null
  /** The variable or file that its login is in; null when there is none. */
  login: string | null
  /** What would keep it from starting, in one line. */
  obstacle: string | null
}

/** In the order in which they are chosen. */
export function detectAgents(environment: Environment = process.env, home = homedir()): Promise<Detected[]> {
  return Promise.all(CLI_NAMES.map((name) => detect(name, environment, home)))
}

async function detect(name: CliName, environment: Environment, home: string): Promise<Detected> {
  const { program, loginVariables, loginFiles, obstacle } = await dialectOf(name)
  const variable = loginVariables.find((each) => environment[each])
  const file = loginFiles.find((each) => existsSync(join(home, each)))
  return {
    name,
    program: findExecutable(program, environment),
    login: variable ?? (file === undefined ? null : `~/${file}`),
    obstacle: obstacle?.(environment) ?? null,
  }
}

/** The settings with the first that could be asked right away; unchanged when there is none. */
export async function withDetectedAgent(config: Config): Promise<Config> {
  const chosen = (await detectAgents()).find(({ program, login, obstacle }) => program !== null && login !== null && obstacle === null)
  if (!chosen) return config
  const origin = { tier: 'built-in' as const, where: `${chosen.program}, logged in by ${chosen.login}` }
  return { ...config, values: { ...config.values, agent: { '*': chosen.name } }, origins: { ...config.origins, agent: origin } }
}
