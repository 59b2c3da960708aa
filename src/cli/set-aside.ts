// Takes a session that cannot be read out of the list: its folder is moved whole, so that nothing is lost and a fresh one can start.
import { existsSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EXIT, Refusal } from '../errors.js'
import { makeFolder, stateRefusal, syncFolder } from '../files/durable.js'
import { quoteWord } from '../text/prompt/quote.js'
import { readEntry } from './catalogue.js'

/** Call with the session's lock held. Returns where it lies now. */
export async function setAside(store: string, id: string): Promise<string> {
  await refuseReadable(store, id)
  const place = join(dirname(store), 'set-aside')
  makeFolder(place)
  let target = join(place, id)
  for (let n = 2; existsSync(target); n++) target = join(place, `${id}-${n}`)
  try {
    renameSync(join(store, id), target)
  } catch (error) {
    throw stateRefusal(error, join(store, id), `mv ${quoteWord(join(store, id))} ${quoteWord(target)}`)
  }
  syncFolder(place)
  syncFolder(store)
  return target
}

async function refuseReadable(store: string, id: string): Promise<void> {
  try {
    await readEntry(store, id)
  } catch (error) {
    if (error instanceof Refusal) return
    throw error
  }
  const text = `session ${id} can be read and is not set aside (greenlatch stop ${id} --cancel ends it for good)`
  throw new Refusal(EXIT.usage, text, `greenlatch status ${id}`)
}
