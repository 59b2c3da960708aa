// An agent that is a model behind an address, which answers in text alone.
import type { ChatEntry, Price } from '../../../config/types.js'
import { EXIT, Refusal } from '../../../errors.js'
import type { Agent } from '../../../ports.js'

export type ChatAgentOptions = { name: string; entry: ChatEntry; price?: Price | undefined }

export function chatAgent({ name }: ChatAgentOptions): Agent {
  throw new Refusal(EXIT.agent, `agent "${name}": chat is not spoken yet`, 'greenlatch agents')
}
