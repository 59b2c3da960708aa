// Sessions in a real sandbox, through the built command line: what agents and gates can reach from there, and what is refused without one.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CLI, eventsOf, makePlace, type Place } from './support/cli.js'

const WRONG = 'export const sum = (a, b) => a - b\n'
const TEST = "import assert from 'node:assert'\nimport test from 'node:test'\nimport { sum } from './sum.mjs'\ntest('adds', () => assert.strictEqual(sum(2, 3), 5))\n"
const BUBBLEWRAP = { GREENLATCH_SANDBOX: 'bubblewrap' }
const RUN = ['run', 'make the tests pass', '--gate', 'test=node --test']

function shop(): Place {
  const place = makePlace()
  place.write('sum.mjs', WRONG)
  place.write('sum.test.mjs', TEST)
  mkdirSync(join(place.home, '.ssh'))
  writeFileSync(join(place.home, '.ssh/id_ed25519'), 'the-private-key\n')
  for (const args of [['init', '-q'], ['add', '-A'], ['-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qm', 'start']]) spawnSync('git', args, { cwd: place.repo })
  return place
}

/** A server of this machine that has no business with the agent. */
async function listener(): Promise<{ port: number; heard: () => number }> {
  let heard = 0
  const server = createServer((_request, response) => {
    heard += 1
    response.end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, heard: () => heard }
}

function textsBelow(folder: string): string {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return paths.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')).join('\n')
}

/** A PATH on which there is what sessions need and no more. */
function withoutBubblewrap(place: Place): string {
  const bin = join(place.root, 'bin')
  mkdirSync(bin)
  for (const name of ['git', 'sh', 'cat', 'sed', 'env', 'grep', 'cp', 'touch']) symlinkSync(spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim(), join(bin, name))
  symlinkSync(process.execPath, join(bin, 'node'))
  return bin
}

describe('a session in a sandbox', () => {
  it('AC-07 contains an agent that reaches for everything, lets it work all the same, and leaves nothing running', async () => {
    const place = shop()
    const { port, heard } = await listener()
    const agent = place.program(
      'agent',
      'cat > /dev/null',
      `cat ~/.ssh/id_ed25519 ${place.repo}/greenlatch.yaml ${place.repo}/.git/config ${place.state}/*/sessions/*/journal.jsonl`,
      `for file in ${place.root}/evil ${place.repo}/evil ~/evil ${place.state}/evil; do echo evil > $file; done`,
      `node -e 'require("net").connect(${port}, "127.0.0.1").on("error", (error) => console.log("no listener:", error.code)).on("connect", () => console.log("a listener"))'`,
      'node -e \'const s = require("net").connect(process.env.HTTPS_PROXY.split(":").pop(), "127.0.0.1"); s.end("CONNECT Evil.Example:443 HTTP/1.1\\r\\n\\r\\n"); s.resume()\'',
      'env -i setsid sh -c "(setsid sh -c \\"while :; do sleep 0.1; done\\" greenlatch-left-over &) &" < /dev/null > /dev/null 2>&1',
      'git log --oneline',
      "sed -i 's/a - b/a + b/' sum.mjs",
    )
    const ended = await place.run([...RUN, '--ai-cmd', agent], { env: BUBBLEWRAP })
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('verified') as string })
    expect(ended.stderr).toContain('the sandbox kept it from evil.example:443; to let it through: sandbox: { allow: ["evil.example"] }')
    const said = textsBelow(join(place.session(), 'iteration-1'))
    expect(said).toContain('no listener: ECONNREFUSED')
    expect(said).toMatch(/[0-9a-f]{7} start/)
    expect(textsBelow(place.state)).not.toContain('the-private-key')
    expect(['evil', 'repo/evil', 'home/evil', 'state/evil'].filter((path) => existsSync(join(place.root, path)))).toEqual([])
    expect(heard()).toBe(0)
    expect(spawnSync('pgrep', ['-f', 'greenlatch-left-over']).status).toBe(1)
    expect(readFileSync(join(place.repo, 'sum.mjs'), 'utf8')).toBe(WRONG)
    const status = await place.run(['status'])
    expect(status.stdout).toMatch(/^sandbox +bubblewrap \(from GREENLATCH_SANDBOX\)$/m)
  })

  it('T14 is refused where there is none and a model would run commands, unless that is allowed, which is written down', async () => {
    const place = shop()
    const env = { GREENLATCH_SANDBOX: 'auto', PATH: withoutBubblewrap(place) }
    const agent = place.program('agent', 'cat > /dev/null', "sed -i 's/a - b/a + b/' sum.mjs")
    const refused = await place.run([...RUN, '--ai-cmd', agent], { env })
    expect(refused.code).toBe(6)
    expect(refused.stderr).toMatch(/no sandbox can be made here \(bubblewrap is not installed\).*"ai-cmd".*--sandbox none lets it/)
    expect(refused.stderr).toMatch(/bubblewrap$/m)
    expect(place.sessions()).toEqual([])
    expect(place.starts('agent')).toEqual([])
    const doctor = await place.run(['doctor'], { env })
    expect(doctor.stdout).toMatch(/warn +sandbox +bubblewrap is not installed: a model's commands are refused \(exit 6\)/)
    expect((await place.run([...RUN, '--agent', 'repair'], { env })).code).toBe(0)
    expect((await place.run([...RUN, '--ai-cmd', agent, '--sandbox', 'bubblewrap'], { env })).code).toBe(6)
    const told = await place.run([...RUN, '--ai-cmd', agent, '--sandbox', 'none'], { env })
    expect(told.code).toBe(0)
    expect(eventsOf(place.session())[0]).toMatchObject({ type: 'opened', setup: { confinement: { name: 'none' }, sandbox: { use: 'none' } } })
    const reports = await Promise.all([['status'], ['report'], ['report', '--md']].map((args) => place.run(args)))
    for (const { stdout } of reports) expect(stdout).toContain('none (from --sandbox): what runs has all your rights')
  })

  it('T14 is refused as well where a session is gone on with and there is none any more, until that is allowed from there on', async () => {
    const place = shop()
    const agent = place.program('agent', 'cat > /dev/null', "[ -e one ] && sed -i 's/a - b/a + b/' sum.mjs; touch one")
    expect((await place.run([...RUN, '--ai-cmd', agent, '--max-iterations', '1'], { env: { GREENLATCH_SANDBOX: 'auto' } })).code).toBe(4)
    const env = { PATH: withoutBubblewrap(place) }
    const more = ['--max-iterations', '3']
    const refused = await place.run(['resume', ...more], { env })
    expect(refused).toMatchObject({ code: 6, stderr: expect.stringMatching(/greenlatch resume \S+ --sandbox none lets it/) as string })
    expect((await place.run(['resume', ...more, '--sandbox', 'none'], { env })).code).toBe(0)
    expect((await place.run(['status'])).stdout).toContain('none (from --sandbox): what runs has all your rights')
  })

  it('keeps gates from the network, and names the key that gives them one', async () => {
    const place = shop()
    const { port, heard } = await listener()
    const reaching = `node -e 'fetch("http://127.0.0.1:${port}/").catch((e) => { console.error(e.cause.code); process.exit(1) })'`
    const settings = (network: string): string => JSON.stringify({ gates: [{ name: 'service', run: reaching, network }] })
    const agent = place.scripted([{ write: { 'sum.mjs': WRONG.replace('-', '+') } }])
    place.write('greenlatch.yaml', settings('none'))
    const closed = await place.run(['run', 'reach the service', '--dirty', 'ignore', '--agent', agent, '--max-iterations', '1'], { env: BUBBLEWRAP })
    expect(closed.stderr).toContain('service: it reached for the network, which gates do not have in the sandbox; "network: host" in the entry of the gate "service" in greenlatch.yaml gives it one')
    expect({ heard: heard(), code: closed.code }).toMatchObject({ heard: 0 })
    place.write('greenlatch.yaml', settings('host'))
    await place.run(['run', 'reach the service', '--fresh', '--dirty', 'ignore', '--agent', agent, '--max-iterations', '1'], { env: BUBBLEWRAP })
    expect(heard()).toBeGreaterThan(0)
  })

  it('works for an ordinary user as it does for root', async () => {
    const place = shop()
    const isRoot = process.getuid?.() === 0
    const program = join(place.root, 'dist')
    cpSync(dirname(CLI), program, { recursive: true })
    const agent = place.program('agent', 'cat > /dev/null', 'cat ~/.ssh/id_ed25519', "sed -i 's/a - b/a + b/' sum.mjs", '( for n in $(seq 400); do sleep 2 & done ) || true')
    mkdirSync(join(place.home, '.config/greenlatch'), { recursive: true })
    writeFileSync(join(place.home, '.config/greenlatch/config.yaml'), JSON.stringify({ sandbox: { use: 'bubblewrap', processes: 100 } }))
    if (isRoot) for (const path of ['', ...readdirSync(place.root, { recursive: true, encoding: 'utf8' })]) chownSync(join(place.root, path), 65_534, 65_534)
    chmodSync(place.root, 0o755)
    const argv = [process.execPath, join(program, 'greenlatch.cjs'), ...RUN, '--dirty', 'ignore', '--ai-cmd', agent]
    const [command = '', ...args] = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...argv] : argv
    const env = { PATH: process.env['PATH'] ?? '', HOME: place.home, GREENLATCH_STATE_HOME: place.state, LANG: 'C.UTF-8' }
    const ended = spawnSync(command, args, { cwd: place.repo, env, encoding: 'utf8' })
    const said = textsBelow(join(place.session(), 'iteration-1'))
    expect(said).not.toContain('the-private-key')
    expect(said).toMatch(/fork|Resource temporarily unavailable/i)
    expect(ended.status, ended.stderr).toBe(0)
  })
})
