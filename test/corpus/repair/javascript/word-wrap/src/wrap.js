// Lays out plain text in columns: wrapping, aligning and shortening.

const PARAGRAPH = /\n\s*\n/

/** Words longer than the width stand alone on their line, or are cut when `cut` is set. */
export function wrap(text, width, { indent = '', cut = false } = {}) {
  if (width <= indent.length) throw new RangeError('the width leaves no room')
  const room = width - indent.length
  const paragraphs = text.split(PARAGRAPH).map((paragraph) => {
    const words = paragraph.split(/\s+/).filter((word) => word !== '')
    const lines = fill(cut ? words.flatMap((word) => pieces(word, room)) : words, room)
    return lines.map((line) => indent + line).join('\n')
  })
  return paragraphs.join('\n\n')
}

function fill(words, room) {
  const lines = []
  let line = ''
  for (const word of words) {
    if (line === '') {
      line = word
    } else if (line.length + 1 + word.length <= room) {
      line += ' ' + word
    } else {
      lines.push(line)
      line = word
    }
  }
  if (line !== '') lines.push(line)
  return lines
}

function pieces(word, room) {
  const parts = []
  for (let at = 0; at < word.length; at += room) {
    parts.push(word.slice(at, at + room))
  }
  return parts
}

export function align(line, width, side = 'left') {
  const missing = width - line.length
  if (missing <= 0) return line
  switch (side) {
    case 'right':
      return ' '.repeat(missing) + line
    case 'centre': {
      const before = Math.floor(missing / 2)
      return ' '.repeat(before) + line + ' '.repeat(missing - before)
    }
    default:
      return line + ' '.repeat(missing)
  }
}

/** Cuts at the last space that fits, never within a word unless the first is too long. */
export function shorten(text, width, mark = '…') {
  if (text.length <= width) return text
  const room = width - mark.length
  const space = text.lastIndexOf(' ', room)
  const end = space > 0 ? space : room
  return text.slice(0, end) + mark
}

export function columns(rows, gap = 2) {
  const widths = []
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length)
    })
  }
  return rows.map((row) => row.map((cell, at) => align(cell, widths[at])).join(' '.repeat(gap)).trimEnd())
}
