// Places in JSON values: `/items/0/name`, with getting, setting, removing and listing.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export function parsePointer(pointer: string): string[] {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) throw new SyntaxError(`a pointer starts with a slash: ${pointer}`)
  return pointer.slice(1).split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function formatPointer(parts: readonly (string | number)[]): string {
  return parts.map((part) => '/' + String(part).replaceAll('~', '~0').replaceAll('/', '~1')).join('')
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function indexOf(list: Json[], part: string): number {
  if (part === '-') return list.length
  if (!/^(0|[1-9]\d*)$/.test(part)) throw new RangeError(`not an index: ${part}`)
  return Number(part)
}

export function get(value: Json, pointer: string): Json | undefined {
  let place: Json | undefined = value
  for (const part of parsePointer(pointer)) {
    if (Array.isArray(place)) {
      place = place[indexOf(place, part)]
    } else if (isObject(place)) {
      place = place[part]
    } else {
      return undefined
    }
  }
  return place
}

/** A copy with the value set; what is missing on the way is made. */
export function set(value: Json | undefined, pointer: string, replacement: Json): Json {
  const [part, ...rest] = parsePointer(pointer)
  if (part === undefined) return replacement
  const inner = formatPointer(rest)
  if (Array.isArray(value)) {
    const at = indexOf(value, part)
    if (at > value.length) throw new RangeError(`the list has no place ${part}`)
    const copy = [...value]
    copy[at] = set(value[at], inner, replacement)
    return copy
  }
  const base = isObject(value) ? value : {}
  return { ...base, [part]: set(base[part], inner, replacement) }
}

/** A copy without the place; the same value when it is not there. */
export function remove(value: Json, pointer: string): Json {
  const [part, ...rest] = parsePointer(pointer)
  if (part === undefined) throw new Error('the whole value cannot be removed')
  if (get(value, pointer) === undefined) return value
  if (Array.isArray(value)) {
    const at = indexOf(value, part)
    if (rest.length > 0) return value.map((item, index) => (index === at ? remove(item, formatPointer(rest)) : item))
    return value.filter((_, index) => index !== at)
  }
  const object = value as { [key: string]: Json }
  if (rest.length > 0) return { ...object, [part]: remove(object[part]!, formatPointer(rest)) }
  const { [part]: _gone, ...kept } = object
  return kept
}

/** Pointers of all values that hold no others, in order. */
export function leaves(value: Json, path: (string | number)[] = []): string[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((item, at) => leaves(item, [...path, at]))
  if (isObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))
  }
  return [formatPointer(path)]
}
