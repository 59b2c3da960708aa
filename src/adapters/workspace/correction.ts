// Whether what a plan or an audit did to the files is the adding and correcting of tests, and nothing else.
import type { Effect, Failure, Tree } from '../../core/types.js'
import type { BytePath } from '../../files/byte-path.js'
import { fingerprintOf } from '../../text/failures/failing-lines.js'
import { createPins, type PinRules } from '../../text/pins/pins.js'
import { testChanges, type TestFinding } from '../../text/test-changes/test-changes.js'
import { differing, textsOf, type Differing } from './integrity-read.js'
import type { Store } from './store.js'

const MISSING_MODE = '000000'
const PLAIN_MODES = new Set(['100644', '100755'])
const LOST: ReadonlySet<TestFinding['what']> = new Set(['deleted', 'skipped', 'focused', 'emptied'])

export type Correction = { failures: Failure[]; paths: BytePath[] }

type Ask = Pick<Extract<Effect, { kind: 'ask' }>, 'tree' | 'pins' | 'yields'>
type Place = PinRules & { store: Store; start: Tree }

export async function correctionOf({ store, start, ...rules }: Place, { tree: before, pins, yields }: Ask, tree: Tree): Promise<Correction> {
  const kindOf = createPins(rules)
  const entries = await differing(store, before, tree)
  const tests = entries.filter(({ name, newMode }) => kindOf(name) === 'test' && (newMode === MISSING_MODE || PLAIN_MODES.has(newMode)))
  const others = entries.filter((entry) => !tests.includes(entry))
  const lost = await lostIn(store, tests, LOST)
  // The tests that people wrote may be added to by a plan, and only an audit, which takes the label down, may correct them.
  const theirs = yields === 'plan' ? await givenTests(store, { start, pins, tree }, kindOf) : []
  const changed = (await lostIn(store, theirs, null)).filter(({ name }) => !lost.some((other) => other.name === name))
  const failures = [...others.map(({ name }) => ({ name, text: 'is no test file' })), ...lost, ...changed]
  return { failures: failures.map(({ name, text }) => failureOf(yields, name, text)), paths: tests.map(({ path }) => path) }
}

/** Tests of the start tree that are not as they are pinned. */
async function givenTests(store: Store, { start, pins, tree }: Record<'start' | 'pins' | 'tree', Tree>, kindOf: ReturnType<typeof createPins>): Promise<Differing[]> {
  const given = new Set((await differing(store, start, tree)).filter(({ oldMode }) => oldMode !== MISSING_MODE).map(({ name }) => name))
  return (await differing(store, pins, tree)).filter(({ name }) => given.has(name) && kindOf(name) === 'test')
}

type Lost = { name: string; text: string }

/** What was done to tests that were there; `null` counts everything but new ones. */
async function lostIn(store: Store, tests: readonly Differing[], counts: typeof LOST | null): Promise<Lost[]> {
  const there = tests.filter(({ oldMode }) => oldMode !== MISSING_MODE)
  const texts = await textsOf(store, there.flatMap(({ oldId, newId }) => [oldId, newId]))
  return there.flatMap(({ name, newMode, oldId, newId }) => {
    const after = newMode === MISSING_MODE ? null : texts.get(newId)
    const before = texts.get(oldId)
    if (before === undefined || after === undefined) return oldId === newId ? [] : [{ name, text: 'cannot be compared with what it was' }]
    const found = testChanges({ path: name, before, after })
    return found.filter(({ what }) => counts === null || counts.has(what)).map(({ text }) => ({ name, text }))
  })
}

function failureOf(yields: string, name: string, what: string): Failure {
  const subject = `${yields}: ${name}`
  return { gate: yields, subject, class: 'integrity', fingerprint: fingerprintOf(yields, name), message: `${name}: ${what}`, runs: { failed: 1, of: 1 } }
}
