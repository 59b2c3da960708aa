// The connection to the queue's server: opened within a bound, looked at before it is used, and given up when it stays away.
import type { Redis } from 'ioredis'
import { EXIT, Refusal } from '../errors.js'
import type { Peers } from './peers.js'

const CONNECT_MILLISECONDS = 5000
/** How long the other side is given to close the connection as well. */
const GOODBYE_MILLISECONDS = 500
/** A server that takes a command and says nothing is taken for gone: a connection that nobody closed would be waited on for ever. */
export const SILENCE_MILLISECONDS = 8000
const LONGEST_PAUSE_MILLISECONDS = 2000
const OLDEST = [6, 2] as const
/** Retries are timed by the clocks of workers: far apart, they would come at the wrong moment. */
const MOST_SKEW_SECONDS = 30

export type Server = {
  redis: Redis
  warnings: string[]
  /** Rejects when the server has been away for longer than is waited for. */
  lost: Promise<never>
  close(): void
}

/** `signal` ends the connection, also while it is being made. Who gives it waits for answers `within` a bound: the client's own timer would outlive it. */
export type Wish = { address: string; patienceSeconds: number; now: () => number; signal?: AbortSignal }

/** Throws Refusal, within seconds, for a server that is not there, lets us not in, or cannot be used. */
export async function connect({ Redis }: Peers, { address, patienceSeconds, now, signal }: Wish): Promise<Server> {
  const url = parsed(address)
  const state = { ready: false, awaySince: 0, problem: '' }
  const retryStrategy = (tries: number): number | null => {
    if (!state.ready) return null
    state.awaySince ||= performance.now()
    return performance.now() - state.awaySince > patienceSeconds * 1000 ? null : Math.min(100 * tries, LONGEST_PAUSE_MILLISECONDS)
  }
  const redis = new Redis(url.href, { lazyConnect: true, connectTimeout: CONNECT_MILLISECONDS, disconnectTimeout: GOODBYE_MILLISECONDS, ...(!signal && { socketTimeout: SILENCE_MILLISECONDS }), maxRetriesPerRequest: null, retryStrategy })
  redis.on('error', (error: Error) => void (state.problem = error.message))
  redis.on('ready', () => void (state.awaySince = 0))
  signal?.addEventListener('abort', () => redis.disconnect(), { once: true })
  try {
    await within(redis.connect().then(() => redis.ping()), CONNECT_MILLISECONDS + 1000, signal)
    const warnings = await look(redis, now)
    state.ready = true
    return { redis, warnings, lost: lossOf(redis, url, patienceSeconds), close: () => redis.disconnect() }
  } catch (error) {
    redis.disconnect()
    throw error instanceof Refusal ? error : refusalFor(error, state.problem, url)
  }
}

function parsed(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null
  // A password with a slash in it ends up in the path, where nobody looks for one.
  if (url && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && !`${url.pathname}${url.search}${url.hash}`.includes('@')) return url
  throw new Refusal(EXIT.usage, 'what --redis or GREENLATCH_REDIS names (in a password / is written as %2F and @ as %40) is no address of a Redis server', 'export GREENLATCH_REDIS=redis://:<password>@<host>:6379')
}

/** Where it is and nothing else: a password may stand before the host or in what is asked of it. */
export function shownAddress(address: string): string {
  const { protocol, host } = new URL(address)
  return `${protocol}//${host}`
}

export async function within<T>(work: Promise<T>, milliseconds: number, signal?: AbortSignal): Promise<T> {
  let end = (): void => {}
  const late = new Promise<never>((_, reject) => {
    const stop = (): void => reject(new Error('stopped on request'))
    const timer = setTimeout(() => reject(new Error('it does not answer')), milliseconds)
    signal?.addEventListener('abort', stop)
    end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  })
  return Promise.race([work, late]).finally(() => end())
}

function refusalFor(error: unknown, problem: string, url: URL): Refusal {
  const said = [error instanceof Error ? error.message : String(error), problem].join(' ')
  const shown = shownAddress(url.href)
  if (/NOPERM/.test(said)) return noPermission(said)
  if (/WRONGPASS|NOAUTH|invalid password/i.test(said)) {
    return new Refusal(EXIT.usage, `${shown} does not take this name and password`, 'export GREENLATCH_REDIS=redis://:<password>@<host>:6379')
  }
  const why = /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|EAI_AGAIN|does not answer/.exec(said)?.[0] ?? (problem || said).trim()
  return new Refusal(EXIT.state, `the queue's server ${shown} cannot be reached (${why})`, 'greenlatch fleet up  (or set GREENLATCH_REDIS to a server that runs)')
}

/** What a server says to a command of ours is nobody's fault here, and told in its own words. */
export function replyRefusal(error: unknown): Refusal | null {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return null
  const said = error.message.split('\n')[0] ?? ''
  return /NOPERM/.test(said) ? noPermission(said) : new Refusal(EXIT.state, `the queue's server answers with an error: ${said}`, 'greenlatch fleet status  (once the server takes commands)')
}

function noPermission(said: string): Refusal {
  return new Refusal(EXIT.usage, `the queue's server does not let this user do what a fleet needs: ${/NOPERM.*/.exec(said)?.[0] ?? said}`, 'redis-cli ACL SETUSER <user> ~greenlatch:* +@all -@dangerous +info +keys')
}

async function look(redis: Redis, now: () => number): Promise<string[]> {
  const facts = factsOf(await redis.info())
  const version = facts.get('redis_version') ?? '0'
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    throw new Refusal(EXIT.usage, `the queue's server is Redis ${version}, and ${OLDEST.join('.')} or newer is needed`, 'install a newer redis-server, and name it with GREENLATCH_REDIS')
  }
  refuseSkew(Number((await redis.time())[0]), now() / 1000)
  return [
    ...(facts.get('aof_enabled') === '1' ? [] : ['the queue is not kept on disk at once (appendonly no): tasks that were just submitted are lost with the server']),
    ...(facts.get('maxmemory_policy') === 'noeviction' || facts.get('maxmemory') === '0' ? [] : ['the queue may throw entries away when memory is short (maxmemory-policy is not noeviction)']),
  ]
}

function factsOf(info: string): Map<string, string> {
  return new Map(info.split(/\r?\n/).flatMap((line) => {
    const [, key, value] = /^(\w+):(.*)$/.exec(line) ?? []
    return key === undefined || value === undefined ? [] : [[key, value] as const]
  }))
}

function refuseSkew(theirs: number, ours: number): void {
  const seconds = Math.round(Math.abs(theirs - ours))
  if (seconds <= MOST_SKEW_SECONDS) return
  throw new Refusal(EXIT.usage, `this machine's clock and that of the queue's server are ${seconds} s apart, and at most ${MOST_SKEW_SECONDS} s are allowed`, 'set the clock, for example: timedatectl set-ntp true')
}

function lossOf(redis: Redis, url: URL, patienceSeconds: number): Promise<never> {
  const lost = new Promise<never>((_, reject) => {
    redis.once('end', () => reject(new Refusal(EXIT.state, `the queue's server ${shownAddress(url.href)} has been away for more than ${patienceSeconds} s`, 'greenlatch fleet worker  (sessions go on where they were pushed last)')))
  })
  // Who does not wait for it is not ended by it.
  lost.catch(() => {})
  return lost
}
