// The screen of a running session in a real terminal: how it looks, that its keys work, and that the terminal is as before afterwards.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsOf, isAlive, letGo, until } from './support/cli.js'
import { examplesOf } from './support/docs/lists.js'
import { makeWorkshop, type Workshop } from './support/repositories.js'
import { openTmux, type Tmux, type TmuxOptions } from './support/tmux.js'

const SMALL = { columns: 80, rows: 24 }
/** Each frame begins with it. */
const FRAME = '\u001B[?2026h'

/** Three things fail; each candidate mends one, and waits for the file `go-<n>` before it does. */
function makeSite(): Workshop & { words: string } {
  const shop = makeWorkshop({ failing: 'one\ntwo\nthree\n' })
  const agent = shop.program('agent', 'cat > /dev/null', 'n=$(wc -l < "$ROOT/agent.starts")', 'while [ ! -e "$ROOT/go-$n" ]; do sleep 0.05; done', 'sed -i 1d failing')
  const gate = shop.program('gate', 'sed "s/^/FAIL /" failing', '[ ! -s failing ]')
  return { ...shop, words: `run "mend all that fails" --gate tests='${gate}' --ai-cmd '${agent}'` }
}

/** A run whose second candidate is being made, as it stands on the screen. */
async function running(options: TmuxOptions = SMALL): Promise<{ site: Workshop; tmux: Tmux; settings: string }> {
  const site = makeSite()
  const tmux = await openTmux(site, options)
  const settings = await tmux.settings()
  tmux.greenlatch(site.words)
  letGo(site, 'go-1')
  await tmux.shows(/phases +iteration 2 of 20 · ▸ implement/)
  return { site, tmux, settings }
}

function letAllGo(site: Workshop): void {
  for (const n of [2, 3, 4]) letGo(site, `go-${n}`)
}

/** The process that runs the session, by its lock. */
async function ownerOf(site: Workshop): Promise<number> {
  return (await site.status())['pid'] as number
}

/** Without what is different each time. */
function normal(lines: readonly string[]): string {
  return lines
    .map((line) => line
      .replaceAll(/\d{8}-\d{6}-\w{5}/g, '20260206-100000-abcde')
      .replaceAll(/\b\d+:\d\d\b/g, '0:00')
      .replaceAll(/ *\b\d+\.\ds/g, (time) => '0.0s'.padStart(time.length))
      .replace(/^now .*implement: .*$/, 'now      implement: <agent>'))
    .map((line) => `${line}\n`)
    .join('')
}

/** A look may fall into the middle of a frame: what twenty looks in a row agree on is the screen. */
async function steady(tmux: Tmux): Promise<string> {
  let [seen, times] = ['', 0]
  await until('a steady screen', () => {
    const now = normal(tmux.screen())
    times = now === seen ? times + 1 : 0
    seen = now
    return times >= 20
  })
  return seen
}

describe('the screen of a run', () => {
  it.each([SMALL, { columns: 120, rows: 40 }, { columns: 200, rows: 60 }])('is as it should be at $columns×$rows', async (size) => {
    const { tmux } = await running(size)
    await expect(await steady(tmux)).toMatchFileSnapshot(`golden/live-${size.columns}x${size.rows}.txt`)
    if (size !== SMALL) return
    const [{ text: pictured }] = examplesOf('the screen')
    expect(normal(pictured.trimEnd().split('\n'))).toBe(normal(tmux.screen().filter((line) => line !== '')))
  })

  it('is drawn anew when the window gets another size', async () => {
    const { tmux } = await running()
    tmux.resize(100, 30)
    await until('the new size', () => tmux.screen().length === 30 && tmux.screen()[29]?.startsWith('h hint'))
    expect(tmux.screen()[9]).toBe('─'.repeat(100))
    tmux.resize(40, 12)
    await until('the new size', () => tmux.screen().length === 12 && /^greenlatch · converge · RUNNING +\d+:\d\d$/.test(tmux.screen()[0] ?? ''))
    await until('the keys', () => tmux.screen()[10] === 'h hint · p or q pause · d diff' && tmux.screen()[11] === 'e explain · s stream')
  })

  it('writes nothing again of what stays the same', async () => {
    const { tmux } = await running()
    const before = tmux.written().length
    const frames = (): string[] => tmux.written().slice(before).split(FRAME).slice(1)
    await until('three ticks of the clock', () => frames().length > 3)
    for (const frame of frames()) expect(frame).not.toContain('mend all that fails')
  })

  it('is drawn at most four times a second, however much happens', async () => {
    const site = makeWorkshop()
    const tmux = await openTmux(site, SMALL)
    tmux.greenlatch(`run ooda "do it" --max-iterations 60 --agent '${site.scripted([{ say: 'done', sleepSeconds: 0.05 }])}'`)
    await tmux.shows('phases')
    const from = Date.now()
    await tmux.shows('code 0')
    const seconds = (Date.now() - from) / 1000
    const frames = tmux.written().split(FRAME).length - 1
    expect(frames).toBeGreaterThan(2)
    // One may come before the clock of this test begins, and one with the first look.
    expect(frames).toBeLessThanOrEqual(4 * seconds + 3)
  })

  it('shows of a session that is resumed also what was before', async () => {
    const { site, tmux } = await running()
    tmux.type('p')
    await tmux.shows('it pauses')
    letGo(site, 'go-2')
    await tmux.shows('code 8')
    tmux.greenlatch('resume')
    await tmux.shows(/failing {2}█▆▄ {2}now 1 · best 1 \(2\) · baseline 3/)
    expect(tmux.screen()[0]).toContain('RUNNING')
    expect(tmux.screen()[1]).toBe('task     mend all that fails')
    expect(tmux.screen().join('\n')).toMatch(/─\nbefore it was resumed:\n +baseline [^]*\nconverge · session [^]*\nresumed after /)
  })

  it('leaves the lines of the stream behind, and the terminal as it was', async () => {
    const { site, tmux, settings } = await running()
    letAllGo(site)
    await tmux.shows('code 0')
    const text = tmux.screen().join('\n')
    expect(text).toMatch(/ {2}1 {2}check +\d.*s {2}3→2 failing {2}best\n/)
    expect(text).toMatch(/CONVERGED .*\n.*\n.*greenlatch diff /)
    expect(await tmux.settings()).toBe(settings)
    expect(tmux.cursor()).toBe(true)
  })
})

describe('a key', () => {
  it('h takes a line for the next candidate, which can be corrected and given up', async () => {
    const { site, tmux } = await running()
    tmux.type('hnot this')
    await tmux.shows('hint: not this')
    tmux.press('Escape')
    await tmux.shows('h hint')
    tmux.type('h')
    await tmux.shows('hint: ▏')
    tmux.type('look at thr')
    tmux.press('BSpace')
    tmux.type('e parser')
    tmux.press('Enter')
    await tmux.shows('the hint is taken when the phase under way is over')
    letAllGo(site)
    await tmux.shows('code 0')
    expect(eventsOf(site.session()).flatMap((event) => (event.type === 'hinted' ? [event.hint.text] : []))).toEqual(['look at the parser'])
  })

  it.each(['p', 'q'])('%s pauses at the end of the phase under way', async (key) => {
    const { site, tmux } = await running()
    tmux.type(key)
    await tmux.shows('it pauses when the phase under way is over')
    letAllGo(site)
    await tmux.shows('code 8')
    expect(tmux.screen().join('\n')).toMatch(/PAUSED.*\n.*go on: {2}greenlatch resume/)
  })

  it('d shows what has changed, and e why it stands where it stands, until they are closed', async () => {
    const { tmux } = await running()
    tmux.type('d')
    await tmux.shows('── diff')
    expect(tmux.screen().join('\n')).toMatch(/modified +\+0 −1 {2}failing[^]*-one/)
    tmux.press('Down')
    await until('the diff moved', () => !tmux.screen().join('\n').includes('modified'))
    tmux.type('e')
    await tmux.shows('It is under way, at implement')
    tmux.press('Escape')
    await tmux.shows(/1 {2}check +\d.*3→2 failing/)
    expect(tmux.screen().join('\n')).not.toContain('── explain')
  })

  it('s shows the stream, in which the session goes on, and the screen again', async () => {
    const { site, tmux } = await running()
    tmux.type('s')
    await tmux.shows('(s brings the screen back)')
    expect(tmux.screen().join('\n')).toMatch(/1 {2}check +\d.*3→2 failing/)
    letGo(site, 'go-2')
    await tmux.shows(/2 {2}check +\d.*2→1 failing/)
    tmux.type('s')
    await tmux.shows(/phases +iteration 3 of 20/)
    expect(tmux.screen().join('\n')).toMatch(/1 {2}check +\d.*3→2 failing/)
  })

  it('keys say in the stream what came of them, or that they are for the screen', async () => {
    const { tmux } = await running()
    tmux.type('s')
    await tmux.shows('(s brings the screen back)')
    tmux.type('h')
    await tmux.shows('(this key is for the screen; s brings it back)')
    tmux.type('p')
    await tmux.shows(/pauses when the phase under way is over/)
  })

  it('Ctrl+C ends what is under way', async () => {
    const { site, tmux, settings } = await running()
    tmux.press('C-c')
    await tmux.shows('code 130')
    expect(tmux.screen().join('\n')).toContain('INTERRUPTED by SIGINT')
    expect(site.starts('agent').map(isAlive)).toEqual([false, false])
    expect(await tmux.settings()).toBe(settings)
  })

  it('Ctrl+C again ends everything at once, and says how to go on', async () => {
    const site = makeWorkshop({ failing: 'one\n' })
    const agent = site.program('agent', 'cat > /dev/null', "trap '' TERM INT", 'while :; do sleep 0.1; done')
    const tmux = await openTmux(site, SMALL)
    tmux.greenlatch(`run "mend it" --gate tests='test ! -s failing' --ai-cmd '${agent}'`)
    await tmux.shows(/phases +iteration 1 of 20/)
    // What is open on the screen must not hide that the key was heard.
    tmux.type('e')
    await tmux.shows('── explain')
    tmux.press('C-c')
    await tmux.shows('SIGINT: ending what is under way')
    expect(tmux.screen()[0]).toContain('ENDING')
    tmux.press('C-c')
    await tmux.shows(/forced\n {2}go on: {2}greenlatch resume \S+\ncode 130/)
    expect(tmux.cursor()).toBe(true)
    expect(site.starts('agent').map(isAlive)).toEqual([false])
  })
})

describe('the terminal', () => {
  it.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('is as it was after %s', async (signal) => {
    const { site, tmux, settings } = await running()
    process.kill(await ownerOf(site), signal)
    // After a kill the shell may speak before the screen is given back, and what it said then is gone with it.
    if (signal !== 'SIGKILL') await tmux.shows(/code 1\d\d/)
    await until('the cursor', () => tmux.cursor())
    tmux.type('echo "still $((40 + 2))"')
    tmux.press('Enter')
    await tmux.shows('still 42')
    expect(await tmux.settings()).toBe(settings)
  })

  it('is the shell\'s while the run is stopped by Ctrl+Z, and shows the run again when that goes on', async () => {
    const { tmux, settings } = await running()
    tmux.press('C-z')
    await tmux.shows('Stopped')
    expect(tmux.cursor()).toBe(true)
    expect(await tmux.settings()).toBe(settings)
    tmux.type('fg')
    tmux.press('Enter')
    await tmux.shows(/phases +iteration 2 of 20/)
    tmux.press('C-c')
    await tmux.shows(/INTERRUPTED by SIGINT[^]*\n\$/)
    expect(await tmux.settings()).toBe(settings)
  })

  it('has nothing of ours left running when a run was killed', async () => {
    const { site, tmux } = await running()
    const owner = await ownerOf(site)
    const guards = childrenOf(owner).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('stty -g'))
    expect(guards.map(isAlive)).toEqual([true])
    process.kill(owner, 'SIGKILL')
    await tmux.shows('code 137')
    await until('the end of the guard', () => !guards.some(isAlive))
  })

  it.each([
    ['a dumb one', { TERM: 'dumb' }, '', /^ {5}baseline +\d/m],
    ['one in CI', { CI: 'true' }, '', /^ {5}baseline +\d/m],
    ['one of somebody who listens', {}, ' --accessible', /^Baseline took [\d.]+ seconds: 3 failing\.$/m],
    ['one that knows only ASCII', { LANG: 'C' }, ' --ui stream', /3->2 failing/],
  ])('gets lines where it is %s', async (_, env, flags, line) => {
    const site = makeSite()
    letGo(site, 'go-1')
    letAllGo(site)
    const tmux = await openTmux(site, { columns: 120, rows: 40, env: env as Record<string, string> })
    tmux.greenlatch(site.words + flags)
    await tmux.shows('code 0')
    expect(tmux.written()).not.toContain('\u001B[?1049h')
    expect(tmux.screen().join('\n')).toMatch(line)
  })

  it('gets no colours where none are wanted', async () => {
    const { tmux } = await running({ ...SMALL, env: { NO_COLOR: '1' } })
    // oxlint-disable-next-line no-control-regex -- colours are what is looked for
    expect(tmux.written()).not.toMatch(/\u001B\[[1-9]\d?m/)
  })
})

function childrenOf(pid: number): number[] {
  const tasks = readdirSync(`/proc/${pid}/task`)
  return tasks.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number))
}

describe('watch', () => {
  it('shows a run of another terminal as it goes, and ends with its code', async () => {
    const site = makeSite()
    const run = site.start(['run', 'mend all that fails', '--gate', `tests=${join(site.root, 'gate')}`, '--ai-cmd', join(site.root, 'agent')])
    await until('the agent', () => site.starts('agent').length > 0)
    const tmux = await openTmux(site, SMALL)
    tmux.greenlatch('watch')
    await tmux.shows(/phases +iteration 1 of 20/)
    expect(tmux.screen().at(-1)).toContain('q leave')
    tmux.type('hlook here')
    tmux.press('Enter')
    await tmux.shows('the hint is taken when the phase under way is over')
    letGo(site, 'go-1')
    await tmux.shows(/phases +iteration 2 of 20/)
    letAllGo(site)
    await tmux.shows('code 0')
    expect(tmux.screen().join('\n')).toMatch(/1 {2}check +\d.*3→2 failing[^]*CONVERGED/)
    expect((await run.ended).code).toBe(0)
    expect(eventsOf(site.session()).some(({ type }) => type === 'hinted')).toBe(true)
  })

  it('is left by q, and the run goes on', async () => {
    const site = makeSite()
    const run = site.start(['run', 'mend all that fails', '--gate', `tests=${join(site.root, 'gate')}`, '--ai-cmd', join(site.root, 'agent')])
    await until('the agent', () => site.starts('agent').length > 0)
    letGo(site, 'go-1')
    await until('the second candidate', () => site.starts('agent').length > 1)
    const tmux = await openTmux(site, SMALL)
    tmux.greenlatch('watch')
    await tmux.shows(/1 {2}check +\d.*3→2 failing[^]*q leave/)
    tmux.type('q')
    await tmux.shows('code 0')
    expect(tmux.screen().join('\n')).toMatch(/session \S+ goes on/)
    letAllGo(site)
    expect((await run.ended).code).toBe(0)
  })

  it('tells in lines where there is no terminal, and where a session that rests stands', async () => {
    const site = makeSite()
    const run = site.start(['run', 'mend all that fails', '--gate', `tests=${join(site.root, 'gate')}`, '--ai-cmd', join(site.root, 'agent')])
    await until('the agent', () => site.starts('agent').length > 0)
    const watching = site.start(['watch'])
    await watching.says(/^watching session \S+, which process \d+ runs$/m)
    letGo(site, 'go-1')
    await watching.says(/1 {2}check +\d.*3→2 failing/)
    await site.run(['pause'])
    letAllGo(site)
    expect((await run.ended).code).toBe(8)
    expect(await watching.ended).toMatchObject({ code: 8, stderr: expect.stringContaining('PAUSED') })
    const resting = await site.run(['watch'])
    expect(resting).toMatchObject({ code: 8, stderr: expect.stringMatching(/^no process is running session/) })
    expect(resting.stdout).toMatch(/^state +paused$/m)
  })

  it('refuses where there is no session', async () => {
    expect(await makeWorkshop().run(['watch'])).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no session here yet') })
  })
})
