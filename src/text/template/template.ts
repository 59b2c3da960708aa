// Makes a template of a message: what changes from run to run is taken out, what says which fault it is stays.
import { sanitise } from '../sanitise.js'
import { quietPath } from './paths.js'
import { inGroupOrder, inSetOrder, withoutDates, withoutDrawing, withoutExamples } from './shape.js'
import { belongsToTime, LONG_TOKEN_CHARS, quietSlashDate, quietWord, type Surroundings } from './words.js'

/** Readers cut long texts in the middle; where exactly depends on the noise before, so a margin on both sides is left out. */
const CUT = '\n…\n'
const KEPT_BESIDE_CUT_CHARS = 600
/** What is longer is no name, number or path that we know. */
const LONGEST_WORD_CHARS = 300
const COMPARES_BEFORE = /(?:[=!<>]=|[<>]) ?$/
const COMPARES_AFTER = /^ ?(?:[=!<>]=|[<>])/

/** Equal for messages that differ only in what a new run, another folder or other chance would change. */
export function templateOf(message: string): string {
  const text = sanitise(message)
  const cut = text.indexOf(CUT)
  if (cut < 0) return quiet(text)
  const head = quiet(text.slice(0, cut)).slice(0, KEPT_BESIDE_CUT_CHARS)
  return `${head} … ${quiet(text.slice(cut + CUT.length)).slice(-KEPT_BESIDE_CUT_CHARS)}`
}

function quiet(text: string): string {
  return inGroupOrder(scan(withoutDates(inSetOrder(withoutDrawing(withoutExamples(text))))))
}

// — words —

type Scan = {
  text: string
  at: number
  parts: string[]
  /** What of the text is in the parts already; from here on it has not been changed. */
  taken: number
  /** Where the last word ended, if a time stands for it: it swallows its zone and its other half. Else -1. */
  timeEnd: number
  lineStart: boolean
  before: { from: number; to: number }
}

const [OTHER, WORD, DIGIT, SLASH, SPACE] = [0, 1, 2, 3, 4]
/** Letters, digits and `$ % + - . / : @ \\ _ ~` make words. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code)
  if (/\d/.test(sign)) return DIGIT
  if (/[/\\]/.test(sign)) return SLASH
  return /\s/.test(sign) ? SPACE : /[A-Za-z$%+\-.:@_~]/.test(sign) ? WORD : OTHER
})
const [LINE_FEED, BLANK, BRACKET, FULL_STOP, COLON] = [0x0a, 0x20, 0x28, 0x2e, 0x3a]

function kindOf(code: number): number {
  return code < 128 ? (KINDS[code] ?? OTHER) : code === 0xa0 ? SPACE : WORD
}

/** Goes once through the text; every word is looked at once, on its own. */
function scan(text: string): string {
  const state: Scan = { text, at: 0, parts: [], taken: 0, timeEnd: -1, lineStart: true, before: { from: 0, to: -9 } }
  while (state.at < text.length) {
    const code = text.charCodeAt(state.at)
    const kind = kindOf(code)
    if (kind === SPACE) takeSpace(state)
    else if (kind !== OTHER && (code !== COLON || text.charCodeAt(state.at + 1) === COLON)) takeWord(state)
    else {
      state.timeEnd = -1
      state.at += 1
    }
  }
  return (state.parts.join('') + text.slice(state.taken)).trim()
}

function replace(state: Scan, from: number, to: number, by: string): void {
  state.parts.push(state.text.slice(state.taken, from), by)
  state.taken = to
}

/** However a text is wrapped, between two words there is one space. */
function takeSpace(state: Scan): void {
  const { text, at } = state
  let end = at
  for (let code = text.charCodeAt(end); end < text.length && kindOf(code) === SPACE; code = text.charCodeAt(end)) {
    if (code === LINE_FEED) state.lineStart = true
    end += 1
  }
  state.at = end
  if (end - at > 1 || text.charCodeAt(at) !== BLANK) replace(state, at, end, ' ')
}

function takeWord(state: Scan): void {
  const { text, at, timeEnd } = state
  const { end, telling } = wordAt(text, at)
  const word = telling || timeEnd >= 0 ? text.slice(at, end) : ''
  const quieter = telling && end - at <= LONGEST_WORD_CHARS ? quietOf(state, word, end) : word
  state.at = end
  state.timeEnd = -1
  if (timeEnd >= 0 && (quieter === '<time>' || belongsToTime(word))) swallow(state, timeEnd, at, end)
  else if (quieter !== word) replace(state, at, end, quieter)
  if (quieter === '<time>') state.timeEnd = end
  if (telling && text.charCodeAt(end) === BRACKET) takePlace(state, word)
  state.lineStart = false
  state.before = { from: at, to: end }
}

/** Takes out what lies between a time and the end of what belongs to it. */
function swallow(state: Scan, timeEnd: number, at: number, end: number): void {
  if (state.taken > timeEnd && state.parts.at(-1) === ' ') state.parts.pop()
  replace(state, state.taken > timeEnd ? at : timeEnd, end, '')
  state.timeEnd = end
}

/** `telling`: it has a digit or a slash in it, or is very long. A full stop or a colon at its end is none of the word. */
function wordAt(text: string, from: number): { end: number; telling: boolean } {
  let end = from
  let telling = false
  for (let kind = WORD; end < text.length; end += 1) {
    kind = kindOf(text.charCodeAt(end))
    if (kind === OTHER || kind === SPACE) break
    if (kind !== WORD) telling = true
  }
  const whole = end
  while (end > from && (text.charCodeAt(end - 1) === FULL_STOP || text.charCodeAt(end - 1) === COLON)) end -= 1
  return { end: end === from ? whole : end, telling: telling || end - from >= LONG_TOKEN_CHARS }
}

function quietOf(state: Scan, word: string, end: number): string {
  if (!word.includes('/') && !word.includes('\\')) return quietWord(word, surroundingsOf(state, end))
  return quietSlashDate(word, surroundingsOf(state, end)) ?? quietPath(word)
}

function surroundingsOf({ text, at, before, lineStart }: Scan, end: number): Surroundings {
  const mark = text.charAt(at - 1)
  const isQuote = mark === '"' || mark === "'" || mark === '`'
  const isNear = at - before.to <= 4 && before.to - before.from <= 40 && !/[,;.)\]}]/.test(text.slice(before.to, at).replace("', ", ''))
  return {
    before: isNear ? text.slice(before.from, before.to).toLowerCase() : '',
    after: text.charCodeAt(end) === BLANK ? (/^ ([a-zµ]{1,12}|[|│])/.exec(text.slice(end, end + 14))?.[1] ?? '') : '',
    quoted: isQuote && text.charAt(end) === mark,
    sign: COMPARES_BEFORE.test(text.slice(Math.max(0, at - 5), at)) || COMPARES_AFTER.test(text.slice(end, end + 4)) ? 'compares' : 'none',
    first: lineStart,
  }
}

/** Some compilers write the place after a file as `(12,5)`. */
function takePlace(state: Scan, word: string): void {
  const { text, at } = state
  const place = /\.[A-Za-z]\w{0,9}$/.test(word) ? /^\(\d{1,7}(?:, ?\d{1,7})?\)/.exec(text.slice(at, at + 20))?.[0] : undefined
  if (place === undefined) return
  replace(state, at, at + place.length, '(<n>)')
  state.at += place.length
}
