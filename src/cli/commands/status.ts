// `status`: where a session stands, on one screen.
import { duration, counted, grouped } from '../../text/amounts.js'
import { sanitise } from '../../text/sanitise.js'
import { isHeld } from '../../shell/lock.js'
import { findSession, readEntry, type Entry } from '../catalogue.js'
import { openSessions } from '../context.js'
import { summaryOf } from '../drive.js'
import type { Call } from '../program.js'
import { restingStatus, type LoopStatus } from '../status-fields.js'
import { setupOf } from '../wire.js'

export default async function status({ args, flags }: Call<{ short?: boolean; wait?: boolean }>): Promise<number> {
  const context = await openSessions(flags)
  const id = findSession(context.store, args[0])
  let entry = await readEntry(context.store, id)
  while (flags.wait && entry.standing === 'running') {
    while (await isHeld(entry.folder)) await new Promise((resolve) => setTimeout(resolve, 200))
    entry = await readEntry(context.store, id)
  }
  for (const notice of entry.notices) context.output.say(`warning: ${notice}`)
  if (context.output.format !== 'text') context.output.json({ ...summaryOf(entry.session, loopStatus(entry)), standing: entry.standing, pid: entry.pid, path: entry.folder })
  else context.output.data(sanitise(flags.short ? shortLine(entry) : screen(entry)))
  const resting = entry.standing === 'stopped' || entry.standing === 'interrupted' ? 130 : 8
  return flags.wait ? (entry.session.finish?.code ?? resting) : 0
}

export function loopStatus({ session, standing }: Entry): LoopStatus {
  switch (standing) {
    case 'finished':
      return restingStatus(session)
    case 'running':
      return 'running'
    case 'waiting':
    case 'paused':
    case 'idle':
      return 'paused'
    case 'stopped':
    case 'interrupted':
      return 'interrupted'
  }
}

export function shortLine({ session, standing }: Entry): string {
  const most = session.budget.iterations ?? 0
  const state = session.finish ? `${session.finish.outcome} (${session.finish.label})` : standing
  return `${session.procedure.name} ${state} · iteration ${session.iteration}${most > 0 ? `/${most}` : ''} · ${failing(session.facing.length)} · ${duration(session.spent.seconds)}`
}

function failing(count: number): string {
  return count === 0 ? 'nothing failing' : `${count} failing`
}

function screen(entry: Entry): string {
  const { session, standing, folder, pid } = entry
  const { budget, spent, outstanding, finish } = session
  const setup = setupOf(session)
  const rows: [string, string][] = [
    ['session', `${session.id} · ${session.procedure.name}`],
    ['state', finish ? `${finish.outcome} · ${finish.label} · exit ${finish.code}` : `${standing}${pid === null ? '' : ` (process ${pid})`}`],
    ...(finish ? [['why', finish.why] as [string, string]] : []),
    ['phase', outstanding ? `${outstanding.phase} (effect ${outstanding.id}${session.cuts > 0 ? `, cut off ${session.cuts}×` : ''})` : session.at],
    ['iteration', `${session.iteration}${budget.iterations ? ` of ${budget.iterations}` : ', unlimited'} · ${session.finished} finished${session.plan > 0 ? ` · plan ${session.plan}` : ''}`],
    ['failing', session.facing.length === 0 ? 'nothing' : session.facing.slice(0, 5).map((failure) => failure.subject).join('\n           ')],
    ['stall', session.stall.level > 1 ? `no better ×${session.stall.level}${session.posture.stance ? ` → ${session.posture.stance}` : ''}` : 'none'],
    ['setbacks', `${session.setbacks.row} in a row, ends at ${session.procedure.policies.setbacks?.limit ?? 'no limit'}`],
    ['spent', `${duration(spent.seconds)}${budget.seconds ? ` of ${duration(budget.seconds)}` : ''} · ${counted(spent.tokens, 'token')}${budget.tokens ? ` of ${grouped(budget.tokens)}` : ''} · ${spent.usd.toFixed(2)} USD`],
    ['agents', Object.entries(session.roles).map(([role, name]) => `${role}: ${name}`).join(', ') + ` (from ${setup.origins['agent'] ?? 'unknown'})`],
    ['gates', session.gates.length > 0 ? session.gates.join(', ') : 'none'],
    ['files', folder],
  ]
  const body = rows.map(([name, value]) => `${name.padEnd(10)} ${value}`).join('\n')
  return `${body}\n${next(entry)}`
}

function next({ session, standing, id }: Entry): string {
  if (standing === 'running') return `next:      greenlatch logs -f ${id}  ·  greenlatch stop ${id}`
  if (standing === 'waiting') return `next:      greenlatch reply ${id} --file <file>, then greenlatch resume ${id}`
  if (!session.finish) return `next:      greenlatch resume ${id}`
  return session.finish.resumesAt === null ? `next:      greenlatch logs ${id}` : `next:      greenlatch resume ${id}  ·  greenlatch logs ${id}`
}
