// A session that goes on with somebody else: by a flag of `resume`, written down and shown; and what is said where only the settings changed.
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsOf, makePlace, type Place } from './support/cli.js'

const RUN = ['run', 'ooda', '--max-iterations', '2']

/** One that cannot be reached, and one that does the work. */
function programs(place: Place): { dead: string; good: string } {
  const dead = place.program('dead', 'cat >/dev/null', 'echo "Error: 401 Unauthorized: not logged in" >&2', 'exit 1')
  const good = place.program('good', 'cat >/dev/null', 'echo made > made.txt')
  return { dead, good }
}

describe('resume with another agent', () => {
  it('replaces whoever answered from there on; the journal, logs, status and the first lines tell of it', async () => {
    const place = makePlace()
    const { dead, good } = programs(place)
    expect(await place.run([...RUN, '--ai-cmd', dead])).toMatchObject({ code: 7 })
    const again = await place.run(['resume', '--ai-cmd', good])
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('from here on: ai-cmd (from --ai-cmd)') as string })
    const extended = eventsOf(place.session()).find((event) => event.type === 'extended' && event.cast !== undefined)
    expect(extended).toMatchObject({ cast: { roles: { implementer: 'ai-cmd' }, setup: { agents: { 'ai-cmd': { command: [good] } } } } })
    expect((await place.run(['logs'])).stdout).toMatch(/extended {2}.*from here on: ai-cmd \(from --ai-cmd\)/)
    expect(await place.status()).toMatchObject({ agents: [{ agent: 'ai-cmd', roles: ['implementer'] }], agents_from: '--ai-cmd' })
  })

  it('goes on although the one that was recorded is not there any more, and without the flag names that way', async () => {
    const place = makePlace()
    const { dead, good } = programs(place)
    await place.run([...RUN, '--ai-cmd', dead])
    rmSync(dead)
    const refused = await place.run(['resume'])
    expect(refused.code).toBe(7)
    expect(refused.stderr).toMatch(/agent "ai-cmd" is not ready: .*\n {2}next: greenlatch resume \S+ --ai-cmd "<a command that runs>"\n/)
    expect(await place.run(['resume', '--ai-cmd', good])).toMatchObject({ code: 0 })
  })

  it('asks the new one anew, in the form that it can answer in', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', `agents: { person: { paste: true } }\nagent: person\n`)
    expect(await place.run(RUN)).toMatchObject({ code: 8 })
    const prompt = (): string => place.read(join(place.session().slice(place.root.length + 1), 'iteration-1/act-prompt.md'))
    expect(prompt()).toContain('=== FILE <path> ===')
    const { good } = programs(place)
    expect(await place.run(['resume', '--ai-cmd', good])).toMatchObject({ code: 0 })
    expect(prompt()).not.toContain('=== FILE <path> ===')
  })

  it('replaces one role by role=name, and refuses a role that there is not', async () => {
    const place = makePlace()
    await place.run(['run', 'ooda', '--max-iterations', '1', '--agent', 'paste'])
    const refused = await place.run(['resume', '--agent', 'implementor=repair'])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('procedure "ooda" has no role "implementor" (did you mean "implementer"?)') as string })
    expect(await place.run(['resume', '--agent', `implementer=${place.scripted([{ write: { a: 'a' } }])}`])).toMatchObject({ code: 0 })
  })
})

const BLOCK = "printf '=== FILE made.txt ===\\nby a program\\n=== END ===\\n'"

describe('resume with a person', () => {
  it('does not take what a program had said when it was cut off for the answer of a person, and keeps it', async () => {
    const place = makePlace()
    const agent = place.program('agent', 'cat >/dev/null', BLOCK, `echo $$ > ${place.root}/pid`, 'sleep 300')
    const running = place.start(['run', 'ooda', '--max-iterations', '1', '--ai-cmd', agent])
    await expect.poll(() => place.read('pid').trim(), { timeout: 20_000 }).not.toBe('')
    running.send('SIGINT')
    expect(await running.ended).toMatchObject({ code: 130 })
    const again = await place.run(['resume', '--agent', 'paste'])
    expect(again).toMatchObject({ code: 8, stderr: expect.stringContaining('iteration-1/act-cut-off.md') as string })
    expect(readFileSync(join(place.session(), 'iteration-1/act-cut-off.md'), 'utf8')).toContain('by a program')
    expect(await place.status()).toMatchObject({ state: 'waiting' })
    place.write('answer.md', '=== FILE made.txt ===\nby a person\n=== END ===\n')
    expect(await place.run(['reply', '--file', 'answer.md'])).toMatchObject({ code: 0 })
    // Handed in already, it is not taken away when the same person is named again.
    expect(await place.run(['resume', '--agent', 'paste'])).toMatchObject({ code: 0 })
    expect((await place.run(['diff'])).stdout).toContain('by a person')
  })

  it('waits for an answer also where the program before was out of reach and had said something', async () => {
    const place = makePlace()
    const agent = place.program('agent', 'cat >/dev/null', BLOCK, 'echo "Error: connect ECONNREFUSED 127.0.0.1:9" >&2', 'exit 1')
    expect(await place.run([...RUN, '--ai-cmd', agent])).toMatchObject({ code: 7 })
    expect(await place.run(['resume', '--agent', 'paste'])).toMatchObject({ code: 8 })
  })
})

describe('resume with a bound in money', () => {
  it('refuses it for an agent whose price nobody knows, as a run does', async () => {
    const place = makePlace()
    const { good } = programs(place)
    await place.run([...RUN, '--agent', 'paste'])
    const refused = await place.run(['resume', '--ai-cmd', good, '--max-cost', '1'])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('what agent "ai-cmd" costs is not known') as string })
    expect(refused.stderr).toMatch(/next: greenlatch resume \S+ --max-cost 0 --max-tokens 1000000\n/)
    expect(await place.run(['resume', '--max-cost', '1'])).toMatchObject({ code: 8 })
    expect(await place.run(['resume', '--ai-cmd', good])).toMatchObject({ code: 2 })
    expect(await place.run(['resume', '--ai-cmd', good, '--max-cost', '0'])).toMatchObject({ code: 0 })
  })
})

describe('resume after the settings were changed', () => {
  it('says in one line with whom it goes on, what is different now, and how to take that', async () => {
    const place = makePlace()
    const { dead, good } = programs(place)
    place.write('greenlatch.yaml', `agents: { mine: { command: ${dead} } }\nagent: mine\n`)
    await place.run(RUN)
    chmodSync(dead, 0o755)
    place.write('greenlatch.yaml', `agents: { mine: { command: ${good} } }\nagent: mine\n`)
    const again = await place.run(['resume'])
    const id = place.session().split('/').at(-1) ?? ''
    expect(again.stderr).toContain(`going on with mine as this session began; changed in the settings since: agents.mine. To take that: greenlatch resume ${id} --agent mine`)
    expect(again.code).toBe(7)
    expect(await place.run(['resume', '--agent', 'mine'])).toMatchObject({ code: 0 })
  })

  it('says nothing where nothing was changed, nor where a flag had chosen', async () => {
    const place = makePlace()
    const { dead } = programs(place)
    place.write('greenlatch.yaml', 'agent: paste\n')
    await place.run([...RUN, '--ai-cmd', dead])
    expect((await place.run(['resume'])).stderr).not.toContain('changed in the settings')
  })

  it('names the gates and limits too, and the command that begins anew with them', async () => {
    const place = makePlace()
    const { dead } = programs(place)
    place.write('greenlatch.yaml', 'gates: [{ name: a, run: "true" }]\n')
    await place.run([...RUN, '--ai-cmd', dead])
    place.write('greenlatch.yaml', 'gates: [{ name: b, run: "true" }]\nlimits: { agentSeconds: 77 }\n')
    expect((await place.run(['resume'])).stderr).toContain('changed in the settings since: gates, limits. To begin anew with that: greenlatch run ooda --fresh')
  })

  it('of a session that has ended well is refused, with how to take its result as the next command', async () => {
    const place = makePlace()
    const { stdout } = await place.run(['run', 'converge', '--gate', 'test -e a.txt', '--agent', place.scripted([{ write: { 'a.txt': 'a' } }])])
    const id = stdout.trim().split('\t')[2]
    expect(await place.run(['resume'])).toMatchObject({ code: 2, stderr: expect.stringMatching(new RegExp(`\\n  next: greenlatch accept ${id}\\n$`)) as string })
  })
})
