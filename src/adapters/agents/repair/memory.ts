// What was tried before in this session, so that nothing is tried twice: shapes that were refuted, by the sources they came from.
import { readFileSync } from 'node:fs'
import { replaceFile } from '../../../files/durable.js'
import type { AskRequest } from '../../../ports.js'
import { hash64 } from '../../../text/hash64.js'

export type Memory = {
  /** Shapes that were tried or proposed on these sources. */
  known: Set<string>
  tried: number
  /** Nothing is left to try on these sources. */
  over: boolean
}

type State = { shapes: string[]; tried: number; over: boolean }
type Stored = Record<string, State>

const MOST_STATES = 50

/** In the session's own folder: the base of an effect is relative to it. */
function memoryPath({ responsePath, effect }: AskRequest): string {
  const end = responsePath.indexOf(effect.base)
  return `${end < 0 ? `${responsePath}-` : responsePath.slice(0, end)}repair-memory.json`
}

/** Sources and the tests that fail on them. */
export function stateKey(sources: readonly (readonly [string, string])[], failing: readonly string[]): string {
  return hash64(JSON.stringify([sources.map(([path, text]) => [path, hash64(text)]), failing.toSorted()]))
}

export function recall(request: AskRequest, state: string): Memory {
  const found = stored(request)[state]
  return { known: new Set(found?.shapes), tried: found?.tried ?? 0, over: found?.over ?? false }
}

export function remember(request: AskRequest, state: string, { known, tried, over }: Memory): void {
  const others = Object.entries(stored(request)).filter(([key]) => key !== state).slice(-MOST_STATES)
  replaceFile(memoryPath(request), JSON.stringify({ ...Object.fromEntries(others), [state]: { shapes: [...known], tried, over } }))
}

/** Memory that is lost or damaged costs only a second look. */
function stored(request: AskRequest): Stored {
  try {
    const value: unknown = JSON.parse(readFileSync(memoryPath(request), 'utf8'))
    return Object.fromEntries(Object.entries(value ?? {}).filter((entry): entry is [string, State] => isState(entry[1])))
  } catch {
    return {}
  }
}

function isState(value: unknown): value is State {
  const { shapes, tried, over } = (value ?? {}) as Partial<Record<keyof State, unknown>>
  const isShapes = Array.isArray(shapes) && shapes.every((shape) => typeof shape === 'string')
  return isShapes && Number.isSafeInteger(tried) && typeof over === 'boolean'
}
