// Finds what looks like a secret by its shape alone: tokens of well-known services, keys in PEM, passwords in addresses and headers.

/** A part of the bytes, from `at` up to `end`. */
export type Span = { at: number; end: number }

/**
 * Each is known by how it begins, and long enough not to be met by chance. No shape is shorter than `STEP`, which lets the search
 * pass over most bytes.
 */
const TOKEN = new RegExp(
  `(?<![A-Za-z0-9])(?:${[
    'sk-(?=[\\w-]*[A-Za-z0-9]{16})[\\w-]{20,}',
    '[sr]k_(?:live|test)_[A-Za-z0-9]{16,}',
    'gh[pousr]_[A-Za-z0-9]{30,}',
    'github_pat_\\w{40,}',
    'glpat-[\\w-]{20,}',
    'xox[abeprs]-[A-Za-z0-9-]{16,}',
    'xapp-[A-Za-z0-9-]{20,}',
    '(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])',
    'AIza[\\w-]{35}',
    'ya29\\.[\\w-]{20,}',
    'npm_[A-Za-z0-9]{36}',
    'pypi-[\\w-]{50,}',
    'hf_[A-Za-z0-9]{30,}',
    'dop_v1_[a-f0-9]{64}',
    'shp(?:at|ss|ca)_[a-fA-F0-9]{32}',
    'dckr_pat_[\\w-]{20,}',
    'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
    'eyJ[\\w-]{10,}\\.eyJ[\\w-]{10,}(?:\\.[\\w-]+)?',
  ].join('|')})`,
  'g',
)

/** What documents show in place of a token. */
const EXAMPLE = /example|(.)\1{7}|\*{3}/i

/** The first two characters of each. */
const BEGINS = new Uint8Array(65_536)
for (const pair of ['sk', 'rk', 'gh', 'gi', 'gl', 'xo', 'xa', 'AK', 'AS', 'AI', 'ya', 'np', 'py', 'hf', 'do', 'sh', 'dc', 'SG', 'ey']) BEGINS[(pair.charCodeAt(0) << 8) | pair.charCodeAt(1)] = 1

const STEP = 16
const HALF = STEP / 2
/** Letters, digits, `_`, `-` and `.`: what tokens are made of. */
const IN_TOKEN = table(/[\w.-]/)
const IN_WORD = table(/[A-Za-z0-9]/)
/** What may follow `Bearer ` or `Basic `. */
const IN_HEADER = table(/[\w.~+/=-]/)
const IN_PASSWORD = table(/[^\s/?#@"'<>\\]/)
const LONGEST_PASSWORD = 256
/** A key in PEM is hidden up to its last line, and where that does not come, up to here. */
const LONGEST_KEY = 32_768

const LONGEST_LINE = 80
const DASHES = Buffer.from('-----')
const KEY_BEGINS = Buffer.from('PRIVATE KEY-----')
const KEY_ENDS = Buffer.from('-----END ')
const ADDRESS = Buffer.from('://')
const SCHEMES = ['Bearer ', 'bearer ', 'Basic '].map((word) => Buffer.from(word))

function table(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (code < 0x80 && pattern.test(String.fromCharCode(code)) ? 1 : 0))
}

/** In the order in which they stand, as far as they are of one kind. */
export function shapesIn(bytes: Buffer): Span[] {
  const spans: Span[] = []
  addTokens(bytes, spans)
  addPasswords(bytes, spans)
  for (const scheme of SCHEMES) addHeaders(bytes, scheme, spans)
  addKeys(bytes, spans)
  return spans
}

/** A run of sixteen such characters or more has one of them at two places in a row of those that are eight apart, and between them. */
function addTokens(bytes: Buffer, spans: Span[]): void {
  for (let probe = HALF; probe < bytes.length; ) {
    if (IN_TOKEN[bytes[probe] as number] === 0) probe += STEP
    else if (IN_TOKEN[bytes[probe - HALF] as number] === 0 || IN_TOKEN[bytes[probe - HALF / 2] as number] === 0) probe += HALF
    else probe = addTokensAround(bytes, probe, spans)
  }
}

/** Returns where to look next. */
function addTokensAround(bytes: Buffer, probe: number, spans: Span[]): number {
  let from = probe
  while (from > 0 && IN_TOKEN[bytes[from - 1] as number] === 1) from -= 1
  let end = probe + 1
  while (end < bytes.length && IN_TOKEN[bytes[end] as number] === 1) end += 1
  if (end - from >= STEP && mayHold(bytes, from, end)) addMatches(bytes.toString('latin1', from, end), from, spans)
  return end + STEP
}

/** A token begins where a run does or after something that is neither letter nor digit, and with one of a few letters. */
function mayHold(bytes: Buffer, from: number, end: number): boolean {
  let isStart = true
  for (let at = from; at < end; at++) {
    const byte = bytes[at] as number
    if (isStart && BEGINS[(byte << 8) | (bytes[at + 1] as number)] === 1) return true
    isStart = IN_WORD[byte] === 0
  }
  return false
}

function addMatches(run: string, from: number, spans: Span[]): void {
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(run); found !== null; found = TOKEN.exec(run)) {
    const [token] = found
    if (/\d/.test(token) && !EXAMPLE.test(token)) spans.push({ at: from + found.index, end: from + found.index + token.length })
  }
}

/** `scheme://user:password@host`: the password. */
function addPasswords(bytes: Buffer, spans: Span[]): void {
  for (let at = bytes.indexOf(ADDRESS); at >= 0; at = bytes.indexOf(ADDRESS, at + ADDRESS.length)) {
    const from = at + ADDRESS.length
    const end = runEnd(bytes, from, IN_PASSWORD, LONGEST_PASSWORD)
    const colon = bytes.subarray(from, end).indexOf(0x3a)
    if (colon >= 0 && bytes[end] === 0x40 && end - from - colon > 1) spans.push({ at: from + colon + 1, end })
  }
}

function addHeaders(bytes: Buffer, scheme: Buffer, spans: Span[]): void {
  for (let at = bytes.indexOf(scheme); at >= 0; at = bytes.indexOf(scheme, at + scheme.length)) {
    const from = at + scheme.length
    const end = runEnd(bytes, from, IN_HEADER, LONGEST_KEY)
    if (end - from >= STEP && /\d/.test(bytes.toString('latin1', from, end))) spans.push({ at: from, end })
  }
}

function runEnd(bytes: Buffer, from: number, allowed: Uint8Array, most: number): number {
  const last = Math.min(bytes.length, from + most)
  let end = from
  while (end < last && allowed[bytes[end] as number] === 1) end += 1
  return end
}

function addKeys(bytes: Buffer, spans: Span[]): void {
  for (let at = bytes.indexOf(KEY_BEGINS); at >= 0; ) {
    const from = at + KEY_BEGINS.length
    // The last line says the same words as the first.
    const isLastLine = bytes.subarray(Math.max(0, at - 40), at).lastIndexOf(KEY_ENDS) >= 0
    const close = isLastLine ? -1 : bytes.indexOf(KEY_ENDS, from)
    const end = close >= 0 ? close : Math.min(bytes.length, from + LONGEST_KEY)
    if (!isLastLine && end > from) spans.push({ at: from, end })
    at = bytes.indexOf(KEY_BEGINS, isLastLine ? from : Math.max(from, end))
  }
}

/** How many bytes at the end may be the beginning of a shape that goes on. */
export function unfinished(bytes: Buffer): number {
  let from = bytes.length
  const least = Math.max(0, bytes.length - LONGEST_KEY)
  while (from > least && IN_HEADER[bytes[from - 1] as number] === 1) from -= 1
  return bytes.length - Math.min(from, openLine(bytes), openKey(bytes), openAddress(bytes, from))
}

/** Where a line of dashes stands that has not ended: by how it begins the first line of a key is told from the last one. */
function openLine(bytes: Buffer): number {
  const dashes = lastWithin(bytes, DASHES, LONGEST_LINE)
  const isOpen = dashes >= 0 && bytes.indexOf(0x0a, dashes) < 0
  return isOpen ? Math.max(bytes.lastIndexOf(0x0a, dashes) + 1, bytes.length - LONGEST_LINE) : bytes.length
}

/** Where a key in PEM has begun that has not ended yet. */
function openKey(bytes: Buffer): number {
  const begun = lastWithin(bytes, KEY_BEGINS, LONGEST_KEY)
  if (begun < 0 || bytes.indexOf(KEY_ENDS, begun) >= 0) return bytes.length
  return bytes.subarray(Math.max(0, begun - 40), begun).lastIndexOf(KEY_ENDS) >= 0 ? bytes.length : begun
}

/** Where the word stands last, if it begins nearer to the end than that. */
function lastWithin(bytes: Buffer, word: Buffer, distance: number): number {
  const base = Math.max(0, bytes.length - distance + 1)
  // Looking forwards is much the quicker way to see that there is none.
  return bytes.indexOf(word, base) < 0 ? -1 : bytes.lastIndexOf(word)
}

/** Where an address stands, or a scheme, whose last word has not ended. */
function openAddress(bytes: Buffer, from: number): number {
  const line = bytes.lastIndexOf(0x0a) + 1
  const tail = bytes.subarray(Math.max(line, bytes.length - LONGEST_PASSWORD))
  const base = bytes.length - tail.length
  const address = tail.lastIndexOf(ADDRESS)
  const places = [address >= 0 && runEnd(tail, address + ADDRESS.length, IN_PASSWORD, LONGEST_PASSWORD) === tail.length ? base + address : bytes.length]
  if (from > 0 && bytes[from - 1] === 0x3a) places.push(from - 1)
  for (const scheme of SCHEMES) if (bytes.subarray(Math.max(0, from - scheme.length), from).equals(scheme)) places.push(from - scheme.length)
  return Math.min(...places)
}
