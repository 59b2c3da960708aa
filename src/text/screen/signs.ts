// The signs of a terminal: one that knows only ASCII gets words and signs of that, and a question mark where it would show nonsense.

type Names = 'bars' | 'dot' | 'arrow' | 'here' | 'times' | 'rule' | 'more' | 'caret'

export type Signs = Record<Names, string> & { shown: (text: string) => string }

const UNICODE: Signs = { bars: '▁▂▃▄▅▆▇█', dot: '·', arrow: '→', here: '▸', times: '×', rule: '─', more: '…', caret: '▏', shown: (text) => text }
const ASCII: Signs = { bars: '_.,-=+*#', dot: '-', arrow: '->', here: '>', times: 'x', rule: '-', more: '~', caret: '_', shown: inAscii }

export function signsOf(unicode: boolean): Signs {
  return unicode ? UNICODE : ASCII
}

const WORDS: readonly (readonly [string, string])[] = [
  ['·', '-'], ['→', '->'], ['×', 'x'], ['…', '...'], ['−', '-'], ['–', '-'], ['“', '"'], ['”', '"'], ['’', "'"],
]

/** Only the signs that we write ourselves: text of others stays as it is. */
export function signsInAscii(text: string): string {
  return WORDS.reduce((so, [sign, word]) => so.replaceAll(sign, word), text)
}

/** Line breaks stay. */
export function inAscii(text: string): string {
  return signsInAscii(text).replaceAll(/[^\n\u0020-\u007E]/gu, '?')
}
