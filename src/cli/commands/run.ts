// `run`: opens a session and loops to an outcome.
import { openFolder } from '../../adapters/journal/folder.js'
import { EXIT, Refusal } from '../../errors.js'
import { duration } from '../../text/amounts.js'
import { iterationsText } from '../../text/iterations.js'
import { ask } from '../ask.js'
import { asTyped, holdProcedure, prepare, unfinished, type BeginFlags } from '../begin.js'
import type { Entry } from '../catalogue.js'
import type { Context } from '../context.js'
import { detach } from '../detach.js'
import { differences } from '../differences.js'
import { drive } from '../drive.js'
import { dryRun } from '../dry-run.js'
import { refuseEdited } from '../edited.js'
import type { Call } from '../program.js'
import { TASK_FILE } from '../recorded.js'
import type { Plan } from '../setup.js'
import { showingFor } from '../showing.js'
import { trustWords } from '../trust.js'
import { createSession, ownExisting } from '../wire.js'

type RunFlags = BeginFlags & { detach?: boolean }

export default async function run({ args, flags, version, words }: Call<RunFlags>): Promise<number> {
  const { context, plan } = asTyped(await prepare(args, flags, version, 'run'), words)
  if (flags.dryRun) return dryRun(plan, context.output)
  const { name } = plan.procedure
  const release = flags.parallel ? async () => {} : await holdProcedure(context, name, 'run')
  try {
    const before = flags.fresh || flags.parallel ? null : await unfinished(context, name)
    const showing = showingFor(context, 'live')
    const means = { showing, output: context.output }
    if (before && (await wantsToResume(before, plan, context))) {
      await refuseEdited(before, context.output, `greenlatch resume ${before.id}`)
      if (!flags.detach) return await drive(await ownExisting(before.folder, showing.reporter), { resumed: true }, means)
      await release()
      return await detach(context, before.id, trustWords(flags))
    }
    const owned = await createSession(plan, context.store, showing.reporter)
    if (!flags.detach) return await drive(owned, { resumed: false }, means)
    await owned.close()
    await release()
    return await detach(context, owned.session.id, trustWords(flags))
  } finally {
    await release()
  }
}

/** An interrupted session is not passed over by accident, nor gone on with in place of something else. */
async function wantsToResume({ session, standing, id, folder }: Entry, plan: Plan, context: Context): Promise<boolean> {
  const { name } = session.procedure
  const others = differences(plan, session, openFolder(folder).read(TASK_FILE) ?? null)
  const after = `${iterationsText(session)}, ${duration(session.spent.seconds)}`
  const what = `session ${id} of "${name}" is ${standing} after ${[after, ...withOthers(others)].join(', ')}`
  const isSame = others.length === 0
  if (context.yes && isSame) return true
  // What is typed again with --fresh begins anew; the other way is named beside it.
  const refusal = isSame
    ? new Refusal(EXIT.usage, `${what}; --fresh begins anew`, `greenlatch resume ${name}`)
    : new Refusal(EXIT.usage, `${what}; greenlatch resume ${id} goes on with it`, 'greenlatch run --fresh')
  if (!context.mayAsk || context.yes) throw refusal
  const answer = await ask(isSame ? `${what}. Go on with it? [Y/n] ` : `${what}. Go on with that one, and leave what you typed? [y/N] `)
  if (answer === null) throw new Refusal(EXIT.cancelled, 'no answer was given, so nothing was begun', refusal.next)
  return isSame ? !/^n/i.test(answer) : /^y/i.test(answer)
}

function withOthers(others: readonly string[]): string[] {
  const last = others.at(-1)
  if (last === undefined) return []
  return [`with ${others.length === 1 ? last : `${others.slice(0, -1).join(', ')} and ${last}`}`]
}
