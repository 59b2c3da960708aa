// Where a session stands, for people: one line, or one screen.
import type { Session } from '../core/index.js'
import { counted, duration, grouped } from '../text/amounts.js'
import { stateOf, type Entry } from './catalogue.js'
import { raiseFlags } from './raise.js'
import { setupOf } from './wire.js'

export function shortLine({ session, standing }: Entry): string {
  const most = session.budget.iterations ?? 0
  const label = session.finish ? ` (${session.finish.label})` : ''
  const failing = session.facing.length === 0 ? 'nothing failing' : `${session.facing.length} failing`
  const iteration = `iteration ${session.iteration}${most > 0 ? `/${most}` : ''}`
  return `${session.procedure.name} ${stateOf(session, standing)}${label} · ${iteration} · ${failing} · ${duration(session.spent.seconds)}`
}

export function screen(entry: Entry): string {
  const { session, folder } = entry
  const { stall, posture, setbacks, procedure } = session
  const rows: [string, string][] = [
    ['session', `${session.id} · ${procedure.name}`],
    ['state', stateRow(entry)],
    ...(session.finish ? [['why', session.finish.why] as [string, string]] : []),
    ['phase', phaseRow(session)],
    ['iteration', iterationRow(session)],
    ['failing', failingRow(session)],
    ['stall', stall.level > 1 ? `no better ×${stall.level}${posture.stance ? ` → ${posture.stance}` : ''}` : 'none'],
    ['setbacks', `${setbacks.row} in a row, ends at ${procedure.policies.setbacks?.limit ?? 'no limit'}`],
    ['spent', spentRow(session)],
    ['agents', agentsRow(session)],
    ['gates', session.gates.length > 0 ? session.gates.join(', ') : 'none'],
    ['files', folder],
    ['next:', nextCommands(entry).join('  ·  ')],
  ]
  return rows.map(([name, value]) => `${name.padEnd(10)} ${value}`).join('\n')
}

function stateRow({ session: { finish }, standing, pid }: Entry): string {
  if (finish) return `${finish.outcome} · ${finish.label} · exit ${finish.code}`
  return `${standing}${pid === null ? '' : ` (process ${pid})`}`
}

function phaseRow({ outstanding, cuts, at }: Session): string {
  if (!outstanding) return at
  return `${outstanding.phase} (effect ${outstanding.id}${cuts > 0 ? `, cut off ${cuts}×` : ''})`
}

function iterationRow({ iteration, budget, finished, plan }: Session): string {
  const most = budget.iterations ? ` of ${budget.iterations}` : ', unlimited'
  return `${iteration}${most} · ${finished} finished${plan > 0 ? ` · plan ${plan}` : ''}`
}

function failingRow({ facing }: Session): string {
  if (facing.length === 0) return 'nothing'
  return facing.slice(0, 5).map((failure) => failure.subject).join('\n           ')
}

function spentRow({ spent, budget }: Session): string {
  const time = `${duration(spent.seconds)}${budget.seconds ? ` of ${duration(budget.seconds)}` : ''}`
  const tokens = `${counted(spent.tokens, 'token')}${budget.tokens ? ` of ${grouped(budget.tokens)}` : ''}`
  return `${time} · ${tokens} · ${spent.usd.toFixed(2)}${budget.usd ? ` of ${budget.usd.toFixed(2)}` : ''} USD`
}

function agentsRow(session: Session): string {
  const roles = Object.entries(session.roles).map(([role, name]) => `${role}: ${name}`)
  return `${roles.join(', ')} (from ${setupOf(session).origins['agent'] ?? 'unknown'})`
}

function nextCommands({ session, standing, id }: Entry): string[] {
  switch (standing) {
    case 'running':
      return [`greenlatch logs -f ${id}`, `greenlatch stop ${id}`]
    case 'waiting':
      return [`greenlatch reply ${id} --file <file>, then greenlatch resume ${id}`]
    case 'answered':
    case 'paused':
    case 'stopped':
    case 'interrupted':
    case 'idle':
      return [`greenlatch resume ${id}`, `greenlatch stop ${id} --cancel`]
    case 'finished':
      return [
        ...(session.finish?.resumesAt === null ? [] : [`greenlatch resume ${id}${raiseFlags(session)}`]),
        ...resultCommands(session),
      ]
  }
}

function resultCommands({ id, finish, start, accepted, setup }: Session): string[] {
  if (!finish || finish.delivers === start) return [`greenlatch logs ${id}`]
  const isTaken = accepted === finish.delivers || (setup as { place?: { inPlace?: boolean } }).place?.inPlace === true
  return [`greenlatch diff ${id}`, ...(isTaken ? [] : [`greenlatch accept ${id}`])]
}
