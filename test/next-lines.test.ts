// What is named as the next command can be typed, holds all that was typed before, and does not lead back to where one was.
import { describe, expect, it } from 'vitest'
import { eventsOf, letGo, makePlace, until } from './support/cli.js'
import { makeWorkshop, refusal } from './support/repositories.js'

describe('a run that is refused', () => {
  it('names what was typed, with the flag that is missing, and that can be typed as it stands.', async () => {
    const shop = makeWorkshop({ a: 'x\n' })
    shop.put({ a: 'changed\n' })
    const agent = shop.scripted([{ write: { b: 'b\n' } }])
    const [code, , next] = refusal(await shop.run(['run', 'ooda', 'make it so', '--max-iterations', '1', '--agent', agent]))
    expect([code, next]).toEqual([2, `greenlatch run ooda 'make it so' --max-iterations 1 --agent ${agent} --dirty include`])
    const none = refusal(await shop.run(['run', 'make it so', '--dirty', 'include', '--agent', agent]))
    expect(none).toEqual([5, expect.any(String), `greenlatch run 'make it so' --dirty include --agent ${agent} --gate "<your test command>"`])
  })

  it('for want of an agent or a check keeps what was typed of bounds, too.', async () => {
    const typed = ['run', 'make the tests pass', '--max-time', '5m']
    expect(refusal(await makeWorkshop({ a: 'x\n' }).run(typed))).toEqual([2, expect.any(String), 'greenlatch run \'make the tests pass\' --max-time 5m --gate "<your test command>"'])
  })

  it.each([
    ['completion', 'tcsh', 'there is one for bash, zsh, fish', 'greenlatch completion bash'],
    ['completion', 'fihs', 'did you mean "fish"?', 'greenlatch completion fish'],
    ['schema', 'foo', 'there are config, procedure, ', 'greenlatch schema config'],
    ['schema', 'evnt', 'did you mean "event"?', 'greenlatch schema event'],
  ])('for a word after %s that is none of few (%s) names them all, and one of them in the command.', async (verb, word, words, next) => {
    const place = makePlace()
    expect(refusal(await place.run([verb, word]))).toEqual([2, expect.stringContaining(words), next])
    expect((await place.run(next.split(' ').slice(1))).code).toBe(0)
  })

  it.each([
    [['run', 'x', '--gate', '--ai-cmd', 'fixer'], '--gate needs a value, and --ai-cmd is another flag', 'greenlatch run --help'],
    [['accept', '--message', '--merge'], '--message needs a value, and --merge is another flag', 'greenlatch accept --help'],
    [['fleet', 'submit', '--agent', '--gate'], '--agent needs a value, and --gate is another flag', 'greenlatch fleet submit --help'],
    [['-C', '--quiet', 'status'], '-C needs a value, and --quiet is another flag', 'greenlatch status --help'],
  ])('for %j says which flag lacks its value.', async (args, message, next) => {
    expect(refusal(await makePlace().run(args))).toEqual([2, expect.stringContaining(message), next])
  })

  it('takes a value that only looks like a flag.', async () => {
    const place = makePlace()
    expect((await place.run(['run', 'ooda', 'x', '--dry-run', '--ai-cmd', 'true', '--context', '--not-a-flag'])).stdout).toContain('--not-a-flag')
  })
})

describe('a session that ended before anything was asked', () => {
  it('over a test that is not there offers what was typed with the nearest that is, wherever it says what is next.', async () => {
    const shop = makeWorkshop({ 'sum.test.mjs': "import { test } from 'node:test'\ntest('adds', () => { throw new Error('no') })\n" })
    const agent = shop.scripted([{}])
    const typed = ['run', 'mend it', '--agent', agent, '--gate', 'node --test', '--max-iterations', '1', '--target']
    const { code, stderr } = await shop.run(['-C', shop.repo, ...typed, 'sum.test.mjs::typo'])
    const right = `greenlatch run 'mend it' --agent ${agent} --gate 'node --test' --max-iterations 1 --target sum.test.mjs::adds`
    expect([code, stderr]).toEqual([5, expect.stringContaining('; near it: "sum.test.mjs::adds"')])
    expect(stderr).toContain(`begin anew:  ${right.replace('run', `run -C ${shop.repo}`)}\n`)
    for (const verb of ['explain', 'status']) expect((await shop.run([verb])).stdout).toContain(right)
    expect((await shop.run([...typed, 'sum.test.mjs::adds'])).code).toBe(4)
  })

  it('over a check that does not run offers what was typed without that check.', async () => {
    const shop = makeWorkshop({ a: 'x\n' })
    const { stderr } = await shop.run(['run', 'mend it', '--agent', 'paste', '--gate', 'sh -c "exit 127"'])
    expect(stderr).toContain('begin anew:  greenlatch run \'mend it\' --agent paste --gate "<a command that runs>"\n')
  })

  it('keeps nothing of what was typed where a secret may be in it.', async () => {
    const shop = makeWorkshop({ a: 'x\n' })
    const { stderr } = await shop.run(['run', 'use sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz', '--agent', 'paste', '--gate', 'sh -c "exit 127"'])
    expect(stderr).toContain('begin anew:  greenlatch run converge "<the task>" --gate')
  })
})

describe('a session that is kept where --state-dir says', () => {
  it('names that folder in every command that it offers, so that each can be typed.', async () => {
    const shop = makeWorkshop({ a: 'x\n' })
    const folder = `${shop.root}/my state`
    const there = ['--state-dir', folder]
    const named = `--state-dir '${folder}' `
    const typed = ['run', 'converge', 'x', '--max-iterations', '1', '--ai-cmd', shop.program('agent', 'cat >/dev/null; echo x >>a'), '--gate', 'echo "FAIL case"; exit 1']
    const { stderr } = await shop.run([...typed, ...there])
    for (const verb of ['explain', 'logs', 'resume']) expect(stderr).toMatch(new RegExp(`^ {2}[a-z ]+: +greenlatch ${verb} ${named}\\S+`, 'm'))
    const { stdout: status } = await shop.run(['status', ...there])
    expect(status).toContain(`greenlatch resume ${named}`)
    const { stdout: explained } = await shop.run(['explain', ...there])
    expect(explained).toContain(`greenlatch logs ${named}`)
    expect(refusal(await shop.run(['undo', '--to', '7', ...there]))[2]).toMatch(new RegExp(`^greenlatch logs ${named}\\S+$`))
    const [, id = ''] = new RegExp(`greenlatch resume ${named}(\\S+)`).exec(status) ?? []
    expect((await shop.run(['resume', ...there, id, '--max-iterations', '2'])).code).toBe(4)
  })
})

describe('a session that was interrupted', () => {
  const RUN = ['run', 'ooda', '--max-iterations', '2']

  it('is not gone on with in place of something else: what differs is said, and the answer offered is no.', async () => {
    const place = makePlace()
    const agent = place.program('agent', 'cat >/dev/null', 'while [ "$GREENLATCH_ITERATION" = 2 ] && [ ! -e "$ROOT/go" ]; do sleep 0.02; done')
    const running = place.start([...RUN, '--ai-cmd', agent])
    await until('iteration 2', () => place.starts('agent').length === 2)
    running.send('SIGINT')
    await running.ended
    letGo(place, 'go')
    const other = ['--ai-cmd', 'true', '--gate', 'true', '--max-tokens', '99']
    const [, what, next] = refusal(await place.run([...RUN, ...other]))
    expect(what).toMatch(/is interrupted after 2 iterations, 1 finished, \S+, with another agent, other gates and other bounds; greenlatch resume \S+ goes on with it$/)
    expect(next).toBe(`greenlatch run ooda --max-iterations 2 ${other.join(' ')} --fresh`)
    const asking = place.startInTerminal([...RUN, '--ai-cmd', 'true'])
    await asking.says(/with another agent\. Go on with that one, and leave what you typed\? \[y\/N\]/)
    asking.type('\r')
    expect((await asking.ended).stdout).toContain('Starting procedure: ooda')
    expect(place.sessions()).toHaveLength(2)
  })

  it('is gone on with in the background when that is typed.', async () => {
    const place = makePlace()
    const agent = place.program('agent', 'cat >/dev/null', 'while [ ! -e "$ROOT/go" ]; do sleep 0.02; done')
    const running = place.start([...RUN, '--ai-cmd', agent])
    await until('the agent', () => place.starts('agent').length === 1)
    running.send('SIGINT')
    await running.ended
    const detached = await place.run([...RUN, '--ai-cmd', agent, '--yes', '--detach'])
    expect([detached.code, detached.stderr, place.sessions().length]).toEqual([0, expect.stringContaining('running in the background'), 1])
    await until('the agent, in the background', () => place.starts('agent').length === 2)
    letGo(place, 'go')
    expect((await place.run(['status', '--wait'])).code).toBe(0)
  })

  it('is gone on with by a bare resume when the newest has ended for good, and it is said which.', async () => {
    const place = makePlace()
    const agent = place.program('agent', 'cat >/dev/null', 'while [ ! -e "$ROOT/go" ]; do sleep 0.02; done')
    const running = place.start([...RUN, '--ai-cmd', agent])
    await until('the agent', () => place.starts('agent').length === 1)
    const [, busy, watch] = refusal(await place.run(['resume']))
    expect([busy, watch]).toEqual([expect.stringContaining('is being run by process'), expect.stringMatching(/^greenlatch logs -f \S+$/)])
    running.send('SIGTERM')
    await running.ended
    letGo(place, 'go')
    const cut = place.session()
    expect((await place.run(['run', 'ooda', '--fresh', '--max-iterations', '1', '--ai-cmd', 'true'])).code).toBe(0)
    const resumed = await place.run(['resume'])
    expect(resumed.stderr).toMatch(/^session \S+ has ended \(completed\); going on with \S+, which is interrupted\n/)
    expect([resumed.code, eventsOf(cut).at(-1)]).toMatchObject([0, { type: 'decided' }])
  })
})

describe('stop and pause', () => {
  it.each(['stop', 'pause'])('%s without a name means the session that is running, not the newest.', async (verb) => {
    const place = makePlace()
    const agent = place.program('agent', 'cat >/dev/null', 'while [ ! -e "$ROOT/go" ]; do sleep 0.02; done')
    const running = place.start(['run', 'ooda', '--max-iterations', '2', '--ai-cmd', agent])
    await until('the agent', () => place.starts('agent').length === 1)
    const newer = (await place.run(['open', 'ooda', '--ai-cmd', 'true'])).stdout.trim()
    const [, , next] = refusal(await place.run([verb, newer]))
    expect(next).toMatch(new RegExp(`^greenlatch ${verb} \\S+$`))
    expect((await place.run(next.split(' ').slice(1, 2))).code).toBe(0)
    letGo(place, 'go')
    expect((await running.ended).stderr).toMatch(/Stopped\.|Paused\./)
  })
})
