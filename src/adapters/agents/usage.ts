// What agents use, counted in one way for all of them.
import type { Price } from '../../agent-entry.js'
import type { Spend } from '../../core/types.js'
import type { Usage } from '../../ports.js'
import { countTokens } from '../../text/prompt/tokens.js'

export const NO_USAGE: Usage = { input: 0, cachedInput: 0, output: 0, usd: null, model: null }

/** Beyond these nobody has used anything: what is told is nonsense, and must not become a number that no journal can hold. */
const MOST_TOKENS = 1e12
const MOST_USD = 1e6

export function tokensIn(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, MOST_TOKENS) : 0
}

/** Null for what is no amount of money. */
export function usdIn(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 ? Math.min(value, MOST_USD) : null
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cachedInput: a.cachedInput + b.cachedInput,
    output: a.output + b.output,
    usd: a.usd === null ? b.usd : a.usd + (b.usd ?? 0),
    model: b.model ?? a.model,
  }
}

/** The most of each kind that either tells. */
export function mostOf(a: Usage, b: Usage): Usage {
  const usd = a.usd === null && b.usd === null ? null : Math.max(a.usd ?? 0, b.usd ?? 0)
  return {
    input: Math.max(a.input, b.input),
    cachedInput: Math.max(a.cachedInput, b.cachedInput),
    output: Math.max(a.output, b.output),
    usd,
    model: b.model ?? a.model,
  }
}

/** What the agent says it costs is taken as it is; else the price list decides, where there is one. */
export function withPrice(usage: Usage, price: Price | undefined): Usage {
  if (usage.usd !== null || price === undefined) return usage
  const { input, cachedInput, output } = usage
  return { ...usage, usd: (input * price.input + cachedInput * (price.cachedInput ?? price.input) + output * price.output) / 1_000_000 }
}

/** Every token counts once, whether it came from a cache or not. */
export function spendOf({ input, cachedInput, output, usd }: Usage, seconds: number): Spend {
  return { seconds, tokens: input + cachedInput + output, usd: usd ?? 0 }
}

/** Who tells no tokens, or none at all, has read the prompt and written its words at the least. */
export function atLeast(told: Usage | null, prompt: string, saidChars: number): Usage {
  if (told && told.input + told.cachedInput + told.output > 0) return told
  return { ...(told ?? NO_USAGE), usd: told?.usd || null, input: countTokens(prompt), output: Math.ceil(saidChars / 4), estimated: true }
}
