// Whether the tests that the user named, to be proved or to be excused, are there at all: a misspelt name would prove nothing, in silence.
import { matchesAny } from '../core/index.js'
import type { Session } from '../core/types.js'
import { counted } from '../text/amounts.js'
import { nearIds } from '../text/failures/near-ids.js'
import type { Heard } from './live.js'

/** By what a baseline has heard: why the session cannot mean what it was told, or null. */
export function misnamed({ procedure }: Session, heard: readonly Heard[]): string | null {
  const { targets = [], excuse = [] } = procedure.policies.goal ?? {}
  // What broke off may still have had the test.
  if (heard.some(({ result: { exit, complete } }) => exit === 'error' || exit === 'timeout' || !complete)) return null
  const ids = heard.flatMap((gate) => gate.ids ?? [])
  const all = [...ids, ...heard.flatMap(({ failures }) => failures.map(({ subject }) => subject)), ...namelessIn(heard)]
  const isThere = (pattern: string): boolean => all.some((id) => matchesAny([pattern], id))
  const target = targets.find((pattern) => !isThere(pattern))
  // Where no gate names its tests, nothing could be excused anyway: a list in the settings is not about this session.
  const excused = ids.length === 0 ? undefined : excuse.find((pattern) => !isThere(pattern))
  const [key, pattern] = target === undefined ? ['excuse', excused] : ['target', target]
  return pattern === undefined ? null : `${key} "${pattern}" is no test that a gate has reported${asideFor(pattern, ids)}`
}

/** As the failures of gates that name none are called. */
function namelessIn(heard: readonly Heard[]): string[] {
  return heard.flatMap(({ result: { gate, exit }, failures }) => (exit === 'fail' && failures.length === 0 ? [`${gate}: failed without saying what`] : []))
}

function asideFor(pattern: string, ids: readonly string[]): string {
  if (ids.length === 0) return ': no gate names its tests'
  const near = nearIds(pattern, ids)
  const count = `of ${counted(ids.length, 'test')}`
  return near.length === 0 ? `, ${count}` : `, ${count}; near it: ${near.join(', ')}`
}
