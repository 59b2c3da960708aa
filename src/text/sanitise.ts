// Takes out of foreign text whatever could steer a terminal or hide what is written: control sequences, bidi and invisible characters.

type Sanitiser = {
  /** Takes the next piece and returns what of it may be shown. */
  push(chunk: string): string
  /** Ends the text; an unfinished sequence is dropped. */
  end(): string
}

/** A sequence that is not ended within this many characters is taken to be none: what follows is shown. */
const LONGEST_SEQUENCE = 8192

/**
 * Controls except tab and line feed, DEL, C1, soft hyphen, Arabic letter mark, Mongolian vowel separator, zero-width and bidi
 * characters, line and paragraph separators, invisible operators, byte order mark, interlinear marks, and the first half of
 * plane 14, whose tag characters carry text that nobody sees.
 */
const SUSPECT_CLASS =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\udb40]/.source
/** Most text is of two ranges that hold none of them: what lies in these is passed over by two comparisons. */
const SUSPECT = new RegExp(`[^ -~\\u00ae-\\u061b](?<=${SUSPECT_CLASS})`, 'g')
/** The same without a place to go on from, which makes it quicker for the many short texts that have none. */
const ANY_SUSPECT = new RegExp(SUSPECT.source)
/** A line break ends a string sequence as well, so that a stray introducer costs no more than its own line. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const STRING_END = /[\x07\n\r\x18\x1a\x1b\x9c]/g
/** Two-character escapes that mean something. After any other the second character is text. */
const DEFINED_ESCAPE = /^[0-?@-_clmno|}~]$/

/** Colours are what most output has of this. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const COLOUR = /\x1b\[[\d;]*m/g

const LINE_FEED = 0x0a
const RETURN = 0x0d
const ESC = 0x1b
const PLANE_14 = 0xdb40

type Machine = {
  /** `designation` is what follows ESC and an intermediate such as `(`; `string` is the inside of OSC, DCS, SOS, PM and APC. */
  state: 'text' | 'escape' | 'designation' | 'csi' | 'string'
  /** How many more characters the open sequence may have. */
  left: number
  afterReturn: boolean
  /** The first half of a surrogate pair whose second half has not come yet. */
  held: string
}

export function createSanitiser(): Sanitiser {
  const machine: Machine = { state: 'text', left: 0, afterReturn: false, held: '' }
  return { push: (chunk) => push(machine, chunk), end: () => end(machine) }
}

export function sanitise(text: string): string {
  if (isPlain(text)) return text
  const sanitiser = createSanitiser()
  return sanitiser.push(text) + sanitiser.end()
}

function isPlain(text: string): boolean {
  return !ANY_SUSPECT.test(text)
}

function push(machine: Machine, chunk: string): string {
  let text = machine.held + chunk
  machine.held = ''
  if (isHighSurrogate(text.charCodeAt(text.length - 1))) {
    machine.held = text.slice(-1)
    text = text.slice(0, -1)
  }
  if (machine.state === 'text' && !machine.afterReturn) {
    // Without anything else in the text, no colour stands inside another sequence.
    const uncoloured = text.includes('\x1b[') ? text.replace(COLOUR, '') : text
    if (isPlain(uncoloured)) return uncoloured
  }
  const parts: string[] = []
  for (let index = 0; index < text.length; ) index = take(machine, text, index, parts)
  return parts.join('')
}

function end(machine: Machine): string {
  const rest = machine.state === 'text' && machine.held.charCodeAt(0) !== PLANE_14 ? machine.held : ''
  Object.assign(machine, { state: 'text', afterReturn: false, held: '' })
  return rest
}

/** Reads on from `from`, may change the state, and returns where to go on. So does each function below. */
function take(machine: Machine, text: string, from: number, parts: string[]): number {
  switch (machine.state) {
    case 'text':
      return takeText(machine, text, from, parts)
    case 'escape':
      return takeEscape(machine, text, from)
    case 'designation':
      return takeUntilFinal(machine, text, from, 0x30)
    case 'csi':
      return takeUntilFinal(machine, text, from, 0x40)
    case 'string':
      return takeString(machine, text, from)
  }
}

function takeText(machine: Machine, text: string, from: number, parts: string[]): number {
  const start = machine.afterReturn && text.charCodeAt(from) === LINE_FEED ? from + 1 : from
  machine.afterReturn = false
  SUSPECT.lastIndex = start
  const index = SUSPECT.exec(text)?.index ?? text.length
  if (index > start) parts.push(text.slice(start, index))
  return index < text.length ? takeSuspect(machine, text, index, parts) : index
}

function takeSuspect(machine: Machine, text: string, index: number, parts: string[]): number {
  const code = text.charCodeAt(index)
  if (code === RETURN || code === 0x2028 || code === 0x2029) parts.push('\n')
  if (code === RETURN) machine.afterReturn = true
  else if (code === ESC) machine.state = 'escape'
  else if (code >= 0x80 && code <= 0x9f) open(machine, code - 0x40)
  else if (code === PLANE_14 && isLowSurrogate(text.charCodeAt(index + 1))) return index + 2
  return index + 1
}

function takeEscape(machine: Machine, text: string, from: number): number {
  const code = text.charCodeAt(from)
  machine.state = 'text'
  if (code >= 0x20 && code <= 0x2f) {
    machine.state = 'designation'
    machine.left = LONGEST_SEQUENCE
    return from + 1
  }
  if (code >= 0x40 && code <= 0x5f) open(machine, code)
  return DEFINED_ESCAPE.test(text.charAt(from)) ? from + 1 : from
}

/** Opens the sequence whose introducer has this code in its two-character form: `ESC [` is 0x5b, and so is U+009B. */
function open(machine: Machine, code: number): void {
  const isString = code === 0x50 || code === 0x58 || (code >= 0x5d && code <= 0x5f)
  if (code === 0x5b) machine.state = 'csi'
  else if (isString) machine.state = 'string'
  machine.left = LONGEST_SEQUENCE
}

function takeUntilFinal(machine: Machine, text: string, from: number, lowestFinal: number): number {
  let index = from
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const isFinal = code >= lowestFinal && code <= 0x7e
    const isBody = code >= 0x20 && code < lowestFinal
    if (machine.left-- > 0 && isBody) continue
    machine.state = 'text'
    return isFinal && machine.left >= 0 ? index + 1 : index
  }
  return index
}

function takeString(machine: Machine, text: string, from: number): number {
  STRING_END.lastIndex = from
  const found = STRING_END.exec(text)?.index ?? text.length
  const stop = Math.min(found, from + machine.left)
  machine.left -= stop - from
  if (stop === text.length && machine.left > 0) return stop
  machine.state = 'text'
  if (stop < found || stop === text.length) return stop
  const code = text.charCodeAt(stop)
  // A line break is shown and ESC begins the next sequence; BEL, CAN, SUB and ST go with the string.
  return code === LINE_FEED || code === RETURN || code === ESC ? stop : stop + 1
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
