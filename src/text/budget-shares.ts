// How much of each bound is used, in words.
import type { Budget, Spend } from '../core/types.js'
import { duration, grouped } from './amounts.js'

export type Share = { share: number; text: string }

type Limit = [limit: number | undefined, used: number, text: (amount: number) => string, name: string]

/** The one that will end it first, at this pace, comes first. */
export function budgetShares(budget: Budget, used: Spend & { iterations: number }): Share[] {
  const limits: Limit[] = [
    [budget.iterations, used.iterations, grouped, 'iterations'],
    [budget.seconds, used.seconds, duration, 'active time'],
    [budget.tokens, used.tokens, grouped, 'tokens'],
    [budget.usd, used.usd, (amount) => amount.toFixed(2), 'USD'],
  ]
  const shares = limits.flatMap(([limit, amount, text, name]): Share[] => (limit ? [{ share: amount / limit, text: `${text(amount)} of ${text(limit)} ${name}` }] : []))
  return shares.toSorted((a, b) => b.share - a.share)
}
