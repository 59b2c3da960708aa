// Qwen Code: `qwen` with its stream of JSON records, which are much like Claude Code's.
import { LOGIN_VARIABLES } from '../../../agent-entry.js'
import type { Usage } from '../../../ports.js'
import type { JsonObject } from '../../../text/reply/json.js'
import { NO_USAGE } from '../usage.js'
import { countAt, doing, failure, objectAt, objectsAt, recordIn, textAt } from './record.js'
import type { Dialect, Told } from './types.js'

export const qwen: Dialect = {
  name: 'qwen',
  program: 'qwen',
  args({ model }) {
    return ['--output-format', 'stream-json', '--yolo', ...(model === null ? [] : ['-m', model])]
  },
  env: { QWEN_CODE_NO_RELAUNCH: 'true', QWEN_TELEMETRY_ENABLED: 'false' },
  newReader: () => read,
  priced: false,
  login: 'run `qwen` once and log in, or set OPENAI_API_KEY',
  loginFiles: ['.qwen/oauth_creds.json'],
  loginVariables: LOGIN_VARIABLES.qwen,
}

function read(line: string): Told[] {
  const record = recordIn(line)
  if (record?.type === 'assistant') return messageOf(objectAt(record, 'message'), record)
  if (record?.type !== 'result') return []
  return [{ kind: 'total', usage: usageOf(objectAt(record, 'usage')) }, endOf(record)]
}

/** One answer comes in several records, of which only the last has usage. */
function messageOf(message: JsonObject, record: JsonObject): Told[] {
  const told: Told[] = []
  for (const part of objectsAt(message, 'content')) {
    if (part.type === 'tool_use') told.push(doing(textAt(part, 'name'), objectAt(part, 'input')))
    if (part.type === 'text' && !record.parent_tool_use_id) told.push({ kind: 'text', text: textAt(part, 'text') })
  }
  return [...told, { kind: 'used', usage: { ...usageOf(objectAt(message, 'usage')), model: textAt(message, 'model') || null } }]
}

function usageOf(usage: JsonObject): Usage {
  const cachedInput = countAt(usage, 'cache_read_input_tokens')
  return { ...NO_USAGE, input: Math.max(0, countAt(usage, 'input_tokens') - cachedInput), cachedInput, output: countAt(usage, 'output_tokens') }
}

/** Some versions call it a success when their model could not be reached, and put the error where the answer belongs. */
function endOf(record: JsonObject): Told {
  const said = textAt(record, 'result')
  if (record.is_error === false && !/^\[API Error: [^]*\]$/.test(said.trim())) return { kind: 'ended', how: 'done', note: '', text: said }
  return failure(said || textAt(objectAt(record, 'error'), 'message') || textAt(record, 'subtype'))
}
