// Ways to spoil a program within a line. Each takes a line and what else the file has, and gives changed lines.
import { closing, distance, isName, replaceSpan, splitAt, textOf, tokensOf } from './tokens.mjs'

/** Keys that lie above or below on a block of digits. */
const NEAR_KEYS = { 0: '2', 1: '4', 2: '5', 3: '6', 4: '7', 5: '8', 6: '9', 7: '4', 8: '5', 9: '6' }

/** What the rules look up in the rest of the file. */
export function surroundings(lines) {
  const tokens = lines.map(tokensOf)
  return {
    names: [...new Set(tokens.flat().filter(isName).map(({ text }) => text))].toSorted(),
    conditions: lines.map((line, at) => conditionIn(line, tokens[at])),
    bounds: lines.map((line, at) => boundIn(line, tokens[at])),
  }
}

function nearestName({ line, tokens, around }) {
  return tokens.filter(isName).flatMap((token) => {
    const [nearest] = around.names
      .filter((name) => name !== token.text)
      .map((name) => [name, distance(name, token.text)])
      .filter(([, far]) => far <= Math.max(2, token.text.length / 2))
      .toSorted((one, other) => one[1] - other[1] || (one[0] < other[0] ? -1 : 1))
    return nearest ? [replaceSpan(line, token.start, token.end, nearest[0])] : []
  })
}

/** `f(x)` becomes `x`, `x.f(y)` becomes `x`. */
function droppedCall({ line, tokens }) {
  return tokens.flatMap((token, at) => {
    if (!isName(token) || tokens[at + 1]?.text !== '(' || /\b(def|function)\s*$/.test(line.slice(0, token.start))) return []
    const end = closing(tokens, at + 1)
    if (end === -1) return []
    if (tokens[at - 1]?.text === '.') {
      const dropped = replaceSpan(line, tokens[at - 1].start, tokens[end].end, '')
      const isModule = /\b(?:Math|Number|Object|Array|Promise|String)$/.test(line.slice(0, tokens[at - 1].start))
      if (!isModule) return [dropped]
    }
    const start = tokens[at - 1]?.text === '.' ? tokens[at - 2].start : token.start
    const args = splitAt(tokens, at + 2, end, ',')
    return args.length === 1 && args[0].length > 0
      ? [replaceSpan(line, start, tokens[end].end, args[0].length === 1 ? args[0][0].text : `(${textOf(line, args[0])})`)]
      : []
  })
}

function mistypedNumber({ line, tokens }) {
  return tokens.filter(({ kind, text }) => kind === 'number' && /^\d+$/.test(text)).flatMap(({ text, start, end }) => {
    const last = text.at(-1)
    const exchanged = text.slice(0, -2) + last + text.at(-2)
    const typed =
      text.length > 1
        ? [exchanged, text.slice(0, -1), text.slice(0, -1) + NEAR_KEYS[last]]
        : [NEAR_KEYS[text], text === '0' ? '10' : text + text]
    return typed.filter((number) => number !== text && !/^0\d/.test(number)).map((number) => replaceSpan(line, start, end, number))
  })
}

/** The first names of two arguments that stand side by side are exchanged; the rest of both stays. */
function exchangedParts({ line, tokens }) {
  return tokens.flatMap((token, at) => {
    if (token.text !== '(' || !isName(tokens[at - 1])) return []
    const end = closing(tokens, at)
    const args = end === -1 ? [] : splitAt(tokens, at + 1, end, ',')
    return args.slice(1).flatMap((right, place) => {
      const [one, other] = [args[place].find(isName), right.find(isName)]
      if (!one || !other || one.text === other.text || args[place].length + right.length < 3) return []
      return [replaceSpan(replaceSpan(line, other.start, other.end, one.text), one.start, one.end, other.text)]
    })
  })
}

function conditionIn(line, tokens) {
  const at = tokens.findIndex(({ text }) => text === 'if' || text === 'while' || text === 'elif')
  if (at === -1) return null
  if (tokens[at + 1]?.text === '(' && !/:\s*$/.test(line)) {
    const end = closing(tokens, at + 1)
    return end === -1 ? null : { start: tokens[at + 1].end, end: tokens[end].start }
  }
  return tokens.at(-1).text === ':' && at + 1 < tokens.length - 1 ? { start: tokens[at + 1].start, end: tokens.at(-1).start } : null
}

/** What a counting loop runs up to. */
function boundIn(line, tokens) {
  const range = tokens.findIndex(({ text }) => text === 'range')
  if (range !== -1) {
    const end = closing(tokens, range + 1)
    return end === -1 ? null : { start: tokens[range + 1].end, end: tokens[end].start }
  }
  const at = tokens.findIndex(({ text }) => text === 'for')
  const end = at === -1 ? -1 : closing(tokens, at + 1)
  const middle = end === -1 ? [] : (splitAt(tokens, at + 2, end, ';')[1] ?? [])
  const sign = middle.findIndex(({ text }) => /^[<>]=?$/.test(text))
  return sign === -1 || sign + 1 >= middle.length ? null : { start: middle[sign + 1].start, end: middle.at(-1).end }
}

/** One from the nearest other line that has one. */
function fromNeighbour(kind) {
  return ({ line, at, lines, around }) => {
    const own = around[kind][at]
    if (!own) return []
    const others = around[kind].flatMap((span, place) =>
      span && place !== at ? [{ far: Math.abs(place - at), text: lines[place].slice(span.start, span.end) }] : [],
    )
    const [nearest] = others.filter(({ text }) => text !== line.slice(own.start, own.end)).toSorted((one, other) => one.far - other.far)
    return nearest ? [replaceSpan(line, own.start, own.end, nearest.text)] : []
  }
}

/** `a ? b : c` and `b if a else c` with b and c exchanged. */
function exchangedChoices({ line }) {
  const javascript = /^(.* \? )(.+?)( : )([^:,;]+?)([,;)]*)$/.exec(line)
  if (javascript) return [[1, 4, 3, 2, 5].map((part) => javascript[part]).join('')]
  const python = /^(\s*(?:return |[\w., ]+ = |[\w.]+\())(.+?)( if .+? else )(.+?)(\)*)$/.exec(line)
  return python ? [[1, 4, 3, 2, 5].map((part) => python[part]).join('')] : []
}

/** One side of `and` or `or` is gone. */
function droppedOperand({ line, tokens }) {
  return tokens.flatMap((token, at) => {
    if (!/^(&&|\|\||and|or)$/.test(token.text)) return []
    const stops = /^(&&|\|\||\?|:|;|\)|\]|\}|and|or|if|else|return|=|=>|\(|\{|\[|,|\?\?|while|elif)$/
    const right = tokens.findIndex((each, place) => place > at && stops.test(each.text))
    const left = tokens.findLastIndex((each, place) => place < at && stops.test(each.text))
    const end = right === -1 ? tokens.at(-1).end : tokens[right - 1].end
    const start = tokens[left + 1]
    return [
      replaceSpan(line, tokens[at - 1].end, end, ''),
      ...(start && left + 1 < at ? [replaceSpan(line, start.start, tokens[at + 1]?.start ?? token.end, '')] : []),
    ]
  })
}

export const TOKEN_RULES = {
  'nearest name': nearestName,
  'dropped call': droppedCall,
  'mistyped number': mistypedNumber,
  'exchanged parts of arguments': exchangedParts,
  'condition of a neighbour': fromNeighbour('conditions'),
  'bound of another loop': fromNeighbour('bounds'),
  'exchanged choices': exchangedChoices,
  'dropped operand': droppedOperand,
}
