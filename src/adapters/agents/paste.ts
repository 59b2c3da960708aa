// An agent that is a person: the prompt lies in its file to be copied, and the answer is taken from the response file.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { Agent } from '../../ports.js'
import { sanitise } from '../../text/sanitise.js'

export function pasteAgent({ name, inText = false }: { name: string; inText?: boolean }): Agent {
  return {
    name,
    describe: 'a person, who answers by file or with `greenlatch reply`',
    person: true,
    inText,
    priced: true,
    async ready() {
      return null
    },
    async ask(request) {
      const text = answerIn(request.responsePath, request.limits.outputBytes)
      if (text === undefined) return undefined
      return { ending: 'done', note: 'answered by a person', text, files: [request.responsePath], spent: { seconds: 0, tokens: 0, usd: 0 } }
    },
  }
}

/** Undefined while there is no file, or nothing in it; a pipe is no answer either, and waiting for one could take for ever. */
function answerIn(path: string, mostBytes: number): string | undefined {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    const { size } = fstatSync(file)
    if (!fstatSync(file).isFile()) return undefined
    const buffer = Buffer.alloc(Math.min(size, mostBytes))
    const text = sanitise(buffer.toString('utf8', 0, readSync(file, buffer)))
    return text.trim() === '' ? undefined : text
  } catch {
    return undefined
  } finally {
    closeSync(file)
  }
}
