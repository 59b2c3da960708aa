// Gemini CLI: `gemini -p ''` with its stream of JSON records.
import { LOGIN_VARIABLES } from '../../../agent-entry.js'
import type { Usage } from '../../../ports.js'
import type { JsonObject } from '../../../text/reply/json.js'
import { NO_USAGE } from '../usage.js'
import { countAt, doing, failure, objectAt, recordIn, textAt } from './record.js'
import type { Dialect, ReadRecord, Told } from './types.js'

export const gemini: Dialect = {
  name: 'gemini',
  program: 'gemini',
  args({ model }) {
    // What `-p` brings is put after what comes on standard input.
    return ['-p', '', '--output-format', 'stream-json', '--yolo', '--skip-trust', ...(model === null ? [] : ['-m', model])]
  },
  env: { GEMINI_CLI_NO_RELAUNCH: 'true', GEMINI_TELEMETRY_ENABLED: 'false' },
  newReader,
  readComplaint(line) {
    const [said] = /^Attempt \d+ failed[^{]*/.exec(line) ?? []
    return said === undefined ? [] : [{ kind: 'retry', note: `its model does not answer: ${said}` }]
  },
  priced: false,
  login: 'run `gemini` once and log in, or set GEMINI_API_KEY',
  loginFiles: ['.gemini/oauth_creds.json', '.gemini/gemini-credentials.json'],
  loginVariables: LOGIN_VARIABLES.gemini,
}

function newReader(): ReadRecord {
  let said = ''
  let complaint = ''
  return (line) => {
    const record = recordIn(line)
    switch (record?.type) {
      case 'message':
        if (record.role !== 'assistant') return []
        said = record.delta === true ? said + textAt(record, 'content') : textAt(record, 'content')
        return [{ kind: 'text', text: said }]
      case 'tool_use':
        said = ''
        return [doing(textAt(record, 'tool_name'), objectAt(record, 'parameters'))]
      case 'error':
        complaint = textAt(record, 'message')
        return []
      case 'result':
        return [{ kind: 'total', usage: usageOf(objectAt(record, 'stats')) }, endOf(record, complaint)]
      default:
        return []
    }
  }
}

/** Its output lacks the thoughts, which are in the total all the same. */
function usageOf(stats: JsonObject): Usage {
  const input = countAt(stats, 'input_tokens')
  const cachedInput = Math.min(input, countAt(stats, 'cached'))
  const output = Math.max(countAt(stats, 'output_tokens'), countAt(stats, 'total_tokens') - input)
  const [model = null] = Object.keys(objectAt(stats, 'models'))
  return { ...NO_USAGE, input: input - cachedInput, cachedInput, output, model }
}

function endOf(record: JsonObject, complaint: string): Told {
  if (record.status === 'success') return { kind: 'ended', how: 'done', note: '' }
  return failure(textAt(objectAt(record, 'error'), 'message') || complaint || `its result is "${textAt(record, 'status')}"`)
}
