// Values of the variables of agents and gates: the journal holds their names, and a file of the session that is the user's alone the values.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONCEALED, concealed, type AgentEntry } from '../agent-entry.js'
import { EXIT, Refusal } from '../errors.js'
import { replaceFile } from '../files/durable.js'
import { learnSecrets, redact } from '../process/secrets.js'
import { secretsIn } from '../text/redact.js'
import { isObject } from '../text/reply/json.js'

type Agents = Readonly<Record<string, AgentEntry>>

const FILE = 'agents-env.json'

export function concealedAll(agents: Agents): Record<string, AgentEntry> {
  return Object.fromEntries(Object.entries(agents).map(([name, entry]) => [name, concealed(entry)]))
}

type Gates = readonly { name: string; env?: Record<string, string> }[]

/** Nobody is told what agents and gates are given in confidence. */
export function learnFrom({ agents, gates, keys }: { agents: Agents; gates: Gates; keys: readonly string[] }): void {
  const given = [...Object.values(agents).map((entry) => ('env' in entry ? (entry.env ?? {}) : {})), ...gates.map(({ env = {} }) => env)]
  learnSecrets([...keys.map((name) => process.env[name]), ...given.flatMap(secretsIn)])
}

/** Agents cannot be called so. */
const gateKey = (name: string): string => `gate ${name}`

/** The setup as a journal may hold it. Writes the values beside it, where there are any. */
export function concealEnv<T extends { agents: Agents; gates: Gates }>(folder: string, setup: T): T {
  const ofAgents = Object.entries(setup.agents).flatMap(([name, entry]) => ('env' in entry && entry.env ? [[name, entry.env] as const] : []))
  const ofGates = setup.gates.flatMap(({ name, env }) => (env ? [[gateKey(name), env] as const] : []))
  const values = Object.fromEntries([...ofAgents, ...ofGates])
  const concealedSetup = { ...setup, agents: concealedAll(setup.agents), gates: setup.gates.map(concealedGate) }
  if (Object.keys(values).length > 0) replaceFile(join(folder, FILE), `${JSON.stringify(values, null, 2)}\n`)
  return concealedSetup
}

export function concealedGate<T extends Gates[number]>(gate: T): T {
  return gate.env ? { ...gate, env: Object.fromEntries(Object.keys(gate.env).map((name) => [name, CONCEALED])) } : gate
}

/** A session goes on with what was written down, and no secret is: a command that needs one has to be given it. */
export function refuseSecrets({ agents, gates, prepare }: { agents: Agents; gates: Gates; prepare: unknown }): void {
  const written = [
    ...Object.entries(concealedAll(agents)).map(([name, entry]) => [`agent "${name}"`, entry] as const),
    ...gates.map((gate) => [`gate "${gate.name}"`, concealedGate(gate)] as const),
    ['setup', prepare ?? null] as const,
  ]
  const telling = written.find(([, value]) => redact(JSON.stringify(value)) !== JSON.stringify(value))
  if (telling) throw new Refusal(EXIT.usage, `${telling[0]}: its entry holds what is or looks like a secret, and commands are written down; hand it over by env: or pass_env:`, 'greenlatch config')
}

/** The setup as agents are made from it: values that are told are taken as they are. Throws Refusal when a value is gone: an agent would work otherwise than before. */
export function revealEnv<T extends { agents: Agents; gates: Gates }>(folder: string, setup: T): T {
  const values = valuesIn(folder)
  const agents = Object.entries(setup.agents).map(([name, entry]): [string, AgentEntry] => {
    return 'env' in entry && entry.env ? [name, { ...entry, env: revealed(entry.env, values[name], folder, `agent "${name}"`) }] : [name, entry]
  })
  const gates = setup.gates.map((gate) => (gate.env ? { ...gate, env: revealed(gate.env, values[gateKey(gate.name)], folder, `gate "${gate.name}"`) } : gate))
  return { ...setup, agents: Object.fromEntries(agents), gates }
}

function revealed(env: Readonly<Record<string, string>>, values: unknown, folder: string, whose: string): Record<string, string> {
  const kept = isObject(values) ? values : {}
  const entries = Object.entries(env).map(([variable, value]) => [variable, value === CONCEALED ? (kept[variable] ?? gone(folder, whose, variable)) : value])
  return Object.fromEntries(entries) as Record<string, string>
}

function valuesIn(folder: string): Record<string, unknown> {
  try {
    const values: unknown = JSON.parse(readFileSync(join(folder, FILE), 'utf8'))
    return isObject(values) ? values : {}
  } catch {
    return {}
  }
}

function gone(folder: string, whose: string, variable: string): never {
  throw new Refusal(EXIT.state, `the value of ${variable} for ${whose} is not in ${join(folder, FILE)} any more`, 'greenlatch run')
}
