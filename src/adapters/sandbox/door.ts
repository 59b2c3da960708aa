// The network of one process in a sandbox that may reach some hosts: sockets outside, and inside a small program that leads to them.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { loopbackPorts } from './hosts.js'
import { openProxy, openRelay, type Proxy } from './proxy.js'
import { upstreamIn } from './upstream.js'

export type Door = {
  /** Holds the sockets. */
  folder: string
  /** To be put in front of the command; `inside` is where the folder is seen. */
  argv: (inside: string) => string[]
  close(): Promise<void>
}

const PROXY = 'proxy'

/** The folder has to have a short path: sockets do not take long ones. */
export async function openDoor(folder: string, rules: readonly string[], onDenied: (address: string) => void): Promise<Door> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const ports = loopbackPorts(rules)
  const open: Proxy[] = [await openProxy(join(folder, PROXY), { rules, onDenied, upstream: upstreamIn(process.env) })]
  for (const port of ports) open.push(await openRelay(join(folder, String(port)), port))
  return {
    folder,
    argv: (inside) => [process.execPath, '-e', INSIDE, '--', JSON.stringify({ proxy: join(inside, PROXY), ports: ports.map((port) => ({ port, socket: join(inside, String(port)) })) })],
    async close() {
      await Promise.all(open.map((each) => each.close()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Runs inside, where there is no network but its own: listens, sets the variables by which programs find a proxy, starts the command
 * with our own streams, and ends as it ends.
 */
const INSIDE = `
const net = require('node:net')
const { spawn } = require('node:child_process')
const [settings, command, ...args] = process.argv.slice(1)
const { proxy, ports } = JSON.parse(settings)
const lead = (socket) => (near) => {
  const far = net.connect({ path: socket, allowHalfOpen: true })
  for (const each of [near, far]) each.on('error', () => { near.destroy(); far.destroy() })
  near.pipe(far).pipe(near)
}
const listen = (socket, port, host) => new Promise((resolve) => {
  const server = net.createServer({ allowHalfOpen: true }, lead(socket))
  server.on('error', () => resolve(0))
  server.listen(port, host, () => resolve(server.address().port))
})
const start = async () => {
  const at = 'http://127.0.0.1:' + await listen(proxy, 0, '127.0.0.1')
  for (const { port, socket } of ports) await Promise.all([listen(socket, port, '127.0.0.1'), listen(socket, port, '::1')])
  const names = { HTTP_PROXY: at, HTTPS_PROXY: at, http_proxy: at, https_proxy: at, ALL_PROXY: at, all_proxy: at, NODE_USE_ENV_PROXY: '1' }
  const near = 'localhost,127.0.0.1,::1'
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...names, NO_PROXY: near, no_proxy: near } })
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => child.kill(name))
  child.on('error', (error) => {
    process.stderr.write('cannot start ' + JSON.stringify(command) + ': ' + error.message + '\\n')
    process.exit(error.code === 'EACCES' ? 126 : 127)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.removeAllListeners(name)
    process.exit(128 + (require('node:os').constants.signals[signal] ?? 0))
  })
}
start()
`
