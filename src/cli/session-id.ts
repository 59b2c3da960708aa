// Names of sessions: by time to the millisecond, and never before one that is there already, so that the last by name is the newest.

const SHAPE = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-([0-9a-z]{2})[0-9a-z]{3}$/

/** A clock that was set back must not make an old session the newest: then the time of the newest goes on by a millisecond. */
export function newSessionId(existing: readonly string[], now: number): string {
  const newest = Math.max(...existing.flatMap((id) => timeOf(id) ?? []), -1)
  const at = Math.max(now, newest + 1)
  const stamp = new Date(at).toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15)
  const milliseconds = (at % 1000).toString(36).padStart(2, '0')
  return `${stamp}-${milliseconds}${Math.random().toString(36).slice(2, 5).padEnd(3, '0')}`
}

function timeOf(id: string): number | null {
  const [, year, month, day, hours, minutes, seconds, milliseconds = ''] = SHAPE.exec(id) ?? []
  if (year === undefined) return null
  const at = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`) + Number.parseInt(milliseconds, 36)
  return Number.isFinite(at) ? at : null
}
