// Canary secrets of several kinds, printed by agents, gates and failing tests: they reach no file of a session, no model, no terminal and no report.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startModelServer } from '../src/testing/model-server/index.js'
import { makePlace, type Place } from './support/cli.js'

const RANDOM = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d'
const VALUES = { DEPLOY_TOKEN: 'canary-value-4711-of-deploy', DATABASE_URL: 'postgres://me:canary-pass-4712@db/x', OPENAI_API_KEY: 'canary/key"4713' }
const SHAPES = [`ghp_${RANDOM.slice(0, 36)}`, 'AKIAQ3EGRZ7VX2LN5TPW', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.${RANDOM}`]
const PEM = 'MIICanaryBAAKCAQEA7bqZ'
const CANARIES = ['canary-value-4711-of-deploy', 'canary-pass-4712', 'canary/key"4713', String.raw`canary/key\"4713`, 'canary-env-4714', 'canary-gate-4715', ...SHAPES, PEM]

/** What is printed, as a file that anybody may cat. */
function leak(place: Place): string {
  const path = join(place.root, 'leak')
  const pem = `-----BEGIN PRIVATE KEY-----\n${PEM}\n-----END PRIVATE KEY-----`
  writeFileSync(path, [...Object.values(VALUES), 'canary-env-4714', 'canary-gate-4715', ...SHAPES, pem].map((line, n) => `FAILED line ${n}: ${line}\n`).join(''))
  return path
}

/** All that is ours; what the repository holds is copied as it is. */
function ours(place: Place): string[] {
  const rooms = readdirSync(place.state).map((name) => join(place.state, name))
  const files = rooms.flatMap((room) => readdirSync(room, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)))
  return files.filter((path) => !/\/(?:checkouts|store\.git|deps|copies)\//.test(path))
}

const holding = (text: string): string[] => CANARIES.filter((canary) => text.includes(canary))

describe('canary secrets', () => {
  it('are in no file of ours, on no wire, on no terminal and in no report, whoever prints them.', async () => {
    const place = makePlace()
    const path = leak(place)
    const text = readFileSync(path, 'utf8')
    let turn = 0
    const server = await startModelServer({ script: { client: 'chat', turns: () => ({ text: `I saw ${text}\n=== FILE a.txt ===\nx${(turn += 1)}\n=== END ===\n` }) } })
    onTestFinished(() => server.close())
    const junit = `<testsuite><testcase name="t"><failure message="no">$(cat ${path} | sed 's/[<&"]/-/g')</failure></testcase></testsuite>`
    place.write('greenlatch.yaml', JSON.stringify({
      agents: {
        near: { chat: `${server.url}/v1`, key: 'OPENAI_API_KEY' },
        loud: { command: place.program('loud', 'cat > /dev/null', `cat ${path}`, `cat ${path} >&2`, 'date +%N > b.txt', 'exit 1'), env: { MY_TOKEN: 'canary-env-4714' } },
      },
      gates: [
        { name: 'printing', run: `env > ${join(place.root, 'gate.env')}; cat ${path}; cat ${path} >&2; exit 1`, env: { GATE_SECRET: 'canary-gate-4715' }, pass_env: ['DATABASE_URL'] },
        { name: 'reporting', run: `echo "${junit.replaceAll('"', '\\"')}" > out.xml; exit 1`, report: { path: 'out.xml', format: 'junit' } },
      ],
    }))
    let shown = ''
    for (const agent of ['near', 'loud']) {
      const ended = await place.run(['run', 'converge', 'x', '--fresh', '--agent', agent, '--max-iterations', '2'], { env: VALUES })
      expect(ended.code, ended.stderr).toBe(4)
      shown += ended.stdout + ended.stderr
    }
    for (const args of [['report', '--html'], ['report', '--md'], ['report', '--json'], ['report', '--junit'], ['explain'], ['logs', '--output', 'jsonl'], ['status', '--json'], ['config'], ['trust', 'show']]) {
      const ended = await place.run(args, { env: VALUES })
      shown += ended.stdout + ended.stderr
    }
    expect(holding(shown)).toEqual([])
    expect(shown).toContain('***')
    expect(server.requests.length).toBeGreaterThan(1)
    const wire = server.requests.map(({ body }) => JSON.stringify(body))
    expect(wire.flatMap(holding)).toEqual([])
    expect(wire.join('')).toContain('FAILED line 0: ***')
    const files = ours(place)
    const found = files.filter((file) => holding(readFileSync(file, 'latin1')).length > 0)
    expect(found.filter((file) => !file.endsWith('/agents-env.json'))).toEqual([])
    // Git makes its index as it likes, in a folder that nobody else can enter.
    expect(files.filter((file) => (statSync(file).mode & 0o077) !== 0 && !file.endsWith('index'))).toEqual([])
    const seen = place.read('gate.env')
    expect(seen).toContain('GATE_SECRET=canary-gate-4715')
    expect(seen).toContain('DATABASE_URL=postgres:')
    expect(seen).not.toMatch(/DEPLOY_TOKEN|OPENAI_API_KEY|MY_TOKEN/)
  })

  it('are handed to the agent that they belong to alone; a gate has its own after a resume too, and a command that holds one is refused.', async () => {
    const place = makePlace()
    const bin = place.program('claude', 'cat > /dev/null', `env >> ${join(place.root, 'claude.env')}`, 'date +%N > a.txt')
    const other = place.program('other', 'cat > /dev/null', `env >> ${join(place.root, 'other.env')}`, 'date +%N > a.txt')
    const env = { ANTHROPIC_API_KEY: 'canary-login-1', OPENAI_API_KEY: 'canary-login-2', MINE: 'passed' }
    place.write('greenlatch.yaml', `gates: [{ name: g, run: 'echo "$G" >> ${join(place.root, 'g')}; false', env: { G: canary-gate-4715 } }]\n`)
    const run = ['run', 'ooda', 'x', '--max-iterations', '1', '--fresh', '--pass-env', 'MINE', '--ai-cmd']
    await place.run([...run, bin], { env })
    await place.run(['resume', '--max-iterations', '2'], { env })
    await place.run([...run, other], { env })
    expect(place.read('claude.env')).toMatch(/ANTHROPIC_API_KEY=canary-login-1/)
    expect(place.read('claude.env')).not.toContain('canary-login-2')
    expect(place.read('other.env')).not.toMatch(/canary-login/)
    expect(place.read('other.env')).toContain('MINE=passed')
    expect(new Set(place.read('g').trim().split('\n'))).toEqual(new Set(['canary-gate-4715']))
    const refused = await place.run([...run, other, '--gate', `curl -H "x: ${SHAPES[0]}"`], { env })
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toContain('hand it over by env: or pass_env:')
    expect(refused.stderr).not.toContain(SHAPES[0])
  })
})
