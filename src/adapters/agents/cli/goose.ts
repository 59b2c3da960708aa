// goose: `goose run` with its stream of JSON records.
import { LOGIN_VARIABLES } from '../../../agent-entry.js'
import type { Usage } from '../../../ports.js'
import type { JsonObject } from '../../../text/reply/json.js'
import { NO_USAGE } from '../usage.js'
import { countAt, doing, failure, objectAt, objectsAt, recordIn, textAt } from './record.js'
import type { Dialect, ReadRecord, Told } from './types.js'

export const goose: Dialect = {
  name: 'goose',
  program: 'goose',
  args({ model }) {
    return ['run', '--output-format', 'stream-json', '--no-session', ...(model === null ? [] : ['--model', model]), '-i', '-']
  },
  // A name for the session would cost a request that it does not count.
  env: { GOOSE_MODE: 'auto', GOOSE_DISABLE_SESSION_NAMING: 'true', GOOSE_TELEMETRY_ENABLED: 'false', GOOSE_TELEMETRY_OFF: '1' },
  newReader,
  priced: false,
  login: 'run `goose configure`',
  loginFiles: ['.config/goose/secrets.yaml', '.config/goose/config.yaml'],
  loginVariables: LOGIN_VARIABLES.goose,
}

/** How it begins when it speaks for itself, in place of a model that has not. */
const OWN_WORDS = /^(Ran into this error|Network error|The model returned an empty response|Unable to continue)\b/

/** `own` is the last thing it said for itself, after the last word of its model. */
type State = { id: string; said: string; own: string; namesModels: boolean; cutOff: boolean }

function newReader(): ReadRecord {
  const state: State = { id: '', said: '', own: '', namesModels: false, cutOff: false }
  return (line) => {
    const record = recordIn(line)
    switch (record?.type) {
      case 'message':
        return messageOf(objectAt(record, 'message'), state)
      case 'error':
        return [failure(textAt(record, 'error'))]
      case 'complete':
        return [...usageOf(record), endOf(state)]
      default:
        return []
    }
  }
}

function messageOf(message: JsonObject, state: State): Told[] {
  if (message.role !== 'assistant') return []
  const metadata = objectAt(message, 'metadata')
  const byModel = 'inference' in metadata
  state.namesModels ||= byModel
  state.cutOff = metadata.outputTokenLimitReached === true
  return objectsAt(message, 'content').flatMap((part) => partOf(part, textAt(message, 'id'), byModel, state))
}

function partOf(part: JsonObject, id: string, byModel: boolean, state: State): Told[] {
  switch (part.type) {
    case 'text': {
      const text = textAt(part, 'text')
      state.said = id === state.id ? state.said + text : text
      state.id = id
      state.own = !byModel && (state.namesModels || OWN_WORDS.test(state.said)) ? state.said : ''
      return [{ kind: 'text', text: state.said }]
    }
    case 'toolRequest': {
      const call = objectAt(objectAt(part, 'toolCall'), 'value')
      state.own = ''
      return [doing(textAt(call, 'name'), objectAt(call, 'arguments'))]
    }
    case 'systemNotification':
      if (OWN_WORDS.test(textAt(part, 'msg'))) state.own = textAt(part, 'msg')
      return [{ kind: 'doing', note: textAt(part, 'msg') }]
    default:
      return []
  }
}

function usageOf(record: JsonObject): Told[] {
  if (typeof record.total_tokens !== 'number') return []
  const cachedInput = countAt(record, 'cache_read_input_tokens')
  const usage: Usage = {
    ...NO_USAGE,
    input: Math.max(0, countAt(record, 'input_tokens') - cachedInput),
    cachedInput,
    output: countAt(record, 'output_tokens'),
  }
  return [{ kind: 'total', usage }]
}

function endOf({ own, cutOff }: State): Told {
  if (own !== '') return failure(own.split('\n')[0] ?? own)
  return cutOff ? failure('its last answer was cut off at the limit of its output') : { kind: 'ended', how: 'done', note: '' }
}
