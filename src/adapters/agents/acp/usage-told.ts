// What agents say they used, in the several places and spellings in which they say it.
import type { Usage } from '../../../ports.js'
import { isObject, type JsonObject } from '../../../text/reply/json.js'
import { NO_USAGE, tokensIn, usdIn } from '../usage.js'

/** In the answer to a prompt, for all of the turn: under `usage`, or under `quota` of what the protocol leaves open. */
export function usageOfTurn(answer: unknown): Usage | null {
  if (!isObject(answer)) return null
  const quota = inside(answer, '_meta', 'quota')
  const told = countsIn(answer['usage']) ?? countsIn(quota?.['token_count'])
  const models: unknown = quota?.['model_usage']
  const [first] = Array.isArray(models) ? (models as unknown[]) : []
  const model = isObject(first) && typeof first['model'] === 'string' ? first['model'] : null
  return told && { ...told, model }
}

/** With a message, for one request to the model. */
export function usageOfStep(update: JsonObject): Usage | null {
  return countsIn(inside(update, '_meta')?.['usage'])
}

/** So far in the session. Other currencies are not money that is counted here. */
export function dollarsIn(cost: unknown): number | null {
  return isObject(cost) && cost['currency'] === 'USD' ? usdIn(cost['amount']) : null
}

function inside(value: JsonObject, ...names: readonly string[]): JsonObject | null {
  return names.reduce<JsonObject | null>((at, name) => (at && isObject(at[name]) ? at[name] : null), value)
}

function countsIn(counts: unknown): Usage | null {
  if (!isObject(counts)) return null
  const count = (...names: readonly string[]): number => {
    return tokensIn(names.map((name) => counts[name]).find((each) => typeof each === 'number'))
  }
  const [input, output, thought] = [count('inputTokens', 'input_tokens'), count('outputTokens', 'output_tokens'), count('thoughtTokens')]
  const [read, written, total] = [count('cachedReadTokens'), count('cachedWriteTokens'), count('totalTokens')]
  // Agents differ in whether the input contains what came from a cache, and the output what was thought: the total tells.
  const isInputWhole = total > 0 && total < input + output + read + written && input >= read
  const isOutputWhole = total > 0 && total < (isInputWhole ? input : input + read + written) + output + thought
  return { ...NO_USAGE, input: isInputWhole ? input - read : input + written, cachedInput: read, output: isOutputWhole ? output : output + thought }
}
