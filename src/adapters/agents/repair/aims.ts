// Which failing tests a repair aims at, when runner and gate each have names of their own for them.
import type { Failure } from '../../../core/types.js'

/** The file of a test, by its id. */
export function testPathOf(id: string): string {
  const at = id.indexOf('::')
  if (at >= 0) return id.slice(0, at)
  return /^[\w.]+$/.test(id) && id.includes('.') && !/\.\w{2,4}$/.test(id) ? `${id.split('.').slice(0, -2).join('/')}.py` : id
}

/** Failing tests of the runner that the gate names too; all of them when none can be told. */
export function aimedAt(failingIds: readonly string[], failing: readonly Pick<Failure, 'subject'>[]): string[] {
  const wanted = failing.map(({ subject }) => plain(subject))
  const fitting = failingIds.filter((id) =>
    wanted.some((subject) => subject === plain(id) || subject.endsWith(plain(id)) || plain(id).endsWith(subject)),
  )
  return fitting.length > 0 ? fitting : [...failingIds]
}

function plain(id: string): string {
  return id.replace(/ #\d+$/, '').replaceAll(/\s+/g, ' ').replaceAll('::', '.').replaceAll('/', '.').replace(/\.py\b/, '')
}
