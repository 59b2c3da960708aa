// Makes an agent from its entry in the settings. Each kind is loaded when it is first needed.
import { answersInText, knownAs, variablesOf, type AgentEntry } from '../../agent-entry.js'
import type { Agent, Sandbox } from '../../ports.js'
import type { Checked } from './repair/agent.js'
import { splitCommand } from '../../process/command-line.js'
import { handedOn } from '../../process/environment.js'
import { secretsIn } from '../../text/redact.js'
import { discreet } from './discreet.js'
import { variablesInSettings } from './reach.js'

/** `gates`: what it may run by itself, for the one that does. `withheld`: variables that are kept from what it has us run. `passes`: those that are handed on to everybody. */
export type Surroundings = { sandbox: Sandbox; gates?: readonly Checked[]; withheld?: readonly string[]; passes?: readonly string[] }

/** `cwd`: where it will work. Throws Refusal for an entry that can never work. */
export async function makeAgent(name: string, entry: AgentEntry, cwd: string, surroundings: Surroundings): Promise<Agent> {
  const own = 'env' in entry && entry.env ? entry.env : {}
  const secrets = [...secretsIn(own), ...(surroundings.withheld ?? []).flatMap((variable) => process.env[variable] ?? [])]
  return discreet(await agentOf(name, withHanded(entry, surroundings.passes ?? []), cwd, surroundings, secrets), secrets)
}

/** The variables of ours that are its own, and those that the settings hand on; what stands in its entry comes first. */
function withHanded(entry: AgentEntry, passes: readonly string[]): AgentEntry {
  if (!('cli' in entry || 'command' in entry || 'acp' in entry)) return entry
  const words = wordsOf(entry)
  const names = [...variablesOf(entry, words, process.env), ...variablesInSettings(knownAs(entry, words)), ...passes]
  return { ...entry, env: { ...handedOn(process.env, names), ...entry.env } }
}

function wordsOf(entry: AgentEntry): readonly string[] {
  const line = 'command' in entry ? entry.command : 'acp' in entry ? entry.acp : []
  return typeof line === 'string' ? splitCommand(line) : line
}

async function agentOf(name: string, entry: AgentEntry, cwd: string, { sandbox, gates = [], withheld = [] }: Surroundings, secrets: readonly string[]): Promise<Agent> {
  const inText = answersInText(entry)
  const { price } = entry
  if ('script' in entry) return (await import('./scripted.js')).scriptedAgent({ name, scriptPath: entry.script, inText })
  if ('paste' in entry) return (await import('./paste.js')).pasteAgent({ name, inText })
  if ('repair' in entry) return (await import('./repair/agent.js')).repairAgent({ name, entry, gates, sandbox })
  if ('chat' in entry) return (await import('./chat/agent.js')).chatAgent({ name, entry, price })
  if ('acp' in entry) return (await import('./acp/agent.js')).acpAgent({ name, entry, cwd, price, inText, sandbox, withheld, secrets })
  if ('cli' in entry) return cliAgentOf(name, entry, cwd, { inText, sandbox, secrets })
  const { commandAgent } = await import('./command.js')
  const argv = typeof entry.command === 'string' ? splitCommand(entry.command) : entry.command
  return commandAgent({ name, argv, cwd, inText, price, sandbox, secrets, ...(entry.env && { env: entry.env }) })
}

type Around = { inText: boolean; sandbox: Sandbox; secrets: readonly string[] }

async function cliAgentOf(name: string, entry: Extract<AgentEntry, { cli: string }>, cwd: string, around: Around): Promise<Agent> {
  const [{ cliAgent }, { dialectOf }] = await Promise.all([import('./cli/agent.js'), import('./cli/table.js')])
  return cliAgent({ name, entry, dialect: await dialectOf(entry.cli), cwd, price: entry.price, ...around })
}
