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
import { createSession, ownExisting, TASK_FILE } from '../wire.js'

export default async function run({ args, flags, version }: Call<BeginFlags & { dryRun?: boolean; detach?: boolean }>): Promise<number> {
  const { context, plan } = await prepare(args, flags, version, 'run')
  if (flags.dryRun) return dryRun(plan, context.output)
  const { name } = plan.procedure
  const release = flags.parallel ? async () => {} : await holdProcedure(context, name)
  try {
    const before = flags.fresh || flags.parallel ? null : await unfinished(context, name)
    const reporter = reporterFor(context.output)
    if (before && (await wantsToResume(before, plan.task, context))) return await drive(await ownExisting(before.folder, reporter), { resumed: true }, context.output)
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
  const what = `session ${id} of "${name}" is ${standing} after ${counted(session.finished, 'iteration')}, ${duration(session.spent.seconds)}${other ? ', with another task' : ''}`
  if (context.yes && !other) return true
  if (!context.mayAsk || context.yes) throw new Refusal(EXIT.usage, what, `greenlatch resume ${name} to go on, or add --fresh to begin anew`)
  const ask = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await ask.question(other ? `${what}. Go on with that one, and leave what you typed? [y/N] ` : `${what}. Go on with it? [Y/n] `)
    return other ? /^y/i.test(answer.trim()) : !/^n/i.test(answer.trim())
  } catch {
    throw new Refusal(EXIT.cancelled, 'no answer was given, so nothing was begun', `greenlatch resume ${name} to go on, or add --fresh to begin anew`)
  } finally {
    ask.close()
  }
}

function taskOf(folder: string): string | null {
  return openFolder(folder).read(TASK_FILE) ?? null
}
