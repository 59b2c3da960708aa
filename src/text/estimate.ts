// What a task will probably take: by a formula over tokens per second, or by how earlier sessions of the same project went.

export const SCOPES = ['minor', 'feature', 'project'] as const
export type Scope = (typeof SCOPES)[number]

/** Iterations that a task of this size is given at least, by the published guide that `tdd` follows. */
const ITERATIONS: Readonly<Record<Scope, number>> = { minor: 3, feature: 6, project: 12 }
/** What an iteration writes: the answer of the implementer and that of the reviewer. */
const TOKENS_WRITTEN = 4096 + 2048
/** Checks, files and waiting, in proportion to what is written: at 20 tokens a second 307 seconds of writing are 6 minutes. */
const OVERHEAD = 360 / (TOKENS_WRITTEN / 20)
/** Each of the two answers is asked for by a prompt of its own. */
const PROMPTS = 2

/** US dollars for a million tokens, and the most tokens that a prompt may have. */
export type Tariff = { input: number; output: number; promptTokens: number }

export type Range = { least: number; most: number }

export type Estimate = {
  scope: Scope | null
  iterations: number
  seconds: number
  /** By the formula those that are written; by history all that were counted. */
  tokens: number
  /** Null where nobody knows what is asked for. */
  usd: Range | null
}

/** From nearly empty prompts to prompts as long as they may be: what they hold is not known before. */
export function byFormula(scope: Scope, tokensPerSecond: number, tariff: Tariff | null): Estimate {
  const iterations = ITERATIONS[scope]
  const tokens = iterations * TOKENS_WRITTEN
  const usd = tariff && {
    least: (tokens * tariff.output) / 1e6,
    most: (tokens * tariff.output + iterations * PROMPTS * tariff.promptTokens * tariff.input) / 1e6,
  }
  return { scope, iterations, seconds: (tokens / tokensPerSecond) * OVERHEAD, tokens, usd }
}

/** One session that reached its aim. `usd`: null where it is not known. */
export type Past = { iterations: number; seconds: number; tokens: number; usd: number | null }

/** Of sessions that reached their aim: as many iterations as most took, at what an iteration cost on average. With a scope, as many as that has. */
export function byHistory(past: readonly Past[], scope: Scope | null): Estimate | null {
  const usable = past.filter(({ iterations }) => iterations > 0)
  if (usable.length === 0) return null
  const all = sum(usable.map(({ iterations }) => iterations))
  const iterations = scope === null ? median(usable.map((each) => each.iterations)) : ITERATIONS[scope]
  const perIteration = (amounts: readonly number[]): number => (sum(amounts) / all) * iterations
  return {
    scope,
    iterations,
    seconds: perIteration(usable.map(({ seconds }) => seconds)),
    tokens: Math.round(perIteration(usable.map(({ tokens }) => tokens))),
    usd: moneyFor(usable, iterations),
  }
}

/** Between the cheapest and the dearest iteration there was. */
function moneyFor(past: readonly Past[], iterations: number): Range | null {
  const each = past.flatMap((session) => (session.usd === null ? [] : [session.usd / session.iterations]))
  return each.length < past.length ? null : { least: Math.min(...each) * iterations, most: Math.max(...each) * iterations }
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}

function median(amounts: readonly number[]): number {
  const sorted = amounts.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
