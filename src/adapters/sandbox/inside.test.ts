// Tests of the programs that lead out of a sandbox, each as a real process in front of a real command.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../files/fixture.js'
import { findLeader, leaderByNode, leaderByPerl, type Leader } from './inside.js'

const LEADERS: [string, Leader][] = [['Perl', leaderByPerl('perl')], ['Node', leaderByNode(process.execPath)]]
const MEGABYTES = 4

/** Answers what it is sent, once all of it has come: only who can end one direction and keep the other hears it. */
async function answering(): Promise<string> {
  const folder = temporaryFolder()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk)).on('end', () => socket.end(Buffer.concat(chunks))).on('error', () => {})
  })
  server.listen(join(folder, 'proxy'))
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return folder
}

/** Sends as many bytes as it is told over two connections at once, and prints how many came back. */
const ASKING = `
const net = require('node:net')
const ask = () => new Promise((resolve, reject) => {
  let back = 0
  const socket = net.connect({ port: Number(process.env.HTTPS_PROXY.split(':').pop()), host: '127.0.0.1', allowHalfOpen: true })
  socket.on('data', (chunk) => { back += chunk.length }).on('end', () => resolve(back)).on('error', reject)
  socket.end(Buffer.alloc(Number(process.argv[1]), 'x'))
})
Promise.all([ask(), ask()]).then((all) => console.log(all.join(' '), process.env.NO_PROXY))
`

describe.each(LEADERS)('the leader by %s', (_name, leader) => {
  const started = (folder: string, ...command: string[]): [string, string[]] => [leader[0], [...leader.slice(1), folder, '', ...command]]

  it('leads to the sockets outside, both ways at once, whole and with an end', async () => {
    const folder = await answering()
    const child = spawn(...started(folder, process.execPath, '-e', ASKING, String(MEGABYTES * 1024 * 1024)))
    let out = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (out += chunk))
    await once(child, 'close')
    expect(out).toBe(`${MEGABYTES * 1024 * 1024} ${MEGABYTES * 1024 * 1024} localhost,127.0.0.1,::1\n`)
  })

  it('ends as the command ends, with its streams, and says what cannot be started', () => {
    const folder = temporaryFolder()
    const run = (...command: string[]) => spawnSync(...started(folder, ...command), { input: 'in', encoding: 'utf8' })
    expect(run('/bin/sh', '-c', 'cat; echo no >&2; exit 3')).toMatchObject({ status: 3, stdout: 'in', stderr: 'no\n' })
    expect(run('/bin/sh', '-c', 'kill -9 $$').status).toBe(137)
    expect(run('no-such-program')).toMatchObject({ status: 127, stderr: expect.stringMatching(/^cannot start no-such-program: /) as string })
    expect(run('/etc/passwd')).toMatchObject({ status: 126, stderr: expect.stringMatching(/^cannot start \/etc\/passwd: /) as string })
  })

  it('hands on that it is to end, and waits for it', async () => {
    const child = spawn(...started(temporaryFolder(), '/bin/sh', '-c', 'trap "echo asked; exit 4" TERM; echo ready; while :; do sleep 0.02; done'))
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
      if (out === 'ready\n') child.kill('SIGTERM')
    })
    const [code] = (await once(child, 'close')) as [number]
    expect({ code, out }).toEqual({ code: 4, out: 'ready\nasked\n' })
  })
})

describe('which of them leads', () => {
  it('is Perl where there is one, since it begins sooner', async () => {
    expect((await findLeader()).slice(0, 3)).toEqual(['env', 'PERL_BADLANG=0', expect.stringMatching(/\/perl$/)])
  })
})
