// Which bounds have to be raised before a session whose budget is spent can go on.
import { obstacleToExtend, type Budget, type Session } from '../../core/index.js'

const KINDS = ['iterations', 'seconds', 'tokens', 'usd'] as const

/** Flags for `resume` that would do, each with a space before it; empty when nothing stands in the way. */
export function raiseFlags(session: Session, asked: Budget = {}): string {
  if (obstacleToExtend(session, asked) === null) return ''
  const spent = KINDS.flatMap((kind) => {
    const most = Math.max(session.budget[kind] ?? 0, asked[kind] ?? 0)
    const used = kind === 'iterations' ? session.iteration : session.spent[kind]
    return most > 0 && used >= most ? [` ${flagFor(kind, 2 * Math.max(most, used))}`] : []
  })
  return spent.join('')
}

function flagFor(kind: (typeof KINDS)[number], amount: number): string {
  switch (kind) {
    case 'iterations':
      return `--max-iterations ${Math.ceil(amount)}`
    case 'seconds':
      return `--max-time ${typed(Math.ceil(amount))}`
    case 'tokens':
      return `--max-tokens ${Math.ceil(amount)}`
    case 'usd':
      return `--max-cost ${Math.ceil(amount * 100) / 100}`
  }
}

function typed(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600}h`
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`
}
