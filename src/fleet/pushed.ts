// What the queue remembers of pushes: a ref that stands on anything else was moved by somebody who is no worker of it.
import type { Redis } from 'ioredis'
import { PREFIX } from './shared.js'

/** `new`: nothing was ever there. `gone`: something was. `foreign`: no worker of this queue has set out to push it. */
export type Standing = 'new' | 'ours' | 'gone' | 'foreign'

const THERE = 'there'
/** Longer than results are kept. */
const KEPT_SECONDS = 40 * 24 * 3600

const keyOf = (session: string): string => `${PREFIX}:fleet:pushed:${session}`

/** Before the remote is told: a worker may die between its push and its next word to the queue. */
export async function notePushing(redis: Redis, session: string, commit: string): Promise<void> {
  await redis.sadd(keyOf(session), commit)
  await redis.expire(keyOf(session), KEPT_SECONDS)
}

export async function notePushed(redis: Redis, session: string): Promise<void> {
  await redis.sadd(keyOf(session), THERE)
}

/** Null: the ref is not there. */
export async function standingOf(redis: Redis, session: string, tip: string | null): Promise<Standing> {
  const wanted = tip ?? THERE
  const isKnown = (await redis.sismember(keyOf(session), wanted)) === 1
  if (tip === null) return isKnown ? 'gone' : 'new'
  return isKnown ? 'ours' : 'foreign'
}
