// The tests that a gate has to report, as the baseline found them or plans brought them: fewer are never a pass.
import type { GateResult, Ref, Session } from '../core/types.js'
import type { Folder } from '../ports.js'
import { EXIT, Refusal } from '../errors.js'
import type { TestList } from '../text/failures/junit.js'
import { named } from './bounds.js'
import type { Heard } from './live.js'

/** `given` are those of the start tree: the others came with a plan. */
export type Expected = { ids: ReadonlySet<string>; skipped: ReadonlySet<string>; given: ReadonlySet<string> }

/** As it is written down: `planned` are those of `ids` that came with a plan. */
export type Recorded = TestList & { planned?: readonly string[] }

/** Throws Refusal when the list is not the one the journal speaks of. */
export function expectedOf(folder: Folder, { ids }: Session, gate: string): Expected {
  const ref = ids[gate]
  if (!ref) return { ids: new Set(), skipped: new Set(), given: new Set() }
  const { ids: all, skipped, planned = [] } = JSON.parse(listText(folder, ref, `of "${gate}"`)) as Recorded
  const came = new Set(planned)
  return { ids: new Set(all), skipped: new Set(skipped), given: new Set(all.filter((id) => !came.has(id))) }
}

export function writeList(folder: Folder, base: string, gate: string, list: Recorded): Ref {
  return folder.write(`${base}.${gate}.tests.json`, JSON.stringify(list))
}

/** Whether a run came to its end and can say which tests there are. */
export function isWhole({ exit, complete, known }: GateResult): boolean {
  return known && complete && (exit === 'pass' || exit === 'fail')
}

/** The test files that plans and audits brought, as they are kept with the session. Throws Refusal as `expectedOf` does. */
export function plannedTests(folder: Folder, { kept }: Session): string[] {
  return kept['tests'] ? (JSON.parse(listText(folder, kept['tests'], 'that were planned')) as string[]) : []
}

function listText(folder: Folder, { path, sha }: Ref, of: string): string {
  if (folder.refer(folder.resolve(path))?.sha === sha) return folder.read(path) ?? ''
  throw new Refusal(EXIT.state, `the list of tests ${of} is gone or was changed (${path})`, 'greenlatch run --fresh')
}

/** A test that was there and is not reported, or is skipped now, is missing. */
export function withMissing(heard: Heard, { ids, skipped }: Pick<Expected, 'ids' | 'skipped'>): Heard {
  if (ids.size === 0 || heard.result.exit === 'error') return heard
  const passedOver = new Set(heard.skipped)
  const there = new Set(heard.ids ?? [])
  const gone = [...ids].filter((id) => !there.has(id))
  const newlySkipped = [...passedOver].filter((id) => ids.has(id) && !skipped.has(id))
  if (gone.length + newlySkipped.length === 0) return heard
  const said = [
    ...(gone.length > 0 ? [`no longer reported: ${named(gone)}`] : []),
    ...(newlySkipped.length > 0 ? [`skipped now: ${named(newlySkipped)}`] : []),
  ]
  const note = [...said, heard.result.note].join('; ')
  return { ...heard, result: { ...heard.result, missing: gone.length + newlySkipped.length, note } }
}

/** The first time that planned tests could be run, where they had come before anything that they could run on; else null. */
export function plannedList({ result, ids: there }: Heard, tests: readonly string[], { ids, given, skipped }: Expected): Recorded | null {
  if (tests.length === 0 || ids.size > given.size || !isWhole(result)) return null
  const planned = (there ?? []).filter((id) => !given.has(id) && tests.some((path) => id.startsWith(`${path}::`)))
  // A planned one that is skipped proves nothing, so none may be.
  return planned.length === 0 ? null : { ids: [...given, ...planned], skipped: [...skipped], planned }
}
