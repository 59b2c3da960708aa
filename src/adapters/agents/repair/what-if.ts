// Asks, in one run of the tests, what each change of a value would have made different: a change that makes no difference in a test that
// fails cannot mend it, and one that makes a difference only there is likely to.
import { ERROR_WANTED, wantedIn } from './hints.js'
import type { Reader } from './parse.js'
import { questionsFor } from './questions.js'
import type { Checker } from './runners/types.js'
import type { Ranked } from './types.js'

/** What a test saw of a change, as the runners tell it: bits. */
const DIFFERS = 1
const THROWS = 2
const ODD = 4

/** Found on the tuning programs, each time on three quarters of them, and held against the rest. */
const CANNOT_MEND = 0.005
const MENDS_SOME = 0.08
const SHARPER_POWER = 2.5
const THROWS_FACTOR = 0.08
const ODD_FACTOR = 0.17
const WANTED_FACTOR = 3.3
/** Changes that cannot be asked about are judged by their place alone. */
const NOT_ASKED = 0.6

/** `messages`: what the failing tests say, by their ids. */
type Told = {
  checker: Pick<Checker, 'whatIf'>
  targets: readonly string[]
  passing: readonly string[]
  messages: ReadonlyMap<string, string>
}

/** The same candidates in the order that is left when it is known what they would change. */
export async function askedWhatIf(
  ranked: readonly Ranked[],
  reader: Reader,
  { checker, targets, passing, messages }: Told,
): Promise<Ranked[]> {
  const { texts, numbersOf } = await questionsFor(ranked, reader)
  const seen = texts.length > 0 ? await checker.whatIf(texts) : null
  if (seen === null || !isSameOutcome(seen, targets, passing)) return [...ranked]
  const saw = new Map(seen.map((each) => [each.id, each]))
  const told = (id: string, numbers: readonly number[]): number => numbers.reduce((sum, number) => sum | (saw.get(id)?.seen[number] ?? 0), 0)
  const differs = (ids: readonly string[], numbers: readonly number[]): number => ids.filter((id) => told(id, numbers) & DIFFERS).length
  const wanted = new Map(targets.map((id) => [id, wantedIn(messages.get(id) ?? '')]))
  const gives = (id: string, numbers: readonly number[]): boolean =>
    numbers.some((number) => saw.get(id)?.gave[number]?.some((value) => wanted.get(id)?.has(value)))
  // Where no change reaches all that fails, there is more than one fault, and each is mended by itself.
  const isOneFault = [...numbersOf.values()].some((numbers) => differs(targets, numbers) === targets.length)
  const isErrorWanted = [...messages.values()].some((message) => ERROR_WANTED.test(message))
  const factorOf = (each: Ranked): number => {
    const numbers = numbersOf.get(each)
    if (!numbers) return NOT_ASKED
    const reached = differs(targets, numbers)
    if (reached === 0) return CANNOT_MEND
    const sharp = reached / Math.sqrt(targets.length * (reached + differs(passing, numbers)))
    const all = targets.reduce((sum, id) => sum | told(id, numbers), 0)
    const mends = isOneFault && reached < targets.length ? MENDS_SOME : 1
    const thrown = all & THROWS && !isErrorWanted ? THROWS_FACTOR : 1
    const odd = all & ODD ? ODD_FACTOR : 1
    const asked = targets.some((id) => gives(id, numbers)) ? WANTED_FACTOR : 1
    return Math.max(1, sharp / Math.max(0.05, each.factors.suspect)) ** SHARPER_POWER * mends * thrown * odd * asked
  }
  return ranked
    .map((each) => ({ ...each, score: each.score * factorOf(each) }))
    .toSorted((one, other) => other.score - one.score)
}

/** Questions that changed what the tests say are not to be believed. */
function isSameOutcome(seen: readonly { id: string; passed: boolean }[], targets: readonly string[], passing: readonly string[]): boolean {
  const passed = new Set(seen.filter((each) => each.passed).map(({ id }) => id))
  return passing.every((id) => passed.has(id)) && !targets.some((id) => passed.has(id)) && targets.every((id) => seen.some((each) => each.id === id))
}

