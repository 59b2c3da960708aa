// Checks a script as a whole before the server starts, and hands out its turns one by one.
import { EXIT, Refusal } from '../../errors.js'
import { MODEL_FAULTS } from './faults.js'
import { isRecord } from './json.js'
import type { ModelRequest, ModelScript, ModelTurn } from './types.js'

type Check = (value: unknown) => string | null

const text: Check = (value) => (typeof value === 'string' ? null : 'must be text')
const amount: Check = (value) => (Number.isFinite(value) && (value as number) >= 0 ? null : 'must be a number that is not negative')
const whole: Check = (value) => (Number.isInteger(value) && (value as number) > 0 ? null : 'must be a whole number above 0')
const callInput: Check = (value) => (isRecord(value) || typeof value === 'string' ? null : 'must be an object or text')
const oneOf = (words: readonly string[]): Check => (value) =>
  words.includes(value as string) ? null : `must be one of ${words.join(', ')}`
const listOf = (check: Check): Check => (value) => {
  if (!Array.isArray(value)) return 'must be a list'
  const trouble = value.map((entry, n) => ({ n, says: check(entry) })).find(({ says }) => says !== null)
  return trouble ? `[${trouble.n}] ${trouble.says}` : null
}
const texts: Check = (value) => {
  if (!isRecord(value)) return 'must be an object'
  return Object.values(value).every((entry) => typeof entry === 'string') ? null : 'must hold nothing but text'
}

function object(keys: Record<string, Check>, required: readonly string[] = []): Check {
  return (value) => {
    if (!isRecord(value)) return 'must be an object'
    const missing = required.find((key) => !Object.hasOwn(value, key))
    if (missing) return `lacks \`${missing}\``
    for (const [key, entry] of Object.entries(value)) {
      if (entry === undefined) continue
      const check = Object.hasOwn(keys, key) ? keys[key] : undefined
      const trouble = check ? check(entry) : `is unknown; known are ${Object.keys(keys).join(', ')}`
      if (trouble) return `\`${key}\` ${trouble}`
    }
    return null
  }
}

function fields(names: readonly string[]): Check {
  return object(Object.fromEntries(names.map((name) => [name, text])), names)
}

/** Parts cannot be more than the whole: clients would be told of tokens below zero. */
const usage: Check = (value) => {
  const trouble = object({ input: amount, output: amount, cachedInput: amount, reasoning: amount }, ['input', 'output'])(value)
  if (trouble) return trouble
  const { input, output, cachedInput = 0, reasoning = 0 } = value as Record<'input' | 'output' | 'cachedInput' | 'reasoning', number>
  return cachedInput > input || reasoning > output ? 'has a part that is larger than the whole' : null
}

const TURN = object({
  text, reasoning: text, toolCalls: listOf(object({ name: text, input: callInput }, ['name', 'input'])),
  write: fields(['path', 'content']), edit: fields(['path', 'old', 'new']), read: fields(['path']), shell: text,
  usage, fault: oneOf(MODEL_FAULTS), times: whole, delaySeconds: amount, pauseSeconds: amount, retryAfterSeconds: amount,
  sizeBytes: whole, message: text, headers: texts,
})

const turns: Check = (value) => {
  if (typeof value === 'function') return null
  return Array.isArray(value) && value.length === 0 ? 'must have at least one turn' : listOf(TURN)(value)
}

const SCRIPT = object(
  { turns, after: oneOf(['repeat', 'stop']), client: oneOf(['agent', 'chat']), usage, models: listOf(text) },
  ['turns'],
)

/** Throws Refusal for a script that cannot be followed. */
export function checkedScript(value: unknown): ModelScript {
  const trouble = SCRIPT(value)
  if (trouble) throw new Refusal(EXIT.usage, `the script of the model server ${trouble}`, 'see docs/testing.md for its form')
  return value as ModelScript
}

export type Taken = { turn: ModelTurn; n: number | null }

/** Gives each request its turn, in order. What a function gives is checked like the rest; what it throws is told to the client. */
export function turnsOf({ turns, after = 'repeat' }: ModelScript): (request: ModelRequest) => Taken {
  let asked = 0
  if (typeof turns === 'function') return (request) => ({ turn: turnFrom(turns, request), n: (asked += 1) })
  const order = turns.flatMap((turn, n) => Array.from({ length: turn.times ?? 1 }, () => ({ turn, n: n + 1 })))
  const last = order.at(-1)
  const over: ModelTurn = { fault: 'bad-request', message: `the script ends after ${turns.length} turns` }
  return () => {
    const taken = order[asked]
    asked += 1
    return taken ?? (after === 'repeat' && last ? last : { turn: over, n: null })
  }
}

function turnFrom(turns: (request: ModelRequest) => ModelTurn, request: ModelRequest): ModelTurn {
  try {
    const turn = turns(request)
    const trouble = TURN(turn)
    return trouble ? { fault: 'bad-request', message: `the turn of the script ${trouble}` } : turn
  } catch (error) {
    return { fault: 'bad-request', message: `the script failed: ${String(error)}` }
  }
}
