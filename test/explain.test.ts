// `explain`: why a session stands where it stands, whether it has ended, runs, waits or was cut off.
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { letGo, until } from './support/cli.js'
import { makeLoop, runArgs, tryOf, type Loop } from './support/ladder.js'
import { refusal } from './support/repositories.js'

type Told = { pattern: string | null; next: string[]; failing: { fingerprint: string }[] }

async function told(loop: Loop): Promise<Told> {
  const { code, stdout } = await loop.run(['explain', '--json'])
  expect(code).toBe(0)
  return JSON.parse(stdout) as Told
}

const page = (loop: Loop): string => readFileSync(join(loop.session(), 'diagnosis.md'), 'utf8')

describe('a session that got nowhere', () => {
  it('is explained with pattern, evidence, rungs, best state and three commands, and the same page lies in its folder.', async () => {
    const loop = makeLoop()
    const ended = await loop.run(runArgs(loop, '--agent', loop.scripted([{ say: 'all done' }])))
    const id = basename(loop.session())
    expect(ended.stderr).toContain(`  pattern:  no edits\n  why:      greenlatch explain ${id}\n`)
    const { stdout, code } = await loop.run(['explain'])
    expect([code, stdout]).toEqual([0, page(loop)])
    expect([...stdout.matchAll(/^##? .*/gm)].map(([heading]) => heading)).toEqual([
      `# Session ${id}: stalled`, '## Pattern: no edits', '## Failing', '## Tried', '## Best state', '## Next',
    ])
    const diagnosis = await told(loop)
    const evidence = ['10 of 10 iterations changed nothing at all']
    expect(diagnosis).toMatchObject({ state: 'stalled', pattern: 'no edits', evidence, best: { iteration: 0, failing: 2 } })
    expect(diagnosis.next).toHaveLength(3)
  })

  it('names commands that can be typed as they stand: a hint is taken by the session that is resumed.', async () => {
    const loop = makeLoop()
    await loop.run(runArgs(loop, '--max-iterations', '3', '--agent', loop.scripted([{ say: 'done' }, {}, {}, tryOf([], 'fixed')])))
    const { next } = await told(loop)
    const forms = [/^greenlatch hint \S+ "/, /^greenlatch resume \S+ --max-iterations 6$/, /^greenlatch resume \S+ --max-iterations 6 --agent paste$/]
    expect(next).toEqual(forms.map((form) => expect.stringMatching(form) as string))
    const [hint = '', resume = ''] = next
    expect((await loop.run([...hint.split(' ').slice(1, 3), 'look at state'])).code).toBe(0)
    expect((await loop.run(resume.split(' ').slice(1))).code).toBe(0)
    expect(readFileSync(join(loop.session(), 'iteration-4/implement-prompt.md'), 'utf8')).toContain('look at state')
    expect(await told(loop)).toMatchObject({ state: 'converged', pattern: null })
    expect(page(loop)).toMatch(/^# Session \S+: converged\n\n {4}It ended converged .*\n {4}except: .* its proof is its exit status\n\n(?!## Pattern)/)
  })

  it('shows nothing of a gate that a terminal would obey or a viewer of Markdown would follow.', async () => {
    const loop = makeLoop()
    const gate = loop.program('hostile', String.raw`printf 'FAIL \033]0;owned\007 <img src=x> [a](http://x) # big\n'`, 'exit 1')
    await loop.run(['run', 'converge', 'x', '--max-iterations', '2', '--gate', gate, '--agent', loop.scripted([{}])])
    const { stdout } = await loop.run(['explain'])
    for (const text of [stdout, page(loop)]) {
      expect(text).toContain('FAIL <img src=x>')
      // oxlint-disable-next-line no-control-regex
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/)
      expect(text.split('\n').filter((line) => line.includes('<img') && !line.startsWith('    '))).toEqual([])
    }
  })
})

describe('one failure', () => {
  it('is told by its fingerprint or the beginning of it: what it said, and when it came and went.', async () => {
    const loop = makeLoop()
    const agent = loop.scripted([tryOf(['a'], '1'), tryOf(['a', 'c'], '2'), tryOf(['a'], '3')])
    await loop.run(runArgs(loop, '--max-iterations', '3', '--agent', agent))
    const { failing } = await told(loop)
    const fingerprint = failing[0]?.fingerprint ?? ''
    for (const name of [fingerprint, fingerprint.slice(0, 8), fingerprint.slice(2, 8)]) {
      const { code, stdout } = await loop.run(['explain', '--fingerprint', name])
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^# Failure \S+\n\n {4}\S+: FAIL a\n {4}failing in 4 of the 4 checks/)])
    }
    const baseline = JSON.parse((await loop.run(['baseline', '--json'])).stdout) as { failing: { subject: string; fingerprint: string }[] }
    const gone = baseline.failing.find(({ subject }) => subject === 'FAIL b')?.fingerprint ?? ''
    type Story = { turns: { iteration: number; failing: boolean }[] }
    const story = JSON.parse((await loop.run(['explain', '--fingerprint', gone, '--json'])).stdout) as Story
    expect(story.turns.map((turn) => [turn.iteration, turn.failing])).toEqual([[0, true], [1, false], [2, false], [3, false]])
    const [code, message, next] = refusal(await loop.run(['explain', '--fingerprint', '2:nothing']))
    expect(message).toContain('has no failure with the fingerprint "2:nothing"')
    expect([code, next]).toEqual([2, expect.stringMatching(/^greenlatch explain \S+$/)])
  })
})

describe('a session that has not ended', () => {
  it('is explained while it runs, after it was cut off, and when it is stopped.', async () => {
    const loop = makeLoop()
    const waits = 'while [ "$GREENLATCH_ITERATION" = 3 ] && [ ! -e "$ROOT/go" ]; do sleep 0.02; done'
    const agent = loop.program('agent', 'cat >/dev/null', waits)
    const running = loop.start(runArgs(loop, '--ai-cmd', agent))
    await until('iteration 3', () => loop.starts('agent').length === 3)
    const under = await told(loop)
    const outcome = 'It is under way, at implement, after 3 iterations, 2 finished.'
    expect(under).toMatchObject({ state: 'running', pattern: 'no edits', outcome })
    expect(under.next[0]).toMatch(/^greenlatch logs -f \S+$/)
    running.send('SIGKILL')
    await running.ended
    const cut = await told(loop)
    expect(cut).toMatchObject({ state: 'interrupted', outcome: expect.stringContaining('It is interrupted, at implement') })
    expect(cut.next[0]).toMatch(/^greenlatch resume \S+$/)
    expect(existsSync(join(loop.session(), 'diagnosis.md'))).toBe(false)
    letGo(loop, 'go')
  })

  it('is explained while it waits for a person, and before anything has happened.', async () => {
    const loop = makeLoop()
    const opened = await loop.run(['open', 'converge', 'x', '--gate', loop.gate, '--agent', 'paste'])
    expect(opened.code).toBe(0)
    expect(await told(loop)).toMatchObject({ pattern: null, failing: [], rungs: [], best: null })
    expect((await loop.run(['resume'])).code).toBe(8)
    const waiting = await told(loop)
    expect(waiting).toMatchObject({ state: 'waiting', outcome: expect.stringContaining("waiting for a person's answer") })
    expect(waiting.next[0]).toMatch(/^greenlatch reply \S+ --file <file>$/)
  })

  it('that is not there is refused with the command that helps.', async () => {
    expect(refusal(await makeLoop().run(['explain']))).toEqual([2, 'there is no session here yet', 'greenlatch run --help'])
  })
})
