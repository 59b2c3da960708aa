// A question to the person at the terminal.
import { createInterface } from 'node:readline/promises'

/** Null when the terminal goes away, or the question is left by Ctrl+C or Ctrl+D, before there is an answer. */
export async function ask(question: string): Promise<string | null> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await new Promise<string | null>((resolve) => {
      const leave = (): void => {
        // The question stands on the line, and what is said next would stand behind it.
        process.stderr.write('\n')
        resolve(null)
      }
      // A stream that ends leaves the question open for good.
      terminal.once('close', leave)
      terminal.once('SIGINT', () => terminal.close())
      terminal.question(question).then((answer) => {
        terminal.off('close', leave)
        resolve(answer.trim())
      }, () => {})
    })
  } finally {
    terminal.close()
  }
}
