// A fleet on one machine: a real Redis, a real git server, and workers as processes with a home, state and wires of their own.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { onTestFinished } from 'vitest'
import { CLI, type Ended } from './cli.js'

export type Wire = { port: number; cut(): void; mend(): void }

export type Line = { at: number; text: string }

export type FleetWorker = {
  name: string
  process: ChildProcess
  redis: Wire
  remote: Wire
  lines: Line[]
  /** Sessions that it has begun or taken over and not let go of. */
  holds(): string[]
  signal(signal: NodeJS.Signals): void
  ended: Promise<number | null>
}

export type Rig = {
  root: string
  bare: string
  /** As tasks name it. */
  url: string
  address: string
  run(args: readonly string[], env?: Record<string, string>): Promise<Ended>
  worker(name: string, args?: readonly string[], env?: Record<string, string>): Promise<FleetWorker>
  /** Straight to the server. */
  redis: Redis
  git(...args: string[]): string
  /** Resolves when it holds; fails after so many seconds, and says what the workers said last. */
  until(what: string, holds: () => boolean | Promise<boolean>, seconds?: number): Promise<void>
}

const PASSWORD = 'fleet-test'

export async function makeRig(files: Record<string, string>): Promise<Rig> {
  const root = mkdtempSync(join(tmpdir(), 'greenlatch-fleet-'))
  const children: ChildProcess[] = []
  const servers: Server[] = []
  onTestFinished(async () => {
    for (const child of children) for (const signal of ['SIGCONT', 'SIGKILL'] as const) child.kill(signal)
    await Promise.all(children.map((child) => child.exitCode === null && child.signalCode === null && new Promise((resolve) => void child.once('exit', resolve))))
    for (const server of servers) server.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  })
  const start = (argv: readonly string[], env: Record<string, string> = {}): ChildProcess => {
    const child = spawn(argv[0] ?? '', argv.slice(1), { cwd: root, env: { PATH: process.env['PATH'] ?? '', HOME: join(root, 'home'), LANG: 'C.UTF-8', ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(child)
    return child
  }
  mkdirSync(join(root, 'home'))
  const bare = makeBare(root, files)
  const [redisPort, gitPort] = [await freePort(), await freePort()]
  start(['redis-server', '--port', String(redisPort), '--bind', '127.0.0.1', '--requirepass', PASSWORD, '--appendonly', 'yes', '--appendfsync', 'always', '--save', '', '--dir', root])
  // By its own name: `git daemon` would be a process that starts another, which outlives it.
  start([join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-daemon'), `--base-path=${root}`, '--export-all', '--enable=receive-pack', '--listen=127.0.0.1', `--port=${gitPort}`, '--reuseaddr', root])
  await Promise.all([accepts(redisPort), accepts(gitPort)])
  const workers: FleetWorker[] = []
  const address = `redis://:${PASSWORD}@127.0.0.1:${redisPort}`
  const redis = new Redis(address)
  redis.on('error', () => {})
  onTestFinished(() => redis.disconnect())
  const rig: Rig = {
    root, bare, address,
    url: `git://127.0.0.1:${gitPort}/bare.git`,
    run: (args, env = {}) => endOf(start([process.execPath, CLI, 'fleet', ...args], { GREENLATCH_STATE_HOME: join(root, 'state'), GREENLATCH_REDIS: address, ...env })),
    worker: async (name, args = [], env = {}) => {
      const [redis, remote] = [await makeWire(redisPort, servers), await makeWire(gitPort, servers)]
      const home = join(root, `home-${name}`)
      mkdirSync(home, { recursive: true })
      writeFileSync(join(home, '.gitconfig'), `[url "git://127.0.0.1:${remote.port}/"]\n\tinsteadOf = git://127.0.0.1:${gitPort}/\n`)
      const places = { HOME: home, GREENLATCH_STATE_HOME: join(root, `state-${name}`), GREENLATCH_REDIS: `redis://:${PASSWORD}@127.0.0.1:${redis.port}`, ...env }
      const worker = watched(name, start([process.execPath, CLI, 'fleet', 'worker', '--name', name, '--lease', '3s', ...args], places), { redis, remote })
      workers.push(worker)
      return worker
    },
    redis,
    git: (...args) => execFileSync('git', ['--git-dir', bare, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 }).trim(),
    until: async (what, holds, seconds = 90) => {
      for (const until = Date.now() + seconds * 1000; !(await holds()); await new Promise((resolve) => setTimeout(resolve, 100))) {
        if (Date.now() > until) throw new Error(`not within ${seconds} s: ${what}\n${workers.flatMap(({ name, lines }) => lines.slice(-8).map(({ text }) => `${name}: ${text}`)).join('\n')}`)
      }
    },
  }
  return rig
}

/** With a log of every move of a ref: what was pushed once can be asked for ever after. */
function makeBare(root: string, files: Record<string, string>): string {
  const work = join(root, 'work')
  const git = (...args: string[]): void => void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root, stdio: 'pipe' })
  git('init', '-q', '-b', 'main', work)
  for (const [path, text] of Object.entries(files)) writeFileSync(join(work, path), text)
  git('-C', work, 'add', '-A')
  git('-C', work, 'commit', '-qm', 'start')
  git('clone', '-q', '--bare', work, join(root, 'bare.git'))
  git('--git-dir', join(root, 'bare.git'), 'config', 'core.logAllRefUpdates', 'always')
  return join(root, 'bare.git')
}

function watched(name: string, child: ChildProcess, wires: Pick<FleetWorker, 'redis' | 'remote'>): FleetWorker {
  const lines: Line[] = []
  let rest = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts.map((text) => ({ at: Date.now(), text })))
  })
  const holds = (): string[] => {
    const held = new Set<string>()
    for (const { text } of lines) {
      const [, id = '', said = ''] = /^([\w-]+-\d{5}): (.*)$/.exec(text) ?? []
      if (/^(begun|taken over)/.test(said)) held.add(id)
      else if (!/^the remote does not|^put back|^warning/.test(said)) held.delete(id)
    }
    return [...held]
  }
  const ended = new Promise<number | null>((resolve) => void child.once('exit', resolve))
  return { name, process: child, ...wires, lines, holds, signal: (signal) => void child.kill(signal), ended }
}

function endOf(child: ChildProcess): Promise<Ended> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []]
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk))
  return new Promise((resolve) => void child.once('close', (code, signal) => resolve({ code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() })))
}

// ───────────────────────────── wires ─────────────────────────────

/** A way to a server that can be cut: then nothing goes through, and nothing is refused either, as when a cable is pulled. */
async function makeWire(target: number, servers: Server[]): Promise<Wire> {
  const pairs = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    pairs.add(near)
    near.on('error', () => {}).on('close', () => pairs.delete(near))
    if (isCut) return
    const far = connect({ port: target, host: '127.0.0.1' })
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
    near.on('close', () => far.destroy())
    near.pipe(far).pipe(near)
    pairs.add(far)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => void server.once('listening', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true
      for (const socket of pairs) {
        socket.unpipe()
        socket.pause()
      }
    },
    mend: () => {
      isCut = false
      for (const socket of pairs) socket.destroy()
    },
  }
}

export function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => void server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    server.close(() => resolve(port))
  }))
}

async function accepts(port: number): Promise<void> {
  for (const until = Date.now() + 20_000; Date.now() < until; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => (socket.destroy(), resolve(true)))
      socket.on('error', () => resolve(false))
    })
    if (isOpen) return
  }
  throw new Error(`nothing listens on port ${port}`)
}

// ───────────────────────────── what the remote remembers ─────────────────────────────

export type Pushed = { commit: string; message: string; journal: string }

/** Everything that was ever pushed for a session, oldest first, with the journal as it stood. */
export function pushesOf({ git }: Pick<Rig, 'git'>, session: string): Pushed[] {
  const lines = git('log', '-g', '--format=%H %s', `refs/greenlatch/fleet/${session}`).split('\n').toReversed()
  return lines.map((line) => {
    const [commit = '', ...words] = line.split(' ')
    const pieces = git('ls-tree', '--name-only', `${commit}:journal`).split('\n')
    return { commit, message: words.join(' '), journal: pieces.map((name) => `${git('cat-file', 'blob', `${commit}:journal/${name}`)}\n`).join('') }
  })
}
