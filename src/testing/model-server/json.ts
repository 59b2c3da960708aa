// Reading JSON that a client sent: nothing in it is taken for granted, and what is missing is empty.

export type Json = Record<string, unknown>

export function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {}
}

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function recordsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

/** Text as it stands, or the texts of a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return recordsOf(content).map((part) => stringOf(part.text)).filter((text) => text !== '').join('\n')
}

export function parsedOr<T>(text: string, otherwise: T): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}
