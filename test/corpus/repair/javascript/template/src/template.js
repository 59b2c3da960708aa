// A small template language: {{ name }}, {{ name | filter }}, {{#each list}} … {{/each}}, {{#if name}} … {{else}} … {{/if}}.
import { filters } from './filters.js'

const TAG = /\{\{(.*?)\}\}/g

export function compile(source) {
  const tokens = tokenise(source)
  const { nodes, at } = parseNodes(tokens, 0, null)
  if (at < tokens.length) throw new SyntaxError(`unexpected {{${tokens[at].text}}}`)
  return (data) => render(nodes, [data])
}

function tokenise(source) {
  const tokens = []
  let end = 0
  for (const match of source.matchAll(TAG)) {
    if (match.index > end) tokens.push({ kind: 'text', text: source.slice(end, match.index) })
    tokens.push({ kind: 'tag', text: match[1].trim() })
    end = match.index + match[0].length
  }
  if (end < source.length) tokens.push({ kind: 'text', text: source.slice(end) })
  return tokens
}

function parseNodes(tokens, from, closing) {
  const nodes = []
  let at = from
  while (at < tokens.length) {
    const { kind, text } = tokens[at]
    if (kind === 'tag' && (text === closing || (closing === '/if' && text === 'else'))) return { nodes, at }
    if (kind === 'tag' && text.startsWith('/')) break
    at += 1
    if (kind === 'text') {
      nodes.push({ kind: 'text', text })
    } else if (text.startsWith('#')) {
      const [word, path] = text.slice(1).split(/\s+/)
      const body = parseNodes(tokens, at, `/${word}`)
      const node = { kind: word, path, body: body.nodes, otherwise: [] }
      at = body.at
      if (tokens[at]?.text === 'else') {
        const otherwise = parseNodes(tokens, at + 1, `/${word}`)
        node.otherwise = otherwise.nodes
        at = otherwise.at
      }
      if (tokens[at]?.text !== `/${word}`) throw new SyntaxError(`{{#${word}}} is not closed`)
      at += 1
      nodes.push(node)
    } else {
      const [path, ...names] = text.split('|').map((part) => part.trim())
      nodes.push({ kind: 'value', path, names })
    }
  }
  return { nodes, at }
}

/** The innermost scope that has the first part of the path wins. */
export function lookup(scopes, path) {
  if (path === '.') return scopes[scopes.length - 1]
  const [first, ...rest] = path.split('.')
  for (let at = scopes.length - 1; at >= 0; at -= 1) {
    const scope = scopes[at]
    if (scope !== null && typeof scope === 'object' && first in scope) {
      return rest.reduce((value, key) => value?.[key], scope[first])
    }
  }
  return undefined
}

function isTruthy(value) {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

function render(nodes, scopes) {
  let out = ''
  for (const node of nodes) {
    if (node.kind === 'text') {
      out += node.text
    } else if (node.kind === 'each') {
      const list = lookup(scopes, node.path) ?? []
      list.forEach((item) => {
        out += render(node.body, [...scopes, item])
      })
    } else if (node.kind === 'if') {
      out += render(isTruthy(lookup(scopes, node.path)) ? node.body : node.otherwise, scopes)
    } else {
      const value = node.names.reduce((text, name) => filters[name](text), lookup(scopes, node.path) ?? '')
      out += node.names.includes('raw') ? value : filters.escape(String(value))
    }
  }
  return out
}
