// `agents` and `doctor --agent`: which agents are there, in words that are explained, what is started and what is left alone.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isAlive } from '../src/adapters/agents/acp/fixture.js'
import { makePlace, type Options, type Place } from './support/cli.js'

type Row = { name: string; default: boolean; version: string | null }

async function rows(place: Place, env: Record<string, string> = {}): Promise<Row[]> {
  const { code, stdout, stderr } = await place.run(['agents', '--json'], { env })
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as Row[]
}

/** A program on PATH that notes its starts and tells a version. */
function onPath(place: Place, name: string): Record<string, string> {
  const bin = join(place.root, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, name), `#!/bin/sh\necho "$0 $NOTE" >> '${place.root}/probed'\necho 9.8.7\n`)
  chmodSync(join(bin, name), 0o755)
  return { PATH: `${bin}:${process.env['PATH'] ?? ''}` }
}

/** Programs of these names, alone on PATH beside the system's own. */
function withPrograms(place: Place, ...names: string[]): Required<Pick<Options, 'env'>> {
  const bin = join(place.root, 'bin')
  mkdirSync(bin, { recursive: true })
  for (const name of names) {
    writeFileSync(join(bin, name), '#!/bin/sh\necho 1.2.3\n')
    chmodSync(join(bin, name), 0o755)
  }
  return { env: { PATH: `${bin}:/usr/bin:/bin`, IS_SANDBOX: '1' } }
}

function loggedIn(place: Place): void {
  mkdirSync(join(place.home, '.codex'))
  writeFileSync(join(place.home, '.codex/auth.json'), '{}')
}

describe('agents', () => {
  it('says of each whether it could be asked, with the command that is missing, and explains the words it used', async () => {
    const place = makePlace()
    const options = withPrograms(place, 'codex', 'gemini')
    loggedIn(place)
    place.write('greenlatch.yaml', 'agents: { mine: { command: "true" }, gone: { command: nosuch-program } }\n')
    const { stdout } = await place.run(['agents'], options)
    expect(stdout).toMatch(/^\* codex +cli +ready +1\.2\.3, login ~\/\.codex\/auth\.json, cost unknown$/m)
    expect(stdout).toMatch(/^ {2}gemini +cli +no login +1\.2\.3, log in with: gemini, or set GEMINI_API_KEY/m)
    expect(stdout).toMatch(/^ {2}claude +cli +missing +/m)
    expect(stdout).toMatch(/^ {2}mine +command +not tried/m)
    expect(stdout).toMatch(/^ {2}gone +command +missing +nosuch-program is not an executable program/m)
    expect(stdout).toMatch(/^ {2}repair +built-in +ready/m)
    expect(stdout).toMatch(/^ {2}paste +built-in +ready/m)
    const legend = stdout.slice(stdout.indexOf('\n\n'))
    expect(legend).toContain('* is asked where nobody else is named (from ')
    for (const word of ['ready', 'no login', 'missing', 'not tried']) expect(legend).toMatch(new RegExp(`^ {2}${word} +\\S`, 'm'))
    expect(legend).not.toContain('blocked')
  })

  it('says of one that could not start what keeps it from that, and shows no version beside it; a sandbox takes it away', async () => {
    const place = makePlace()
    const { env } = withPrograms(place, 'claude')
    const { stdout } = await place.run(['agents'], { env: { ...env, IS_SANDBOX: '' } })
    // Only root is kept from it.
    const expected = process.getuid?.() === 0 ? /^ {2}claude +cli +blocked +as root it refuses/m : /^ {2}claude +cli +no login +1\.2\.3/m
    expect(stdout).toMatch(expected)
    const confined = await place.run(['agents'], { env: { ...env, IS_SANDBOX: '', GREENLATCH_SANDBOX: 'bubblewrap' } })
    expect(confined.stdout).toMatch(/^ {2}claude +cli +no login +1\.2\.3/m)
  })

  it('sees a name in the settings that nobody has, with its file and line, and so does doctor', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'agent: cluade\n')
    const { stdout } = await place.run(['agents'])
    expect(stdout).toMatch(/^\* cluade +unknown +there is no such agent \(did you mean "claude"\?\); named by agent: in greenlatch\.yaml:1$/m)
    expect(JSON.parse((await place.run(['agents', '--json'])).stdout)).toContainEqual(expect.objectContaining({ name: 'cluade', state: 'unknown', default: true }))
    const doctor = await place.run(['doctor'])
    expect(doctor).toMatchObject({ code: 2, stdout: expect.stringMatching(/^fail {2}agent cluade +there is no such agent \(did you mean "claude"\?\); named by agent: in greenlatch\.yaml:1\n {6}next: greenlatch agents$/m) as string })
  })

  it('names the ways on where none is ready', async () => {
    const place = makePlace()
    const { stdout } = await place.run(['agents'], { env: { PATH: '/usr/bin:/bin' } })
    for (const way of ['--url', '--agent paste', '--agent repair']) expect(stdout).toContain(way)
    expect(stdout).toContain('nobody is named: a run with a gate asks repair')
    place.write('greenlatch.yaml', 'agent: { reviewer: paste }\n')
    expect((await place.run(['agents'], { env: { PATH: '/usr/bin:/bin' } })).stdout).toContain('only reviewer has an agent by the settings')
  })

  it('sees a wrong name in a list, and names the list', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', '# who answers\nagents: [repair, cluade]\n')
    for (const words of [['agents'], ['doctor'], ['run', '--gate', 'false']]) {
      const { stdout, stderr } = await place.run(words)
      expect(stdout + stderr).toContain('(did you mean "claude"?); named by agents: in greenlatch.yaml:2\n')
    }
    place.write('greenlatch.yaml', 'agents: [cluade, repair]\n')
    expect((await place.run(['run', '--gate', 'false'])).stderr).toContain('named by agents: in greenlatch.yaml:1\n')
  })

  it('says the same of those that the settings set up as doctor does, which fails where somebody is needed who is not there', async () => {
    const place = makePlace()
    const options = withPrograms(place, 'codex')
    place.write('greenlatch.yaml', `agents: { claude: { cli: claude }, codex: { cli: codex }, mine: { command: ${place.program('mine', 'true')} } }\nagent: claude\n`)
    const { code, stdout } = await place.run(['doctor'], options)
    expect(code).toBe(7)
    expect(stdout).toMatch(/^fail {2}agent claude +missing: .*\n {6}next: greenlatch agents$/m)
    expect(stdout).toMatch(/^warn {2}agent codex +no login: log in with: .*\n {6}next: greenlatch agents$/m)
    expect(stdout).toMatch(/^ok {4}agent mine +not tried: .*mine\n {6}next: greenlatch doctor --agent mine$/m)
    expect(stdout).not.toContain('{"')
    expect(place.starts('mine')).toEqual([])
    place.write('greenlatch.yaml', 'agents: [repair, claude]\n')
    expect(await place.run(['doctor'], options)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^warn {2}agent claude +missing: /m) as string })
  })

  it('starts no program that settings name, and none in an environment that they make; those on PATH tell their version', async () => {
    const place = makePlace()
    const env = onPath(place, 'codex')
    const named = place.program('named', 'echo 1.2.3')
    place.write('greenlatch.yaml', `agents:\n  mine: { cli: claude, program: ${named} }\n  other: { cli: codex, env: { NOTE: from-settings } }\n`)
    const told = Object.fromEntries((await rows(place, env)).map(({ name, version }) => [name, version]))
    expect(told).toMatchObject({ mine: null, other: null, codex: '9.8.7' })
    expect(place.starts('named')).toEqual([])
    expect(place.read('probed')).not.toContain('from-settings')
  })

  it('marks whoever is asked: by settings, and where they name nobody the first that could be', async () => {
    const place = makePlace()
    const env = { ...onPath(place, 'codex'), CODEX_API_KEY: 'k' }
    const marked = async () => (await rows(place, env)).filter((row) => row.default).map(({ name }) => name)
    expect(await marked()).toEqual(['codex'])
    place.write('greenlatch.yaml', 'agent: mine\nagents:\n  mine: { command: "true" }\n')
    expect(await marked()).toEqual(['mine'])
    const { stdout } = await place.run(['agents'], { env })
    expect(stdout.split('\n\n')[0]?.split('\n').filter((line) => line.startsWith('*'))).toEqual([expect.stringMatching(/^\* mine /)])
  })
})

describe('doctor --agent', () => {
  it('ends its agent when it is interrupted, and says so with 130', async () => {
    const place = makePlace()
    const agent = place.program('agent', 'echo at work >&2', `echo $$ > ${place.root}/pid`, 'sleep 300')
    place.write('greenlatch.yaml', `agents:\n  mine: { command: ${agent} }\n`)
    const running = place.start(['doctor', '--agent', 'mine'])
    await expect.poll(() => place.read('pid').trim(), { timeout: 20_000 }).not.toBe('')
    running.send('SIGINT')
    const ended = await running.ended
    expect([ended.code, isAlive(Number(place.read('pid')))]).toEqual([130, false])
    expect(ended.stdout).toContain('interrupted; nothing of it goes on')
  })

  it('tries the agent that is named, and nobody who would stand in for it', async () => {
    const place = makePlace()
    const [first, second] = [place.program('first', 'echo "Error: connect ECONNREFUSED 127.0.0.1:9" >&2', 'exit 1'), place.program('second', 'echo latched > greenlatch-check.txt')]
    place.write('greenlatch.yaml', `agents:\n  a: { command: ${first}, fallback: b }\n  b: { command: ${second} }\n`)
    const { code } = await place.run(['doctor', '--agent', 'a'])
    expect([code, place.starts('first').length, place.starts('second')]).toEqual([7, 1, []])
  })

  it('has nothing to try with a person, and says how that goes', async () => {
    const ended = await makePlace().run(['doctor', '--agent', 'paste'])
    expect(ended.code).toBe(0)
    expect(ended.stdout).toMatch(/^ok {4}agent paste +a person answers, so that there is nothing to try: a run stops with 8, and greenlatch reply hands in the answer$/m)
    expect(ended.stderr).not.toContain('asking paste')
  })

  it('has nothing to try with the repairer, which needs a failing check', async () => {
    const ended = await makePlace().run(['doctor', '--agent', 'repair'])
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok {4}agent repair +built in/m) as string })
  })

  it('names the way to log in where that is what fails', async () => {
    const place = makePlace()
    const { env } = withPrograms(place)
    writeFileSync(join(place.root, 'bin/codex'), `#!/bin/sh\n[ "$1" = --version ] && echo 1.2.3 && exit\ncat >/dev/null\necho '{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized: Missing bearer"}}'\n`)
    chmodSync(join(place.root, 'bin/codex'), 0o755)
    const ended = await place.run(['doctor', '--agent', 'codex'], { env })
    expect(ended).toMatchObject({ code: 7, stdout: expect.stringMatching(/401 Unauthorized.*\n {6}next: codex login$/m) as string })
  })
})
