// `reply`: hands in a person's answer to the prompt that waits.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { post } from '../../adapters/inbox/files.js'
import type { Effect } from '../../core/index.js'
import { EXIT, Refusal } from '../../errors.js'
import { waitingIn } from '../waits-for.js'
import { refuseAgents } from '../at-rest.js'
import { readEntry, type Entry } from '../catalogue.js'
import { openSessions, type Context } from '../context.js'
import { findSession } from '../find-session.js'
import { answeredAlready, askOfPerson, handIn } from '../hand-in.js'
import type { Call } from '../program.js'
import { promptPath } from '../../shell/ask-files.js'
import { askText } from '../../text/waiting.js'

type ReplyFlags = { file?: string; prompt?: boolean; allow?: boolean; deny?: boolean }

export default async function reply({ args, flags }: Call<ReplyFlags>): Promise<number> {
  refuseTwo(flags)
  const context = await openSessions(flags)
  const entry = await readEntry(context.store, await findSession(context, args[0]))
  if (flags.allow || flags.deny) return permit(context, entry, flags.allow === true)
  const effect = askOfPerson(entry)
  if (flags.prompt) return showPrompt(context, entry, effect)
  if (entry.standing === 'answered') throw answeredAlready(entry, effect)
  const text = flags.file === undefined ? await standardInput() : fileText(resolve(context.cwd, flags.file))
  if (text.trim() === '') {
    throw new Refusal(EXIT.usage, 'an empty answer is no answer; nothing was handed in', `greenlatch reply ${entry.id} --file <file>`)
  }
  await handIn(entry, effect, text)
  if (context.output.format === 'text') context.output.say(`${askText(effect)} is handed in\n  go on:  greenlatch resume ${entry.id}`)
  else context.output.json({ session: entry.id, effect: effect.id, state: entry.standing === 'running' ? 'running' : 'answered' })
  return 0
}

function refuseTwo(flags: ReplyFlags): void {
  const [one, other] = (['file', 'prompt', 'allow', 'deny'] as const).filter((name) => flags[name] !== undefined)
  if (one !== undefined && other !== undefined) throw new Refusal(EXIT.usage, `--${one} and --${other} do not go together`, 'greenlatch reply --help')
}

/** An agent may not answer for the person who was asked about it. */
function permit({ output }: Context, entry: Entry, allow: boolean): number {
  refuseAgents('allow what an agent asks for')
  const waits = waitingIn(entry)
  if (waits?.wish === undefined) throw new Refusal(EXIT.usage, `session ${entry.id} asks for nothing that could be allowed`, `greenlatch status ${entry.id}`)
  post(entry.folder, { kind: 'permit', wish: waits.wish, allow })
  if (output.format === 'text') output.say(`${allow ? 'allowed' : 'denied'}: ${waits.note}`)
  else output.json({ session: entry.id, wish: waits.wish, allow })
  return EXIT.ok
}

/** As it lies in its file: nothing is added that would be copied along. */
function showPrompt({ output }: Context, { id, folder }: Entry, effect: Effect): number {
  const path = join(folder, promptPath(effect))
  if (!existsSync(path)) throw new Refusal(EXIT.state, `the prompt for ${askText(effect)} is not in its place: ${path}`, `greenlatch resume ${id}`)
  const prompt = readFileSync(path, 'utf8')
  if (output.format === 'text') output.data(prompt)
  else output.json({ session: id, effect: effect.id, prompt, path })
  return 0
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
