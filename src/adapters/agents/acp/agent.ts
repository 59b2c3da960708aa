// An agent that speaks the Agent Client Protocol.
import type { AcpEntry, Price } from '../../../agent-entry.js'
import { EXIT, Refusal } from '../../../errors.js'
import type { Agent } from '../../../ports.js'

export type AcpAgentOptions = { name: string; entry: AcpEntry; cwd: string; price?: Price | undefined; inText?: boolean }

export function acpAgent({ name }: AcpAgentOptions): Agent {
  throw new Refusal(EXIT.agent, `agent "${name}": the Agent Client Protocol is not spoken yet`, 'greenlatch agents')
}
