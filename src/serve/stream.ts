// What changes, as server-sent events: the list of sessions, and one of them from a record on. Whoever breaks off goes on where they were.
import type { Context } from 'hono'
import { streamSSE, type SSEStreamingApi } from 'hono/streaming'
import { changesSince } from '../text/view/view.js'
import type { Fleet, SessionPage, Told } from '../web/data.js'
import { plainJson } from './plain-json.js'
import type { Source } from './types.js'

const HEARTBEAT_MILLISECONDS = 15_000

export function streamChanges(context: Context, source: Source): Response {
  const id = context.req.query('session')
  // The browser sends what it heard last when it connects again.
  const heard = Number(context.req.header('last-event-id') ?? 0)
  return streamSSE(context, async (stream) => {
    const bell = createBell()
    const unhear = source.onChange(bell.ring)
    stream.onAbort(() => bell.ring(new Set()))
    try {
      await tellAll(stream, source, { id, heard: Number.isSafeInteger(heard) && heard > 0 ? heard : 0, bell })
    } finally {
      unhear()
    }
  })
}

type Bell = { ring(ids: ReadonlySet<string>): void; wait(): Promise<ReadonlySet<string>> }

type Telling = { id: string | undefined; heard: number; bell: Bell }

async function tellAll(stream: SSEStreamingApi, source: Source, { id, heard, bell }: Telling): Promise<void> {
  let known = heard
  let fleet: Fleet | null = null
  const tellFleet = async (): Promise<void> => {
    const now = source.fleet()
    if (now === fleet) return
    fleet = now
    await stream.writeSSE({ event: 'fleet', data: plainJson(now) })
  }
  await stream.writeSSE({ event: 'sessions', data: plainJson(source.sessions()) })
  await tellFleet()
  if (id !== undefined) known = await tellSession(stream, await source.page(id), known)
  while (!stream.aborted && !stream.closed) {
    const ids = await bell.wait()
    if (stream.aborted || stream.closed) return
    if (ids.size === 0) await stream.write(': still here\n\n')
    else await stream.writeSSE({ event: 'sessions', data: plainJson(source.sessions()) })
    await tellFleet()
    if (id !== undefined && ids.has(id)) known = await tellSession(stream, await source.page(id), known)
  }
}

/** Who has heard nothing, or more than there is, gets the whole. */
async function tellSession(stream: SSEStreamingApi, page: SessionPage | null, known: number): Promise<number> {
  if (!page) return known
  const { view, task: _task, ...rest } = page
  const isOn = known > 0 && known <= view.seq
  const data: Told = isOn ? { changes: changesSince(view, known), rest } : { whole: page }
  await stream.writeSSE({ event: 'session', id: String(view.seq), data: plainJson(data) })
  return view.seq
}

/** Rings that come while nobody waits are kept together: nothing is lost, and nobody is told twice. */
function createBell(): Bell {
  let rung: Set<string> | null = null
  let wake = (): void => {}
  return {
    ring(ids) {
      rung = new Set([...(rung ?? []), ...ids])
      wake()
    },
    async wait() {
      if (rung === null) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, HEARTBEAT_MILLISECONDS)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      const ids = rung ?? new Set<string>()
      rung = null
      wake = () => {}
      return ids
    },
  }
}
