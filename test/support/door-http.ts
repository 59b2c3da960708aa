// Bad requests to the dashboard's server, by a socket so that they can be as wrong as they like: each is answered, and never with a fault of ours.
import { connect } from 'node:net'
import { openSessions } from '../../src/cli/context.js'
import { openBoard } from '../../src/cli/page/board.js'
import { pageHtml } from '../../src/cli/page/html.js'
import { startServer } from '../../src/serve/listen.js'
import type { Random } from '../../src/simulate/random.js'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE', 'get', 'G\u0000T', 'PRI']
const STEPS = ['/', '/api', '/sessions', '/stream', '/x', '/pause', '/hint', '/reply', '/iterations', '/1', '/-1', '/99999999999', '/..', '/%2e%2e', '/%00', '/%', '//', '?token=', '?', '#', '\\', '/'.concat('a'.repeat(3000))]
const HEADERS = ['origin: http://evil.example', 'origin: null', 'content-type: application/json', 'content-type: text/plain', 'content-length: 5', 'content-length: -1', 'content-length: 99999999999', 'transfer-encoding: chunked', 'transfer-encoding: x', 'expect: 100-continue', 'upgrade: websocket', 'last-event-id: -7', 'last-event-id: x', 'cookie: greenlatch=x; greenlatch=', 'range: bytes=5-1', ' folded', 'no colon', 'x: \u0001', `y: ${'z'.repeat(20_000)}`]
const BODIES = ['', '{}', '{"text":7}', '{"text":"x"}', '{"__proto__":{"text":"x"}}', '[', 'null', '5\r\nhello\r\n0\r\n\r\n', 'ZZ\r\n', '\u0000\u0001', 'x'.repeat(50_000)]
const PATIENCE_MILLISECONDS = 400

export type HttpDoor = { knock: (random: Random) => Promise<string | null>; close: () => Promise<void> }

export async function openHttpDoor(repo: string, stateDir: string): Promise<HttpDoor> {
  const board = await openBoard(await openSessions({ C: repo, stateDir }), null)
  const serving = await startServer({ port: 0, source: board, page: pageHtml({ kind: 'live', version: '0.0.0', readOnly: false }), readOnly: false })
  const { port, searchParams } = new URL(serving.address)
  const token = searchParams.get('token') ?? ''
  return {
    async knock(random) {
      const request = requestFrom(random, Number(port), token)
      const answer = await sent(Number(port), request)
      if (answer === '' || /^HTTP\/1\.1 (?!500)\d{3} /.test(answer)) return /\n {4}at /.test(answer) ? `a stack trace for ${JSON.stringify(request.slice(0, 200))}` : null
      return `${JSON.stringify(answer.slice(0, 100))} for ${JSON.stringify(request.slice(0, 300))}`
    },
    async close() {
      await serving.close()
      board.close()
    },
  }
}

/** Half of them wrong in any way, half of them right but for what they carry. */
function requestFrom(random: Random, port: number, token: string): string {
  const some = (from: readonly string[], most: number): string[] => Array.from({ length: random.below(most + 1) }, () => random.pick(from))
  const acting = `/api/sessions/${random.pick(['x', '..', '%2e%2e%2fx', '__proto__', 'x'.repeat(500)])}/${random.pick(['pause', 'hint', 'reply', 'stop'])}`
  const [key, body] = [`authorization: Bearer ${token}`, random.pick(BODIES)]
  if (random.chance(0.5)) return told(`POST ${acting} HTTP/1.1`, [`host: 127.0.0.1:${port}`, key, 'content-type: application/json', `content-length: ${body.length}`], body)
  const path = random.chance(0.3) ? acting : some(STEPS, 5).join('') || '/'
  const host = random.chance(0.8) ? `127.0.0.1:${port}` : random.pick(['evil.example', '', 'localhost', `127.0.0.1:${port}:1`])
  const first = `${random.pick(METHODS)} ${path} ${random.chance(0.95) ? 'HTTP/1.1' : 'HTTP/9'}`
  return told(first, [`host: ${host}`, ...(random.chance(0.7) ? [key] : []), ...some(HEADERS, 4)], body)
}

function told(first: string, headers: readonly string[], body: string): string {
  return `${[first, 'connection: close', ...headers].join('\r\n')}\r\n\r\n${body}`
}

/** What came back; nothing where the connection was closed, or where no answer is due because the request never ends. */
function sent(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(request, 'latin1'))
    const end = (): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(PATIENCE_MILLISECONDS, end)
    socket.on('data', (data) => {
      answer += data.toString('latin1')
      if (answer.includes('\r\n\r\n')) end()
    })
    socket.on('error', end).on('close', end)
  })
}
