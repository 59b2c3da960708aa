// Splits a command line into words by the quoting rules of a shell, without doing anything else that a shell would do.

export type Words = { kind: 'words'; words: string[] } | { kind: 'unclosed'; mark: string }

/** One quoted part, one escaped character, or a run of plain ones. What fits none of them is an unclosed quote. */
const PIECE = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\]+)/y

/** Variables, wildcards, pipes and redirections are plain text. */
export function commandWords(text: string): Words {
  const words: string[] = []
  let word: string | null = null
  for (let index = 0; index < text.length; ) {
    // A backslash at the end of a line joins it with the next.
    if (text.startsWith('\\\n', index)) {
      index += 2
      continue
    }
    PIECE.lastIndex = index
    const match = PIECE.exec(text)
    if (match) {
      word = (word ?? '') + pieceText(match)
      index = PIECE.lastIndex
    } else if (/\s/.test(text.charAt(index))) {
      if (word !== null) words.push(word)
      word = null
      index++
    } else return { kind: 'unclosed', mark: text.charAt(index) }
  }
  if (word !== null) words.push(word)
  return { kind: 'words', words }
}

function pieceText([, single, double, escaped, plain]: RegExpExecArray): string {
  // Between double quotes a backslash stands for itself, unless what follows would have a meaning there.
  if (double !== undefined) return double.replaceAll(/\\(["\\$`\n])/g, (_, mark: string) => (mark === '\n' ? '' : mark))
  return single ?? escaped ?? plain ?? ''
}
