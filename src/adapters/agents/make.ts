// Makes an agent from its entry in the settings. Each kind is loaded when it is first needed.
import { answersInText, type AgentEntry } from '../../agent-entry.js'
import type { Agent } from '../../ports.js'
import type { Checked } from './repair/agent.js'
import { splitCommand } from '../../process/command-line.js'

/** `cwd`: where it will work. `gates`: what it may run by itself, for the one that does. Throws Refusal for an entry that can never work. */
export async function makeAgent(name: string, entry: AgentEntry, cwd: string, gates: readonly Checked[] = []): Promise<Agent> {
  const inText = answersInText(entry)
  const { price } = entry
  if ('script' in entry) return (await import('./scripted.js')).scriptedAgent({ name, scriptPath: entry.script, inText })
  if ('paste' in entry) return (await import('./paste.js')).pasteAgent({ name, inText })
  if ('repair' in entry) return (await import('./repair/agent.js')).repairAgent({ name, entry, gates })
  if ('chat' in entry) return (await import('./chat/agent.js')).chatAgent({ name, entry, price })
  if ('acp' in entry) return (await import('./acp/agent.js')).acpAgent({ name, entry, cwd, price, inText })
  if ('cli' in entry) return cliAgentOf(name, entry, cwd, inText)
  const { commandAgent } = await import('./command.js')
  const argv = typeof entry.command === 'string' ? splitCommand(entry.command) : entry.command
  return commandAgent({ name, argv, cwd, inText, price, ...(entry.env && { env: entry.env }) })
}

async function cliAgentOf(name: string, entry: Extract<AgentEntry, { cli: string }>, cwd: string, inText: boolean): Promise<Agent> {
  const [{ cliAgent }, { dialectOf }] = await Promise.all([import('./cli/agent.js'), import('./cli/table.js')])
  return cliAgent({ name, entry, dialect: await dialectOf(entry.cli), cwd, price: entry.price, inText })
}
