// Patterns of routes: `/users/:id` has a parameter, `/files/*path` takes the rest of the address.

export type Segment = { kind: 'static'; text: string } | { kind: 'param'; name: string } | { kind: 'rest'; name: string }
export type Params = Record<string, string>

const WEIGHT = { static: 3, param: 2, rest: 1 }

export function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '')
}

export function compile(pattern: string): Segment[] {
  const parts = partsOf(pattern)
  const names = new Set<string>()
  return parts.map((part, at) => {
    if (part[0] !== ':' && part[0] !== '*') return { kind: 'static', text: part }
    const name = part.slice(1)
    if (name === '') throw new Error(`${pattern}: a parameter needs a name`)
    if (names.has(name)) throw new Error(`${pattern}: parameter ${name} is there twice`)
    names.add(name)
    if (part[0] === ':') return { kind: 'param', name }
    if (at < parts.length - 1) throw new Error(`${pattern}: *${name} must come last`)
    return { kind: 'rest', name }
  })
}

/** The parameters of a path, or null when it does not fit. */
export function matchPath(segments: Segment[], path: string): Params | null {
  const parts = partsOf(path)
  const params: Params = {}
  for (const [at, segment] of segments.entries()) {
    if (segment.kind === 'rest') {
      params[segment.name] = parts.slice(at).map(decodeURIComponent).join('/')
      return params
    }
    if (at >= parts.length) return null
    if (segment.kind === 'param') params[segment.name] = decodeURIComponent(parts[at])
    else if (segment.text !== parts[at]) return null
  }
  return parts.length === segments.length ? params : null
}

/** Sorts the more particular pattern first: plain text before a parameter before a rest, from left to right. */
export function comparePatterns(a: Segment[], b: Segment[]): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    const difference = WEIGHT[b[at].kind] - WEIGHT[a[at].kind]
    if (difference !== 0) return difference
  }
  return b.length - a.length
}
