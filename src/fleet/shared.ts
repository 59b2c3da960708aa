// What all workers share besides the queues: who is cancelled, how often an agent may be asked, what a batch may cost, which candidate wins.
import type { Redis } from 'ioredis'

export const PREFIX = 'greenlatch'

export const KEY = {
  queues: `${PREFIX}:fleet:queues`,
  cancelled: `${PREFIX}:fleet:cancelled`,
  rates: `${PREFIX}:fleet:rates`,
  batches: `${PREFIX}:fleet:batches`,
  spent: (batch: string) => `${PREFIX}:fleet:spent:${batch}`,
  held: (batch: string) => `${PREFIX}:fleet:held:${batch}`,
  dearest: (batch: string) => `${PREFIX}:fleet:dearest:${batch}`,
  group: (group: string) => `${PREFIX}:fleet:group:${group}`,
  window: (provider: string) => `${PREFIX}:fleet:window:${provider}`,
} as const

/** By the server's clock: a place in this window (0), or how many milliseconds until the next one opens. */
const TAKE_PLACE = `
local now = redis.call('TIME')
local ms = now[1] * 1000 + math.floor(now[2] / 1000)
local window = tonumber(ARGV[2])
local key = KEYS[1] .. ':' .. math.floor(ms / window)
if redis.call('INCR', key) <= tonumber(ARGV[1]) then
  redis.call('PEXPIRE', key, window * 2)
  return 0
end
return window - ms % window`

/** Notes how a candidate ended, and names the winner once enough are proved or all have ended. The first word stands. */
const SETTLE = `
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
local winner = redis.call('HGET', KEYS[1], 'winner')
if winner then return winner end
local best, weight, proved, ended = false, 0, 0, 0
local all = redis.call('HGETALL', KEYS[1])
for at = 1, #all, 2 do
  local one = cjson.decode(all[at + 1])
  ended = ended + 1
  if one.proved then
    proved = proved + 1
    if not best or one.weight < weight or (one.weight == weight and all[at] < best) then
      best, weight = all[at], one.weight
    end
  end
end
if proved < tonumber(ARGV[3]) and ended < tonumber(ARGV[4]) then return '' end
redis.call('HSET', KEYS[1], 'winner', cjson.encode({ id = best or '' }))
return cjson.encode({ id = best or '' })`

export type Rate = { count: number; seconds: number }

/** Milliseconds to wait before asking again; 0 when it may be asked now. */
export async function takePlace(redis: Redis, provider: string): Promise<number> {
  const rate = parseRate((await redis.hget(KEY.rates, provider)) ?? (await redis.hget(KEY.rates, '*')) ?? '')
  if (!rate) return 0
  return Number(await redis.eval(TAKE_PLACE, 1, KEY.window(provider), rate.count, rate.seconds * 1000))
}

/** As `30/m`: so many in a second, a minute or an hour. */
export function parseRate(text: string): Rate | null {
  const [, count, unit] = /^(\d{1,9})\/([smh])$/.exec(text) ?? []
  return count === undefined || Number(count) === 0 ? null : { count: Number(count), seconds: { s: 1, m: 60, h: 3600 }[unit as 's' | 'm' | 'h'] }
}

export type Batch = { at: number; tasks: number; usd: number | null }

export async function noteBatch(redis: Redis, id: string, batch: Batch): Promise<void> {
  await redis.hset(KEY.batches, id, JSON.stringify(batch))
}

export async function batches(redis: Redis): Promise<Map<string, Batch>> {
  return new Map(Object.entries(await redis.hgetall(KEY.batches)).map(([id, text]) => [id, JSON.parse(text) as Batch]))
}

/** Null where the batch has no bound. */
export async function moneyLeft(redis: Redis, batch: string): Promise<number | null> {
  const text = await redis.hget(KEY.batches, batch)
  const usd = text === null ? null : (JSON.parse(text) as Batch).usd
  if (usd === null) return null
  return usd - (await redis.hvals(KEY.spent(batch))).reduce((sum, value) => sum + Number(value), 0)
}

/** The least weight wins. */
export type Verdict = { proved: boolean; weight: number }

/** The name of the winner; empty when there is none; null while it is open. */
export async function settle(redis: Redis, { group, of, enough }: { group: string; of: number; enough: number }, id: string, verdict: Verdict): Promise<string | null> {
  const answer = String(await redis.eval(SETTLE, 1, KEY.group(group), id, JSON.stringify(verdict), enough, of))
  return answer === '' ? null : (JSON.parse(answer) as { id: string }).id
}

export async function winnerOf(redis: Redis, group: string): Promise<string | null> {
  const text = await redis.hget(KEY.group(group), 'winner')
  return text === null ? null : (JSON.parse(text) as { id: string }).id
}
