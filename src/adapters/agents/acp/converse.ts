// One conversation with an agent, from the greeting to the end of its turn. What it came to is data.
import type { ClientConnection, ClientContext, InitializeResponse, NewSessionResponse } from '@agentclientprotocol/sdk'
import { isObject, type JsonObject } from '../../../text/reply/json.js'
import type { Sdk } from './client.js'
import { GREETING, PROTOCOL_VERSION } from './greeting.js'
import type { Traits } from './table.js'

/** `stopped`: it has ended its turn, and says how. `closed`: it was gone before that, while `at`. `unavailable`: somebody has to see to it first. */
export type Outcome =
  | { kind: 'stopped'; reason: string; answer: unknown }
  | { kind: 'error'; at: string; note: string }
  | { kind: 'unavailable'; note: string }
  | { kind: 'closed'; at: string }

/** `mode` and `model` are what the user wants; without them the table decides, or the agent. */
export type Wishes = { cwd: string; prompt: string; mode: string | null; model: string | null; env: Readonly<Record<string, string | undefined>>; traits: Traits }

export type Conversation = {
  outcome: Promise<Outcome>
  /** Asks it to stop; settles when it has. */
  cancel(): Promise<void>
}

const AUTH_REQUIRED = -32000

/** An end that is no fault of the program: thrown inside, told as an outcome. */
class Unavailable extends Error {}

export function converse(sdk: Sdk, connection: ClientConnection, wishes: Wishes): Conversation {
  const { agent } = connection
  const state: { at: string; session: string | null } = { at: 'initialize', session: null }
  const step = <T>(at: string, work: () => Promise<T>): Promise<T> => {
    state.at = at
    return work()
  }
  const talk = async (): Promise<Outcome> => {
    const greeting = await step('initialize', () => initialize(agent))
    const opened = await step('session/new', () => openSession(sdk, agent, greeting, wishes))
    state.session = opened.sessionId
    await step('session/set_mode', () => setMode(agent, opened, wishes))
    await step('session/set_model', () => setModel(agent, opened, wishes))
    const prompt = [{ type: 'text' as const, text: wishes.prompt }]
    const answer = await step('session/prompt', () => agent.request('session/prompt', { sessionId: opened.sessionId, prompt }))
    return { kind: 'stopped', reason: String(isObject(answer) ? answer['stopReason'] : answer), answer }
  }
  const outcome = talk().catch((error: unknown): Outcome => {
    if (error instanceof Unavailable) return { kind: 'unavailable', note: error.message }
    if (!(error instanceof sdk.RequestError)) return { kind: 'closed', at: state.at }
    if (error.code === AUTH_REQUIRED) return { kind: 'unavailable', note: `${error.message.replace(/\.$/, '')}: ${wishes.traits.login}` }
    return { kind: 'error', at: state.at, note: detailOf(error) }
  })
  return {
    outcome,
    async cancel() {
      if (state.session === null || state.at !== 'session/prompt') return
      await agent.notify('session/cancel', { sessionId: state.session }).catch(() => {})
      await outcome
    },
  }
}

/** The message of an error, with what its data says besides. */
function detailOf({ message, data }: { message: string; data?: unknown }): string {
  const details = isObject(data) ? (data['details'] ?? data['message'] ?? data['error'] ?? data) : data
  const said = details === undefined || details === null ? '' : typeof details === 'string' ? details : JSON.stringify(details)
  return said === '' || said === '{}' || message.includes(said) ? message : `${message}: ${said}`
}

// ───────────────────────────── the steps ─────────────────────────────

async function initialize(agent: ClientContext): Promise<InitializeResponse> {
  const greeting = await agent.request<InitializeResponse>('initialize', GREETING)
  const version: unknown = isObject(greeting) ? greeting.protocolVersion : undefined
  if (version === PROTOCOL_VERSION) return greeting
  throw new Unavailable(`it speaks version ${String(version)} of the protocol, and only version ${PROTOCOL_VERSION} is known here: use another version of the agent`)
}

/** Logs in only when it is told to, by a way that needs no person, and once. */
async function openSession(sdk: Sdk, agent: ClientContext, greeting: InitializeResponse, wishes: Wishes): Promise<NewSessionResponse> {
  const open = async (): Promise<NewSessionResponse> => {
    const opened = await agent.request('session/new', { cwd: wishes.cwd, mcpServers: [] })
    if (isObject(opened) && typeof opened['sessionId'] === 'string') return opened
    throw new sdk.RequestError(-32603, 'it opened a session without an id')
  }
  try {
    return await open()
  } catch (error) {
    const login = error instanceof sdk.RequestError && error.code === AUTH_REQUIRED ? loginFor(greeting, wishes) : null
    if (login === null) throw error
    await agent.request('authenticate', { methodId: login })
    return open()
  }
}

function loginFor({ authMethods }: InitializeResponse, { traits, env }: Wishes): string | null {
  const offered = new Set(listIn(authMethods).map(({ id }) => id))
  const fitting = Object.entries(traits.logins ?? {}).find(([variable, method]) => env[variable] && offered.has(method))
  return fitting?.[1] ?? null
}

/** A mode that the user wants has to be there; the one of the table is only set where it is. */
async function setMode(agent: ClientContext, opened: NewSessionResponse, { mode, traits }: Wishes): Promise<void> {
  const wanted = mode ?? traits.mode
  if (wanted === undefined) return
  const { sessionId } = opened
  const modes = listIn(opened.modes?.availableModes).map(({ id }) => String(id))
  if (modes.includes(wanted)) return void (await agent.request('session/set_mode', { sessionId, modeId: wanted }))
  const option = optionOf(opened, 'mode')
  const match = option?.values.find(({ value }) => value === wanted)
  if (option && match) return void (await agent.request('session/set_config_option', { sessionId, configId: option.id, value: match.value }))
  if (mode !== null) throw new Unavailable(notOffered('mode', mode, [...modes, ...(option?.values ?? []).map(({ value }) => value)]))
}

async function setModel(agent: ClientContext, opened: NewSessionResponse, { model }: Wishes): Promise<void> {
  if (model === null) return
  const { sessionId } = opened
  const option = optionOf(opened, 'model')
  const match = option?.values.find(({ value, name }) => value === model || name === model)
  if (option && match) return void (await agent.request('session/set_config_option', { sessionId, configId: option.id, value: match.value }))
  // The older way, which the protocol has given up and agents still speak.
  const models = (opened as JsonObject)['models']
  const known = listIn(isObject(models) ? models['availableModels'] : null)
  const old = known.find(({ modelId, name }) => modelId === model || name === model)
  if (old) return void (await agent.request<unknown>('session/set_model', { sessionId, modelId: old['modelId'] }))
  throw new Unavailable(notOffered('model', model, [...(option?.values ?? []).map(({ value }) => value), ...known.map(({ modelId }) => String(modelId))]))
}

const MOST_NAMED = 10

function notOffered(what: 'mode' | 'model', wanted: string, offered: readonly string[]): string {
  const named = [...new Set(offered)]
  const list = `${named.slice(0, MOST_NAMED).join(', ')}${named.length > MOST_NAMED ? ` and ${named.length - MOST_NAMED} more` : ''}`
  return `it offers no ${what} "${wanted}"${named.length > 0 ? `, but ${list}` : ` to choose: leave out "${what}" and set it in its own settings`}`
}

type Choice = { id: string; values: { value: string; name: string }[] }

/** The select by which a mode or a model is chosen; its values may come in groups. */
function optionOf({ configOptions }: NewSessionResponse, category: 'mode' | 'model'): Choice | null {
  const found = listIn(configOptions).find((option) => option['category'] === category || option['id'] === category)
  if (!found || typeof found['id'] !== 'string') return null
  const values = listIn(found['options']).flatMap((entry) => (Array.isArray(entry['options']) ? listIn(entry['options']) : [entry]))
  return { id: found['id'], values: values.map(({ value, name }) => ({ value: String(value), name: String(name) })) }
}

function listIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
