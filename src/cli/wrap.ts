// Breaks lines between words where a terminal would break them inside one. Commands stay whole, so that they can be copied.

const NARROWEST_COLUMNS = 20
const COMMAND = /^\s*(?:[\w' ]+:)?\s+(?:\$ )?(?:greenlatch|git|cp|rm|ls) /

/** `columns` is undefined where no terminal is. What follows a break stands below the text of its line. */
export function wrapped(text: string, columns: number | undefined): string {
  if (columns === undefined || columns < NARROWEST_COLUMNS) return text
  return text.split('\n').flatMap((line) => wrapLine(line, columns)).join('\n')
}

function wrapLine(line: string, columns: number): string[] {
  if (line.length <= columns || COMMAND.test(line)) return [line]
  const indent = ' '.repeat(Math.min(/^\s*/.exec(line)?.[0].length ?? 0, columns / 2) + 2)
  const lines: string[] = []
  let current = ''
  for (const chunk of line.match(/\s*\S+/g) ?? []) {
    const fits = current.trim() === '' || current.length + chunk.length <= columns
    if (!fits) lines.push(current)
    current = fits ? current + chunk : indent + chunk.trimStart()
  }
  return [...lines, current]
}
