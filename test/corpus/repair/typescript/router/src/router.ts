// A table of routes: which one answers a request, and the address of a route by its name.
import { comparePatterns, compile, matchPath } from './pattern.ts'
import type { Params, Segment } from './pattern.ts'

export type Route = { name: string; method: string; segments: Segment[] }
export type Match =
  | { kind: 'found'; name: string; params: Params; query: Params }
  | { kind: 'method-not-allowed'; allow: string[] }
  | { kind: 'not-found' }

export class Router {
  private routes: Route[] = []

  add(name: string, method: string, pattern: string): this {
    if (this.routes.some((route) => route.name === name)) throw new Error(`route ${name} is there already`)
    this.routes.push({ name, method: method.toUpperCase(), segments: compile(pattern) })
    this.routes.sort((a, b) => comparePatterns(a.segments, b.segments))
    return this
  }

  match(method: string, url: string): Match {
    const [path, search = ''] = url.split('?')
    const allow = new Set<string>()
    for (const route of this.routes) {
      const params = matchPath(route.segments, path)
      if (params === null) continue
      // What answers GET answers HEAD too.
      if (route.method === method || (route.method === 'GET' && method === 'HEAD')) {
        return { kind: 'found', name: route.name, params, query: Object.fromEntries(new URLSearchParams(search)) }
      }
      allow.add(route.method)
    }
    return allow.size > 0 ? { kind: 'method-not-allowed', allow: [...allow].sort() } : { kind: 'not-found' }
  }

  /** Parameters that the pattern does not name become the query. */
  urlFor(name: string, params: Params = {}): string {
    const route = this.routes.find((other) => other.name === name)
    if (!route) throw new Error(`no route ${name}`)
    const left = { ...params }
    const parts = route.segments.map((segment) => {
      if (segment.kind === 'static') return segment.text
      const value = left[segment.name]
      if (value === undefined) throw new Error(`${name} needs ${segment.name}`)
      delete left[segment.name]
      return segment.kind === 'rest' ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value)
    })
    const query = new URLSearchParams(left).toString()
    return `/${parts.join('/')}${query === '' ? '' : `?${query}`}`
  }
}
