// `baseline`: what failed before the session began, and what is flaky; `--refresh` runs the checks on its start tree again.
import { EXIT, Refusal } from '../../errors.js'
import { refuseAgents, whileOwned, type AtRest } from '../at-rest.js'
import { checkAgain } from '../check-again.js'
import { checkLines, listed } from '../check-text.js'
import { readEntry } from '../catalogue.js'
import { openSessions, type Context } from '../context.js'
import { findSession } from '../find-session.js'
import type { Session } from '../../core/index.js'
import type { Call } from '../program.js'
import { requireTrustOfSessions, type TrustFlags } from '../trust.js'

export default async function baseline({ args, flags }: Call<TrustFlags & { refresh?: boolean }>): Promise<number> {
  const context = await openSessions(flags)
  const entry = await readEntry(context.store, await findSession(context, args[0]))
  if (!flags.refresh) return show(context, entry.session)
  refuseAgents('run the checks of a session')
  await requireTrustOfSessions(context, flags)
  return whileOwned(entry, context.output, (owned) => refresh(context, owned))
}

function show({ output }: Context, session: Session): number {
  if (session.baseline === null) {
    const text = `session ${session.id} has no baseline${session.procedure.policies.goal ? ' yet' : ''}`
    throw new Refusal(EXIT.usage, text, `greenlatch status ${session.id}`)
  }
  const failing = (session.origin?.failing ?? []).map(({ gate, subject, fingerprint, message }) => ({ gate, subject, fingerprint, message }))
  const excused = session.baseline.filter((subject) => !failing.some((failure) => failure.subject === subject))
  if (output.format !== 'text') output.json({ session: session.id, tree: session.start, failing, excused, flaky: session.flaky, tests: session.ids })
  else {
    const lines = [...listed('failing', failing.map(({ gate, subject }) => `${gate}: ${subject}`)), ...listed('excused', excused), ...listed('flaky, set aside', session.flaky)]
    output.data(lines.length === 0 ? 'nothing failed before' : lines.join('\n'))
  }
  return 0
}

/** A session that goes on goes on with the new one; what it had reached stays. */
async function refresh(context: Context, owned: AtRest): Promise<number> {
  const { session, id } = owned
  if (session.finish && session.finish.resumesAt === null) {
    throw new Refusal(EXIT.usage, `session ${id} has ended ${session.finish.outcome}; its baseline is history`, `greenlatch baseline ${id}`)
  }
  const again = await checkAgain(owned, { kind: 'baseline', tree: session.start }, context.output)
  if (again === null) return 130
  for (const line of checkLines(again.report, again.judgement)) context.output.say(line)
  if (again.judgement.verdict === 'error') throw new Refusal(EXIT.gate, `the baseline could not be taken: ${again.report.note}`, `greenlatch baseline ${id}`)
  owned.write([{ type: 'baselined', ...again }])
  return show(context, owned.session)
}
