// A session in real containers, made by podman of an image that is made here: what agents and gates do in them, and what they reach.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { eventsOf, makePlace } from './support/cli.js'
import { makeImage } from './support/container-image.js'

const WRONG = 'export const sum = (a, b) => a - b\n'
const TEST = "import assert from 'node:assert'\nimport test from 'node:test'\nimport { sum } from './sum.mjs'\ntest('adds', () => assert.strictEqual(sum(2, 3), 5))\n"

describe('a session in containers', () => {
  it('AC-07 reads the tests of its gate, contains an agent that reaches for everything, and leaves no container', async () => {
    const { image, remove } = makeImage()
    onTestFinished(remove)
    const place = makePlace()
    place.write('sum.mjs', WRONG)
    place.write('sum.test.mjs', TEST)
    for (const folder of ['.ssh', '.config/greenlatch']) mkdirSync(join(place.home, folder), { recursive: true })
    writeFileSync(join(place.home, '.ssh/id_ed25519'), 'the-private-key\n')
    writeFileSync(join(place.home, '.config/greenlatch/config.yaml'), JSON.stringify({ sandbox: { use: 'container', image } }))
    for (const args of [['init', '-q'], ['add', '-A'], ['-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qm', 'start']]) spawnSync('git', args, { cwd: place.repo })
    const agent = place.program(
      'agent',
      'cat > /dev/null',
      `cat ~/.ssh/id_ed25519 ${place.repo}/sum.mjs ${place.state}/*/sessions/*/journal.jsonl /etc/shadow`,
      `for file in ${place.root}/evil ${place.repo}/evil ~/evil ${place.state}/evil /usr/evil; do echo evil > $file; done`,
      'node -e \'const s = require("net").connect(process.env.HTTPS_PROXY.split(":").pop(), "127.0.0.1"); s.end("CONNECT Evil.Example:443 HTTP/1.1\\r\\n\\r\\n"); s.resume()\'',
      'setsid sleep 4321 < /dev/null > /dev/null 2>&1 &',
      'git log --oneline',
      "sed -i 's/a - b/a + b/' sum.mjs",
    )
    const env = { GREENLATCH_SANDBOX: 'container' }
    const ended = await place.run(['run', 'make the tests pass', '--gate', 'test=node --test', '--ai-cmd', agent], { env })
    expect(ended, ended.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('verified') as string })
    expect(ended.stderr).toContain('the sandbox kept it from evil.example:443')
    const said = readdirSync(join(place.session(), 'iteration-1'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')).join('\n')
    expect(said).toMatch(/[0-9a-f]{7} start/)
    expect(said).not.toMatch(/the-private-key|root:/)
    expect(['evil', 'repo/evil', 'home/evil', 'state/evil'].filter((path) => existsSync(join(place.root, path)))).toEqual([])
    expect(spawnSync('pgrep', ['-f', 'sleep 4321']).status).toBe(1)
    expect(spawnSync('podman', ['ps', '--all', '--quiet', '--filter', `ancestor=${image}`], { encoding: 'utf8' }).stdout).toBe('')
    expect(readFileSync(join(place.repo, 'sum.mjs'), 'utf8')).toBe(WRONG)
    expect(JSON.stringify(eventsOf(place.session()))).toContain('"known":true')
  })
})
