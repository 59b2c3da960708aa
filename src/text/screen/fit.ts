// Lines that fit a terminal: pieces of text with a tone, how wide they are there, and what of them fits.

/** What a piece of text says by its colour, where there is colour. */
export type Tone = 'good' | 'bad' | 'careful' | 'faint' | 'strong'

export type Span = { text: string; tone?: Tone }

export type ScreenLine = readonly Span[]

/** What takes two columns: East Asian wide forms, and pictures that are shown as such. */
const WIDE = /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1F64F}\u{1F900}-\u{1FAFF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u
/** What takes none: marks that stand above or below the character before. */
const NONE = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11FF]/u
const ASCII = /^[\u0020-\u007E]*$/

export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

function columnsOf(character: string): number {
  if (ASCII.test(character)) return 1
  if (NONE.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

/** Cut to so many columns, with a sign that it was. */
export function fit(text: string, columns: number, more = '…'): string {
  return widthOf(text) <= columns ? text : cut(text, columns, more)
}

function cut(text: string, columns: number, more: string): string {
  let [kept, width] = ['', widthOf(more)]
  for (const character of text) {
    width += columnsOf(character)
    if (width > columns) break
    kept += character
  }
  return columns <= 0 ? '' : kept + more
}

/** The same for a line of pieces: the one that does not fit is cut, and those after it are left out. */
export function fitLine(line: ScreenLine, columns: number, more = '…'): Span[] {
  if (widthOf(textOf(line)) <= columns) return [...line]
  const fitting: Span[] = []
  let room = columns
  for (const span of line) {
    const width = widthOf(span.text)
    if (width > room - widthOf(more)) return [...fitting, { ...span, text: cut(span.text, room, more) }]
    fitting.push(span)
    room -= width
  }
  return fitting
}

/** One text at the left and one at the right; where both do not fit, the right one gives way last. */
export function spread(left: ScreenLine, right: string, columns: number, more?: string): Span[] {
  const room = columns - widthOf(right) - 1
  if (room < 1) return fitLine(left, columns, more)
  const start = fitLine(left, room, more)
  return [...start, { text: `${' '.repeat(columns - widthOf(textOf(start)) - widthOf(right))}${right}` }]
}

export function textOf(line: ScreenLine): string {
  return line.map(({ text }) => text).join('')
}
