// The way out of a sandbox: a proxy on a socket of the file system that lets through what its rules allow and tells of the rest.
import { lookup } from 'node:dns/promises'
import { createServer, request as forward, type IncomingMessage, type Server } from 'node:http'
import { connect, createServer as createRelay, isIP, type Socket, type Server as Relay } from 'node:net'
import type { Duplex } from 'node:stream'
import { isAllowed, leadsAstray, plainHost, readAddress, type Address } from './hosts.js'
import { tunnelThrough, type Upstream } from './upstream.js'

export type Proxy = { close(): Promise<void> }

export type ProxyOptions = {
  rules: readonly string[]
  onDenied: (address: string) => void
  /** A proxy of the user's own that the machine gets out by. */
  upstream?: Upstream | null
  /** Where names lead; only tests have another. */
  resolve?: (host: string) => Promise<string[]>
}

const WAIT_MILLISECONDS = 30_000
/** What belongs to the connection with us and not to the one beyond. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'])

type Denial = { status: number; why: string }

/** Listens on a socket of this path. */
export async function openProxy(path: string, options: ProxyOptions): Promise<Proxy> {
  const sockets = new Set<Duplex>()
  const keep = <T extends Duplex>(socket: T): T => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    return socket
  }
  const server = createServer((request, response) => {
    void reach(targetOf(request), options).then((found) => {
      if ('status' in found) {
        response.writeHead(found.status, { 'content-type': 'text/plain', connection: 'close' }).end(`${found.why}\n`)
        return request.resume()
      }
      const { url } = request
      const beyond = forward({ method: request.method, path: pathOf(url), headers: passedOn(request), createConnection: () => keep(found.socket) }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !OWN_HEADERS.has(name))))
        answer.pipe(response)
      })
      beyond.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
      response.on('close', () => beyond.destroy())
      return request.pipe(beyond)
    })
  })
  server.on('connection', keep)
  server.on('clientError', (_error, socket) => socket.destroy())
  server.on('connect', (request, socket, head) => {
    keep(socket)
    void reach(readAddress(request.url ?? ''), options).then((found) => ('status' in found ? refuse(socket, found) : join(socket, keep(found.socket), head, 'HTTP/1.1 200 Connection established\r\n\r\n')))
  })
  server.on('upgrade', (request, socket, head) => {
    keep(socket)
    void reach(targetOf(request), options).then((found) => {
      if ('status' in found) return refuse(socket, found)
      keep(found.socket).write(headOf(request))
      return join(socket, found.socket, head, '')
    })
  })
  await listen(server, path)
  return { close: () => closeAll(server, sockets) }
}

function targetOf({ url = '' }: IncomingMessage): Address | null {
  if (!URL.canParse(url)) return null
  const { protocol, hostname, port, username } = new URL(url)
  const host = protocol === 'http:' && username === '' ? plainHost(hostname) : null
  return host === null ? null : { host, port: port === '' ? 80 : Number(port) }
}

function pathOf(url = ''): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** The host is the one that was looked at, whatever the request says besides. */
function passedOn({ headers, url = '' }: IncomingMessage): Record<string, string | string[]> {
  const kept = Object.entries(headers).flatMap(([name, value]) => (value === undefined || OWN_HEADERS.has(name) ? [] : [[name, value] as const]))
  return { ...Object.fromEntries(kept), host: new URL(url).host, connection: 'close' }
}

function headOf(request: IncomingMessage): string {
  const { host, ...others } = passedOn(request)
  const lines = Object.entries({ ...others, connection: 'Upgrade', upgrade: request.headers.upgrade ?? '' }).flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`))
  return [`${request.method} ${pathOf(request.url)} HTTP/1.1`, `host: ${String(host)}`, ...lines, '', ''].join('\r\n')
}

/** A connection to where the rules allow, or why there is none. Names are looked up once, so that they cannot lead elsewhere the second time. */
async function reach(address: Address | null, { rules, onDenied, upstream, resolve = namesTo }: ProxyOptions): Promise<{ socket: Socket } | Denial> {
  if (!address) return { status: 400, why: 'the sandbox does not understand this address' }
  const named = `${address.host}:${address.port}`
  const denied = (why: string): Denial => {
    onDenied(named)
    return { status: 403, why: `the sandbox does not let ${named} through: ${why}` }
  }
  if (!isAllowed(address, rules)) return denied('no rule of sandbox.allow fits')
  if (upstream) return asFound(await tunnelThrough(upstream, named), named)
  const found = isIP(address.host) === 0 ? await resolve(address.host).catch(() => []) : [address.host]
  if (found.length === 0) return { status: 502, why: `the name ${address.host} leads nowhere` }
  if (isIP(address.host) === 0 && found.some((ip) => leadsAstray(ip, address, rules))) return denied('its name leads into this machine or its own network')
  return asFound(await opened(found[0] ?? '', address.port), named)
}

function asFound(socket: Socket | null, named: string): { socket: Socket } | Denial {
  return socket ? { socket } : { status: 502, why: `${named} does not answer` }
}

async function namesTo(host: string): Promise<string[]> {
  return (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address)
}

function opened(host: string, port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: WAIT_MILLISECONDS })
    const failed = (): void => {
      socket.destroy()
      resolve(null)
    }
    socket.once('error', failed).once('timeout', failed)
    socket.once('connect', () => {
      socket.off('timeout', failed).setTimeout(0)
      resolve(socket)
    })
  })
}

function refuse(socket: Duplex, { status, why }: Denial): void {
  socket.end(`HTTP/1.1 ${status} ${status === 403 ? 'Forbidden' : 'Bad Gateway'}\r\ncontent-type: text/plain\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(why) + 1}\r\n\r\n${why}\n`)
}

function join(near: Duplex, far: Socket, head: Buffer, greeting: string): void {
  if (greeting !== '') near.write(greeting)
  if (head.length > 0) far.write(head)
  near.pipe(far).pipe(near)
  near.on('close', () => far.destroy())
  far.on('close', () => near.destroy())
}

// ───────────────────────────── servers of this machine ─────────────────────────────

/** Hands everything that comes to a socket of this path on to a port of this machine. */
export async function openRelay(path: string, port: number): Promise<Proxy> {
  const sockets = new Set<Duplex>()
  const server = createRelay({ allowHalfOpen: true }, (near) => {
    const far = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket)).on('error', () => [near, far].forEach((each) => each.destroy()))
    }
    near.pipe(far).pipe(near)
  })
  await listen(server, path)
  return { close: () => closeAll(server, sockets) }
}

function listen(server: Server | Relay, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
}

async function closeAll(server: Server | Relay, sockets: ReadonlySet<Duplex>): Promise<void> {
  for (const socket of sockets) socket.destroy()
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
}
