// An agent that is a model behind an address, which answers in text alone. An answer that is not whole is no answer.
import type { ChatEntry, Price } from '../../../agent-entry.js'
import { EXIT, Refusal } from '../../../errors.js'
import type { Agent } from '../../../ports.js'
import { askModel } from './ask.js'
import { nobodyListens } from './listener.js'
import { endpoint, type Server } from './request.js'
import type { Wait } from './turns.js'

export type ChatAgentOptions = {
  name: string
  entry: ChatEntry
  price?: Price | undefined
  /** How waits between attempts are slept through; tests have no time. */
  wait?: Wait
  env?: Readonly<Record<string, string | undefined>>
}

export function chatAgent({ name, entry, price, wait, env = process.env }: ChatAgentOptions): Agent {
  const address = addressOf(name, entry.chat)
  const server: Server = { address, entry, price, key: () => (entry.key === undefined ? '' : (env[entry.key] ?? '')), firstModel: null }
  return {
    name,
    describe: `POST ${endpoint(address, 'chat/completions').href}${entry.model === undefined ? '' : ` (${entry.model})`}`,
    person: false,
    inText: true,
    priced: price !== undefined,
    async ready() {
      return entry.key !== undefined && server.key() === '' ? `the environment variable ${entry.key}, which should hold its key, is not set` : null
    },
    async there() {
      return (await nobodyListens(address)) ? `nobody listens at ${address.host}` : null
    },
    ask: (request, signal) => askModel(server, request, signal, wait),
  }
}

function addressOf(name: string, chat: string): URL {
  const address = URL.canParse(chat) ? new URL(chat) : null
  const refuse = (why: string): Refusal => new Refusal(EXIT.usage, `agent "${name}": ${why}`, 'greenlatch config')
  if (!address || !/^https?:$/.test(address.protocol)) throw refuse('chat: expected an address such as http://127.0.0.1:1234/v1')
  if (address.username + address.password !== '') throw refuse('chat: an address may hold no name and password; "key:" names a variable that holds a secret')
  return address
}
