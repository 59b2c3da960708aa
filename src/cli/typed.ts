// The command that was typed, as it would be typed again with a flag more.
import { ManyFaults } from '../config/many-faults.js'
import { Refusal } from '../errors.js'
import { typedAgain } from '../text/commands/typed-again.js'

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
