// Opens the server on this machine alone.
import { serve } from '@hono/node-server'
import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { EXIT, Refusal } from '../errors.js'
import { createApp, type AppOptions } from './app.js'

const MOST_PORT = 65_535

export type Serving = { address: string; close(): Promise<void> }

export type ServeOptions = Omit<AppOptions, 'port' | 'token'> & { port: number }

export async function startServer({ port, ...options }: ServeOptions): Promise<Serving> {
  if (port > MOST_PORT) throw new Refusal(EXIT.usage, `there is no port ${port}: the last is ${MOST_PORT}`, 'greenlatch serve --port 0')
  const token = randomBytes(24).toString('base64url')
  let fetch: (request: Request) => Response | Promise<Response> = () => new Response(null, { status: 503 })
  const server = serve({ fetch: (request) => fetch(request), hostname: '127.0.0.1', port }) as Server
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, port)))
  })
  const bound = server.address()
  const actual = typeof bound === 'object' && bound ? bound.port : port
  const app = createApp({ ...options, port: actual, token })
  fetch = (request) => app.fetch(request)
  return { address: `http://127.0.0.1:${actual}/?token=${token}`, close: () => closed(server) }
}

function cannotListen({ code, message }: NodeJS.ErrnoException, port: number): Refusal {
  const why = code === 'EADDRINUSE' ? `port ${port} is taken` : code === 'EACCES' ? `port ${port} may not be opened` : message
  return new Refusal(EXIT.usage, why, 'greenlatch serve --port 0')
}

/** Streams stay open for ever, so they are ended with the server. */
async function closed(server: Server): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await done
}
