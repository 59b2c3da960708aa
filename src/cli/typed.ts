// The command that was typed, as it would be typed again with a flag more.
import { ManyFaults } from '../config/many-faults.js'
import { Refusal } from '../errors.js'
import { quoteCommand } from '../text/prompt/quote.js'

/** Only one of these may be given, and `--model` is meant for one that is dropped. */
const WHO_ANSWERS: ReadonlySet<string> = new Set(['--agent', '--ai-cmd', '--ai-cmd-alias', '--url'])
const MODEL = '--model'

/** A refusal that names a flag of `run` or `open` alone would make people lose what they typed: it names that flag with all the rest. */
export function withTyped(error: unknown, words: readonly string[]): unknown {
  if (!(error instanceof Refusal)) return error
  const [, flags] = /^greenlatch (?:run|open) (?:[a-z][\w-]* )?(--(?!help\b)[^,(]+)/.exec(error.next) ?? []
  if (flags === undefined) return error
  const faults = [error.message, ...(error instanceof ManyFaults ? error.others : [])]
  const next = typedAgain(withoutUnknown(words, faults.join('\n')), flags.trim())
  return error instanceof ManyFaults ? new ManyFaults(error.message, error.others, next) : new Refusal(error.code, error.message, next)
}

/** A parameter that there is not would be refused again. */
function withoutUnknown(words: readonly string[], faults: string): string[] {
  const isUnknown = (flag: string | undefined, value = ''): boolean => flag === '--param' && faults.includes(`has no parameter "${value.split('=', 1)[0]}"`)
  return words.filter((word, at) => !isUnknown(words[at - 1], word) && !isUnknown(word, words[at + 1]))
}

function typedAgain(words: readonly string[], flags: string): string {
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
