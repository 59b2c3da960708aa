// A dashboard that is served, and requests to it as no browser would send them.
import { request } from 'node:http'
import type { Options, Place, Started } from './cli.js'

export type Served = { address: string; port: number; token: string; server: Started }

export async function serve(place: Place, flags: string[] = [], options: Options = {}): Promise<Served> {
  const server = place.start(['serve', ...flags], options)
  await server.says(/token=/)
  const address = /http:\S+/.exec(server.stdout())?.[0] ?? ''
  const url = new URL(address)
  return { address, port: Number(url.port), token: url.searchParams.get('token') ?? '', server }
}

type Asked = { method?: string; path?: string; headers?: Record<string, string>; body?: string }

/** As it is, whatever a browser would not send. */
export function ask(port: number, { method = 'GET', path = '/api/sessions', headers = {}, body }: Asked): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    // A connection of its own: one whose request was refused unread is not used again.
    const sent = request({ agent: false, host: '127.0.0.1', port, method, path, headers: { 'content-type': 'application/json', ...headers } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk)).on('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Asks as a program with the key does; the answer is taken apart. */
export async function askWithKey({ port, token }: Served, path: string, body?: string): Promise<{ status: number; said: unknown }> {
  const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` }
  const { status, text } = await ask(port, { path, headers, ...(body !== undefined && { method: 'POST', body }) })
  return { status, said: JSON.parse(text) as unknown }
}

/** What a browser keeps from its first visit. */
export async function cookieOf({ port, token }: Pick<Served, 'port' | 'token'>): Promise<string> {
  const { headers } = await ask(port, { path: `/?token=${token}`, headers: { host: `127.0.0.1:${port}` } })
  return String(headers['set-cookie']).split(';')[0] ?? ''
}
