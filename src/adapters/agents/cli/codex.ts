// Codex: `codex exec --json`.
import { LOGIN_VARIABLES } from '../../../agent-entry.js'
import type { JsonObject } from '../../../text/reply/json.js'
import { NO_USAGE } from '../usage.js'
import { countAt, doing, failure, objectAt, objectsAt, recordIn, textAt } from './record.js'
import type { Dialect, Told } from './types.js'

const QUIET = ['-c', 'check_for_update_on_startup=false', '-c', 'analytics.enabled=false']

export const codex: Dialect = {
  name: 'codex',
  program: 'codex',
  args({ model }) {
    const base = ['exec', '--json', '--dangerously-bypass-approvals-and-sandbox', '--skip-git-repo-check', ...QUIET]
    return [...base, ...(model === null ? [] : ['-m', model]), '-']
  },
  env: {},
  newReader: () => read,
  priced: false,
  login: 'run `codex login`, or set CODEX_API_KEY',
  loginFiles: ['.codex/auth.json'],
  loginVariables: LOGIN_VARIABLES.codex,
}

function read(line: string): Told[] {
  const record = recordIn(line)
  switch (record?.type) {
    case 'turn.started':
      return [{ kind: 'goes-on' }]
    case 'item.started':
      return started(objectAt(record, 'item'))
    case 'item.completed':
      return completed(objectAt(record, 'item'))
    case 'error': {
      const message = textAt(record, 'message')
      return message.startsWith('Reconnecting') ? [{ kind: 'retry', note: message }] : []
    }
    case 'turn.failed':
      return [failure(textAt(objectAt(record, 'error'), 'message'))]
    case 'turn.completed':
      return [...('usage' in record ? [{ kind: 'total' as const, usage: usageOf(objectAt(record, 'usage')) }] : []), { kind: 'ended', how: 'done', note: '' }]
    default:
      return []
  }
}

function started(item: JsonObject): Told[] {
  switch (item.type) {
    case 'command_execution':
      return [doing('run', item)]
    case 'mcp_tool_call':
      return [doing(textAt(item, 'tool'), objectAt(item, 'arguments'))]
    case 'web_search':
      return [doing('search', item)]
    default:
      return []
  }
}

function completed(item: JsonObject): Told[] {
  if (item.type === 'agent_message') return [{ kind: 'text', text: textAt(item, 'text') }]
  if (item.type !== 'file_change') return []
  return objectsAt(item, 'changes').map((change) => doing(textAt(change, 'kind') || 'edit', change))
}

function usageOf(usage: JsonObject) {
  const cachedInput = countAt(usage, 'cached_input_tokens')
  return { ...NO_USAGE, input: Math.max(0, countAt(usage, 'input_tokens') - cachedInput), cachedInput, output: countAt(usage, 'output_tokens') }
}
