// Shows an argument list as one line that a shell would read back the same.

export function quoteCommand(argv: readonly string[]): string {
  return argv.map(quoteWord).join(' ')
}

export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
