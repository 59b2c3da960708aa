// opencode: `opencode run --format json`.
import { LOGIN_VARIABLES } from '../../../agent-entry.js'
import type { Usage } from '../../../ports.js'
import type { JsonObject } from '../../../text/reply/json.js'
import { NO_USAGE } from '../usage.js'
import { countAt, doing, failure, objectAt, priceAt, recordIn, textAt } from './record.js'
import type { Dialect, Told } from './types.js'

/** Without a title it has one made, which costs a request that it does not count. Retries are only told in its log. */
const RUN = ['run', '--format', 'json', '--auto', '--title', 'greenlatch', '--print-logs', '--log-level', 'ERROR']

export const opencode: Dialect = {
  name: 'opencode',
  program: 'opencode',
  args({ model }) {
    return [...RUN, ...(model === null ? [] : ['-m', model])]
  },
  env: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
  newReader: () => read,
  readComplaint(line) {
    const [, said] = /message="stream error".*? error\.error="((?:[^"\\]|\\.)*)"/.exec(line) ?? []
    return said === undefined ? [] : [{ kind: 'retry', note: `its model does not answer: ${said.replace(/^AI_\w+: /, '')}` }]
  },
  priced: true,
  login: 'run `opencode auth login`',
  loginFiles: ['.local/share/opencode/auth.json'],
  loginVariables: LOGIN_VARIABLES.opencode,
}

function read(line: string): Told[] {
  const record = recordIn(line)
  const part = record ? objectAt(record, 'part') : {}
  switch (record?.type) {
    case 'step_start':
      return [{ kind: 'goes-on' }]
    case 'text':
      return [{ kind: 'text', text: textAt(part, 'text') }]
    case 'tool_use':
      return [doing(textAt(part, 'tool'), objectAt(objectAt(part, 'state'), 'input'))]
    case 'step_finish':
      return [{ kind: 'used', usage: usageOf(part) }, ...endOf(textAt(part, 'reason'))]
    case 'error': {
      const error = objectAt(record, 'error')
      const data = objectAt(error, 'data')
      return [failure(textAt(data, 'message') || textAt(error, 'name'), countAt(data, 'statusCode'))]
    }
    default:
      return []
  }
}

/** Each step counts for itself. */
function usageOf(part: JsonObject): Usage {
  const tokens = objectAt(part, 'tokens')
  const cache = objectAt(tokens, 'cache')
  return {
    ...NO_USAGE,
    input: countAt(tokens, 'input') + countAt(cache, 'write'),
    cachedInput: countAt(cache, 'read'),
    output: countAt(tokens, 'output') + countAt(tokens, 'reasoning'),
    usd: priceAt(part, 'cost'),
  }
}

/** After a step with tool calls, or of which it cannot tell the end, it makes another one. */
function endOf(reason: string): Told[] {
  if (reason === 'tool-calls' || reason === 'unknown') return []
  return [reason === 'stop' ? { kind: 'ended', how: 'done', note: '' } : failure(`its last step ended with "${reason}"`)]
}
