// Reads XML as it comes, in bounded memory: no entity is ever defined, and what grows too long is cut.
/** Names and values in turn: of the few that an element has, the one that is looked for is found soonest by going through them. */
export type Attributes = readonly string[]

export type XmlHandlers = {
  open(name: string, attributes: Attributes): void
  /** Whether what comes now is needed at all. */
  isTextWanted(): boolean
  /** A piece of text; a long one comes in many. */
  text(piece: string): void
  close(name: string): void
}

/** `ended` after the last element is closed; `open` inside one; `empty` before the first; `broken` when tags do not match. */
export type XmlReader = { push(text: string): void; end(): 'ended' | 'open' | 'empty' | 'broken' }

const LONGEST_NAME_CHARS = 256
const LONGEST_VALUE_CHARS = 64 * 1024
const MOST_ATTRIBUTES = 64
const DEEPEST = 1000
const LONGEST_ENTITY_CHARS = 12
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const NONE: Attributes = []
const [SPACE, DOUBLE_QUOTE, EXCLAMATION, SINGLE_QUOTE, SLASH, GREATER, QUESTION] = [0x20, 0x22, 0x21, 0x27, 0x2f, 0x3e, 0x3f]

type Machine = {
  state: 'text' | 'markup' | 'tag' | 'quoted' | 'cdata' | 'comment' | 'instruction' | 'doctype' | 'doctype quoted' | 'broken'
  handlers: XmlHandlers
  path: string[]
  /** What could not be decided yet: the beginning of an entity, of a tag or of an end. */
  rest: string
  /** The name of the tag; empty until it is known whole. */
  element: string
  /** What has come of the tag since its name or its last attribute. */
  tag: string
  value: string
  quote: string
  attributes: string[] | null
  brackets: number
  seen: boolean
}

export function createXmlReader(handlers: XmlHandlers): XmlReader {
  const machine: Machine = {
    state: 'text', handlers, path: [], rest: '', element: '', tag: '', value: '', quote: '', attributes: null, brackets: 0, seen: false,
  }
  return {
    push(text) {
      const all = machine.rest + text
      machine.rest = ''
      for (let at = 0; at >= 0 && at < all.length; ) at = take(machine, all, at)
    },
    end() {
      if (machine.state === 'broken') return 'broken'
      if (machine.state !== 'text' || machine.path.length > 0) return 'open'
      return machine.seen ? 'ended' : 'empty'
    },
  }
}

/** Reads on from `from` and returns where to go on, or -1 when the rest is held for the next piece. So does each function below. */
function take(machine: Machine, text: string, from: number): number {
  switch (machine.state) {
    case 'text':
      return takeText(machine, text, from)
    case 'markup':
      return takeMarkup(machine, text, from)
    case 'tag':
      return takeTag(machine, text, from)
    case 'quoted':
      return takeQuoted(machine, text, from)
    case 'cdata':
      return takeUntil(machine, text, from, ']]>')
    case 'comment':
      return takeUntil(machine, text, from, '-->')
    case 'instruction':
      return takeUntil(machine, text, from, '?>')
    case 'doctype':
    case 'doctype quoted':
      return takeDoctype(machine, text, from)
    case 'broken':
      return -1
  }
}

function takeText(machine: Machine, text: string, from: number): number {
  const tag = text.indexOf('<', from)
  const end = tag < 0 ? text.length : tag
  const open = tag < 0 ? text.lastIndexOf('&') : -1
  const isHeld = open >= from && text.length - open < LONGEST_ENTITY_CHARS && !text.includes(';', open)
  const stop = isHeld ? open : end
  if (stop > from && machine.handlers.isTextWanted()) machine.handlers.text(decoded(text.slice(from, stop)))
  if (tag >= 0) machine.state = 'markup'
  else machine.rest = text.slice(stop)
  return tag < 0 ? -1 : tag + 1
}

const STARTS = [['![CDATA[', 'cdata'], ['!--', 'comment'], ['!', 'doctype'], ['?', 'instruction']] as const

function takeMarkup(machine: Machine, text: string, from: number): number {
  const first = text.charCodeAt(from)
  if (first === EXCLAMATION || first === QUESTION) return takeStart(machine, text, from)
  machine.state = 'tag'
  machine.element = ''
  machine.tag = ''
  machine.attributes = null
  return from
}

function takeStart(machine: Machine, text: string, from: number): number {
  for (const [start, state] of STARTS) {
    if (text.startsWith(start, from)) {
      machine.state = state
      machine.brackets = 0
      return from + start.length
    }
    if (text.length - from < start.length && start.startsWith(text.slice(from))) break
  }
  machine.rest = text.slice(from)
  return -1
}

function takeTag(machine: Machine, text: string, from: number): number {
  const stop = tagStop(text, from)
  if (machine.tag.length < LONGEST_NAME_CHARS) machine.tag += text.slice(from, Math.min(stop, from + LONGEST_NAME_CHARS - machine.tag.length))
  if (stop === text.length) return stop
  if (machine.element === '') takeElement(machine)
  const mark = text.charCodeAt(stop)
  if (mark === GREATER) endTag(machine)
  else {
    machine.state = 'quoted'
    machine.quote = mark === DOUBLE_QUOTE ? '"' : "'"
    machine.value = ''
  }
  return stop + 1
}

function tagStop(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === GREATER || code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return at
  }
  return text.length
}

/** With the slash of a closing tag before it. */
function takeElement(machine: Machine): void {
  const { tag } = machine
  let end = tag.charCodeAt(0) === SLASH ? 1 : 0
  while (end < tag.length && !isNameEnd(tag.charCodeAt(end))) end += 1
  machine.element = tag.slice(0, end)
  machine.tag = tag.slice(end)
}

/** White space of XML, or the slash of an element without content. */
function isNameEnd(code: number): boolean {
  return code === SPACE || code === SLASH || (code <= 0x0d && code >= 0x09)
}

function takeQuoted(machine: Machine, text: string, from: number): number {
  const found = text.indexOf(machine.quote, from)
  const stop = found < 0 ? text.length : found
  const room = LONGEST_VALUE_CHARS - machine.value.length
  if (room > 0) machine.value += text.slice(from, Math.min(stop, from + room))
  if (found < 0) return stop
  const name = machine.tag.slice(0, machine.tag.lastIndexOf('=')).trim()
  machine.attributes ??= []
  if (machine.attributes.length < 2 * MOST_ATTRIBUTES) machine.attributes.push(name, decoded(machine.value))
  machine.tag = ''
  machine.state = 'tag'
  return stop + 1
}

function endTag(machine: Machine): void {
  const { handlers, path, element, tag } = machine
  machine.state = 'text'
  machine.seen = true
  if (element.startsWith('/')) {
    const name = localName(element.slice(1))
    if (path.pop() === name) handlers.close(name)
    else machine.state = 'broken'
    return
  }
  const name = localName(element)
  if (name === '' || path.length >= DEEPEST) {
    machine.state = 'broken'
    return
  }
  handlers.open(name, machine.attributes ?? NONE)
  if (tag.endsWith('/')) handlers.close(name)
  else path.push(name)
}

export function attributeOf(attributes: Attributes, name: string): string | undefined {
  for (let at = 0; at < attributes.length; at += 2) if (attributes[at] === name) return attributes[at + 1]
  return undefined
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** The text of a CDATA section is handed on as it comes; comments and instructions are dropped. */
function takeUntil(machine: Machine, text: string, from: number, end: string): number {
  const found = text.indexOf(end, from)
  const stop = found < 0 ? Math.max(from, text.length - end.length + 1) : found
  if (machine.state === 'cdata' && stop > from && machine.handlers.isTextWanted()) machine.handlers.text(text.slice(from, stop))
  if (found < 0) {
    machine.rest = text.slice(stop)
    return -1
  }
  machine.state = 'text'
  return found + end.length
}

const DOCTYPE_STOP = /["'<>]/g

/** A document type is skipped with all it declares: none of its entities exists for us. */
function takeDoctype(machine: Machine, text: string, from: number): number {
  if (machine.state === 'doctype quoted') {
    const found = text.indexOf(machine.quote, from)
    if (found >= 0) machine.state = 'doctype'
    return found < 0 ? text.length : found + 1
  }
  DOCTYPE_STOP.lastIndex = from
  const stop = DOCTYPE_STOP.exec(text)?.index ?? text.length
  const mark = text.charAt(stop)
  if (mark === '<') machine.brackets += 1
  else if (mark === '>' && machine.brackets > 0) machine.brackets -= 1
  else if (mark === '>') machine.state = 'text'
  else if (mark !== '') {
    machine.state = 'doctype quoted'
    machine.quote = mark
  }
  return stop + 1
}

function decoded(text: string): string {
  return text.includes('&') ? text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{2,4});/gi, entity) : text
}

function entity(whole: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES[name] ?? whole
  const code = name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
}
