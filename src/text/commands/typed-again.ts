// A command line of ours as it would be typed again, with flags that take the place of some.
import { quoteCommand } from '../prompt/quote.js'

/** Only one of these may be given, and `--model` is meant for one that is dropped. */
const WHO_ANSWERS: ReadonlySet<string> = new Set(['--agent', '--ai-cmd', '--ai-cmd-alias', '--url'])
const MODEL = '--model'

/** What is in `flags` takes the place of what clashes with it. */
export function typedAgain(words: readonly string[], flags: string): string {
  const end = words.includes('--') ? words.indexOf('--') : words.length
  const kept = without(words.slice(0, end), givenIn(flags))
  return [quoteCommand(['greenlatch', ...kept]), flags, ...words.slice(end).map((word) => quoteCommand([word]))].join(' ')
}

/** A flag as it is named for the next command; null where it takes no value. */
type Given = { flag: string; value: string | null }

function givenIn(flags: string): Given[] {
  const words = flags.match(/"[^"]*"|<[^>]*>|\S+/g) ?? []
  return words.flatMap((flag, at) => (flag.startsWith('--') ? [{ flag, value: words[at + 1]?.startsWith('--') === false ? (words[at + 1] ?? null) : null }] : []))
}

/** What is given anew is not given twice, nor what would clash with it; those that are given once for each name stay. */
function without(words: readonly string[], anew: readonly Given[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const [flag = '', inline] = word.split('=', 2)
    const clash = anew.find((given) => wouldClash(given, flag, inline ?? words[at + 1] ?? ''))
    if (!clash) kept.push(word)
    else if (!word.includes('=') && clash.value !== null) at += 1
  }
  return kept
}

function wouldClash({ flag: anew, value }: Given, flag: string, typed: string): boolean {
  if (anew === '--param') return false
  const role = anew === '--agent' ? /^[a-z-]+=/.exec(value ?? '') : null
  if (role) return flag === anew && typed.startsWith(role[0])
  return WHO_ANSWERS.has(anew) ? WHO_ANSWERS.has(flag) || flag === MODEL : flag === anew
}

/** With another value in the place of one that `flag` was given; as `typedAgain` where it was not. */
export function typedWith(words: readonly string[], { flag, value, instead }: { flag: string; value: string; instead: string }): string {
  const at = words.findIndex((word, index) => (word === value && words[index - 1] === flag) || word === `${flag}=${value}`)
  if (at < 0) return typedAgain(words, quoteCommand([flag, instead]))
  const word = words[at] === value ? instead : `${flag}=${instead}`
  return quoteCommand(['greenlatch', ...words.slice(0, at), word, ...words.slice(at + 1)])
}
