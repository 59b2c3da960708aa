// What stands below the last line of a session: what still fails, and what to type to see it, take it or go on.
import type { Session } from '../../core/types.js'
import { onwardFrom, resultCommands, type ResultCommands } from '../../text/commands/result-commands.js'
import { hidingText } from '../../text/confinement.js'
import { leftFailing, namedFailures } from './known-failures.js'
import { loginNeeded } from './login-hint.js'
import { raiseFlags } from './raise.js'

type Row = [label: string, text: string]

const NARROWEST = 'take it:'.length

export function nextLines(session: Session, pattern = ''): string[] {
  const rows = [...failingRow(session), ...whyRows(session, pattern), ...resultRows(session), ...loginRow(session), ...resumeRow(session, pattern)]
  const width = Math.max(NARROWEST, ...rows.map(([label]) => label.length)) + 2
  return rows.map(([label, text]) => `${label.padEnd(width)}${text}`)
}

function failingRow(session: Session): Row[] {
  const failing = leftFailing(session)
  return session.finish?.code === 0 || failing.length === 0 ? [] : [['failing:', namedFailures(failing)]]
}

function whyRows({ id, finish, setup }: Session, pattern: string): Row[] {
  if (finish === null || finish.code === 0) return []
  const hiding = pattern === 'gate cannot run' ? hidingText(setup) : null
  return [...(hiding === null ? [] : [['sandbox:', hiding] as Row]), ...(pattern === '' || pattern === 'none of these' ? [] : [['pattern:', pattern] as Row]), ['why:', `greenlatch explain ${id}`]]
}

/** Where nothing was better than the start, that is handed over, and there is nothing to take. */
function resultRows(session: Session): Row[] {
  if (!session.finish) return []
  const result = resultCommands(session)
  if (result === null) return [['see it:', `greenlatch logs ${session.id}`]]
  return [['see it:', result.see], ...(result.take ? [takeRow(result.take)] : [])]
}

function takeRow({ kind, command }: NonNullable<ResultCommands['take']>): Row {
  switch (kind) {
    case 'accept':
      return ['take it:', command]
    case 'back':
      return ['take it back:', command]
    case 'merge':
      return ['take it:', `${command}, on the branch it shall go to`]
  }
}

function loginRow(session: Session): Row[] {
  const needed = loginNeeded(session)
  return needed === null ? [] : [['log in:', needed]]
}

function resumeRow(session: Session, pattern: string): Row[] {
  const onward = onwardFrom(session, raiseFlags(session), pattern)
  if (!onward) return []
  return [[onward.kind === 'resume' ? 'go on:' : 'begin anew:', onward.commands.join(' && ')]]
}
