// Agents and gates as a session's setup describes them, and the limits they work under.
import { answersInText } from '../agent-entry.js'
import { makeAgent } from '../adapters/agents/make.js'
import { commandGate } from '../adapters/gates/command.js'
import { decisionGate } from '../adapters/gates/decision.js'
import { plannedGate } from '../adapters/gates/planned.js'
import type { GateEntry } from '../config/types.js'
import type { Budget, Opened, Session } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import type { Agent, Gate, Limits } from '../ports.js'
import type { Ports } from '../shell/live.js'
import type { Plan } from './setup.js'

/** Who answers what, under which name and within which budget. */
type Casting = Pick<Session, 'roles' | 'budget'> & { procedure: string }

/** Throws Refusal when a role could not be answered at all. */
export async function makeAgentsAndGates(setup: Plan['setup'], { roles, procedure, budget }: Casting): Promise<Pick<Ports, 'agents' | 'fallbacks' | 'gates'>> {
  const agents: Record<string, Agent> = {}
  const missing: Record<string, string> = {}
  for (const [name, entry] of Object.entries(setup.agents)) {
    const agent = await makeAgent(name, entry, setup.cwd, checkedBy(setup))
    const why = await agent.ready()
    if (why === null) agents[name] = agent
    else missing[name] = why
  }
  const fallbacks = fallbacksOf(setup)
  refuseUnlike(setup, fallbacks)
  for (const [name, why] of Object.entries(missing)) {
    // Who has somebody to stand in for it may be missing.
    if (!Object.values(roles).includes(name) || fallbacks[name]?.some((other) => other in agents)) continue
    throw new Refusal(EXIT.agent, `agent "${name}" is not ready: ${why}`, `greenlatch run ${procedure} --agent <another>`)
  }
  refuseUnpriced(agents, budget)
  return { agents, fallbacks, gates: gatesOf(setup) }
}

/** Agent → who is asked instead of it, and instead of that one, and so on. */
function fallbacksOf({ agents }: Pick<Plan['setup'], 'agents'>): Record<string, string[]> {
  const after = (name: string, seen: readonly string[]): string[] => {
    const next = agents[name]?.fallback
    return next === undefined || seen.includes(next) ? seen.slice(1) : after(next, [...seen, next])
  }
  return Object.fromEntries(Object.keys(agents).map((name) => [name, after(name, [name])]))
}

/** A prompt is made for one way of answering: whoever stands in has to answer in the same. A person is waited for, and stands in for nobody. */
function refuseUnlike({ agents }: Pick<Plan['setup'], 'agents'>, fallbacks: Readonly<Record<string, readonly string[]>>): void {
  for (const [name, others] of Object.entries(fallbacks)) {
    const first = agents[name]
    for (const other of others) {
      const entry = agents[other]
      if (!first || !entry) continue
      const why = 'paste' in entry ? 'a person cannot be asked in the middle of a run' : answersInText(first) === answersInText(entry) ? null : 'one edits files and the other can only talk, so that they need different prompts'
      if (why !== null) throw new Refusal(EXIT.usage, `agents.${name}.fallback: "${other}" cannot stand in for "${name}": ${why}`, 'greenlatch config')
    }
  }
}

/** A budget in money that nobody can count would never end anything. */
function refuseUnpriced(agents: Readonly<Record<string, Agent>>, { usd }: Budget): void {
  const unpriced = usd ? Object.values(agents).find((agent) => !agent.priced) : undefined
  if (!unpriced) return
  const what = `--max-cost: what agent "${unpriced.name}" costs is not known, so money cannot be limited`
  throw new Refusal(EXIT.usage, `${what}; tokens and time can, and "price:" in its entry says what it costs`, 'greenlatch run --max-cost 0')
}

/** By who it is, for the record: only those that can tell. */
export async function agentVersions(agents: Ports['agents']): Promise<Record<string, string>> {
  const told = await Promise.all(Object.values(agents).map(async (agent) => [`agent ${agent.name}`, (await agent.version?.()) ?? null] as const))
  return Object.fromEntries(told.flatMap(([who, version]) => (version === null ? [] : [[who, version]])))
}

/** What would be started for each agent, without looking whether it is there. */
export async function describeAgents(setup: Plan['setup']): Promise<Record<string, string>> {
  const described: Record<string, string> = {}
  for (const [name, entry] of Object.entries(setup.agents)) described[name] = (await makeAgent(name, entry, setup.cwd, checkedBy(setup))).describe
  return described
}

export function gatesOf(setup: Plan['setup']): Record<string, Gate> {
  return Object.fromEntries(setup.gates.map((gate) => [gate.name, gateOf(gate)]))
}

/** What the repairer may run itself: neither what is held out, nor what decides by a file or by planned tests. */
function checkedBy({ gates }: Plan['setup']): Parameters<typeof makeAgent>[3] {
  const shown = gates.filter(({ holdout, decision, planned }) => !holdout && !decision && !planned)
  return shown.map((entry) => ({ entry, gate: gateOf(entry) }))
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
