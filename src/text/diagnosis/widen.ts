// The flags of a run that would be let what a session was not: its own scope, and beside it what was out of it.
import type { Session } from '../../core/types.js'
import { quoteWord } from '../prompt/quote.js'
import { mayChange, type ScopeRules } from '../scope.js'

const MOST_PATHS = 5
/** What is breached when too much was changed. */
const OVER = 'diff budget'

/** Empty where no flag would help: what is denied by a rule stays so. */
export function wideningFlags({ setup }: Session, breached: readonly string[]): string {
  const scope = setup['scope'] as ScopeRules | undefined
  if (!scope) return ''
  const more = scope.allow.length === 0 ? [] : helpful(scope, breached)
  const isOver = breached.includes(OVER)
  const flags = [
    ...(more.length > 0 ? [...scope.allow, ...more].map((glob) => `--allow ${quoteWord(glob)}`) : []),
    ...(isOver ? ['--diff-budget "<files>/<lines>"'] : []),
  ]
  return flags.join(' ')
}

function helpful(scope: ScopeRules, breached: readonly string[]): string[] {
  const globs = breached.filter((path) => path !== OVER).map((path) => ({ path, glob: path.replace(/[*?[\]{}\\]/g, '\\$&') }))
  return globs.filter(({ path, glob }) => mayChange({ ...scope, allow: [glob] })(path)).map(({ glob }) => glob).slice(0, MOST_PATHS)
}
