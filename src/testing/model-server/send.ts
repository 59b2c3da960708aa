// Puts a prepared answer on the wire, at its pace and with its ending.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Sending } from './sending.js'

/** `left`: the client went away, or the server was closed, before all was sent. */
export type Sent = 'sent' | 'cut' | 'left'

export async function send(response: ServerResponse, sending: Sending, signal: AbortSignal): Promise<Sent> {
  if (sending.status !== null) {
    response.writeHead(sending.status, sending.headers)
    response.flushHeaders()
  }
  for (const { text } of sending.pieces) {
    if (!(await write(response, text, sending.pauseSeconds, signal))) return 'left'
  }
  return finish(response, sending, signal)
}

async function finish(response: ServerResponse, sending: Sending, signal: AbortSignal): Promise<Sent> {
  switch (sending.ending) {
    case 'end':
      response.end()
      return ended(response)
    case 'hang':
      await gone(response, signal)
      return 'left'
    case 'refuse':
    case 'destroy':
      response.destroy()
      return 'cut'
    case 'endless': {
      const text = sending.pieces.at(-1)?.text ?? ' '
      while (await write(response, text, sending.pauseSeconds, signal));
      return 'left'
    }
  }
}

/** False when there is nobody left to write to. A full pipe is waited for, so that an endless answer takes no memory. */
async function write(response: ServerResponse, text: string, pauseSeconds: number, signal: AbortSignal): Promise<boolean> {
  if (response.destroyed || signal.aborted) return false
  const done = new Promise<boolean>((resolve) => {
    const left = () => resolve(false)
    response.once('close', left)
    response.write(text, (error) => {
      response.off('close', left)
      resolve(!error)
    })
  })
  if (!(await done)) return false
  return pauseSeconds === 0 || pause(pauseSeconds, signal)
}

export async function pause(seconds: number, signal: AbortSignal): Promise<boolean> {
  return wait(seconds * 1000, true, { signal }).catch(() => false)
}

async function ended(response: ServerResponse): Promise<Sent> {
  if (!response.writableFinished && !response.destroyed) await Promise.race([once(response, 'finish'), once(response, 'close')])
  return response.writableFinished ? 'sent' : 'left'
}

async function gone(response: ServerResponse, signal: AbortSignal): Promise<void> {
  if (response.destroyed || signal.aborted) return
  await Promise.race([once(response, 'close'), once(signal, 'abort')])
}
