// The money of a batch, shared by all workers: held before an agent is asked, settled when it has answered, and remembered when its worker dies.
import type { Redis } from 'ioredis'
import { KEY } from './shared.js'

/**
 * Holds money for an ask. How much one costs is told by the dearest so far or by the session's own bound; before either is known an ask
 * holds all there is. Where others hold what is missing it is waited for, since they may need less. A hold that nobody renews is of a
 * worker that is gone: its ask counts as much as the dearest.
 */
const HOLD = `
local batch = redis.call('HGET', KEYS[1], ARGV[1])
local bound = batch and cjson.decode(batch).usd
if not bound or bound == cjson.null then return {'granted', ''} end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local dearest = tonumber(redis.call('GET', KEYS[4]) or '')
local others = 0
local holds = redis.call('HGETALL', KEYS[3])
for at = 1, #holds, 2 do
  local usd, till = string.match(holds[at + 1], '^(%S+) (%d+)$')
  if tonumber(till) < now then
    redis.call('HDEL', KEYS[3], holds[at])
    if holds[at] ~= ARGV[2] then redis.call('HINCRBYFLOAT', KEYS[2], holds[at], math.min(tonumber(usd), dearest or 0)) end
  elseif holds[at] ~= ARGV[2] then
    others = others + tonumber(usd)
  end
end
local left = tonumber(bound)
for _, usd in ipairs(redis.call('HVALS', KEYS[2])) do left = left - tonumber(usd) end
if left <= 0 then return {'broke', ''} end
left = left - others
local want = math.min(tonumber(ARGV[3]) or math.huge, dearest or math.huge)
if want > left then
  if others > 0 then return {'wait', ''} end
  want = left
end
redis.call('HSET', KEYS[3], ARGV[2], want .. ' ' .. (now + tonumber(ARGV[4])))
return {'granted', tostring(left)}`

const RENEW = `
local usd = string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '', '^(%S+) ')
if not usd then return 0 end
local clock = redis.call('TIME')
redis.call('HSET', KEYS[1], ARGV[1], usd .. ' ' .. (clock[1] * 1000 + math.floor(clock[2] / 1000) + tonumber(ARGV[2])))
return 1`

const SETTLE = `
redis.call('HDEL', KEYS[2], ARGV[1])
if tonumber(ARGV[2]) <= 0 then return 0 end
redis.call('HINCRBYFLOAT', KEYS[1], ARGV[1], ARGV[2])
if tonumber(ARGV[2]) > tonumber(redis.call('GET', KEYS[3]) or '0') then redis.call('SET', KEYS[3], ARGV[2]) end
return 1`

const RAISE = `
local known = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
if tonumber(ARGV[2]) > known then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
return tostring(math.max(known, tonumber(ARGV[2])))`

type Whose = { batch: string; id: string }

export type Hold = { kind: 'granted'; left: number | null } | { kind: 'broke' } | { kind: 'wait' }

/** `usd`: what the session itself may still spend; null where it has no bound. */
export async function holdMoney(redis: Redis, { batch, id }: Whose, usd: number | null, milliseconds: number): Promise<Hold> {
  const keys = [KEY.batches, KEY.spent(batch), KEY.held(batch), KEY.dearest(batch)]
  const [kind, left] = (await redis.eval(HOLD, keys.length, ...keys, batch, id, usd ?? '', milliseconds)) as ['granted' | 'broke' | 'wait', string]
  return kind === 'granted' ? { kind, left: left === '' ? null : Number(left) } : { kind }
}

export async function renewHold(redis: Redis, { batch, id }: Whose, milliseconds: number): Promise<void> {
  await redis.eval(RENEW, 1, KEY.held(batch), id, milliseconds)
}

/** What one ask has cost, told once, whether or not what came of it is ever pushed. */
export async function settleMoney(redis: Redis, { batch, id }: Whose, usd: number): Promise<void> {
  await redis.eval(SETTLE, 3, KEY.spent(batch), KEY.held(batch), KEY.dearest(batch), id, usd)
}

/** What a session's own records say is the least it has cost. Returns what it has cost by all that is known. */
export async function raiseSpent(redis: Redis, { batch, id }: Whose, usd: number): Promise<number> {
  return Number(await redis.eval(RAISE, 1, KEY.spent(batch), id, usd))
}
