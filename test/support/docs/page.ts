// What pages of the reference are put together from.
const MADE = 'Made from the code by `npm run docs`; do not edit.'

export function page(title: string, more: string, ...parts: string[]): string {
  return `# ${title}\n\n${MADE} ${more}\n\n${parts.join('\n\n')}\n`
}

export const code = (text: string): string => `\`${text}\``

/** Refuses rows that leave something unsaid: whoever looks up a name wants to know more than that it is there. `of` is what the table is about. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[], of = 'the reference'): string {
  const empty = rows.filter((cells) => cells.length < heads.length || cells.some((cell) => cell.trim() === '' || cell === '``'))
  if (empty.length > 0) {
    const names = empty.map(([name = '']) => name).join(', ')
    throw new Error(`${of} says nothing of ${names}: it is taken from where each is declared, and for the engine from test/support/docs/core-words.ts`)
  }
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')).join(' | ')} |`
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n')
}
