// Whether the tests that the user named, to be proved or to be excused, are there at all: a misspelt name would prove nothing, in silence.
import { matchesAny } from '../core/index.js'
import type { Session } from '../core/types.js'
import { missingTestText } from '../text/failures/near-ids.js'
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
  return pattern === undefined ? null : missingTestText(key ?? '', pattern, ids)
}

/** As the failures of gates that name none are called. */
function namelessIn(heard: readonly Heard[]): string[] {
  return heard.flatMap(({ result: { gate, exit }, failures }) => (exit === 'fail' && failures.length === 0 ? [`${gate}: failed without saying what`] : []))
}
