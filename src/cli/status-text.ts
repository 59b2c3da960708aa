// Where a session stands, for people: one line, or one screen.
import { failingText } from '../adapters/reporters/known-failures.js'
import { raiseFlags } from '../adapters/reporters/raise.js'
import type { Session } from '../core/index.js'
import { duration, grouped } from '../text/amounts.js'
import { exceptionsOf } from '../text/exceptions.js'
import { onwardFrom, resultCommands } from '../text/commands/result-commands.js'
import { clockTime } from '../shell/meter.js'
import { isUnproved } from '../text/failures/failing-words.js'
import { sandboxText } from '../text/confinement.js'
import { moneyText, tokensText, whoInRoles } from '../text/who-answers.js'
import { toldIn, waitingIn } from './waits-for.js'
import { stateOf, type Entry } from './catalogue.js'
import type { AcceptedNow } from './accepted-now.js'
import { deliveredTree } from './places.js'
import { endText, standText, whyText, type Stand } from './stand.js'
import { checkoutOf, setupOf } from './recorded.js'

const MOST_NAMED = 5
const INDENT = '\n           '

export type Shown = { stand: Stand; accepted: AcceptedNow | null; pattern: string }

export function shortLine(entry: Entry, stand: Stand): string {
  const { session, standing } = entry
  const most = session.budget.iterations ?? 0
  const label = session.finish ? ` (${session.finish.label})` : ''
  const iteration = `iteration ${session.iteration}${most > 0 ? `/${most}` : ''}`
  const isPlaced = session.finish !== null || session.undone.length > 0
  const stands = isPlaced ? `stands on ${standText(stand)}` : failingText(stand.failing)
  const accepted = isAccepted(session) ? ' · accepted' : ''
  const state = `${session.procedure.name} ${stateOf(session, standing)}${label}${toldText(entry)}`
  return `${state} · ${iteration} · ${stands}${accepted} · ${duration(session.spent.seconds)}`
}

/** What would be handed over now is in the user's hands already. */
export function isAccepted(session: Session): boolean {
  return session.accepted !== null && session.accepted === deliveredTree(session)
}

/** `pattern`: why it got no further, where it has ended. */
export function screen(entry: Entry, { stand, accepted, pattern }: Shown): string {
  const { session, folder } = entry
  const { stall, posture, setbacks, procedure } = session
  const rows: [string, string][] = [
    ['session', `${session.id} · ${procedure.name}`],
    ['state', stateRow(entry, stand)],
    ...(session.finish ? [['why', whyText(session.finish.why, stand)] as [string, string]] : []),
    ...exceptRow(session),
    ...waitsRow(entry),
    ['phase', phaseRow(session)],
    ['iteration', iterationRow(session)],
    ['stands on', standText(stand)],
    ['failing', failingRow(session, stand)],
    ...acceptedRow(session, accepted),
    ['stall', stall.level > 1 ? `no better ×${stall.level}${posture.stance ? ` → ${posture.stance}` : ''}` : 'none'],
    ['setbacks', `${setbacks.row} in a row, ends at ${procedure.policies.setbacks?.limit ?? 'no limit'}`],
    ['spent', spentRow(session)],
    ['agents', whoInRoles(session)],
    ...answeredRow(session),
    ['gates', session.gates.length > 0 ? session.gates.join(', ') : 'none'],
    ...sandboxRow(session),
    ['files', folder],
    ...editRow(entry),
    ['next:', nextCommands(entry, pattern).join(INDENT)],
  ]
  return rows.map(([name, value]) => `${name.padEnd(10)} ${value}`).join('\n')
}

/** All of them are in the report. */
function exceptRow(session: Session): [string, string][] {
  const all = exceptionsOf(session)
  const more = all.length > MOST_NAMED ? [`and ${all.length - MOST_NAMED} more: greenlatch report ${session.id}`] : []
  return all.length === 0 ? [] : [['except', [...all.slice(0, MOST_NAMED), ...more].join(INDENT)]]
}

function sandboxRow({ setup }: Session): [string, string][] {
  const text = sandboxText(setup)
  return text === null ? [] : [['sandbox', text]]
}

function stateRow(entry: Entry, stand: Stand): string {
  const { session: { finish }, standing, pid } = entry
  if (finish) return endText(finish, stand)
  return `${standing}${pid === null ? '' : ` (process ${pid})`}${toldText(entry)}`
}

/** Also told by the short line: whoever has asked for it must not think that it was lost. */
function toldText(entry: Entry): string {
  const told = toldIn(entry)
  return told === '' ? '' : `, ${told} after ${entry.session.outstanding?.phase ?? 'this phase'}`
}

function phaseRow({ outstanding, cuts, at }: Session): string {
  if (!outstanding) return at
  const more = [...(outstanding.kind === 'ask' ? [`asked: ${outstanding.role}`] : []), ...(cuts > 0 ? [`cut off ${cuts}×`] : [])]
  return more.length === 0 ? outstanding.phase : `${outstanding.phase} (${more.join(', ')})`
}

function iterationRow({ iteration, budget, finished, plan }: Session): string {
  const most = budget.iterations ? ` of ${budget.iterations}` : ', unlimited'
  return `${iteration}${most} · ${finished} finished${plan > 0 ? ` · plan ${plan}` : ''}`
}

/** While a candidate is yet to be checked, the last failures that were told are those of what stood there before it. */
function failingRow(session: Session, { failing }: Stand): string {
  const { facing } = session
  if (failing === null) return facing.length === 0 ? 'not checked' : `not checked; before: ${facing.length} failing`
  if (failing.length === 0) return isUnproved(session) ? 'nothing; the deciding check is not over' : 'nothing'
  return failing.slice(0, MOST_NAMED).map((failure) => failure.subject).join(INDENT)
}

function acceptedRow(session: Session, accepted: AcceptedNow | null): [string, string][] {
  if (!accepted) return []
  if (accepted.isTakenBack) return [['accepted', `${accepted.note}, and taken back since`]]
  return [['accepted', isAccepted(session) ? accepted.note : `another state than it stands on: ${accepted.note}`]]
}

function spentRow(session: Session): string {
  const { spent, budget } = session
  const time = `${duration(spent.seconds)}${budget.seconds ? ` of ${duration(budget.seconds)}` : ''}`
  const tokens = `${tokensText(session)}${budget.tokens ? ` of ${grouped(budget.tokens)}` : ''}`
  return `${time} · ${tokens} · ${moneyText(session)}`
}

/** A limit that is waited for, and a person: both stand still, and only one of them goes on by itself. */
function waitsRow(entry: Entry): [string, string][] {
  const waits = waitingIn(entry)
  if (!waits) return []
  const way = waits.wish === undefined ? 'goes on by itself' : `greenlatch reply ${entry.id} --allow, or --deny`
  return [['waits', `until ${clockTime(waits.until, Date.now())}: ${waits.note}; ${way}`]]
}

function answeredRow({ answered }: Session): [string, string][] {
  const each = Object.entries(answered).map(([name, times]) => `${name}, ${times === 1 ? 'once' : `${times} times`}`)
  return each.length === 0 ? [] : [['answered', each.join('; ')]]
}

/** Where a person may do by hand what they are asked for. */
function editRow({ session, standing, id, folder }: Entry): [string, string][] {
  const { outstanding } = session
  const isTheirs = standing === 'waiting' && outstanding?.kind === 'ask' && outstanding.yields === 'candidate'
  return isTheirs ? [['edit in', `${checkoutOf(setupOf(session), id, folder)}, then: echo done | greenlatch reply ${id}`]] : []
}

function nextCommands(entry: Entry, pattern: string): string[] {
  const { session, standing, id } = entry
  const result = resultCommands(session)
  switch (standing) {
    case 'running':
      return [`greenlatch logs -f ${id}`, `greenlatch stop ${id}${toldIn(entry) === 'stops' ? ' --now' : ''}`]
    case 'waiting':
      return [`greenlatch reply ${id} --file <file> && greenlatch resume ${id}`, `greenlatch reply ${id} --prompt`]
    case 'answered':
    case 'paused':
    case 'stopped':
    case 'interrupted':
    case 'idle':
      return [`greenlatch resume ${id}`, `greenlatch stop ${id} --cancel`]
    case 'finished':
      return [
        ...(onwardFrom(session, raiseFlags(session), pattern)?.commands ?? []),
        ...(result ? [result.see, ...(result.take && result.take.kind !== 'back' ? [result.take.command] : [])] : [`greenlatch logs ${id}`]),
      ]
  }
}
