// `fleet up`: starts a queue on this machine that keeps what it is told on disk and listens to this machine alone.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { EXIT, Refusal } from '../../errors.js'
import { connect, shownAddress } from '../../fleet/connection.js'
import { loadPeers, type Peers } from '../../fleet/peers.js'
import { makeFolder, replaceFile } from '../../files/durable.js'
import { startBackground } from '../../process/background.js'
import { findExecutable } from '../../process/command-line.js'
import { systemClock } from '../clock.js'
import { openContext, type GlobalFlags } from '../context.js'
import type { Output } from '../output.js'
import type { Call } from '../program.js'
import { addressFile, fleetRoom } from './open.js'

const PATIENCE_MILLISECONDS = 10_000

export default async function up({ flags }: Call<GlobalFlags & { port?: number; stop?: boolean }>): Promise<number> {
  const context = await openContext(flags, {}, 'user')
  const peers = await loadPeers()
  const folder = join(fleetRoom(context), 'redis')
  const running = await runningAt(peers, folder)
  if (flags.stop) return stop(peers, running, context.output)
  if (running !== null) return tell(running, folder, 'is running already', context.output)
  const program = findExecutable('redis-server', process.env)
  if (program === null) throw new Refusal(EXIT.usage, 'there is no redis-server on PATH, and GREENLATCH_REDIS names none elsewhere (on macOS: brew install redis)', 'apt-get install redis-server')
  makeFolder(folder)
  const address = await settle(folder, flags.port)
  startBackground({ argv: [program, join(folder, 'redis.conf')], cwd: folder, env: process.env, logPath: join(folder, 'redis.log') })
  await untilReady(peers, address, folder)
  return tell(address, folder, 'is running', context.output)
}

function tell(address: string, folder: string, what: string, output: Output): number {
  const shown = shownAddress(address)
  if (output.format === 'text') output.data(shown)
  else output.json({ address: shown, file: join(folder, 'address'), folder })
  output.say(`the queue ${what}, for this machine only; its address with the password is in ${join(folder, 'address')}`)
  output.say('  next:  greenlatch fleet worker\n         greenlatch fleet submit --help')
  return EXIT.ok
}

/** What is there from before is kept: the same port and password, so that workers find it again. */
async function settle(folder: string, port: number | undefined): Promise<string> {
  const file = join(folder, 'address')
  const before = existsSync(file) ? new URL(readFileSync(file, 'utf8').trim()) : null
  const password = before?.password ?? randomBytes(24).toString('hex')
  const address = `redis://:${password}@127.0.0.1:${port ?? (before ? Number(before.port) : await freePort())}`
  const lines = [
    'bind 127.0.0.1',
    `port ${new URL(address).port}`,
    'protected-mode yes',
    `requirepass ${password}`,
    `dir ${JSON.stringify(folder)}`,
    'appendonly yes',
    'appendfsync always',
    'save ""',
    'maxmemory-policy noeviction',
    'daemonize no',
    `pidfile ${JSON.stringify(join(folder, 'redis.pid'))}`,
  ]
  replaceFile(join(folder, 'redis.conf'), `${lines.join('\n')}\n`)
  replaceFile(file, `${address}\n`)
  return address
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

async function runningAt(peers: Peers, folder: string): Promise<string | null> {
  const file = addressFile(join(folder, '..'))
  if (!existsSync(file)) return null
  const address = readFileSync(file, 'utf8').trim()
  return (await problemOf(peers, address)) === null ? address : null
}

async function problemOf(peers: Peers, address: string): Promise<string | null> {
  try {
    const server = await connect(peers, { address, patienceSeconds: 0, now: systemClock.now })
    server.close()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function untilReady(peers: Peers, address: string, folder: string): Promise<void> {
  for (const until = Date.now() + PATIENCE_MILLISECONDS; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const problem = await problemOf(peers, address)
    if (problem === null) return
    if (Date.now() > until) throw new Refusal(EXIT.state, `the queue did not start (${problem})`, `cat ${join(folder, 'redis.log')}`)
  }
}

/** It writes what it holds first. */
async function stop(peers: Peers, address: string | null, output: Output): Promise<number> {
  if (address === null) {
    output.say('no queue of this machine is running')
    return EXIT.ok
  }
  const { redis, close } = await connect(peers, { address, patienceSeconds: 0, now: systemClock.now })
  await redis.shutdown('SAVE').catch(() => {})
  close()
  output.say('the queue has ended; what it holds is kept for the next `greenlatch fleet up`')
  return EXIT.ok
}
