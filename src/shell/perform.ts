// Does one effect in the outside world and says how it went, in the one shape of a report.
import { emptyReport } from '../core/index.js'
import type { Effect, Report, Session } from '../core/types.js'
import { performAsk } from './ask.js'
import { performCheck } from './check.js'
import type { Performed, Ports } from './live.js'
import { startMeter } from './meter.js'

export async function perform(ports: Ports, session: Session, effect: Effect): Promise<Performed> {
  const done = await performKind(ports, session, effect)
  return done.kind === 'report' ? { kind: 'report', report: { ...done.report, endedAt: ports.clock.now() } } : done
}

async function performKind(ports: Ports, session: Session, effect: Effect): Promise<Performed> {
  switch (effect.kind) {
    case 'ask':
      return performAsk(ports, session, effect)
    case 'check':
      return performCheck(ports, session, effect)
    case 'workspace':
      return performWorkspace(ports, session, effect)
  }
}

function failed(effect: Effect, cause: Report['cause'], note: string): Performed {
  return { kind: 'report', report: { ...emptyReport(effect), verdict: 'error', cause, note } }
}

// ───────────────────────────── workspace ─────────────────────────────

async function performWorkspace(ports: Ports, session: Session, effect: Extract<Effect, { kind: 'workspace' }>): Promise<Performed> {
  if (!ports.workspace.actions.includes(effect.action)) return failed(effect, 'guard', `this workspace cannot ${effect.action}`)
  const meter = startMeter(ports, session, effect, 'marked')
  try {
    const acted = await ports.workspace.act(session, effect, ports.control.now)
    const spent = meter.stop()
    if (acted === 'aborted') return { kind: 'aborted', spent }
    const files = acted.files.flatMap((file) => ports.folder.refer(file) ?? [])
    return { kind: 'report', report: { ...emptyReport(effect), ...acted, files, spent } }
  } finally {
    meter.stop()
  }
}
