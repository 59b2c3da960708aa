// The command that was typed, as it would be typed again with a flag more.
import { ManyFaults } from '../config/many-faults.js'
import { Refusal } from '../errors.js'
import { quoteCommand } from '../text/quote.js'

/** Only one of them may be given. */
const INSTEAD: Readonly<Record<string, string>> = { '--agent': '--ai-cmd', '--ai-cmd': '--agent' }

const EACH_BY_NAME: ReadonlySet<string> = new Set(['--param'])

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
  const kept = without(words.slice(0, end), namesIn(flags))
  return [quoteCommand(['greenlatch', ...kept]), flags, ...words.slice(end).map((word) => quoteCommand([word]))].join(' ')
}

type Names = ReadonlyMap<string, 'valued' | 'bare'>

function namesIn(flags: string): Names {
  const words = flags.match(/"[^"]*"|<[^>]*>|\S+/g) ?? []
  const names = new Map<string, 'valued' | 'bare'>()
  words.forEach((word, at) => {
    if (!word.startsWith('--') || EACH_BY_NAME.has(word)) return
    names.set(word, words[at + 1]?.startsWith('--') === false ? 'valued' : 'bare')
    const other = INSTEAD[word]
    if (other !== undefined) names.set(other, 'valued')
  })
  return names
}

/** A flag that is given anew is not given twice; those that are given once for each name stay. */
function without(words: readonly string[], names: Names): string[] {
  return words.filter((word, at) => {
    const [name = ''] = word.split('=', 1)
    return !names.has(name) && names.get(words[at - 1] ?? '') !== 'valued'
  })
}
