// Splits a line of JavaScript, TypeScript or Python into tokens, well enough to change it; what comes out is tried anyway.

const TOKEN = /(?<space>\s+)|(?<comment>\/\/.*|#(?![A-Za-z]).*)|(?<text>[frb]?"""|'(?:[^'\\]|\\.)*'|[frb]?"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)|(?<number>\d[\d_]*(?:\.\d+)?)|(?<name>[A-Za-z_$][\w$]*)|(?<sign>=>|===|!==|\*\*|&&|\|\||\?\?|\?\.|<=|>=|==|!=|\/\/|[-+*/%]=|\.\.\.|.)/gy
const WORDS = new Set(
  `await async break case catch class const continue default delete do else enum export extends finally for from function get if import in
  instanceof interface let new null of private readonly return set static super switch this throw true try type typeof undefined var void while yield
  False None True and as assert def del elif except global is lambda not or pass raise self with number string boolean never`.split(/\s+/),
)
const PAIRS = { '(': ')', '[': ']', '{': '}' }

/** `{ kind, text, start, end }` each; blanks and comments are left out. */
export function tokensOf(line) {
  const tokens = []
  for (const match of line.matchAll(TOKEN)) {
    const [kind] = Object.entries(match.groups).find(([, text]) => text !== undefined)
    if (kind === 'space') continue
    if (kind === 'comment') break
    tokens.push({ kind, text: match[0], start: match.index, end: match.index + match[0].length })
  }
  return tokens
}

export function isName(token) {
  return token?.kind === 'name' && !WORDS.has(token.text)
}

/** The place of the bracket that closes the one at this place; -1 when it is not on this line. */
export function closing(tokens, at) {
  let depth = 0
  for (let place = at; place < tokens.length; place += 1) {
    if (tokens[place].text in PAIRS) depth += 1
    if (Object.values(PAIRS).includes(tokens[place].text)) depth -= 1
    if (depth === 0) return place
  }
  return -1
}

/** Tokens between two places, split at a sign that stands in no brackets of its own. */
export function splitAt(tokens, from, to, sign) {
  const parts = [[]]
  let depth = 0
  for (const token of tokens.slice(from, to)) {
    if (token.text in PAIRS) depth += 1
    if (Object.values(PAIRS).includes(token.text)) depth -= 1
    if (depth === 0 && token.text === sign) parts.push([])
    else parts.at(-1).push(token)
  }
  return parts
}

export function textOf(line, tokens) {
  return tokens.length === 0 ? '' : line.slice(tokens[0].start, tokens.at(-1).end)
}

export function replaceSpan(line, start, end, text) {
  return line.slice(0, start) + text + line.slice(end)
}

export function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length]
}
