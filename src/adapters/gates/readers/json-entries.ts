// Reads one JSON document as it comes: of the lists that are wanted one entry after the other, so that none is ever held whole.
export type JsonObject = { readonly [key: string]: unknown }

export type Wanted = {
  /** Lists of the top level whose entries are handed on. In the document they are empty. */
  lists: readonly string[]
  /** What else of the top level is needed. All the rest is passed over. */
  values: readonly string[]
  /** The document is what has come of it so far. */
  take(list: string, entry: unknown, document: JsonObject): void
}

/** `end` gives null for what is no document, is cut off, or is followed by something else. */
export type JsonEntries = { push(text: string): void; end(): JsonObject | null }

type Machine = Wanted & {
  /** `start`: nothing but white space has come. `before`: something else. */
  state: 'start' | 'before' | 'inside' | 'after' | 'broken'
  document: Record<string, unknown>
  depth: number
  /** The list whose entries are coming. */
  list: string | null
  /** Where a member of the top level or an entry of the list began, in this piece; -1 when what comes is passed over. */
  from: number
  /** What of it came in pieces before. */
  held: string
  inString: boolean
  /** Whether the last piece ended with a backslash that belongs to what comes. */
  isEscaped: boolean
}

const FIRST = /^\uFEFF?\s*\{/
const LATER = /^\{(?:"|\s*\n)/m
const LONGEST_OPENING_CHARS = 200
const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

export function createJsonEntries(wanted: Wanted): JsonEntries {
  const machine: Machine = {
    ...wanted, state: 'start', document: {}, depth: 0, list: null, from: -1, held: '', inString: false, isEscaped: false,
  }
  return {
    push: (text) => push(machine, text),
    end: () => (machine.state === 'after' ? machine.document : null),
  }
}

function push(machine: Machine, piece: string): void {
  if (machine.state === 'start' || machine.state === 'before') return open(machine, machine.held + piece)
  if (machine.from >= 0) machine.from = 0
  const at = takeSigns(machine, piece, machine.inString ? takeString(machine, piece, 0) : 0)
  if (machine.state === 'inside' && machine.from >= 0) machine.held += piece.slice(machine.from)
  if (machine.state === 'after' && piece.slice(at).trim() !== '') machine.state = 'broken'
}

/** When something else was printed before the document, it begins with the first line that opens one. */
function open(machine: Machine, text: string): void {
  const start = machine.state === 'start' && FIRST.test(text) ? 0 : text.search(LATER)
  if (start < 0) {
    if (text.trim() !== '') machine.state = 'before'
    machine.held = text.slice(text.lastIndexOf('\n') + 1).slice(0, LONGEST_OPENING_CHARS)
    return
  }
  machine.state = 'inside'
  machine.depth = 1
  begin(machine, 0)
  push(machine, text.slice(text.indexOf('{', start) + 1))
}

function takeString(machine: Machine, text: string, from: number): number {
  let at = from + (machine.isEscaped ? 1 : 0)
  machine.isEscaped = false
  for (;;) {
    const end = text.indexOf('"', at)
    const isOpen = (backslashesBefore(text, end < 0 ? text.length : end, at) & 1) === 0
    if (end < 0) {
      machine.isEscaped = !isOpen
      return text.length
    }
    at = end + 1
    if (!isOpen) continue
    machine.inString = false
    return at
  }
}

function backslashesBefore(text: string, end: number, from: number): number {
  let at = end
  while (at > from && text.charCodeAt(at - 1) === BACKSLASH) at -= 1
  return end - at
}

/** Reads on over whatever ends within this piece, and returns where to go on. */
function takeSigns(machine: Machine, text: string, from: number): number {
  let at = from
  while (at < text.length && machine.state === 'inside') {
    const code = text.charCodeAt(at)
    at += 1
    if (code === QUOTE) {
      machine.inString = true
      at = takeString(machine, text, at)
    } else if (code === COMMA) {
      if (machine.depth === levelOf(machine)) next(machine, text, at - 1)
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) enter(machine, text, at - 1)
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) leave(machine, text, at - 1)
  }
  return at
}

/** How deep the commas lie that divide what is handed on. */
function levelOf({ list }: Machine): number {
  return list === null ? 1 : 2
}

function enter(machine: Machine, text: string, at: number): void {
  machine.depth += 1
  if (machine.depth !== 2 || machine.list !== null || machine.from < 0) return
  const key = keyIn(machine.held + text.slice(machine.from, at))
  if (text.charCodeAt(at) === OPEN_LIST && machine.lists.includes(key)) {
    machine.list = key
    machine.document[key] = []
    begin(machine, at + 1)
  } else if (!machine.values.includes(key)) pass(machine)
}

function leave(machine: Machine, text: string, at: number): void {
  if (machine.depth === levelOf(machine)) {
    end(machine, text, at)
    if (machine.list !== null) pass(machine)
    machine.list = null
  }
  machine.depth -= 1
  if (machine.depth === 0 && machine.state === 'inside') machine.state = 'after'
}

function next(machine: Machine, text: string, at: number): void {
  end(machine, text, at)
  begin(machine, at + 1)
}

function begin(machine: Machine, at: number): void {
  machine.from = at
  machine.held = ''
}

function pass(machine: Machine): void {
  machine.from = -1
  machine.held = ''
}

/** A member or an entry is whole. */
function end(machine: Machine, text: string, at: number): void {
  if (machine.from < 0) return
  const whole = machine.held + text.slice(machine.from, at)
  machine.held = ''
  if (whole.trim() === '') return
  const { list, document } = machine
  const value = parsed(list === null ? `{${whole}}` : whole)
  if (value === undefined) machine.state = 'broken'
  else if (list !== null) machine.take(list, value, document)
  else for (const [key, member] of Object.entries(value as object)) if (machine.values.includes(key)) document[key] = member
}

function keyIn(text: string): string {
  const key = parsed(text.slice(0, text.lastIndexOf(':')))
  return typeof key === 'string' ? key : ''
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
