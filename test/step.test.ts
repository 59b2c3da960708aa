// Sessions that are opened and then driven one transition at a time.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Event } from '../src/core/types.js'
import { eventsOf, hashesOf, letGo, makePlace, recordsOf, until, type Ended, type Place } from './support/cli.js'

const SCRIPT = [
  { say: 'first', write: { 'a.txt': '1\n' }, tokens: 7 },
  { say: 'second', write: { 'a.txt': '2\n' } },
  { say: 'third', ending: 'failed' },
]

const REVIEWED = `
agents: { mine: { command: cat }, yours: { paste: true } }
procedures:
  two:
    extends: ooda
    phases:
      act: { on: { pass: look } }
      look: { kind: ask, role: reviewer, yields: review, prompt: [{ title: LOOK, fragments: [Look.] }], on: { pass: act, fail: act } }
      gates: null
`

async function openSession(place: Place, ...args: string[]): Promise<string> {
  const opened = await place.run(['open', ...args])
  expect(opened.code, opened.stderr).toBe(0)
  return opened.stdout.trim()
}

function awaited(place: Place): string {
  return join(place.session(), 'iteration-1/act-response.md')
}

describe('open', () => {
  it('AI-01 makes a session and its folder, but no iteration, and returns its id.', async () => {
    const place = makePlace()
    const agent = place.program('agent', 'exit 1')
    const opened = await place.run(['open', 'ooda', 'tidy the parser', '--ai-cmd', agent, '--gate', 'lint=false', '--max-iterations', '4'])
    expect(opened.code).toBe(0)
    expect(opened.stdout).toMatch(/^\d{8}-\d{6}-\w{5}\n$/)
    const folder = join(place.session())
    expect(folder.endsWith(opened.stdout.trim())).toBe(true)
    expect(readdirSync(folder).filter((name) => name.startsWith('iteration'))).toEqual([])
    expect(readFileSync(join(folder, 'task.md'), 'utf8')).toBe('tidy the parser')
    expect(eventsOf(folder)).toMatchObject([{ type: 'opened', procedure: { name: 'ooda', budget: { iterations: 4 } }, gates: ['lint'] }])
    expect(place.starts('agent')).toEqual([])
    const kept = JSON.parse(readFileSync(join(folder, 'session.json'), 'utf8')) as object
    expect(kept).toMatchObject({ iteration: 0, max_iterations: 4, procedure_name: 'ooda' })
  })

  it('AI-01 keeps which agent answers which role.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', REVIEWED)
    await openSession(place, 'two', '--agent', 'mine', '--agent', 'reviewer=yours')
    expect(eventsOf(place.session())[0]).toMatchObject({ roles: { implementer: 'mine', reviewer: 'yours' } })
  })

  it.each([
    ['a procedure there is not', ['no-such-procedure-here', 'x', '--agent', 'nobody'], 2],
    ['an agent there is not', ['ooda', '--agent', 'nobody'], 2],
    ['a role there is not', ['ooda', '--agent', 'auditor=paste'], 2],
    ['no agent at all', ['ooda'], 2],
    ['an agent that cannot be started', ['ooda', '--ai-cmd', '/no/such/program'], 7],
    ['a script with a mistake', ['ooda', '--agent', 'scripted:/no/such/script'], 2],
    ['a task file there is not', ['ooda', '--agent', 'paste', '--task', 'missing.md'], 2],
  ])('AI-01 refuses %s and leaves nothing behind.', async (_what, args, code) => {
    const place = makePlace()
    const refused = await place.run(['open', ...args])
    expect(refused).toMatchObject({ code, stdout: '' })
    expect(place.sessions()).toEqual([])
    expect(Object.values(hashesOf(place.state)).filter((hash) => hash !== 'not a file')).toEqual([])
  })
})

describe('step', () => {
  it('AI-02 does one transition, writes it as one record, and returns the state.', async () => {
    const place = makePlace()
    const id = await openSession(place, 'ooda', '--max-iterations', '2', '--agent', place.scripted(SCRIPT), '--gate', 'true')
    const phases: unknown[] = []
    for (let n = 1; n <= 5; n++) {
      const before = recordsOf(place.session()).length
      const stepped = await place.run(['step', '--json'])
      expect(stepped.code).toBe(0)
      expect(recordsOf(place.session())).toHaveLength(before + 1)
      const { phase, state, session } = JSON.parse(stepped.stdout) as Record<string, unknown>
      expect(session).toBe(id)
      phases.push([phase, state])
    }
    expect(phases).toEqual([['act', 'idle'], ['gates', 'idle'], ['act', 'idle'], ['gates', 'idle'], ['@completed', 'completed']])
  })

  it.each(['ooda', 'resting'])('AI-02 is all that run does: both write the same records of %s.', async (procedure) => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'procedures: { resting: { extends: ooda, phases: { act: { rests: acted } } } }\n')
    const agent = place.scripted(SCRIPT)
    const args = [procedure, 'the task', '--max-iterations', '3', '--agent', agent, '--gate', 'cat a.txt; ! grep -q 2 a.txt']
    await place.run(['run', ...args])
    const ran = place.session()
    await openSession(place, ...args)
    for (let n = 1; n < recordsOf(ran).length; n++) expect((await place.run(['step'])).code).toBe(0)
    expect(place.sessions()).toHaveLength(2)
    expect(comparable(place.session())).toEqual(comparable(ran))
    expect(comparable(ran).length).toBeGreaterThan(6)
  })

  it('AI-02 may be called again: a session that has ended is left as it is, with its exit code.', async () => {
    const place = makePlace()
    await place.run(['run', 'ooda', '--ai-cmd', 'false', '--failure-threshold', '1'])
    const files = hashesOf(place.state)
    for (const again of [await place.run(['step']), await place.run(['step'])]) {
      expect(again.code).toBe(7)
      expect(again.stdout).toMatch(/^refused\tunverified\t\S+\n$/)
    }
    expect(hashesOf(place.state)).toEqual(files)
  })

  it('AI-02 that was killed is made up for by the next one, under the same number.', async () => {
    const place = makePlace()
    const agent = place.program('agent', 'cat >/dev/null', '[ -e "$ROOT/go" ] && exit 0', 'sleep 300')
    await openSession(place, 'ooda', '--max-iterations', '1', '--ai-cmd', agent)
    await place.run(['step'])
    const stepping = place.start(['step'])
    await until('the agent', () => place.starts('agent').length === 1)
    expect(await place.run(['step'])).toMatchObject({ code: 9 })
    stepping.send('SIGKILL')
    await stepping.ended
    letGo(place, 'go')
    expect(await place.run(['step'])).toMatchObject({ code: 0 })
    const seen = eventsOf(place.session()).map((event) => (event.type === 'observed' ? event.report.effect : event.type))
    expect(seen).toEqual(['opened', 'asked', 'interrupted', '1.act', 'decided'])
  })
})

function eventsInRecords(folder: string): Event[][] {
  return recordsOf(folder).map((record) => record.events)
}

/** What happened, without ids, times and everything that is measured. */
function comparable(folder: string): unknown[] {
  const id = folder.split('/').at(-1) ?? ''
  const measured = new Set(['endedAt', 'openedAt', 'seconds', 'drive'])
  const text = JSON.stringify(eventsInRecords(folder), (key, value: unknown) => (measured.has(key) ? 0 : value))
  return JSON.parse(text.replaceAll(id, 'ID')) as unknown[]
}

describe('while it waits', () => {
  async function step(place: Place): Promise<{ json: Ended; text: Ended }> {
    return { json: await place.run(['step', '--json']), text: await place.run(['step']) }
  }

  it('AI-10 for a person, nothing on disk changes, and it says what is awaited and where it goes.', async () => {
    const place = makePlace()
    const id = await openSession(place, 'ooda', '--max-iterations', '1', '--agent', 'paste')
    const prompt = join(place.session(), 'iteration-1/act-prompt.md')
    expect(await place.run(['step'])).toMatchObject({ code: 0, stderr: expect.stringContaining(`the prompt:     ${prompt}\n  put it into:    ${awaited(place)}`) })
    const files = hashesOf(place.state)
    expect(Object.keys(files).some((path) => path.endsWith('iteration-1/act-prompt.md'))).toBe(true)
    const { json, text } = await step(place)
    expect(hashesOf(place.state)).toEqual(files)
    expect(json.code).toBe(8)
    expect(JSON.parse(json.stdout)).toMatchObject({ state: 'waiting', awaits: "the implementer's answer to act in iteration 1", prompt, put: awaited(place) })
    expect(text.code).toBe(8)
    expect(text.stderr).toContain(`put it into:    ${awaited(place)}`)
    expect(text.stderr).toContain(`greenlatch reply ${id} --file <file>`)
    for (const looking of [['status'], ['status', '--json'], ['logs'], ['sessions'], ['path']]) await place.run(looking)
    expect(hashesOf(place.state)).toEqual(files)
  })

  it('AI-10 an answer that is empty, or for another ask, is not one.', async () => {
    const place = makePlace()
    await openSession(place, 'ooda', '--max-iterations', '1', '--agent', 'paste')
    await place.run(['step'])
    writeFileSync(awaited(place), '  \n')
    writeFileSync(join(place.session(), 'iteration-1/gates-response.md'), 'an answer\n')
    const files = hashesOf(place.state)
    const { json, text } = await step(place)
    expect([json.code, text.code]).toEqual([8, 8])
    expect(hashesOf(place.state)).toEqual(files)
  })

  it('AI-10 goes on as soon as the answer lies in its place, by one transition.', async () => {
    const place = makePlace()
    await openSession(place, 'ooda', '--max-iterations', '1', '--agent', 'paste')
    await place.run(['step'])
    writeFileSync(awaited(place), 'an answer\n')
    const done = await place.run(['step'])
    expect(done).toMatchObject({ code: 0 })
    expect(done.stdout).toMatch(/^completed\t/)
    expect(readFileSync(awaited(place), 'utf8')).toBe('an answer\n')
    const files = hashesOf(place.state)
    expect((await place.run(['step'])).stdout).toMatch(/^completed\t/)
    expect(hashesOf(place.state)).toEqual(files)
  })

  it('AI-10 a prompt that comes late is written by the step after, without a record; from then on nothing changes.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'procedures: { late: { extends: ooda, phases: { act: { prompts: late } } } }\n')
    await openSession(place, 'late', '--max-iterations', '1', '--agent', 'paste')
    await place.run(['step'])
    const prompt = join(place.session(), 'iteration-1/act-prompt.md')
    expect(existsSync(prompt)).toBe(false)
    const records = recordsOf(place.session()).length
    expect(await place.run(['step'])).toMatchObject({ code: 8 })
    expect(readFileSync(prompt, 'utf8')).toContain('# OODA Loop Iteration')
    expect(recordsOf(place.session())).toHaveLength(records)
    const files = hashesOf(place.state)
    const { json, text } = await step(place)
    expect([json.code, text.code]).toEqual([8, 8])
    expect(hashesOf(place.state)).toEqual(files)
  })
})
