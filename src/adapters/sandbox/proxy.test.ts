// Tests of the way out of a sandbox, with real servers and sockets.
import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../files/fixture.js'
import { openProxy, type ProxyOptions } from './proxy.js'
import { upstreamIn } from './upstream.js'

async function serving(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

async function proxied(rules: readonly string[], more: Partial<ProxyOptions> = {}) {
  const path = join(temporaryFolder(), 'p')
  const denied: string[] = []
  const proxy = await openProxy(path, { rules, onDenied: (address) => denied.push(address), ...more })
  onTestFinished(() => proxy.close())
  const get = (url: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string; location: string | undefined }> =>
    new Promise((resolve, reject) => {
      const asked = request({ socketPath: path, path: url, headers }, (answer: IncomingMessage) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk)).on('end', () => resolve({ status: answer.statusCode ?? 0, text, location: answer.headers.location }))
      })
      asked.on('error', reject).end()
    })
  /** What comes back for what is written to the proxy as it stands. */
  const raw = (text: string, until: RegExp): Promise<string> =>
    new Promise((resolve) => {
      let heard = ''
      const socket = connect(path, () => socket.write(text))
      socket.on('data', (chunk) => {
        heard += String(chunk)
        if (until.test(heard)) socket.destroy()
      })
      socket.on('close', () => resolve(heard)).on('error', () => {})
    })
  return { get, raw, denied }
}

describe('the proxy', () => {
  it('T15 hands on to allowed hosts, by the host that it looked at, and tells of all others', async () => {
    const port = await serving(createServer((asked, answer) => answer.end(`${asked.headers.host} ${asked.url}`)))
    const { get, denied } = await proxied([`127.0.0.1:${port}`])
    expect(await get(`http://127.0.0.1:${port}/a?b`, { host: 'evil.example' })).toMatchObject({ status: 200, text: `127.0.0.1:${port} /a?b` })
    expect(await get('http://evil.example/')).toMatchObject({ status: 403, text: expect.stringContaining('sandbox.allow') as string })
    expect((await get('http://127.0.0.1:1/')).status).toBe(403)
    expect((await get(`http://2130706433:${port}/`)).status).toBe(200)
    expect((await get('/no-host')).status).toBe(400)
    expect((await get(`http://user@127.0.0.1:${port}/`)).status).toBe(400)
    expect(denied).toEqual(['evil.example:80', '127.0.0.1:1'])
  })

  it('T15 follows no redirect: where one leads is asked for again, and denied', async () => {
    const secret = await serving(createServer((_asked, answer) => answer.end('secret')))
    const port = await serving(createServer((_asked, answer) => answer.writeHead(302, { location: `http://127.0.0.1:${secret}/` }).end()))
    const { get, denied } = await proxied([`127.0.0.1:${port}`])
    const first = await get(`http://127.0.0.1:${port}/`)
    expect(first).toMatchObject({ status: 302, location: `http://127.0.0.1:${secret}/` })
    expect((await get(first.location ?? '')).status).toBe(403)
    expect(denied).toEqual([`127.0.0.1:${secret}`])
  })

  it('T15 opens tunnels to allowed hosts and ports alone, also for names in odd writing', async () => {
    const port = await serving(createServer((_asked, answer) => answer.end('through')))
    const { raw, denied } = await proxied([`127.0.0.1:${port}`, 'api.example.com'], { resolve: async () => ['127.0.0.1'] })
    const through = await raw(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`, /through/)
    expect(through).toMatch(/^HTTP\/1\.1 200[^]*through/)
    for (const wish of ['API.evil.Example.:443', 'api.example.com:22', '127.0.0.1:22', '[::1]:443']) expect(await raw(`CONNECT ${wish} HTTP/1.1\r\n\r\n`, /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 403/)
    // A name that is allowed and leads into this machine.
    expect(await raw('CONNECT api.example.com:443 HTTP/1.1\r\n\r\n', /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 403/)
    expect(denied).toEqual(['api.evil.example:443', 'api.example.com:22', '127.0.0.1:22', '::1:443', 'api.example.com:443'])
  })

  it('T15 lets a web socket through to an allowed host, and to no other', async () => {
    const server = createServer()
    server.on('upgrade', (_asked, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\nhello'))
    const port = await serving(server)
    const { raw } = await proxied([`127.0.0.1:${port}`])
    const upgrade = (host: string): string => `GET http://${host}/ws HTTP/1.1\r\nhost: ${host}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x\r\n\r\n`
    expect(await raw(upgrade(`127.0.0.1:${port}`), /hello/)).toMatch(/^HTTP\/1\.1 101[^]*hello/)
    expect(await raw(upgrade('evil.example'), /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 403/)
  })

  it('goes out by the proxy of the user where there is one, with what it needs to know', async () => {
    const asked: string[] = []
    const far = createServer()
    far.on('connect', (wish, socket) => {
      asked.push(`${wish.url} ${wish.headers['proxy-authorization']}`)
      socket.write('HTTP/1.1 200 ok\r\n\r\nfar away')
    })
    const port = await serving(far)
    const { raw } = await proxied(['api.example.com'], { upstream: upstreamIn({ HTTPS_PROXY: `http://me:word@127.0.0.1:${port}` }) })
    expect(await raw('CONNECT api.example.com:443 HTTP/1.1\r\n\r\n', /far away/)).toMatch(/^HTTP\/1\.1 200[^]*far away/)
    expect(await raw('CONNECT evil.example:443 HTTP/1.1\r\n\r\n', /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 403/)
    expect(asked).toEqual([`api.example.com:443 Basic ${Buffer.from('me:word').toString('base64')}`])
  })

  it('takes a login of that proxy as it stands where it is no text of an address', () => {
    const { authorization } = upstreamIn({ HTTPS_PROXY: 'http://me:50%@127.0.0.1:3128' }) ?? {}
    expect(authorization).toBe(`Basic ${Buffer.from('me:50%').toString('base64')}`)
  })
})
