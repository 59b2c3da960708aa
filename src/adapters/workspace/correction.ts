// Whether what a plan or an audit did to the files is the adding and correcting of tests, and nothing else.
import type { Effect, Failure, Tree } from '../../core/types.js'
import type { BytePath } from '../../files/byte-path.js'
import { fingerprintOf } from '../../text/failing-lines.js'
import { createPins, type PinRules } from '../../text/pins.js'
import { testChanges, type TestFinding } from '../../text/test-changes.js'
import { differing, textsOf, type Differing } from './integrity-read.js'
import type { Store } from './store.js'

const MISSING_MODE = '000000'
const LOST: ReadonlySet<TestFinding['what']> = new Set(['deleted', 'skipped', 'focused', 'emptied'])

export type Correction = { failures: Failure[]; paths: BytePath[] }

export async function correctionOf(
  { store, ...rules }: PinRules & { store: Store },
  { tree: before, yields }: Extract<Effect, { kind: 'ask' }>,
  tree: Tree,
): Promise<Correction> {
  const kindOf = createPins(rules)
  const entries = await differing(store, before, tree)
  const others = entries.filter(({ name }) => kindOf(name) !== 'test').map(({ name }) => failureOf(yields, name, 'is no test file'))
  const tests = entries.filter(({ name }) => kindOf(name) === 'test')
  const texts = await textsOf(store, tests.flatMap(({ oldId, newId }) => [oldId, newId]))
  return { failures: [...others, ...tests.flatMap((entry) => lostIn(yields, entry, texts))], paths: tests.map(({ path }) => path) }
}

/** Corrected tests may say something else; none may be gone, skipped or emptied. */
function lostIn(yields: string, { name, oldMode, newMode, oldId, newId }: Differing, texts: ReadonlyMap<string, string>): Failure[] {
  if (oldMode === MISSING_MODE) return []
  const after = newMode === MISSING_MODE ? null : (texts.get(newId) ?? '')
  const found = testChanges({ path: name, before: texts.get(oldId) ?? '', after })
  return found.filter(({ what }) => LOST.has(what)).map(({ text }) => failureOf(yields, name, text))
}

function failureOf(yields: string, name: string, what: string): Failure {
  const subject = `${yields}: ${name}`
  return { gate: yields, subject, class: 'integrity', fingerprint: fingerprintOf(yields, name), message: `${name}: ${what}`, runs: { failed: 1, of: 1 } }
}
