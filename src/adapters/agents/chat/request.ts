// What a model is asked: where, with which headers, and in which words.
import type { ChatEntry, ModelSettings, Price } from '../../../agent-entry.js'
import type { AskRequest } from '../../../ports.js'
import { grouped } from '../../../text/amounts.js'
import { NO_USAGE, withPrice } from '../usage.js'
import { readBody, send } from './wire.js'

export type Server = {
  address: URL
  entry: ChatEntry
  price: Price | undefined
  /** Read afresh for every ask, and kept nowhere. */
  key: () => string
  /** The model that the server itself names first, once it was asked. */
  firstModel: string | null
}

export function endpoint(address: URL, path: string): URL {
  const url = new URL(address)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`
  return url
}

export function headersFor(secret: string): Record<string, string> {
  return secret === '' ? {} : { authorization: `Bearer ${secret}` }
}

export function bodyFor({ stream }: ChatEntry, { model, temperature }: ModelSettings, prompt: string, mostTokens: number | null): string {
  return JSON.stringify({
    ...(model !== undefined && { model }),
    messages: [{ role: 'user', content: prompt }],
    ...(temperature !== undefined && { temperature }),
    ...(mostTokens !== null && { max_tokens: mostTokens }),
    ...(stream === false ? { stream: false } : { stream: true, stream_options: { include_usage: true } }),
  })
}

/** In fewer nobody can say anything of use. */
const LEAST_OUTPUT_TOKENS = 64

/** Why a prompt is not sent at all; a server may drop the beginning of what it cannot take in, and say nothing. */
export function tooLong(price: Price | undefined, { left }: Pick<AskRequest, 'left'>, input: number, contextTokens = Infinity): string | null {
  if (input >= contextTokens) return `the prompt has about ${grouped(input)} tokens, and the model takes in ${grouped(contextTokens)}`
  if (left.tokens !== null && input + LEAST_OUTPUT_TOKENS > left.tokens) return `the prompt has about ${grouped(input)} tokens, and ${grouped(left.tokens)} are left of the budget`
  const usd = withPrice({ ...NO_USAGE, input, output: LEAST_OUTPUT_TOKENS }, price).usd ?? 0
  if (left.usd !== null && usd > left.usd) return `the prompt costs about $${usd.toFixed(4)}, and $${Math.max(0, left.usd).toFixed(4)} are left of the budget`
  return null
}

/** The most tokens of an answer: no more than the budget leaves. */
export function mostOutput(price: Price | undefined, { left }: Pick<AskRequest, 'left'>, input: number, wanted = Infinity): number | null {
  const byTokens = left.tokens === null ? Infinity : left.tokens - input
  const byMoney = left.usd === null || !price?.output ? Infinity : (left.usd * 1_000_000 - input * price.input) / price.output
  const most = Math.floor(Math.min(wanted, byTokens, byMoney))
  return Number.isFinite(most) ? Math.max(1, most) : null
}

const MOST_LIST_BYTES = 1024 * 1024
const LIST_SECONDS = 10

/** Where nobody names a model: the first that the server lists. Null when it does not say; it then takes the one it has. */
export async function nameOfModel(server: Server, { limits }: AskRequest, stop: AbortSignal): Promise<string | null> {
  if (server.firstModel !== null) return server.firstModel
  const signal = AbortSignal.any([stop, AbortSignal.timeout(Math.min(LIST_SECONDS, limits.wallSeconds) * 1000)])
  try {
    const reached = await send({ method: 'GET', url: endpoint(server.address, 'models'), headers: headersFor(server.key()), signal })
    if (reached.kind === 'elsewhere') return null
    let json = ''
    await readBody(reached.response, MOST_LIST_BYTES, (text) => {
      json += text
    })
    const [first] = (JSON.parse(json) as { data: { id: unknown }[] }).data
    server.firstModel = typeof first?.id === 'string' ? first.id : null
  } catch {
    // The question itself will say what is wrong with the server.
  }
  return server.firstModel
}
