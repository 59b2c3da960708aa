// `reply`: hands in a person's answer to the prompt that waits.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { post } from '../../adapters/inbox/files.js'
import type { Effect } from '../../core/index.js'
import { EXIT, Refusal } from '../../errors.js'
import { awaitedPath, promptPath } from '../../shell/ask.js'
import { isPerson, readEntry, stateOf, type Entry } from '../catalogue.js'
import { openSessions } from '../context.js'
import { findSession } from '../find-session.js'
import type { Call } from '../program.js'
import { ownExisting } from '../wire.js'

export default async function reply({ args, flags }: Call<{ file?: string; prompt?: boolean }>): Promise<number> {
  if (flags.prompt && flags.file !== undefined) throw new Refusal(EXIT.usage, '--prompt hands in nothing, so that --file has no meaning beside it', 'greenlatch reply --help')
  const context = await openSessions(flags)
  const entry = await readEntry(context.store, await findSession(context, args[0]))
  const effect = askOfPerson(entry)
  if (flags.prompt) return showPrompt(context, entry, effect)
  if (entry.standing === 'answered') throw answeredAlready(entry, effect)
  const text = flags.file === undefined ? await standardInput() : fileText(resolve(context.cwd, flags.file))
  if (text.trim() === '') {
    throw new Refusal(EXIT.usage, 'an empty answer is no answer; nothing was handed in', `greenlatch reply ${entry.id} --file <file>`)
  }
  if (entry.standing === 'waiting') await answer(entry, effect, text)
  else post(entry.folder, { kind: 'reply', effect: effect.id, text })
  if (context.output.format === 'text') context.output.say(`answer to ${effect.id} handed in\n  go on:  greenlatch resume ${entry.id}`)
  else context.output.json({ session: entry.id, effect: effect.id })
  return 0
}

/** As it lies in its file: nothing is added that would be copied along. */
function showPrompt({ output }: Awaited<ReturnType<typeof openSessions>>, { id, folder }: Entry, effect: Effect): number {
  const path = join(folder, promptPath(effect))
  if (!existsSync(path)) throw new Refusal(EXIT.state, `the prompt of ${effect.id} is not in its place: ${path}`, `greenlatch resume ${id}`)
  const prompt = readFileSync(path, 'utf8')
  if (output.format === 'text') output.data(prompt)
  else output.json({ session: id, effect: effect.id, prompt, path })
  return 0
}

function askOfPerson({ id, session, standing }: Entry): Effect {
  const effect = session.outstanding
  const asked = effect?.kind === 'ask' && isPerson(session, effect.answers)
  if (effect && asked && (standing === 'waiting' || standing === 'answered' || standing === 'running')) return effect
  throw new Refusal(EXIT.usage, `session ${id} is ${stateOf(session, standing)} and waits for nobody`, `greenlatch status ${id}`)
}

function answeredAlready({ id }: Entry, effect: Effect): Refusal {
  return new Refusal(EXIT.usage, `session ${id} has an answer to ${effect.id} already; it was not replaced`, `greenlatch resume ${id}`)
}

/** Nobody runs the session: the answer goes straight to where it is awaited, under the lock. */
async function answer(entry: Entry, effect: Effect, text: string): Promise<void> {
  const owned = await ownExisting(entry.folder, { notice: () => {} })
  try {
    const open = owned.session.outstanding?.id === effect.id && !owned.ports.folder.read(awaitedPath(effect))?.trim()
    if (!open) throw answeredAlready(entry, effect)
    owned.ports.folder.write(awaitedPath(effect), text)
  } finally {
    await owned.close()
  }
}

function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new Refusal(EXIT.usage, `${path} cannot be read`, 'greenlatch reply --file <file>')
  }
}

/** As a stream: a pipe that is not ready yet would be an error to whoever reads it in one go. */
async function standardInput(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Type or paste the answer; end it with Ctrl+D on a line of its own.\n')
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
