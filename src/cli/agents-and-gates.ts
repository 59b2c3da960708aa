// Agents and gates as a session's setup describes them, and the limits they work under.
import { commandAgent } from '../adapters/agents/command.js'
import { pasteAgent } from '../adapters/agents/paste.js'
import { scriptedAgent } from '../adapters/agents/scripted.js'
import { commandGate } from '../adapters/gates/command.js'
import { decisionGate } from '../adapters/gates/decision.js'
import { plannedGate } from '../adapters/gates/planned.js'
import type { AgentEntry, GateEntry } from '../config/types.js'
import type { Opened } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import type { Agent, Gate, Limits } from '../ports.js'
import { splitCommand } from '../process/command-line.js'
import type { Ports } from '../shell/live.js'
import type { Plan } from './setup.js'

/** Throws Refusal when an agent could not be asked at all. */
export async function makeAgentsAndGates(setup: Plan['setup'], procedure: string): Promise<Pick<Ports, 'agents' | 'gates'>> {
  const agents: Record<string, Agent> = {}
  for (const [name, entry] of Object.entries(setup.agents)) {
    const agent = await makeAgent(name, entry, setup.cwd)
    const missing = await agent.ready()
    const next = `greenlatch run ${procedure} --agent <another>`
    if (missing !== null) throw new Refusal(EXIT.agent, `agent "${name}" is not ready: ${missing}`, next)
    agents[name] = agent
  }
  return { agents, gates: gatesOf(setup) }
}

/** What would be started for each agent, without looking whether it is there. */
export async function describeAgents(setup: Plan['setup']): Promise<Record<string, string>> {
  const described: Record<string, string> = {}
  for (const [name, entry] of Object.entries(setup.agents)) described[name] = (await makeAgent(name, entry, setup.cwd)).describe
  return described
}

async function makeAgent(name: string, entry: AgentEntry, cwd: string): Promise<Agent> {
  const inText = entry.replies === 'text'
  if ('script' in entry) return scriptedAgent({ name, scriptPath: entry.script, inText })
  if ('paste' in entry) return pasteAgent({ name, inText })
  const argv = typeof entry.command === 'string' ? splitCommand(entry.command) : entry.command
  return commandAgent({ name, argv, cwd, inText, ...(entry.env && { env: entry.env }) })
}

export function gatesOf(setup: Plan['setup']): Record<string, Gate> {
  return Object.fromEntries(setup.gates.map((gate) => [gate.name, gateOf(gate)]))
}

function gateOf(gate: GateEntry): Gate {
  return gate.planned ? plannedGate(gate) : gate.decision ? decisionGate(gate) : commandGate(gate)
}

/** The gates as a session's first record names them, with those that do not run in every check. */
export function gateNames({ gates }: Pick<Plan['setup'], 'gates'>): Pick<Opened, 'gates' | 'when'> {
  const apart = gates.flatMap(({ name, holdout, baseline }): [string, Opened['when'][string]][] =>
    holdout ? [[name, 'sealed']] : baseline === false ? [[name, 'after baseline']] : [],
  )
  return { gates: gates.map(({ name }) => name), when: Object.fromEntries(apart) }
}

export function limitsOf({ limits }: Plan['setup']): { agent: Limits; gate: Limits } {
  const { outputBytes } = limits
  return {
    agent: { wallSeconds: limits.agentSeconds, silenceSeconds: limits.agentSilenceSeconds, outputBytes },
    gate: { wallSeconds: limits.gateSeconds, silenceSeconds: limits.gateSeconds, outputBytes },
  }
}
