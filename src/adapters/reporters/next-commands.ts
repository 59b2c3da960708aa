// What stands below the last line of a session: what still fails, and what to type to see it, take it or go on.
import type { Session } from '../../core/types.js'
import { quoteWord } from '../../text/quote.js'
import { knownFailures, namedFailures } from './known-failures.js'
import { raiseFlags } from './raise.js'

type Row = [label: string, text: string]

const NARROWEST = 'take it:'.length

export function nextLines(session: Session, pattern = ''): string[] {
  const rows = [...failingRow(session), ...whyRows(session, pattern), ...resultRows(session), ...resumeRow(session)]
  const width = Math.max(NARROWEST, ...rows.map(([label]) => label.length)) + 2
  return rows.map(([label, text]) => `${label.padEnd(width)}${text}`)
}

function failingRow(session: Session): Row[] {
  const failing = knownFailures(session) ?? session.facing
  return session.finish?.code === 0 || failing.length === 0 ? [] : [['failing:', namedFailures(failing)]]
}

function whyRows({ id, finish }: Session, pattern: string): Row[] {
  if (finish === null || finish.code === 0) return []
  return [...(pattern === '' ? [] : [['pattern:', pattern] as Row]), ['why:', `greenlatch explain ${id}`]]
}

/** Where nothing was better than the start, that is handed over; what was tried can be had all the same. */
function resultRows({ id, start, finish, setup, candidate, iteration, procedure }: Session): Row[] {
  if (!finish) return []
  const { inPlace, branch } = (setup['place'] as { inPlace?: boolean; branch?: string | null } | undefined) ?? {}
  if (finish.code === 0 && commits(procedure)) {
    const name = quoteWord(branch ?? `greenlatch/${id}`)
    return [['see it:', `git show ${name}`], ['take it:', `git merge ${name}, on the branch it shall go to`]]
  }
  if (finish.delivers !== start) {
    const take: Row = inPlace ? ['take it back:', `greenlatch undo ${id} --to start`] : ['take it:', `greenlatch accept ${id}`]
    return [['see it:', `greenlatch diff ${id}`], take]
  }
  const tried: Row[] = candidate === start ? [] : [['pick one:', `greenlatch undo ${id} --to ${iteration}`]]
  return [['see it:', `greenlatch logs ${id}`], ...tried]
}

function commits({ phases }: Session['procedure']): boolean {
  return Object.values(phases).some((phase) => phase.kind === 'workspace' && phase.action === 'commit')
}

function resumeRow(session: Session): Row[] {
  const { id, finish } = session
  return finish === null || finish.resumesAt === null ? [] : [['go on:', `greenlatch resume ${id}${raiseFlags(session)}`]]
}
