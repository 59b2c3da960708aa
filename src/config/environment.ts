// Reads settings from GREENLATCH_* variables: one for each plain value, and an error for every other name.
import { EXIT, Refusal } from '../errors.js'
import { suggestion } from './faults.js'
import type { Environment } from './locate.js'
import { accepts, expectation, type Rule, SCALAR_KEYS, SCALARS, type ScalarKey, variableName } from './scalars.js'
import type { Layer } from './types.js'
import { quote } from './words.js'

const PREFIX = 'GREENLATCH_'

/** Set by Greenlatch for its own children, or read elsewhere. */
const INTERNAL = new Set(['TREE', 'SESSION', 'EFFECT', 'ITERATION', 'EVENT', 'NOTE', 'TRUST', 'DEBUG', 'REDIS'].map((name) => `${PREFIX}${name}`))

const KEYS = new Map(SCALAR_KEYS.map((key) => [variableName(key), key]))

/** An empty variable counts as not set. */
export function environmentLayer(env: Environment): Layer {
  const layer: Record<string, unknown> = {}
  for (const variable of Object.keys(env).filter((name) => name.startsWith(PREFIX) && !INTERNAL.has(name)).toSorted()) {
    const key = KEYS.get(variable)
    if (key === undefined) throw refusal(`unknown environment variable ${quote(variable)} (${suggestion(variable, [...KEYS.keys()])})`)
    const text = env[variable]
    if (text !== undefined && text !== '') place(layer, key, read(variable, key, text))
  }
  return layer as Layer
}

function read(variable: string, key: ScalarKey, text: string): string | number {
  const rule: Rule = SCALARS[key]
  const numeric = rule.kind === 'integer' || rule.kind === 'number'
  const value = numeric && /^\d+(\.\d+)?$/.test(text) ? Number(text) : text
  if (!accepts(rule, value)) throw refusal(`${variable}: ${expectation(rule)}, found ${quote(text)}`)
  return value
}

function place(layer: Record<string, unknown>, key: ScalarKey, value: string | number): void {
  const [head, name] = key.split('.') as [string, string?]
  layer[head] = name === undefined ? value : { ...(layer[head] as object | undefined), [name]: value }
}

function refusal(message: string): Refusal {
  return new Refusal(EXIT.usage, message, 'env | grep GREENLATCH_')
}
