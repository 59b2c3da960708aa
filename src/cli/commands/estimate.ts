// `estimate`: what a task will probably take, from tokens per second or from how earlier sessions here went; it says which.
import { EXIT, Refusal } from '../../errors.js'
import { counted, grouped } from '../../text/amounts.js'
import { byFormula, byHistory, SCOPES, type Estimate, type Past, type Scope, type Tariff } from '../../text/estimate.js'
import { nearest } from '../../text/nearest.js'
import { knownSpend } from '../../text/who-answers.js'
import { readEntries } from '../catalogue.js'
import { openContext, type Context } from '../context.js'
import { knownAgent } from '../known-agents.js'
import { didYouMean } from '../meant.js'
import type { Call } from '../program.js'

type EstimateFlags = { scope?: string; tokS?: number }

/** A model on a machine of one's own, and one that is rented. */
const USUAL_SPEEDS = [20, 60] as const

/** `speed`: tokens per second, null by history. */
type Row = Estimate & { speed: number | null }
type Told = { basis: 'formula' | 'history'; says: string; rows: Row[] }

export default async function estimate({ flags }: Call<EstimateFlags>): Promise<number> {
  const scope = scopeOf(flags.scope)
  const context = await openContext(flags)
  const told = flags.tokS === undefined ? ((await fromHistory(context, scope)) ?? fromFormula(context, scope, USUAL_SPEEDS)) : fromFormula(context, scope, [flags.tokS])
  const { output } = context
  if (output.format !== 'text') {
    output.json({ basis: told.basis, says: told.says, estimates: told.rows.map(({ speed, seconds, ...row }) => ({ ...row, seconds: Math.round(seconds), tokens_per_second: speed })) })
    return 0
  }
  output.data(tableOf(told.rows))
  output.say(told.says)
  return 0
}

function scopeOf(named: string | undefined): Scope | null {
  const scope = SCOPES.find((known) => known === named)
  if (scope || named === undefined) return scope ?? null
  throw new Refusal(EXIT.usage, `--scope: there is no "${named}"${didYouMean(named, SCOPES)}; there are ${SCOPES.join(', ')}`, `greenlatch estimate --scope ${nearest(named, SCOPES) ?? 'feature'}`)
}

// ───────────────────────────── by formula ─────────────────────────────

function fromFormula(context: Context, scope: Scope | null, speeds: readonly number[]): Told {
  const tariff = tariffIn(context)
  const rows = (scope ? [scope] : SCOPES).flatMap((each) => speeds.map((speed): Row => ({ ...byFormula(each, speed, tariff), speed })))
  const money = tariff ? '; the price is that of the agent in the settings, for prompts from empty to the longest that are sent' : ''
  const way = speeds.length > 1 ? '; --tok-s <n> takes the speed of your model' : ''
  return { basis: 'formula', says: `by formula: 6,144 tokens written in an iteration, and 17 % more time for everything else; tokens are those written${money}${way}`, rows }
}

/** Only what the settings say: an agent that tells its cost tells it afterwards. */
function tariffIn({ config, cwd }: Context): Tariff | null {
  const name = config.values.agent['*'] ?? config.values.agent['implementer']
  const price = name === undefined ? undefined : knownAgent(name, config, cwd)?.price
  return price ? { input: price.input, output: price.output, promptTokens: config.values.promptTokens } : null
}

// ───────────────────────────── by history ─────────────────────────────

/** Null where no session of the procedure in force has reached its aim yet. */
async function fromHistory({ store, config }: Context, scope: Scope | null): Promise<Told | null> {
  const { procedure } = config.values
  const { entries } = await readEntries(store)
  const past = entries.map(({ session }) => session).filter(({ finish, procedure: { name } }) => name === procedure && (finish?.outcome === 'converged' || finish?.outcome === 'completed'))
  const found = byHistory(past.map((session): Past => ({ iterations: session.finished, ...knownSpend(session) })), scope)
  if (!found) return null
  const says = `by history: ${counted(past.length, 'session')} of "${procedure}" in this repository that ended well; --tok-s <n> takes the formula instead`
  return { basis: 'history', says, rows: [{ ...found, speed: null }] }
}

// ───────────────────────────── for people ─────────────────────────────

function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ scope, iterations, seconds, tokens, usd, speed }) => [
    scope ?? 'as before',
    String(iterations),
    ...(speed === null ? [] : [`${speed} tok/s`]),
    timeText(seconds),
    grouped(tokens),
    usd === null ? 'unknown' : `${usd.least.toFixed(2)} to ${usd.most.toFixed(2)} USD`,
  ])
  const heads = ['scope', 'iterations', ...(rows[0]?.speed === null ? [] : ['speed']), 'time', 'tokens', 'cost']
  const widths = heads.map((head, at) => Math.max(head.length, ...cells.map((row) => row[at]?.length ?? 0)))
  return [heads, ...cells].map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ').trimEnd()).join('\n')
}

/** No more exact than it is. */
function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${(seconds / 3600).toFixed(1)} h`
}
