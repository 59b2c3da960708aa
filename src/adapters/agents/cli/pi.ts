// pi: `pi -p --mode json`.
import { LOGIN_VARIABLES } from '../../../agent-entry.js'
import type { Usage } from '../../../ports.js'
import type { JsonObject } from '../../../text/reply/json.js'
import { NO_USAGE } from '../usage.js'
import { countAt, doing, failure, objectAt, objectsAt, priceAt, recordIn, textAt } from './record.js'
import type { Dialect, ReadRecord, Told } from './types.js'

/** Repeats all of an answer for each piece of it: far too much to be read. */
const PARTIAL = '{"type":"message_update"'
/** Holds all messages once more. What it says is known without them. */
const END = '{"type":"agent_end"'
/** One so long may have been cut by whoever hands us lines; a shorter one was cut off by its writer, and closes nothing. */
const LONG_CHARS = 1024 * 1024

export const pi: Dialect = {
  name: 'pi',
  program: 'pi',
  args({ model }) {
    return ['-p', '--mode', 'json', '--no-session', ...(model === null ? [] : ['--model', model])]
  },
  env: { PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' },
  newReader,
  priced: true,
  login: 'run `pi` once and log in, or set the key of its provider',
  loginFiles: ['.pi/agent/auth.json', '.pi/agent/models.json'],
  loginVariables: LOGIN_VARIABLES.pi,
}

function newReader(): ReadRecord {
  let last: JsonObject = {}
  return (line) => {
    if (line.startsWith(PARTIAL)) return []
    if (line.startsWith(END)) return line.endsWith('}') || line.length > LONG_CHARS ? [endOf(last)] : []
    const record = recordIn(line)
    switch (record?.type) {
      case 'agent_start':
        return [{ kind: 'goes-on' }]
      case 'message_end': {
        const message = objectAt(record, 'message')
        if (message.role !== 'assistant') return []
        last = message
        return messageOf(message)
      }
      case 'tool_execution_start':
        return [doing(textAt(record, 'toolName'), objectAt(record, 'args'))]
      case 'compaction_start':
        return [{ kind: 'goes-on' }, { kind: 'doing', note: 'shortens the conversation' }]
      case 'auto_retry_start':
        return [{ kind: 'goes-on' }, { kind: 'retry', note: `its model does not answer: ${textAt(record, 'errorMessage')}` }]
      default:
        return []
    }
  }
}

function messageOf(message: JsonObject): Told[] {
  if (message.stopReason === 'error') return []
  const text = objectsAt(message, 'content').map((part) => (part.type === 'text' ? textAt(part, 'text') : '')).join('')
  return [...(text === '' ? [] : [{ kind: 'text' as const, text }]), { kind: 'used', usage: usageOf(message) }]
}

/** Each message counts for itself. */
function usageOf(message: JsonObject): Usage {
  const usage = objectAt(message, 'usage')
  return {
    input: countAt(usage, 'input') + countAt(usage, 'cacheWrite'),
    cachedInput: countAt(usage, 'cacheRead'),
    output: countAt(usage, 'output'),
    usd: priceAt(objectAt(usage, 'cost'), 'total'),
    model: textAt(message, 'model') || NO_USAGE.model,
  }
}

function endOf(last: JsonObject): Told {
  const reason = textAt(last, 'stopReason')
  if (reason === 'stop') return { kind: 'ended', how: 'done', note: '' }
  return failure(textAt(last, 'errorMessage') || (reason === '' ? 'its model has said nothing' : `its last answer ended with "${reason}"`))
}
