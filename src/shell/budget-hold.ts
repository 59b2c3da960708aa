// Ends a call that goes past the session's budget while it is under way, rather than after it.
import type { Session, Spend } from '../core/types.js'
import type { AskRequest, Limits } from '../ports.js'
import { grouped } from '../text/amounts.js'

export type Hold = {
  /** Aborted by whoever stops the session, and when the budget is spent. */
  readonly signal: AbortSignal
  /** Why the budget ended the call, in one line; null while it has not. */
  readonly reason: string | null
  /** Called with what the call has spent so far. */
  check(spent: Spend): void
}

/** `before` is what the same ask has spent already, with others. */
export function budgetHold(session: Session, before: Spend, stop: AbortSignal): Hold {
  if (!session.budget.tokens && !session.budget.usd) return { signal: stop, reason: null, check: () => {} }
  const spentUp = new AbortController()
  let reason: string | null = null
  return {
    signal: AbortSignal.any([stop, spentUp.signal]),
    get reason() {
      return stop.aborted ? null : reason
    },
    check({ tokens, usd }) {
      reason ??= overrun(session, { seconds: 0, tokens: before.tokens + tokens, usd: before.usd + usd })
      if (reason !== null) spentUp.abort()
    },
  }
}

function overrun({ budget, spent }: Session, now: Spend): string | null {
  const tokens = spent.tokens + now.tokens
  const usd = spent.usd + now.usd
  if (budget.tokens && tokens >= budget.tokens) return `ended during the call: ${grouped(tokens)} of ${grouped(budget.tokens)} tokens are spent`
  if (budget.usd && usd >= budget.usd) return `ended during the call: $${usd.toFixed(2)} of $${budget.usd.toFixed(2)} are spent`
  return null
}

export function leftOf({ budget, spent }: Session, before: Spend): AskRequest['left'] {
  return {
    tokens: budget.tokens ? Math.max(0, budget.tokens - spent.tokens - before.tokens) : null,
    usd: budget.usd ? Math.max(0, budget.usd - spent.usd - before.usd) : null,
  }
}

/** How much longer the session may last, `elapsed` of it being gone without having been noted; infinite without a budget of time. */
export function secondsLeft({ budget, spent }: Session, elapsed: number): number {
  return budget.seconds ? Math.max(0, budget.seconds - spent.seconds - elapsed) : Infinity
}

/** A call may take no longer than what is left of the session's own time. */
export function limitsWithin(limits: Limits, session: Session, elapsed: number): Limits {
  return { ...limits, wallSeconds: Math.min(limits.wallSeconds, Math.max(1, secondsLeft(session, elapsed))) }
}
