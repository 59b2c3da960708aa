// Agents and gates as a session's setup describes them, and the limits they work under.
import { join, relative } from 'node:path'
import { answersInText } from '../agent-entry.js'
import { makeAgent, type Surroundings } from '../adapters/agents/make.js'
import { commandGate } from '../adapters/gates/command.js'
import { decisionGate } from '../adapters/gates/decision.js'
import { plannedGate } from '../adapters/gates/planned.js'
import { realPath } from '../config/locate.js'
import type { GateEntry } from '../config/types.js'
import type { Budget, Opened, Session } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import type { Agent, Gate, Limits, Sandbox } from '../ports.js'
import { handedOn } from '../process/environment.js'
import { redact } from '../process/secrets.js'
import type { Ports } from '../shell/live.js'
import { chainAfter } from '../text/who-answers.js'
import { learnFrom, refuseSecrets } from './agents-env.js'
import { anotherAgent, loginNotices } from './detect-agents.js'
import { gatesFromTop } from './gate-files.js'
import type { Plan, Setup } from './setup.js'

/** Who answers what, within which budget; `command` is what begins or goes on with it, and `missing` tells what keeps an agent from being asked. */
type Casting = Pick<Session, 'roles' | 'budget'> & { command: string; sandbox: Sandbox; missing: (agent: Agent) => Promise<string | null> }

/** Before a session begins or goes on. A dry run looks for nobody. */
export async function missingNow(agent: Agent): Promise<string | null> {
  return (await agent.ready()) ?? (await agent.there?.()) ?? null
}

/** Where the work comes from is not known in a dry run. */
type Described = Plan['setup'] & Partial<Pick<Setup, 'source'>>

/** What a session works with, and what has to be said of it beforehand. */
export type Made = { ports: Pick<Ports, 'agents' | 'fallbacks' | 'gates'>; notices: string[] }

/** What a program that uses the library brings along itself, instead of what would be made. */
export type Given = Partial<Pick<Ports, 'agents' | 'gates'>>

/** Throws Refusal when a role could not be answered at all. */
export async function makeAgentsAndGates(setup: Described, { roles, command, budget, sandbox, missing: missingFor }: Casting, given: Given = {}): Promise<Made> {
  learnFrom(setup)
  refuseSecrets(setup)
  const agents: Record<string, Agent> = {}
  const missing: Record<string, string> = {}
  for (const [name, entry] of Object.entries(setup.agents)) {
    const agent = given.agents?.[name] ?? (await makeAgent(name, entry, setup.cwd, surroundings(setup, sandbox)))
    const why = await missingFor(agent)
    if (why === null) agents[name] = agent
    else missing[name] = why
  }
  const fallbacks = fallbacksOf(setup)
  refuseUnlike(setup, fallbacks)
  const leftOut: string[] = []
  for (const [name, why] of Object.entries(missing)) {
    // Who has somebody to stand in for it may be missing, and whoever only stands in.
    const instead = fallbacks[name]?.find((other) => other in agents)
    const isAsked = Object.values(roles).includes(name)
    if (isAsked && instead === undefined) throw new Refusal(EXIT.agent, `agent "${name}" is not ready: ${why}`, await wayOn(setup, command, name))
    leftOut.push(`${name} is left out (${why})${instead !== undefined && isAsked ? `: ${instead} is asked instead` : ''}`)
  }
  refuseUnpriced(agents, budget, command)
  const there = Object.fromEntries(Object.entries(setup.agents).filter(([name]) => name in agents))
  return { ports: { agents, fallbacks, gates: { ...gatesOf(setup, sandbox), ...given.gates } }, notices: [...leftOut, ...(await loginNotices(there))] }
}

/** What to type where somebody is not ready: the key that is missing, or somebody else. */
async function wayOn({ agents, sandbox, origins }: Omit<Setup, 'source'>, command: string, name: string): Promise<string> {
  const entry = agents[name]
  if (entry && 'chat' in entry && entry.key !== undefined && (process.env[entry.key] ?? '') === '') return `export ${entry.key}=<key>`
  if (entry && 'chat' in entry) return `${command} --url "<address of a model>"`
  // Most likely its name is misspelt, or it has moved: what was typed is typed again with another one.
  if (entry && 'command' in entry && origins['agent'] === '--ai-cmd') return `${command} --ai-cmd "<a command that runs>"`
  const other = await anotherAgent(name, sandbox)
  // A known agent that is not here may be installed or logged in: the list says how, and who else there is.
  return other === null && entry && 'cli' in entry ? 'greenlatch agents' : `${command} --agent ${other ?? 'paste'}`
}

/** Agent → who is asked instead of it, and instead of that one, and so on. */
function fallbacksOf({ agents }: Pick<Plan['setup'], 'agents'>): Record<string, string[]> {
  return Object.fromEntries(Object.keys(agents).map((name) => [name, chainAfter(name, agents)]))
}

/** Those of which nobody knows what they cost. */
export function unpricedIn(agents: Ports['agents']): string[] {
  return Object.values(agents).filter(({ priced }) => !priced).map(({ name }) => name)
}

/** A prompt is made for one way of answering: whoever stands in has to answer in the same. A person is waited for, and stands in for nobody. */
function refuseUnlike({ agents }: Pick<Plan['setup'], 'agents'>, fallbacks: Readonly<Record<string, readonly string[]>>): void {
  for (const [name, others] of Object.entries(fallbacks)) {
    const first = agents[name]
    for (const other of others) {
      const entry = agents[other]
      if (!first || !entry) continue
      const why = 'paste' in entry ? 'a person cannot be asked in the middle of a run' : answersInText(first) === answersInText(entry) ? null : 'one edits files and the other can only talk, so that they need different prompts'
      if (why !== null) throw new Refusal(EXIT.usage, `agent "${other}" cannot stand in for "${name}": ${why}`, 'greenlatch config')
    }
  }
}

/** A budget in money that nobody can count would never end anything. */
function refuseUnpriced(agents: Readonly<Record<string, Agent>>, { usd }: Budget, command: string): void {
  const unpriced = usd ? Object.values(agents).find((agent) => !agent.priced) : undefined
  if (!unpriced) return
  // Nothing is proposed that would spend without any bound.
  const what = `--max-cost: what agent "${unpriced.name}" costs is not known, so money cannot be limited`
  throw new Refusal(EXIT.usage, `${what}; tokens and time can (--max-cost 0 takes the limit in money away), and "price:" in its entry says what it costs`, `${command} --max-cost 0 --max-tokens 1000000`)
}

/** By who it is, for the record: only those that can tell. */
export async function agentVersions(agents: Ports['agents']): Promise<Record<string, string>> {
  const told = await Promise.all(Object.values(agents).map(async (agent) => [`agent ${agent.name}`, (await agent.version?.()) ?? null] as const))
  return Object.fromEntries(told.flatMap(([who, version]) => (version === null ? [] : [[who, version]])))
}

export function gatesOf(setup: Described, sandbox: Sandbox): Record<string, Gate> {
  learnFrom(setup)
  return Object.fromEntries(gatesWithoutKeys(setup).map((entry) => [entry.name, placed(gateOf(entry, sandbox), entry, setup)]))
}

/** What the repairer may run itself: neither what is held out, nor what decides by a file or by planned tests. */
function surroundings(setup: Described, sandbox: Sandbox): Surroundings {
  const shown = gatesWithoutKeys(setup).filter(({ holdout, decision, planned }) => !holdout && !decision && !planned)
  return { sandbox, gates: shown.map((entry) => ({ entry, gate: gateOf(entry, sandbox) })), withheld: setup.keys, passes: setup.passes ?? [] }
}

type KeylessGate = Omit<GateEntry, 'env'> & { env: Record<string, string | undefined> }

/** What an agent has written runs in them. Whoever needs a key in a gate hands it over in the gate's own `env` or `pass_env`. */
function gatesWithoutKeys(setup: Described): KeylessGate[] {
  const { keys, passes = [] } = setup
  const without = Object.fromEntries(keys.map((name) => [name, undefined]))
  return gatesFromTop(setup).map((gate) => ({ ...gate, env: { ...without, ...handedOn(process.env, [...passes, ...(gate.pass_env ?? [])]), ...gate.env } }))
}

/** Where it runs is told from where the agent works, who may want to run it too. */
function placed(gate: Gate, { cwd = '' }: KeylessGate, { root, cwd: from, source }: Described): Gate {
  const place = relative(realPath(from), join(source?.top ?? realPath(root), cwd))
  return place === '' ? gate : { ...gate, describe: `${gate.describe} (in ${place})` }
}

function gateOf(entry: KeylessGate, sandbox: Sandbox): Gate {
  const gate = { ...entry, sandbox }
  return discreetGate(gate.planned ? plannedGate(gate) : gate.decision ? decisionGate(gate) : commandGate(gate))
}

/** Its log is rid of secrets as it is written; reports of test runners are read as they are, and may hold some. */
function discreetGate(gate: Gate): Gate {
  return {
    ...gate,
    async run(request, signal) {
      const outcome = await gate.run(request, signal)
      if (outcome === 'aborted') return outcome
      const failures = outcome.failures.map((failure) => ({ ...failure, subject: redact(failure.subject), message: redact(failure.message) }))
      return { ...outcome, failures, result: { ...outcome.result, note: redact(outcome.result.note) }, ids: outcome.ids?.map(redact) ?? null, skipped: outcome.skipped.map(redact) }
    },
  }
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
