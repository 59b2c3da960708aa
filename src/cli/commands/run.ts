// `run`: opens a session and loops to an outcome.
import { createInterface } from 'node:readline/promises'
import { openFolder } from '../../adapters/journal/folder.js'
import { EXIT, Refusal } from '../../errors.js'
import { duration, counted } from '../../text/amounts.js'
import { holdProcedure, prepare, unfinished, type BeginFlags } from '../begin.js'
import type { Entry } from '../catalogue.js'
import type { Context } from '../context.js'
import { detach } from '../detach.js'
import { drive, reporterFor } from '../drive.js'
import { dryRun } from '../dry-run.js'
import type { Call } from '../program.js'
import { TASK_FILE } from '../prompts.js'
import { createSession, ownExisting } from '../wire.js'

type RunFlags = BeginFlags & { dryRun?: boolean; detach?: boolean }

export default async function run({ args, flags, version }: Call<RunFlags>): Promise<number> {
  const { context, plan } = await prepare(args, flags, version, 'run')
  if (flags.dryRun) return dryRun(plan, context.output)
  const { name } = plan.procedure
  const release = flags.parallel ? async () => {} : await holdProcedure(context, name)
  try {
    const before = flags.fresh || flags.parallel ? null : await unfinished(context, name)
    const reporter = reporterFor(context.output)
    if (before && (await wantsToResume(before, plan.task, context))) {
      return await drive(await ownExisting(before.folder, reporter), { resumed: true }, context.output)
    }
    const owned = await createSession(plan, context.store, reporter)
    if (!flags.detach) return await drive(owned, { resumed: false }, context.output)
    await owned.close()
    await release()
    return await detach(context, owned.session.id)
  } finally {
    await release()
  }
}

/** An interrupted session is not passed over by accident. */
async function wantsToResume({ session, standing, id, folder }: Entry, task: string | null, context: Context): Promise<boolean> {
  const { name } = session.procedure
  const other = task !== null && task !== taskOf(folder)
  const after = `${counted(session.finished, 'iteration')}, ${duration(session.spent.seconds)}${other ? ', with another task' : ''}`
  const what = `session ${id} of "${name}" is ${standing} after ${after}`
  const next = `greenlatch resume ${name} to go on, or add --fresh to begin anew`
  if (context.yes && !other) return true
  if (!context.mayAsk || context.yes) throw new Refusal(EXIT.usage, what, next)
  const answer = await ask(other ? `${what}. Go on with that one, and leave what you typed? [y/N] ` : `${what}. Go on with it? [Y/n] `)
  if (answer === null) throw new Refusal(EXIT.cancelled, 'no answer was given, so nothing was begun', next)
  return other ? /^y/i.test(answer) : !/^n/i.test(answer)
}

/** Null when the terminal goes away before there is an answer. */
async function ask(question: string): Promise<string | null> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(question)).trim()
  } catch {
    return null
  } finally {
    terminal.close()
  }
}

function taskOf(folder: string): string | null {
  return openFolder(folder).read(TASK_FILE) ?? null
}
