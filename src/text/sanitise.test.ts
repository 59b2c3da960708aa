// Proves on a corpus of hostile sequences, whole and split at every position, that nothing which steers a terminal is left.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSanitiser, sanitise } from './sanitise.js'

const ESC = '\u001b'
const BEL = '\u0007'
const ST = `${ESC}\\`

/** What must never come out, written apart from the code under test. */
function hostileCharacters(text: string): string[] {
  return Array.from(text).filter((character) => {
    const code = character.codePointAt(0) ?? 0
    const control = (code < 0x20 && code !== 0x0a && code !== 0x09) || (code >= 0x7f && code <= 0x9f)
    const bidi = code === 0x61c || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
    const invisible = (code >= 0x200b && code <= 0x200f) || code === 0xfeff || code === 0x2028 || code === 0x2029
    return control || bidi || invisible || (code >= 0xe0000 && code <= 0xe03ff)
  })
}

/** Sequences that leave nothing, put between `before ` and `→ after`. */
const VANISHING: Record<string, string> = {
  'colour': `${ESC}[31m`,
  'true colour': `${ESC}[38;2;255;0;0m`,
  'colour with colons': `${ESC}[38:2::1:2:3m`,
  'reset without parameters': `${ESC}[m`,
  'clear screen': `${ESC}[2J`,
  'clear scrollback': `${ESC}[3J`,
  'erase line': `${ESC}[K`,
  'cursor home': `${ESC}[H`,
  'cursor up': `${ESC}[99A`,
  'cursor position': `${ESC}[10;10f`,
  'scroll region': `${ESC}[1;2r`,
  'alternate screen': `${ESC}[?1049h`,
  'hide cursor': `${ESC}[?25l`,
  'bracketed paste on': `${ESC}[?2004h`,
  'mouse reporting': `${ESC}[?1003h`,
  'device status report': `${ESC}[6n`,
  'device attributes': `${ESC}[>0c`,
  'title report': `${ESC}[21t`,
  'window resize': `${ESC}[8;1;1t`,
  'soft reset': `${ESC}[!p`,
  'cursor style with an intermediate': `${ESC}[5 q`,
  'keyboard protocol': `${ESC}[>1u`,
  'repeat': `${ESC}[9999b`,
  'window title ended by BEL': `${ESC}]0;owned${BEL}`,
  'window title ended by ST': `${ESC}]2;owned${ST}`,
  'window title ended by eight-bit ST': `${ESC}]2;owned\u009c`,
  'clipboard': `${ESC}]52;c;cm0gLXJmIC8=${BEL}`,
  'clipboard query': `${ESC}]52;c;?${ST}`,
  'clipboard in tmux passthrough': `${ESC}Ptmux;${ESC}${ESC}]52;c;cm0=${BEL}${ST}`,
  'hyperlink start': `${ESC}]8;;http://evil.example${ST}`,
  'hyperlink end': `${ESC}]8;;${ST}`,
  'palette': `${ESC}]4;1;rgb:00/00/00${BEL}`,
  'background colour': `${ESC}]11;#000000${BEL}`,
  'working directory': `${ESC}]7;file:///etc${BEL}`,
  'notification': `${ESC}]9;hello${BEL}`,
  'inline image': `${ESC}]1337;File=inline=1:AAAA${BEL}`,
  'shell integration': `${ESC}]133;A${BEL}`,
  'OSC cancelled by CAN': `${ESC}]0;x\u0018`,
  'OSC cancelled by SUB': `${ESC}]0;x\u001a`,
  'OSC ended by another escape': `${ESC}]0;x${ESC}[0m`,
  'status string request': `${ESC}P$qm${ST}`,
  'terminfo request': `${ESC}P+q544e${ST}`,
  'sixel': `${ESC}Pq#0;2;0;0;0~~@@${ST}`,
  'user-defined keys': `${ESC}P1;1|17/68${ST}`,
  'start of string': `${ESC}Xsecret${ST}`,
  'privacy message': `${ESC}^secret${ST}`,
  'application command': `${ESC}_Gf=24;AAAA${ST}`,
  'empty OSC': `${ESC}]${BEL}`,
  'full reset': `${ESC}c`,
  'save cursor': `${ESC}7`,
  'restore cursor': `${ESC}8`,
  'keypad mode': `${ESC}=`,
  'index': `${ESC}D`,
  'reverse index': `${ESC}M`,
  'next line': `${ESC}E`,
  'line drawing set': `${ESC}(0`,
  'default set': `${ESC}(B`,
  'alignment test': `${ESC}#8`,
  'UTF-8 off': `${ESC}%@`,
  'seven-bit controls': `${ESC} F`,
  'lone string terminator': ST,
  'eight-bit CSI': '\u009b31m',
  'eight-bit OSC': `\u009d0;owned${BEL}`,
  'eight-bit OSC and ST': '\u009d52;c;AAAA\u009c',
  'eight-bit DCS': '\u0090qAAAA\u009c',
  'eight-bit SOS': '\u0098x\u009c',
  'eight-bit PM': '\u009ex\u009c',
  'eight-bit APC': '\u009fx\u009c',
  'eight-bit next line': '\u0085',
  'eight-bit reverse index': '\u008d',
  'bell': BEL,
  'backspace': '\b\b\b',
  'vertical tab and form feed': '\v\f',
  'NUL': '\0',
  'shift out and in': '\u000e\u000f',
  'enquiry': '\u0005',
  'DEL': '\u007f',
  'lone escape before a character that is no ASCII': ESC,
  'many escapes': ESC.repeat(5),
  'right-to-left override': '\u202e',
  'all embeddings': '\u202a\u202b\u202c\u202d\u202e',
  'all isolates': '\u2066\u2067\u2068\u2069',
  'direction marks': '\u200e\u200f\u061c',
  'zero-width space': '\u200b',
  'zero-width joiners': '\u200c\u200d',
  'word joiner': '\u2060',
  'byte order mark': '\ufeff',
  'soft hyphen': '\u00ad',
  'tag characters': '\u{e0072}\u{e006d}\u{e007f}',
  'variation selectors of plane 14': '\u{e0100}\u{e01ef}',
  'interlinear annotation': '\ufff9\ufffa\ufffb',
}

/** Sequences of which something is kept, with what is kept. */
const PARTLY_KEPT: Record<string, [string, string]> = {
  'carriage return and line feed': ['\r\n', '\n'],
  'lone carriage return': ['all fine\rowned', 'all fine\nowned'],
  'two carriage returns': ['\r\r\n', '\n\n'],
  'line separator': ['\u2028', '\n'],
  'paragraph separator': ['\u2029', '\n'],
  'tab and line feed': ['\t\n\t', '\t\n\t'],
  'OSC never ended, with a line break': [`${ESC}]0;lost\nkept`, '\nkept'],
  'DCS never ended, with a line break': [`${ESC}Plost\r\nkept`, '\nkept'],
  'CSI broken by a letter of no ASCII': [`${ESC}[31é`, 'é'],
  'CSI broken by a line break': [`${ESC}[3\n1m`, '\n1m'],
  'escape before an undefined letter': [`${ESC}hello`, 'hello'],
  'first half of a tag character alone': ['\udb40kept', 'kept'],
  'emoji': ['👍🏽', '👍🏽'],
}

const corpus: [string, string, string][] = [
  ...Object.entries(VANISHING).map(([name, sequence]): [string, string, string] => [name, sequence, '']),
  ...Object.entries(PARTLY_KEPT).map(([name, [sequence, kept]]): [string, string, string] => [name, sequence, kept]),
]

function inPieces(...pieces: string[]): string {
  const sanitiser = createSanitiser()
  return pieces.map((piece) => sanitiser.push(piece)).join('') + sanitiser.end()
}

describe('sanitise', () => {
  it('has a corpus of at least sixty sequences.', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(60)
  })

  it.each(corpus)('takes out "%s" and keeps the text around it, whole and split at every position.', (_name, sequence, kept) => {
    const hostile = `before ${sequence}→ after`
    const clean = `before ${kept}→ after`
    expect(sanitise(hostile)).toBe(clean)
    expect(hostileCharacters(sanitise(hostile))).toEqual([])
    for (let at = 0; at <= hostile.length; at++) expect(inPieces(hostile.slice(0, at), hostile.slice(at)), `split at ${at}`).toBe(clean)
    expect(inPieces(...hostile.split(''))).toBe(clean)
  })

  it('takes out of all characters those alone that steer or cannot be seen.', () => {
    const gone = [[0x00, 0x08], [0x0b, 0x1f], [0x7f, 0x9f], [0xad, 0xad], [0x61c, 0x61c], [0x180e, 0x180e], [0x200b, 0x200f], [0x2028, 0x202e], [0x2060, 0x206f], [0xfeff, 0xfeff], [0xfff9, 0xfffb], [0xdb40, 0xdb40]]
    const isGone = (code: number): boolean => gone.some(([first = 0, last = 0]) => code >= first && code <= last)
    const isLeft = (code: number): boolean => sanitise(`${String.fromCharCode(code)}\n`).charCodeAt(0) === code
    const wrong = Array.from({ length: 0x10000 }, (_, code) => code).filter((code) => isLeft(code) === isGone(code))
    expect(wrong).toEqual([])
  })

  it('returns plain text as it is, whatever its script.', () => {
    const plain = 'Ünï cödé – 日本語 العربية 👩 tab\tand\nline breaks\n'
    expect(sanitise(plain)).toBe(plain)
    expect(inPieces(plain)).toBe(plain)
  })

  it('gives the same for any text however it is cut, and lets nothing hostile through.', () => {
    const controls = [ESC, BEL, '\r', '\n', '\u009b', '\u009d', '\u009c', '\u202e']
    const letter = fc.constantFrom(...controls, ...'[]P(\\;1mxé', '\udb40', '\udc41', '\ud83d', '\udc4d')
    fc.assert(
      fc.property(fc.array(letter, { maxLength: 40 }), fc.array(fc.nat(40), { maxLength: 4 }), (letters, cuts) => {
        const text = letters.join('')
        const places = [0, ...cuts.toSorted((a, b) => a - b), text.length]
        const whole = sanitise(text)
        expect(inPieces(...places.slice(1).map((end, index) => text.slice(places[index], end)))).toBe(whole)
        expect(hostileCharacters(whole)).toEqual([])
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    ['OSC', `${ESC}]0;`],
    ['DCS', `${ESC}P`],
    ['eight-bit APC', '\u009f'],
    ['CSI', `${ESC}[`],
  ])('shows text again after an %s that is never ended, within a bounded length.', (_name, opening) => {
    const filler = '1'.repeat(1000)
    const sanitiser = createSanitiser()
    let shown = sanitiser.push(opening)
    for (let i = 0; i < 20; i++) shown += sanitiser.push(filler)
    shown += sanitiser.push('the end') + sanitiser.end()
    expect(shown.endsWith('the end')).toBe(true)
    expect(shown.length).toBeGreaterThan(10_000)
    expect(shown.length).toBeLessThan(20_000)
  })

  it('drops an unfinished sequence at the end, and begins afresh after that.', () => {
    const sanitiser = createSanitiser()
    expect(sanitiser.push(`a${ESC}]0;half`) + sanitiser.end()).toBe('a')
    expect(sanitiser.push('b') + sanitiser.end()).toBe('b')
  })
})
