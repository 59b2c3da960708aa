// Reads what a model's server answers, as a stream of events or whole, and keeps what came of it: nothing of it counts before its end.
import { createParser } from 'eventsource-parser'
import { isObject, type JsonObject } from '../../../text/reply/json.js'
import { tokensIn } from '../usage.js'

/** As the server counts: input with what came from a cache, output with the reasoning. */
export type ToldUsage = { input: number; cachedInput: number; output: number }

export type Heard = {
  text: string
  /** What was reasoned apart from the text: it is paid for and never an answer. */
  reasoningChars: number
  /** Why the model says it ended; null while it has not. */
  finish: string | null
  refusal: string
  callsTool: boolean
  usage: ToldUsage | null
  model: string | null
  /** What the server says went wrong, in the middle of an answer or instead of it. */
  error: ServerError | null
  /** Why what came cannot be read as an answer. */
  broken: string | null
}

export type ServerError = { message: string; code: string }

/** `isOver`: the server has said that nothing more comes, though it may keep the connection open. */
export type Listener = { heard: Heard; push(text: string): void; end(): void; isOver(): boolean }

type Form = 'events' | 'whole'

/** Null for an answer that is neither a stream of events nor JSON. */
export function formOf(contentType: string | undefined): Form | null {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'text/event-stream') return 'events'
  return type === 'application/json' || type.endsWith('+json') ? 'whole' : null
}

/** `isEnough`: asked after every event, so that what comes past a budget is not even read. */
export function listenTo(form: Form, isEnough: (heard: Heard) => boolean): Listener {
  const heard: Heard = { text: '', reasoningChars: 0, finish: null, refusal: '', callsTool: false, usage: null, model: null, error: null, broken: null }
  return form === 'events' ? eventListener(heard, isEnough) : wholeListener(heard)
}

function eventListener(heard: Heard, isEnough: (heard: Heard) => boolean): Listener {
  let isOver = false
  const parser = createParser({
    onEvent({ data }) {
      if (isOver || data.trim() === '[DONE]') isOver = true
      else {
        takeJson(heard, data, 'an event of its stream is no JSON')
        isOver = heard.finish === null && isEnough(heard)
      }
    },
  })
  // An event that is not closed when the stream ends has not come.
  return { heard, push: (text) => parser.feed(text), end: () => {}, isOver: () => isOver }
}

function wholeListener(heard: Heard): Listener {
  let json = ''
  return {
    heard,
    isOver: () => false,
    push(text) {
      json += text
    },
    end() {
      takeJson(heard, json, 'its answer is no JSON')
      heard.broken ??= heard.error === null && heard.finish === null ? 'its answer holds no choice' : null
    },
  }
}

function takeJson(heard: Heard, json: string, trouble: string): void {
  const value = parsed(json)
  if (value === null) heard.broken ??= trouble
  else take(heard, value)
}

function parsed(json: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** A piece of a stream has its choice in `delta`, a whole answer in `message`. */
function take(heard: Heard, value: JsonObject): void {
  heard.error ??= errorIn(value)
  heard.usage = usageIn(value['usage']) ?? heard.usage
  if (typeof value['model'] === 'string' && value['model'] !== '') heard.model = value['model']
  const choice = arrayOf(value['choices']).filter(isObject).find(({ index = 0 }) => index === 0)
  if (!choice) return
  const said = isObject(choice['delta']) ? choice['delta'] : isObject(choice['message']) ? choice['message'] : {}
  heard.text += textOf(said['content'])
  heard.reasoningChars += (textOf(said['reasoning_content']) || textOf(said['reasoning'])).length
  heard.refusal += textOf(said['refusal'])
  heard.callsTool ||= arrayOf(said['tool_calls']).length > 0
  // The first end stays: what was cut off is not whole by a later word.
  if (typeof choice['finish_reason'] === 'string' && choice['finish_reason'] !== '') heard.finish ??= choice['finish_reason']
}

/** Text, or a list of pieces that have one. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return arrayOf(content).map((piece) => (isObject(piece) && typeof piece['text'] === 'string' ? piece['text'] : '')).join('')
}

function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function errorIn(value: JsonObject): ServerError | null {
  const { error } = value
  if (typeof error === 'string') return { message: error, code: '' }
  if (!isObject(error)) return null
  const words = [error['code'], error['type']].filter((word) => typeof word === 'string')
  return { message: typeof error['message'] === 'string' ? error['message'] : 'an error without a message', code: words.join(' ') }
}

function usageIn(usage: unknown): ToldUsage | null {
  if (!isObject(usage)) return null
  const [input, output] = [amountOf(usage['prompt_tokens']), amountOf(usage['completion_tokens'])]
  if (input === null || output === null) return null
  const details = usage['prompt_tokens_details']
  return { input, output, cachedInput: Math.min(input, (isObject(details) ? amountOf(details['cached_tokens']) : null) ?? 0) }
}

function amountOf(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 ? tokensIn(value) : null
}
