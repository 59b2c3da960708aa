// `verify`: reads the whole journal again and does the deciding check once more, on what the session hands over.
import { openJournal } from '../../adapters/journal/files.js'
import { EXIT } from '../../errors.js'
import { refuseAgents, whileOwned, type AtRest } from '../at-rest.js'
import { checkAgain, type Again } from '../check-again.js'
import { checkLines } from '../check-text.js'
import { fold, readEntry } from '../catalogue.js'
import { systemClock } from '../clock.js'
import { openSessions, type Context } from '../context.js'
import { findSession } from '../find-session.js'
import { deliveredTree } from '../places.js'
import type { Call } from '../program.js'
import { requireTrustOfSessions, type TrustFlags } from '../trust.js'

export default async function verify({ args, flags }: Call<TrustFlags>): Promise<number> {
  refuseAgents('run the checks of a session')
  const context = await openSessions(flags)
  await requireTrustOfSessions(context, flags)
  const entry = await readEntry(context.store, await findSession(context, args[0]))
  return whileOwned(entry, context.output, async (owned) => {
    const records = await countRecords(owned.folder)
    context.output.say(`journal: ${records} records, each checked against the one before`)
    const tree = deliveredTree(owned.session)
    const again = await checkAgain(owned, { kind: 'sealed', tree }, context.output)
    return again === null ? 130 : tell(context, owned, again, records)
  })
}

/** Every record, from the first: a chain that was tampered with throws here. */
async function countRecords(folder: string): Promise<number> {
  let records = 0
  for await (const _record of openJournal({ folder, fold, clock: systemClock, writable: false }).records()) records += 1
  return records
}

function tell({ output }: Context, { session, id }: AtRest, { report, judgement }: Again, records: number): number {
  const holds = judgement.verdict === 'pass'
  const proved = judgement.proof !== null
  const code = holds ? 0 : judgement.verdict === 'error' ? EXIT.gate : EXIT.guard
  const claimed = session.finish ? `${session.finish.outcome}, ${session.finish.label}` : 'not ended'
  if (output.format !== 'text') {
    output.json({ session: id, records, tree: report.tree, verdict: judgement.verdict, proved, claimed, exceptions: report.exceptions, evidence: report.evidence, failing: judgement.failing.length + judgement.found.length, code })
    return code
  }
  output.data(`${holds ? (proved ? 'holds, and proves the task' : 'holds') : judgement.verdict}\t${claimed}\t${id}`)
  for (const line of [...checkLines(report, judgement), ...report.exceptions.map((text) => `exception: ${text}`), ...report.evidence.map((text) => `evidence: ${text}`)]) output.say(line)
  return code
}
