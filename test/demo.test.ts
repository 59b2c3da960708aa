// `demo` in all its scenarios, as a newcomer runs it: without a network, and with nothing written outside its folder.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { examplesOf } from './support/docs/lists.js'
import { CLI, eventsOf, hashesOf, makePlace, sendTogether, type Ended, type Place } from './support/cli.js'

type Demo = Ended & { place: Place; folder: string; shop: string; after(...args: string[]): Promise<Ended> }

/** A namespace without any network, not even loopback: as root, or as a user who may make one. */
const CUT_OFF = [['--net'], ['--map-root-user', '--net']].find((flags) => spawnSync('unshare', [...flags, 'true']).status === 0)

/** Everything but the folder of the demo is looked at before and after. */
async function demo(...args: string[]): Promise<Demo> {
  const place = makePlace()
  const folder = join(place.root, 'demo')
  writeFileSync(join(place.home, '.gitconfig'), '[user]\n')
  const temporary = join(place.root, 'tmp')
  mkdirSync(temporary)
  const around = (): object => ({ home: hashesOf(place.home), cwd: hashesOf(place.repo), temporary: hashesOf(temporary), root: readdirSync(place.root).filter((name) => name !== 'demo') })
  const before = around()
  const ended = await cutOff(place, temporary, ['demo', ...args, '--into', folder])
  expect(around()).toEqual(before)
  expect(readdirSync(folder).filter((name) => !['shop', 'state', 'agent.json', 'answer.md'].includes(name))).toEqual([])
  const shop = join(folder, 'shop')
  return { ...ended, place, folder, shop, after: (...more) => place.run(more, { cwd: shop, trust: 'none', env: { GREENLATCH_STATE_HOME: join(folder, 'state') } }) }
}

function cutOff({ repo, home }: Place, temporary: string, args: readonly string[]): Promise<Ended> {
  if (!CUT_OFF) throw new Error('unshare cannot make a network of its own here: run these tests as root')
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: temporary, LANG: 'C.UTF-8' }
  const child = spawn('unshare', [...CUT_OFF, process.execPath, CLI, ...args], { cwd: repo, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const text = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) child[stream].setEncoding('utf8').on('data', (chunk: string) => (text[stream] += chunk))
  return new Promise((resolve, reject) => child.once('error', reject).once('close', (code, signal) => resolve({ code, signal, ...text })))
}

/** Without what is another one every time: durations, the folder, the session, and where chance set a test aside. */
function steady(text: string): string {
  return text.replaceAll(/ · 1 flaky, set aside| +best(?=\n)/g, '').replaceAll(/greenlatch \d\S*|\d+-\d+-\w{5}|[\d.]+s|\d+m\d+s|outside \S+/g, '…').replaceAll(/ +/g, ' ')
}

function git(cwd: string, ...args: string[]): string {
  return spawnSync('git', args, { cwd, encoding: 'utf8' }).stdout.trim()
}

describe('a demo', () => {
  it('GL-06 "converge" mends bugs in three files by the repair agent, proves it, and leaves a result that can be accepted', async () => {
    const { code, stdout, stderr, shop, after } = await demo()
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^converged\tverified\t/)])
    expect(stderr).toMatch(/^greenlatch \S+ · demo "converge": /)
    expect(stderr).toMatch(/baseline .* 5 failing · 1 excused · 1 flaky, set aside\n/)
    expect(steady(stderr)).toContain(steady(examplesOf('a demo')[0].text))
    expect((await after('diff', '--stat')).stdout).toMatch(/src\/price\.js[^]*src\/receipt\.js[^]*src\/stock\.js/)
    expect(git(shop, 'status', '--porcelain')).toBe('')
    const shown = examplesOf('after a demo').flatMap(({ text }) => text.trim().split('\n')).map((line) => line.replace(/ +#.*/, '').split(' '))
    expect(shown.at(-1)).toEqual(['greenlatch', 'accept'])
    for (const [program, ...args] of shown) expect([program, await after(...args)], args.join(' ')).toMatchObject(['greenlatch', { code: 0 }])
    expect(git(shop, 'log', '--oneline').split('\n')).toHaveLength(2)
  })

  it('GL-06 "stall" mends what can be mended, then stops with 3 and says why', async () => {
    const { code, stdout, stderr, after } = await demo('stall')
    expect([code, stdout]).toEqual([3, expect.stringMatching(/^stalled\tunverified\t/)])
    expect(stderr).toMatch(/failing: +test\/wish\.test\.js::three pieces are cheaper too\n +pattern: +search out of candidates\n/)
    const { stdout: explained } = await after('explain')
    expect(explained).toContain('more are left than it may try')
    expect(explained).toMatch(/^ {4}iteration 3, 1 failing: .*; this is what you get$/m)
    expect((await after('status')).stdout).toMatch(/^stands on {2}iteration 3 \(1 failing\)$[^]*^next: {6}greenlatch resume \S+ --agent paste$/m)
    expect(JSON.parse((await after('report', '--json')).stdout)).toMatchObject({ iteration: 3 })
    expect((await after('diff', '--stat')).stderr).toMatch(/^start → iteration 3: /)
    const { stdout: mended } = await after('diff', '--stat')
    for (const file of ['src/price.js', 'src/receipt.js', 'src/stock.js']) expect(mended).toContain(file)
    expect((await after('accept')).stderr).toMatch(/^iteration 3, 1 failing \(/)
  })

  it('"cheat" takes each weakened test back, refuses the agent with 6 and keeps what it did for inspection', async () => {
    const { code, stdout, stderr, shop, after } = await demo('cheat')
    expect([code, stdout]).toEqual([6, expect.stringMatching(/^refused\tunverified\t/)])
    for (const word of ['expected value edited', 'skipped', 'deleted']) expect(stderr).toContain(`${word} "ten pieces are a tenth cheaper"`)
    expect(stderr).toMatch(/REFUSED .* the same breach 3 times: .*test\/price\.test\.js[^]*pattern: +cheating\n[^]*go on: +greenlatch resume \S+ --agent paste\n/)
    expect((await after('status')).stdout).toMatch(/^next: {6}greenlatch resume \S+ --agent paste$/m)
    expect((await after('diff', '--iter', 'salvage/1')).stdout).toMatch(/^\+.*1000\)/m)
    expect(readFileSync(join(shop, 'test/price.test.js'), 'utf8')).toContain('priceOf(100, 10), 900')
    expect((await after('diff')).stderr).toBe('nothing was changed: the session stands on what it began with\n')
    const again = await after('verify')
    expect(again.stderr).toContain('failing (5 tests):\n')
    expect(again.stderr).not.toContain('integrity')
    const { stdout: logged } = await after('logs')
    expect(logged).toMatch(/; still failing: .* and 2 more$/m)
    for (const [place, deed] of ['expected value edited', 'skipped', 'deleted'].entries()) {
      expect(logged).toMatch(new RegExp(`implement +observed .* by cheater: .*; put back, and kept as salvage/${place + 1}: test/price\\.test\\.js: line 6: ${deed} "ten`))
    }
    expect(logged).toMatch(/check +observed {2}fail .*; 1 breach of this iteration counts against it\n/)
    expect(logged).toMatch(/decided {3}implement by route: check: .*; no better, so from here on: minimal-change\n/)
    expect(logged).toMatch(/decided {3}@refused by breaches: the same breach 3 times: integrity: test\/price\.test\.js;/)
  })

  it('"scope" puts back what is out of scope, tells the agent, and converges with nothing of it in the result, and is the real thing: a journal of baseline, asks, checks and the deciding check, that verify and replay agree with', async () => {
    const { code, stdout, stderr, after, folder } = await demo('scope')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^converged\tverified\t/)])
    expect(stderr).toMatch(/out of scope: README\.md[^]* 1 {2}implement .*part of it taken back\n/)
    expect((await after('diff', '--stat')).stdout).not.toContain('README.md')
    expect((await after('report', '--md')).stdout).toMatch(/^\| 1 \| \d+, 1 breach \| no, back to the start \|/m)
    expect((await after('diff', '--iter', 'salvage/1')).stdout).toContain('README.md')
    const session = (await after('path')).stdout.trim()
    expect(session.startsWith(join(folder, 'state'))).toBe(true)
    const phases = eventsOf(session).flatMap((event) => (event.type === 'asked' ? [event.effect.phase] : []))
    expect(phases).toEqual(['baseline', 'implement', 'check', 'implement', 'check', 'accept'])
    expect(await after('replay')).toMatchObject({ code: 0 })
    expect(await after('verify')).toMatchObject({ code: 0 })
  })

  it('"human" waits with 8, shows the prompt and what to type, and what it says to type ends it', async () => {
    const { code, stdout, stderr, after } = await demo('human')
    expect([code, stdout]).toEqual([8, expect.stringMatching(/^waiting\t-\t/)])
    expect(stderr).toMatch(/begins:\n {2}\| # One iteration[^]* {2}\| Make the tests of the shop pass\.\n/)
    const typed = Array.from(stderr.matchAll(/^ {2}greenlatch (reply --prompt|reply --file \S+|resume) {2,}/gm), ([, command = '']) => command)
    expect(typed).toEqual(['reply --prompt', 'reply --file ../answer.md', 'resume'])
    expect((await after('reply', '--prompt')).stdout).toContain('Make the tests of the shop pass.')
    expect(await after('reply', '--file', '../answer.md')).toMatchObject({ code: 0 })
    expect(await after('resume')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^converged\tverified\t/) as string })
  })
})

describe('a demo that is interrupted', () => {
  async function interrupted(times: 1 | 2): Promise<Ended & { place: Place }> {
    const place = makePlace()
    const running = place.start(['demo', 'scope', '--into', 'here'], { env: { GREENLATCH_STATE_HOME: '' } })
    await running.says(/asked: /)
    await running.says(/baseline/)
    if (times === 1) running.send('SIGINT')
    // What is under way could end between two that are sent one after the other, and two that are alike would be one.
    else await sendTogether(running.pid, 'SIGINT', 'SIGTERM')
    await running.says(/again to force it/)
    return { ...(await running.ended), place }
  }

  it.each([1, 2] as const)('by %i signals says where to go and how to go on with it, and offers no result', async (times) => {
    const { code, stderr, place } = await interrupted(times)
    expect([130, ...(times === 2 ? [143] : [])]).toContain(code)
    expect(stderr.includes('\nforced\n')).toBe(times === 2)
    const shop = join(place.repo, 'here/shop')
    expect(stderr).toMatch(new RegExp(`\n  alias greenlatch=.*\n  cd ${shop}\n  export GREENLATCH_STATE_HOME=${join(place.repo, 'here/state')}\n  greenlatch resume +go on[^]*There is more: .*\n$`))
    expect(stderr).not.toMatch(/greenlatch (accept|diff)/)
    expect(existsSync(join(place.repo, 'here/tmp'))).toBe(false)
    if (times === 1) expect(await place.run(['resume'], { cwd: shop, trust: 'none', env: { GREENLATCH_STATE_HOME: join(place.repo, 'here/state') } })).toMatchObject({ code: 0 })
  })
})

describe('what a demo says to type next', () => {
  it('works in the shell that npx was typed in, which knows nothing of the folders that npx puts on PATH', async () => {
    const place = makePlace()
    const bin = join(place.root, 'node_modules/.bin')
    mkdirSync(bin, { recursive: true })
    symlinkSync(CLI, join(bin, 'greenlatch'))
    const ended = await place.run(['demo', 'human', '--into', 'here'], { env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } })
    const [, lines = ''] = /to look at:\n([^]*?)\n {2}greenlatch /.exec(ended.stderr) ?? []
    const typed = spawnSync('sh', ['-c', `${lines}\ngreenlatch status --short`], { cwd: place.repo, encoding: 'utf8', env: { PATH: '/usr/bin:/bin', HOME: place.home } })
    expect(typed).toMatchObject({ status: 0, stdout: expect.stringContaining('waiting') as string })
  })
})

describe('a demo is not led astray by', () => {
  it('settings of the user, the environment or a project around it', async () => {
    const place = makePlace()
    mkdirSync(join(place.home, '.config/greenlatch'), { recursive: true })
    writeFileSync(join(place.home, '.config/greenlatch/config.yaml'), 'agent: nobody\ngates: [{ name: never, run: "false" }]\n')
    place.write('greenlatch.yaml', 'agent: nobody-else\n')
    const ended = await place.run(['demo', 'human', '--into', 'here'], { env: { GREENLATCH_AGENT: 'no-one' } })
    expect(ended).toMatchObject({ code: 8 })
    expect(ended.stderr).toContain(`export GREENLATCH_STATE_HOME=${join(place.repo, 'here/state')}`)
    expect(place.sessions()).toEqual([])
  })
})

describe('a demo is refused', () => {
  it.each([
    [['demo', 'chaet'], 2, 'there is no scenario "chaet" (did you mean "cheat"?)', 'greenlatch demo cheat'],
    [['demo', 'constructor'], 2, 'there is no scenario "constructor"', 'greenlatch demo --help'],
    [['demo', 'human', '--into', 'full'], 2, 'is not empty', 'greenlatch demo human'],
    [['demo', 'human', '--into', 'file'], 2, 'is no folder', '.+'],
    [['demo', 'human', '--into', ''], 2, '--into', 'greenlatch demo human'],
    [['demo', 'human', '--into', 'file/x'], 2, 'file is no folder', 'greenlatch demo human'],
    [['demo', 'human', '--into', '/proc/demo'], 10, '/proc/demo', '.+'],
    [['demo', 'human', '--state-dir', 'elsewhere'], 2, '--state-dir has no meaning here', '.+'],
    [['demo', 'human', '--config', 'x.yaml'], 2, '--config has no meaning here', '.+'],
    [['demo', 'human', 'stall'], 2, 'too many arguments', '.+'],
  ] as const)('as %j with %i, one clear line and the next command, and leaves nothing', async (args, code, text, next) => {
    const place = makePlace()
    place.write('full/mine.txt', 'mine\n')
    place.write('file', 'mine\n')
    const before = hashesOf(place.repo)
    const ended = await place.run(args)
    expect(ended).toMatchObject({ code, stdout: '' })
    expect(ended.stderr).toContain(text)
    expect(ended.stderr).toMatch(new RegExp(`^greenlatch: .*\n  next: ${next}\n$`))
    expect(hashesOf(place.repo)).toEqual(before)
  })

  it('where there is no git, before a folder is made', async () => {
    const place = makePlace()
    const bin = join(place.root, 'bin')
    mkdirSync(bin)
    symlinkSync(process.execPath, join(bin, 'node'))
    const ended = await place.run(['demo', '--into', 'here'], { env: { PATH: bin } })
    expect(ended).toMatchObject({ code: 10, stderr: expect.stringContaining('git is not found on PATH') as string })
    expect(existsSync(join(place.repo, 'here'))).toBe(false)
  })

  it('inside a session, as any loop is', async () => {
    const place = makePlace()
    expect(await place.run(['demo'], { env: { GREENLATCH_TREE: 'x' } })).toMatchObject({ code: 6 })
  })
})

describe('the help of a demo', () => {
  it('lists every scenario with what it shows, and examples', async () => {
    const { stdout } = await makePlace().run(['demo', '--help'])
    for (const name of ['converge', 'stall', 'cheat', 'scope', 'human']) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
    expect(stdout).toContain('$ greenlatch demo')
  })
})
