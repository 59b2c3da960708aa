// Takes secrets out of text and out of streams of bytes, whatever has printed them: values that are known, and what has the shape of one.
import { finderOf, type Finder } from './find-many.js'
import { shapesIn, unfinished, type Span } from './secret-shapes.js'

/** In place of a secret. */
const CONCEALED = '***'

/** Shorter values are found by chance in every text. */
const LEAST_CHARS = 6

/** Values as they may be printed: as they are, as JSON writes them, and in an address. Longest first, so that none is hidden by a part of it. */
function printed(values: readonly (string | undefined)[]): string[] {
  const known = values.flatMap((value) => (value !== undefined && value.trim().length >= LEAST_CHARS ? [value.trim()] : []))
  const forms = known.flatMap((value) => {
    const json = JSON.stringify(value).slice(1, -1)
    return [value, json, json.replaceAll('/', '\\/'), ...inAddress(value)]
  })
  return [...new Set(forms)].toSorted((a, b) => b.length - a.length)
}

/** Half of a surrogate pair has no such form. */
function inAddress(value: string): string[] {
  try {
    return [encodeURIComponent(value)]
  } catch {
    return []
  }
}

export type Redact = (text: string) => string

/** `shapes: none` leaves alone what is not among the values. */
export function redactor(values: readonly (string | undefined)[], shapes: 'hidden' | 'none' = 'hidden'): Redact {
  const secrets = printed(values)
  const find = finderOf(secrets.map((secret) => Buffer.from(secret)))
  return (text) => {
    if (text.length < LEAST_CHARS) return text
    const bytes = Buffer.from(text)
    const spans = spansIn(bytes, find, shapes)
    return withoutCut(spans.length === 0 ? text : hidden(bytes, spans).toString(), secrets)
  }
}

/** A text that was shortened may end in the middle of a secret. */
function withoutCut(text: string, secrets: readonly string[]): string {
  const [, body = text, mark = ''] = /^([^]*?)(…?)$/.exec(text.slice(-longestOf(secrets) - 1)) ?? []
  const cut = secrets.find((secret) => heldIn(body, secret) >= LEAST_CHARS)
  return cut === undefined ? text : `${text.slice(0, text.length - mark.length - heldIn(body, cut))}${CONCEALED}${mark}`
}

function longestOf(secrets: readonly string[]): number {
  return secrets[0]?.length ?? 0
}

/** How many characters at the end of the text begin the secret. */
function heldIn(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--) if (text.endsWith(secret.slice(0, length))) return length
  return 0
}

// ───────────────────────────── bytes ─────────────────────────────

const NOTHING = Buffer.alloc(0)
const HIDDEN = Buffer.from(CONCEALED)
const PATIENT_BYTES = 512

/** From the first to the last, none within another. */
function spansIn(bytes: Buffer, find: Finder, shapes: 'hidden' | 'none'): Span[] {
  const spans = [...find(bytes), ...(shapes === 'hidden' ? shapesIn(bytes) : [])]
  if (spans.length < 2) return spans
  const merged: Span[] = []
  for (const span of spans.toSorted((a, b) => a.at - b.at || b.end - a.end)) {
    const last = merged.at(-1)
    if (last && span.at < last.end) last.end = Math.max(last.end, span.end)
    else merged.push({ ...span })
  }
  return merged
}

function hidden(bytes: Buffer, spans: readonly Span[]): Buffer {
  if (spans.length === 0) return bytes
  const pieces: Buffer[] = []
  let from = 0
  for (const { at, end } of spans) {
    pieces.push(bytes.subarray(from, at), HIDDEN)
    from = end
  }
  return Buffer.concat([...pieces, bytes.subarray(from)])
}

/** A stream without secrets: `push` holds back what may be the beginning of one, `end` hands out what was none. */
export type RedactedStream = { push(chunk: Buffer): Buffer; end(): Buffer }

export function redactedStream(values: readonly (string | undefined)[]): RedactedStream {
  const secrets = printed(values).map((secret) => Buffer.from(secret))
  const find = finderOf(secrets)
  let held: Buffer = NOTHING
  let waiting: Buffer[] = []
  let waitingBytes = 0
  const gathered = (): Buffer => {
    const all = held.length + waitingBytes === (waiting[0]?.length ?? 0) ? (waiting[0] ?? NOTHING) : Buffer.concat([held, ...waiting])
    waiting = []
    waitingBytes = 0
    return all
  }
  return {
    push(chunk) {
      waiting.push(chunk)
      waitingBytes += chunk.length
      // What is held back is looked through again with every piece: many tiny ones are taken together.
      if (held.length >= PATIENT_BYTES && waitingBytes < held.length) return NOTHING
      const { clean, rest } = split(gathered(), secrets, find)
      held = rest
      return clean
    },
    end() {
      const last = gathered()
      const rest = hidden(last, spansIn(last, find, 'hidden'))
      // The beginning of a secret that was cut off is most of it.
      const cut = heldBack(rest, secrets)
      held = NOTHING
      return cut >= LEAST_CHARS ? Buffer.concat([rest.subarray(0, rest.length - cut), HIDDEN]) : rest
    },
  }
}

/** What is clean, and the rest, which may go on as a secret: what is one already may there be the beginning of a longer one. */
function split(bytes: Buffer, secrets: readonly Buffer[], find: Finder): { clean: Buffer; rest: Buffer } {
  const end = bytes.length - Math.max(heldBack(bytes, secrets), unfinished(bytes))
  const spans = spansIn(bytes, find, 'hidden').filter(({ at }) => at < end)
  const until = Math.max(end, spans.at(-1)?.end ?? 0)
  return { clean: hidden(bytes.subarray(0, until), spans), rest: Buffer.from(bytes.subarray(until)) }
}

/** The longest end of it that begins a secret. */
function heldBack(bytes: Buffer, secrets: readonly Buffer[]): number {
  const longest = Math.min(bytes.length, (secrets[0]?.length ?? 1) - 1)
  for (let length = longest; length > 0; length--) {
    const first = bytes[bytes.length - length]
    if (secrets.some((secret) => secret.length > length && secret[0] === first && bytes.compare(secret, 0, length, bytes.length - length) === 0)) return length
  }
  return 0
}

// ───────────────────────────── what is secret ─────────────────────────────

const SOUNDS_SECRET = /key|token|secret|passw|credential|auth/i

/** Of a variable, by its name. */
export function soundsSecret(name: string): boolean {
  return SOUNDS_SECRET.test(name)
}

/** A word, a figure, a path, an option or an address: common to texts of every kind, so that an answer would be spoilt by its loss, and no secret even under the name of one. */
const ORDINARY = /^(?:[a-z]+|[\d.,]+|[~.]{0,2}\/.*|-.*|https?:\/\/[^@]*)$/i

type Variables = Readonly<Record<string, string | undefined>>

/** The values of variables that an agent is given, but for those that are no secret by their name and by their looks. */
export function secretsIn(variables: Variables): string[] {
  return Object.entries(variables).flatMap(([name, value]) => (value !== undefined && (SOUNDS_SECRET.test(name) || !ORDINARY.test(value)) ? [value] : []))
}

const CALLED_SECRET = /(?:key|token|secret|passw(?:or)?d|pass|pat|credentials?|auth)$/i
const PASSWORD_IN_ADDRESS = /:\/\/[^\s/?#@:]*:([^\s/?#@]+)@/

/** The values in our own environment that nobody else is to know: of variables that are called a secret, and passwords in addresses. */
export function secretsAround(environment: Variables): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    const password = PASSWORD_IN_ADDRESS.exec(value)?.[1]
    const isSecret = (CALLED_SECRET.test(name) || (SOUNDS_SECRET.test(name) && value.length >= 16)) && !ORDINARY.test(value)
    return [...(isSecret ? [value] : []), ...(password === undefined ? [] : [password])]
  })
}
