// Splits a formula into numbers, names and signs.

export type Token = { kind: 'number'; value: number } | { kind: 'name' | 'sign'; text: string }

const PATTERN = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|([-+*/%^(),]))/y

export function tokenise(source: string): Token[] {
  const tokens: Token[] = []
  const end = source.trimEnd().length
  PATTERN.lastIndex = 0
  while (PATTERN.lastIndex < end) {
    const start = PATTERN.lastIndex
    const match = PATTERN.exec(source)
    if (!match) throw new SyntaxError(`unexpected character at ${start + 1}`)
    if (match[1] !== undefined) {
      tokens.push({ kind: 'number', value: Number(match[1]) })
    } else if (match[2] !== undefined) {
      tokens.push({ kind: 'name', text: match[2] })
    } else {
      tokens.push({ kind: 'sign', text: match[3]! })
    }
  }
  return tokens
}
