// `reply`: hands in a person's answer to the prompt that waits.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { post } from '../../adapters/inbox/files.js'
import { EXIT, Refusal } from '../../errors.js'
import { answerFromInbox } from '../../shell/turn.js'
import { findSession, readEntry } from '../catalogue.js'
import { openContext } from '../context.js'
import type { Call } from '../program.js'
import { ownExisting } from '../wire.js'

export default async function reply({ args, flags }: Call<{ file?: string }>): Promise<number> {
  const context = await openContext(flags)
  const entry = await readEntry(context.store, findSession(context.store, args[0]))
  const effect = entry.session.outstanding
  if (!effect || (entry.standing !== 'waiting' && entry.standing !== 'running')) {
    throw new Refusal(EXIT.usage, `session ${entry.id} is ${entry.standing} and waits for nobody`, `greenlatch status ${entry.id}`)
  }
  const text = readAnswer(flags.file, context.cwd)
  if (text.trim() === '') throw new Refusal(EXIT.usage, 'an empty answer is no answer; nothing was handed in', `greenlatch reply ${entry.id} --file <file>`)
  post(entry.folder, { kind: 'reply', effect: effect.id, text })
  if (entry.standing === 'waiting') {
    const owned = await ownExisting(entry.folder, { notice: () => {} })
    const placed = answerFromInbox(owned)
    await owned.close()
    if (placed === 'nothing') throw new Refusal(EXIT.usage, `session ${entry.id} has an answer to ${effect.id} already; it was not replaced`, `greenlatch resume ${entry.id}`)
  }
  if (context.output.format === 'text') context.output.say(`answer to ${effect.id} handed in\n  go on:  greenlatch resume ${entry.id}`)
  else context.output.json({ session: entry.id, effect: effect.id })
  return 0
}

function readAnswer(file: string | undefined, cwd: string): string {
  try {
    return readFileSync(file === undefined ? 0 : resolve(cwd, file), 'utf8')
  } catch {
    throw new Refusal(EXIT.usage, file === undefined ? 'there is nothing on standard input' : `${resolve(cwd, file)} cannot be read`, 'greenlatch reply --file <file>')
  }
}
