// What was typed of where we look goes into every command that is offered: without it that one would look elsewhere.
import { quoteWord } from '../text/prompt/quote.js'

/** Flags that say where, with the verbs for which they have no meaning: these look for no session, know no settings, or bring their own. */
const PLACES = [
  { key: 'stateDir', flag: '--state-dir', not: ['demo', 'init', 'schema', 'completion', 'procedures', 'agents', 'config', 'trust', 'fleet'] },
  { key: 'C', flag: '-C', not: ['demo', 'schema', 'completion'] },
  { key: 'config', flag: '--config', not: ['demo', 'init', 'schema', 'completion'] },
] as const

type Key = (typeof PLACES)[number]['key']

/** A flag as it is added, and the commands as they are offered that want it: those that ask for no help and do not say so themselves. */
type Carried = { words: string; offered: RegExp }

let carried: Carried[] = []

/** As they were typed on this command line. */
export function carryPlaces(typed: Partial<Record<Key, string>>): void {
  carried = PLACES.flatMap(({ key, flag, not }) => {
    const value = typed[key]
    const offered = new RegExp(`\\bgreenlatch (?!(?:${not.join('|')})\\b)([a-z]+)(?=\\s|$)(?! --help)(?!.* ${flag}[ =])`, 'gm')
    return value === undefined ? [] : [{ words: ` ${flag} ${quoteWord(value)}`, offered }]
  })
}

/** A command line without them, to be kept: whoever looks at it later may stand elsewhere, and types them anew. */
export function withoutPlaces(words: readonly string[]): string[] {
  const flags: ReadonlySet<string> = new Set(PLACES.map(({ flag }) => flag))
  const isPlace = (word: string): boolean => flags.has(word.split('=', 1)[0] ?? '')
  return words.filter((word, at) => !isPlace(word) && !flags.has(words[at - 1] ?? ''))
}

/** Text for people in which each command that is offered can be typed as it stands. */
export function typeable(text: string): string {
  return carried.reduce((told, { words, offered }) => told.replaceAll(offered, (command) => `${command}${words}`), text)
}
