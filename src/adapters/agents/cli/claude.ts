// Claude Code: `claude -p` with its stream of JSON records.
import { LOGIN_VARIABLES, type Price } from '../../../agent-entry.js'
import type { Usage } from '../../../ports.js'
import type { JsonObject } from '../../../text/reply/json.js'
import { NO_USAGE } from '../usage.js'
import { countAt, doing, failure, isLogin, objectAt, objectsAt, priceAt, recordIn, textAt } from './record.js'
import type { Dialect, ReadRecord, Told } from './types.js'

/** It ends with an error of its own when the bound is 0. */
const LEAST_BUDGET_USD = 0.0001

export const claude: Dialect = {
  name: 'claude',
  program: 'claude',
  args({ model, left }) {
    const base = ['-p', '--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions']
    const budget = left.usd === null ? [] : ['--max-budget-usd', Math.max(left.usd, LEAST_BUDGET_USD).toFixed(4)]
    return [...base, ...(model === null ? [] : ['--model', model]), ...budget]
  },
  env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
  confinedEnv: { IS_SANDBOX: '1' },
  newReader,
  priced: true,
  listPrice,
  login: 'run `claude` once and log in, or set ANTHROPIC_API_KEY',
  loginFiles: ['.claude/.credentials.json'],
  loginVariables: LOGIN_VARIABLES.claude,
  obstacle(environment) {
    if (process.getuid?.() !== 0 || environment['IS_SANDBOX'] === '1') return null
    return 'as root it refuses to work without asking for permissions; run as another user, or set IS_SANDBOX=1 if this machine is a sandbox'
  },
}

function newReader(): ReadRecord {
  const counted = new Set<string>()
  let resetsAt: number | undefined
  return (line) => {
    const record = recordIn(line)
    switch (record?.type) {
      case 'system':
        return record.subtype === 'api_retry' ? [retryOf(record)] : []
      case 'rate_limit_event': {
        const limit = objectAt(record, 'rate_limit_info')
        resetsAt = limit.status === 'rejected' && countAt(limit, 'resetsAt') > 0 ? countAt(limit, 'resetsAt') * 1000 : undefined
        return []
      }
      case 'assistant':
        return messageOf(record, counted)
      case 'result':
        return [{ kind: 'total', usage: totalOf(record) }, endOf(record, resetsAt)]
      default:
        return []
    }
  }
}

/** US dollars for a million tokens of input and output, by the name of the model; the last is for those that have none of these. */
const PRICES: readonly (readonly [RegExp, number, number])[] = [
  [/haiku/, 1, 5],
  [/sonnet/, 3, 15],
  [/opus-4-(?:[5-9]|\d\d(?!\d))/, 5, 25],
  [/^/, 15, 75],
]

/** Nearly all of its input is written into a cache, which costs a quarter more. */
function listPrice(model: string | null): Price {
  const [, input = 0, output = 0] = PRICES.find(([name]) => name.test(model ?? '')) ?? []
  return { input: input * 1.25, cachedInput: input * 0.1, output }
}

/** It tries ten times, over minutes, whatever the server says. */
function retryOf(record: JsonObject): Told {
  const status = countAt(record, 'error_status')
  if (isLogin(status)) return { kind: 'ended', how: 'unavailable', note: `its model refuses its login (status ${status})`, isLogin: true, atOnce: true }
  const why = status > 0 ? `status ${status}` : textAt(record, 'error').replace(/^unknown$/, 'no connection')
  return { kind: 'retry', note: `its model does not answer (${why}), attempt ${countAt(record, 'attempt')} of ${countAt(record, 'max_retries')}` }
}

/** One answer of the model comes in several records, each with the same usage; what is in them of output is only the beginning. */
function messageOf(record: JsonObject, counted: Set<string>): Told[] {
  const message = objectAt(record, 'message')
  const model = textAt(message, 'model')
  if (model === '<synthetic>') return []
  const told: Told[] = []
  for (const part of objectsAt(message, 'content')) {
    if (part.type === 'tool_use') told.push(doing(textAt(part, 'name'), objectAt(part, 'input')))
    // What a helper of the agent says is not the agent's answer.
    if (part.type === 'text' && !record.parent_tool_use_id) told.push({ kind: 'text', text: textAt(part, 'text') })
  }
  const id = textAt(message, 'id')
  if (counted.has(id)) return told
  counted.add(id)
  return [...told, { kind: 'used', usage: { ...usageOf(objectAt(message, 'usage')), model } }]
}

function usageOf(usage: JsonObject): Usage {
  return {
    ...NO_USAGE,
    input: countAt(usage, 'input_tokens') + countAt(usage, 'cache_creation_input_tokens'),
    cachedInput: countAt(usage, 'cache_read_input_tokens'),
    output: countAt(usage, 'output_tokens'),
  }
}

/** By model, helpers and all; the plain sum beside it is left at nothing when a run is cut short. */
function totalOf(record: JsonObject): Usage {
  const usd = priceAt(record, 'total_cost_usd')
  const byModel = Object.entries(objectAt(record, 'modelUsage'))
  if (byModel.length === 0) return { ...usageOf(objectAt(record, 'usage')), usd }
  const total = { ...NO_USAGE, usd }
  let most = -1
  for (const [model] of byModel) {
    const each = objectAt(objectAt(record, 'modelUsage'), model)
    total.input += countAt(each, 'inputTokens') + countAt(each, 'cacheCreationInputTokens')
    total.cachedInput += countAt(each, 'cacheReadInputTokens')
    total.output += countAt(each, 'outputTokens')
    if (countAt(each, 'outputTokens') <= most) continue
    most = countAt(each, 'outputTokens')
    total.model = model
  }
  return total
}

function endOf(record: JsonObject, resetsAt: number | undefined): Told {
  const said = textAt(record, 'result')
  if (record.is_error === false && record.subtype === 'success') return { kind: 'ended', how: 'done', note: '', text: said }
  const errors = Array.isArray(record.errors) ? record.errors.filter((error) => typeof error === 'string').join('; ') : ''
  return failure(said || errors || textAt(record, 'subtype'), countAt(record, 'api_error_status'), resetsAt)
}
