'use strict'

// Query strings: `a=1&b[]=2&b[]=3&c.d=4` to nested values and back.

const RESERVED = new Set(['__proto__', 'constructor', 'prototype'])

function decode(text) {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '))
  } catch {
    return text
  }
}

function encode(text) {
  return encodeURIComponent(String(text)).replace(/%20/g, '+')
}

function assign(target, path, value) {
  let place = target
  for (const key of path.slice(0, -1)) {
    if (RESERVED.has(key)) return
    if (typeof place[key] !== 'object') place[key] = {}
    place = place[key]
  }
  const last = path[path.length - 1]
  if (RESERVED.has(last)) return
  place[last] = value
}

function parse(text, { limit = 1000 } = {}) {
  const result = {}
  const body = text.startsWith('?') ? text.slice(1) : text
  const parts = body.split('&').filter((part) => part !== '')
  for (const part of parts.slice(0, limit)) {
    const at = part.indexOf('=')
    const name = decode(at === -1 ? part : part.slice(0, at))
    const value = at === -1 ? true : decode(part.slice(at + 1))
    if (name.endsWith('[]')) {
      const key = name.slice(0, -2)
      result[key] = [].concat(result[key] ?? [], value)
    } else {
      assign(result, name.split('.'), value)
    }
  }
  return result
}

function pairs(value, name) {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.map((item) => [`${name}[]`, item])
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, inner]) => pairs(inner, name === '' ? key : `${name}.${key}`))
  }
  return [[name, value]]
}

function stringify(values, { sort = false } = {}) {
  const list = pairs(values, '')
  if (sort) list.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return list.map(([name, value]) => (value === true ? encode(name) : `${encode(name)}=${encode(value)}`)).join('&')
}

/** The address with these values set over those it has; null takes one away. */
function withQuery(address, changes) {
  const [rest, fragment] = address.split('#')
  const [path, query = ''] = rest.split('?')
  const values = { ...parse(query), ...changes }
  const text = stringify(values)
  return path + (text === '' ? '' : `?${text}`) + (fragment === undefined ? '' : `#${fragment}`)
}

module.exports = { parse, stringify, withQuery }
