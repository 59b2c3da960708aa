// The procedure `artifact`, one test for every row of the published matrix, and what holds besides.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashesOf, makePlace, recordsOf } from './support/cli.js'
import {
  agents, CODE, FAILS, generating, has, isBlocked, moves, open, PASSES, PLAN, put, REVISED, revised, reviewing, revising, says, textOf, told,
} from './support/artifact.js'

describe('artifact, row by row', () => {
  it('AI-01 AI-09 row A: opening makes the session and its folder, INITIALIZED, without any iteration.', async () => {
    const place = makePlace()
    const id = await open(place)
    expect(place.session().endsWith(id)).toBe(true)
    const { phase_history, updated_at, ...rest } = told(place)
    expect(rest).toMatchObject({ phase: 'INITIALIZED', status: 'IN_PROGRESS', session_id: id, current_iteration: 0 })
    expect(phase_history).toEqual([{ phase: 'INITIALIZED', status: 'IN_PROGRESS', at: updated_at }])
    expect(readdirSync(place.session()).filter((name) => name.startsWith('iteration'))).toEqual([])
  })

  it('AI-03 AI-09 row B: the first step enters PLANNING, with the prompt as a file at the root of the session.', async () => {
    const place = makePlace()
    await open(place)
    await moves(place, { to: 'PLANNING', iteration: 0 })
    expect(textOf(place, 'planning-prompt.md')).toContain('say hello')
    await isBlocked(place, 'planning-response.md')
  })

  it('AI-04 AI-09 row C: a planning response becomes the plan of the session, and the step rests at PLANNED.', async () => {
    const place = makePlace()
    await open(place)
    await place.run(['step'])
    put(place, 'planning-response.md', PLAN)
    await moves(place, { to: 'PLANNED', iteration: 0 })
    expect(textOf(place, 'plan.md')).toBe(PLAN)
    expect(readdirSync(place.session()).filter((name) => name.startsWith('iteration'))).toEqual([])
  })

  it('AI-05 AI-09 row D: the step after opens iteration 1 with its prompt, without code, and reads no response yet.', async () => {
    const place = makePlace()
    await open(place)
    await place.run(['step'])
    put(place, 'planning-response.md', PLAN)
    await place.run(['step'])
    put(place, 'iteration-1/generation-response.md', CODE)
    await moves(place, { to: 'GENERATING', iteration: 1 })
    expect(textOf(place, 'iteration-1/generation-prompt.md')).toContain('One file, hello.txt')
    expect(has(place, 'iteration-1/code')).toBe(false)
  })

  it('AI-06 AI-09 row D2: a generated response is unpacked into iteration-1/code, and the step rests at GENERATED.', async () => {
    const place = makePlace()
    await generating(place)
    await isBlocked(place, 'iteration-1/generation-response.md')
    put(place, 'iteration-1/generation-response.md', CODE)
    await moves(place, { to: 'GENERATED', iteration: 1 })
    expect(textOf(place, 'iteration-1/code/hello.txt')).toBe('hello\n')
  })

  it('AI-06 AI-09 row D2b: review is entered by a step of its own; its prompt comes with the step after, which is no transition.', async () => {
    const place = makePlace()
    await generating(place)
    put(place, 'iteration-1/generation-response.md', CODE)
    await place.run(['step'])
    const entered = await moves(place, { to: 'REVIEWING', iteration: 1 })
    expect(JSON.parse(entered.stdout)).toMatchObject({ state: 'idle' })
    expect(has(place, 'iteration-1/review-prompt.md')).toBe(false)
    const before = told(place)
    expect(await place.run(['step'])).toMatchObject({ code: 8 })
    expect(textOf(place, 'iteration-1/review-prompt.md')).toContain('hello.txt')
    expect(told(place)).toEqual(before)
    await isBlocked(place, 'iteration-1/review-response.md')
  })

  it('AI-07 AI-09 row E1: a review that passes ends the session as COMPLETE with SUCCESS.', async () => {
    const place = makePlace()
    await reviewing(place)
    put(place, 'iteration-1/review-response.md', PASSES)
    await moves(place, { to: 'COMPLETE', status: 'SUCCESS', iteration: 1 })
    const files = hashesOf(place.state)
    expect(await place.run(['step'])).toMatchObject({ code: 0 })
    expect(hashesOf(place.state)).toEqual(files)
  })

  it('AI-07 AI-09 row E2: a review that fails opens the next iteration, REVISING, and leaves the one before as it was.', async () => {
    const place = makePlace()
    await reviewing(place, '--max-iterations', '2')
    put(place, 'iteration-1/review-response.md', FAILS)
    await moves(place, { to: 'REVISING', iteration: 2 })
    expect(readdirSync(join(place.session(), 'iteration-2'))).toEqual(['revision-prompt.md'])
    expect(textOf(place, 'iteration-2/revision-prompt.md')).toContain('greets nobody')
  })

  it('AI-07 AI-09 row E3: a review that cannot be judged ends the session as ERROR.', async () => {
    const place = makePlace()
    await reviewing(place)
    put(place, 'iteration-1/review-response.md', 'STATUS: ERROR the files cannot be read\n')
    const { stdout } = await moves(place, { to: 'ERROR', status: 'ERROR', iteration: 1, code: 1 })
    expect(stdout).toContain('the files cannot be read')
  })

  it('AI-07 AI-09 row E4: a review that cancels ends the session as CANCELLED.', async () => {
    const place = makePlace()
    await reviewing(place)
    put(place, 'iteration-1/review-response.md', 'It was a mistake.\n\nSTATUS: CANCELLED\n')
    await moves(place, { to: 'CANCELLED', status: 'CANCELLED', iteration: 1, code: 11 })
  })

  it('AI-08 AI-09 row F: a revision is received, REVISED, without being looked into.', async () => {
    const place = makePlace()
    await revising(place)
    await isBlocked(place, 'iteration-2/revision-response.md')
    put(place, 'iteration-2/revision-response.md', REVISED)
    await moves(place, { to: 'REVISED', iteration: 2 })
    expect(has(place, 'iteration-2/code')).toBe(false)
  })

  it('AI-08 AI-09 row F2: a received revision is unpacked into its own iteration and reviewed.', async () => {
    const place = makePlace()
    await revised(place, REVISED)
    await moves(place, { to: 'REVIEWING', iteration: 2 })
    expect(textOf(place, 'iteration-2/code/src/hello.txt')).toBe('hello, world\n')
    expect(textOf(place, 'iteration-2/code/hello.txt')).toBe('hello\n')
    expect(readdirSync(join(place.session(), 'iteration-1/code'))).toEqual(['hello.txt'])
  })

  it('AI-08 AI-09 row F2a: a revision that reports an error ends the session as ERROR, without code.', async () => {
    const place = makePlace()
    await revised(place, `${REVISED}STATUS: ERROR it cannot be done\n`)
    await moves(place, { to: 'ERROR', status: 'ERROR', iteration: 2, code: 1 })
    expect(has(place, 'iteration-2/code')).toBe(false)
  })

  it('AI-08 AI-09 row F2b: a revision that cancels ends the session as CANCELLED, without code.', async () => {
    const place = makePlace()
    await revised(place, 'STATUS: CANCELLED\n')
    await moves(place, { to: 'CANCELLED', status: 'CANCELLED', iteration: 2, code: 11 })
    expect(has(place, 'iteration-2/code')).toBe(false)
  })
})

describe('planning and generation', () => {
  it.each([
    ['an error', 'STATUS: ERROR no idea\n', 'ERROR', 'ERROR', 1],
    ['a cancel', 'STATUS: CANCELLED\n', 'CANCELLED', 'CANCELLED', 11],
    ['any other status', 'Half a plan.\nSTATUS: FAILED\n', 'ERROR', 'ERROR', 1],
  ])('AI-04 of planning, %s is an end.', async (_what, response, to, status, code) => {
    const place = makePlace()
    await open(place)
    await place.run(['step'])
    put(place, 'planning-response.md', response)
    await moves(place, { to, status, iteration: 0, code })
  })

  it.each([
    ['an error', `${CODE}STATUS: ERROR it does not build\n`, 'ERROR', 'ERROR', 1],
    ['a cancel', 'STATUS: CANCELLED\n', 'CANCELLED', 'CANCELLED', 11],
    ['any other status', `${CODE}STATUS: FAILED\n`, 'ERROR', 'ERROR', 1],
    ['a response without a file', 'I would rather not.\n', 'ERROR', 'ERROR', 1],
  ])('AI-04 of generation, %s is an end, and nothing is unpacked.', async (_what, response, to, status, code) => {
    const place = makePlace()
    await generating(place)
    put(place, 'iteration-1/generation-response.md', response)
    await moves(place, { to, status, iteration: 1, code })
    expect(has(place, 'iteration-1/code')).toBe(false)
  })

  it('AI-04 the plan is fixed by its hash: an edit is refused by name with the way back, and then it goes on.', async () => {
    const place = makePlace()
    await generating(place)
    put(place, 'plan.md', 'Another plan.\n')
    put(place, 'iteration-1/generation-response.md', CODE)
    const records = recordsOf(place.session()).length
    for (const command of ['step', 'resume']) {
      const refused = await place.run([command])
      expect(refused.code).toBe(10)
      expect(refused.stderr).toContain(`the plan ${join(place.session(), 'plan.md')} was changed`)
      expect(refused.stderr).toContain(`next: cp ${join(place.session(), 'planning-response.md')}`)
    }
    expect(recordsOf(place.session())).toHaveLength(records)
    put(place, 'plan.md', textOf(place, 'planning-response.md'))
    await moves(place, { to: 'GENERATED', iteration: 1 })
  })

  it('AI-05 AI-06 a prompt that lies there already is the prompt.', async () => {
    const place = makePlace()
    await open(place)
    await place.run(['step'])
    put(place, 'planning-response.md', PLAN)
    await place.run(['step'])
    put(place, 'iteration-1/generation-prompt.md', 'My own words.\n')
    await moves(place, { to: 'GENERATING', iteration: 1 })
    put(place, 'iteration-1/generation-response.md', CODE)
    put(place, 'iteration-1/review-prompt.md', 'Look at it.\n')
    for (const phase of ['GENERATED', 'REVIEWING']) await moves(place, { to: phase, iteration: 1 })
    await isBlocked(place, 'iteration-1/review-response.md')
    expect([textOf(place, 'iteration-1/generation-prompt.md'), textOf(place, 'iteration-1/review-prompt.md')]).toEqual(['My own words.\n', 'Look at it.\n'])
  })
})

describe('a revision', () => {
  it('AI-08 that was taken away before it was unpacked is awaited again.', async () => {
    const place = makePlace()
    await revised(place, REVISED)
    rmSync(join(place.session(), 'iteration-2/revision-response.md'))
    const files = hashesOf(place.state)
    const refused = await place.run(['step'])
    expect(refused.code).toBe(8)
    expect(refused.stderr).toContain('iteration-2/revision-response.md')
    expect(hashesOf(place.state)).toEqual(files)
    put(place, 'iteration-2/revision-response.md', REVISED)
    await moves(place, { to: 'REVIEWING', iteration: 2 })
  })

  it('AI-08 that a person goes back from is not what the next review is shown.', async () => {
    const place = makePlace()
    await revised(place, REVISED)
    await place.run(['step'])
    expect(await place.run(['undo', '--to', '1'])).toMatchObject({ code: 0 })
    await place.run(['step'])
    await place.run(['step'])
    const prompt = textOf(place, 'iteration-2/review-2-prompt.md')
    expect(prompt).toContain('`hello.txt`')
    expect(prompt).not.toContain('src/hello.txt')
  })

  it('AI-08 gets the hints that came since the last one.', async () => {
    const place = makePlace()
    await reviewing(place)
    await place.run(['hint', 'greet the world'])
    put(place, 'iteration-1/review-response.md', FAILS)
    await moves(place, { to: 'REVISING', iteration: 2 })
    expect(textOf(place, 'iteration-2/revision-prompt.md')).toContain('greet the world')
  })
})

describe('a whole session', () => {
  const roles = (place: ReturnType<typeof makePlace>) => ({
    planner: says(place, 'planner', `<think>hm</think>${PLAN}`),
    implementer: says(place, 'implementer', CODE, REVISED),
    reviewer: says(place, 'reviewer', FAILS, PASSES),
  })

  it('AI-02 AI-14 runs by itself through the published phases, and status and session.json tell the same of it.', async () => {
    const place = makePlace()
    const ran = await place.run(['run', 'artifact', 'say hello', ...agents(roles(place))])
    expect(ran.code, ran.stderr).toBe(0)
    const status = await place.status()
    expect((status['phase_history'] as { phase: string }[]).map(({ phase }) => phase)).toEqual([
      'INITIALIZED', 'PLANNING', 'PLANNED', 'GENERATING', 'GENERATED', 'REVIEWING', 'REVISING', 'REVISED', 'REVIEWING', 'COMPLETE',
    ])
    const { phase, status: word, session_id, current_iteration, phase_history, updated_at, artifacts } = told(place)
    expect(status).toMatchObject({ phase, status: word, session_id, current_iteration, phase_history, updated_at, artifacts })
    expect([phase, word, current_iteration]).toEqual(['COMPLETE', 'SUCCESS', 2])
    const paths = artifacts.map(({ path }) => path)
    for (const stem of ['planning', 'iteration-1/generation', 'iteration-1/review', 'iteration-2/revision', 'iteration-2/review']) {
      expect(paths).toEqual(expect.arrayContaining([`${stem}-prompt.md`, `${stem}-response.md`]))
    }
    for (const path of paths) expect(existsSync(join(place.session(), path)), path).toBe(true)
    expect(textOf(place, 'plan.md').trim()).toBe(PLAN.trim())
  })

  it('AI-08 leaves its files where diff, undo and accept find them.', async () => {
    const place = makePlace()
    await place.run(['run', 'artifact', 'say hello', ...agents(roles(place))])
    expect((await place.run(['diff', '--stat'])).stdout).toMatch(/hello\.txt[^]*src\/hello\.txt/)
    const second = (await place.run(['diff', '--stat', '--iter', '2'])).stdout
    expect(second).toContain('src/hello.txt')
    expect(second).not.toMatch(/ hello\.txt/)
    expect(await place.run(['undo', '--to', '1'])).toMatchObject({ code: 0 })
    expect(await place.run(['redo'])).toMatchObject({ code: 0 })
    const accepted = await place.run(['accept'])
    expect(accepted.code, accepted.stderr).toBe(0)
    expect(place.read('repo/src/hello.txt')).toBe('hello, world\n')
  })

  it('AI-13 AI-14 that no review lets pass is ended by its budget, as ERROR with FAILED, and can be given more.', async () => {
    const place = makePlace()
    const failing = { ...roles(place), reviewer: says(place, 'reviewer', FAILS) }
    expect(await place.run(['run', 'artifact', 'say hello', '--max-iterations', '3', ...agents(failing)])).toMatchObject({ code: 4 })
    const { phase, status, current_iteration, phase_history } = told(place)
    expect([phase, status, current_iteration, phase_history.length]).toEqual(['ERROR', 'FAILED', 3, 6 + 2 * 3 + 1])
    expect(await place.run(['resume', '--max-iterations', '4'])).toMatchObject({ code: 4 })
    expect(told(place).phase_history).toHaveLength(6 + 2 * 3 + 1 + 3 + 1)
  })

  it('AI-14 that a person ends for good is CANCELLED.', async () => {
    const place = makePlace()
    await generating(place)
    expect(await place.run(['stop', '--cancel'])).toMatchObject({ code: 0 })
    expect(told(place)).toMatchObject({ phase: 'CANCELLED', status: 'CANCELLED' })
    expect(told(place).phase_history.map(({ phase }) => phase)).toEqual(['INITIALIZED', 'PLANNING', 'PLANNED', 'GENERATING', 'CANCELLED'])
  })
})
