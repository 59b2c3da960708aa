// A question to the person at the terminal.
import { createInterface } from 'node:readline/promises'

/** Null when the terminal goes away, or the question is left by Ctrl+C or Ctrl+D, before there is an answer. */
export async function ask(question: string): Promise<string | null> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await new Promise<string | null>((resolve) => {
      // A stream that ends leaves the question open for good.
      terminal.once('close', () => resolve(null))
      terminal.once('SIGINT', () => resolve(null))
      terminal.question(question).then((answer) => resolve(answer.trim()), () => resolve(null))
    })
  } finally {
    terminal.close()
  }
}
