// End-to-end tests of audits and additions in `tdd`: what is taken, what is turned down, and what is said of it.
import { describe, expect, it } from 'vitest'
import { eventsOf } from './support/cli.js'
import { auditOf, fileBlock, nodeTests, planOf, tddPlace, type Replies, type TddPlace } from './support/tdd.js'

const PATH = 'test/ab.test.mjs'
const WRONG = nodeTests({ a: 'ab.a() === 1', b: 'ab.b() === 2' })
const CORRECTED = nodeTests({ a: 'ab.a() === 1', b: 'ab.b() === 1' })
const candidate = (a: number, b: number): string => fileBlock('src/ab.mjs', `export const a = () => ${a}\nexport const b = () => ${b}`)

function phasesOf(place: TddPlace, iteration: number): string[] {
  return eventsOf(place.session()).flatMap((event) => (event.type === 'asked' && event.effect.iteration === iteration ? [event.effect.phase] : []))
}

describe('an audit', () => {
  it('IS-17 that corrects tests leads straight back to the implementer, moves what is fixed, and takes the label down', async () => {
    const place = tddPlace()
    const replies = { planner: [planOf({ [PATH]: WRONG }, 'src/ab.mjs')], implementer: [candidate(1, 1)], auditor: [auditOf({ [PATH]: CORRECTED }, 'b is one')] }
    const ended = await place.tdd(replies, ['write ab'])
    expect(phasesOf(place, 1)).toEqual(['implement', 'test', 'audit'])
    expect([ended.code, ended.stdout.split('\t').slice(0, 2)]).toEqual([0, ['converged', 'partly verified']])
    expect(ended.stderr).toContain('except:   tests were corrected by an audit in iteration 1')
  })

  it('IS-17 that loses a test which only the runner can see is turned down aloud, and the review follows', async () => {
    const many = (...names: string[]): string => nodeTests({ a: 'ab.a() === 1' }).replace(/test\('a'.*\n/, `for (const name of ${JSON.stringify(names)}) test(name, () => { assert.ok(ab[name]() === 1) })\n`)
    const place = tddPlace()
    const replies = { planner: [planOf({ [PATH]: many('a', 'b') }, 'src/ab.mjs')], implementer: [candidate(1, 0), candidate(1, 1)], auditor: [auditOf({ [PATH]: many('a') }, 'b is too hard')] }
    const ended = await place.tdd(replies, ['write ab'])
    expect(ended.stderr).toMatch(new RegExp(`warning: tests turned down: tests: no longer collected: ${PATH}::b`))
    expect(phasesOf(place, 1)).toEqual(['implement', 'test', 'audit', 'review'])
    expect([ended.code, ended.stdout.split('\t')[1]]).toEqual([0, 'verified'])
  })

  it('IS-17 that skips a test, touches the code, cannot be read or changes nothing leaves the tests as they are', async () => {
    const place = tddPlace()
    const tests = planOf({ [PATH]: CORRECTED }, 'src/ab.mjs')
    const auditor = [
      auditOf({ [PATH]: CORRECTED.replace("test('b'", "test.skip('b'") }, 'b'), auditOf({ 'src/ab.mjs': 'export const a = () => 1' }, 'a'), 'Hm.', auditOf({ [PATH]: CORRECTED }, 'x'),
    ]
    const implementer = [candidate(1, 0), candidate(0, 1), candidate(1, 2), candidate(2, 1), candidate(1, 1)]
    const ended = await place.tdd({ planner: [tests], implementer, auditor }, ['write ab'])
    expect(ended.stderr.match(/^warning: tests turned down: .*$/gm)).toEqual([expect.stringContaining('skipped "b"'), expect.stringContaining('src/ab.mjs: is no test file')])
    expect(ended.stderr).toMatch(/^warning: .*audit cannot be read.*held to be right/m)
    for (const n of [1, 2, 3, 4]) expect(phasesOf(place, n)).toEqual(['implement', 'test', 'audit', 'review'])
    expect([ended.code, ended.stdout.split('\t')[1]]).toEqual([0, 'verified'])
  })
})

/** The addition is asked for as soon as anything fails. */
const SOON = (amendments = '{ each: 500, all: 2000 }'): string =>
  `procedures: { tdd: { policies: { amendments: ${amendments}, ladder: { rungs: [{ at: 1, to: amend, resets: true }] } } } }\n`
const amendment = (addition: string, confidence = 'high'): string => JSON.stringify({ diagnosis: 'a fact is missing', dk_addition: addition, confidence })
const TASK = '# ab\n\nWrite a and b.\n'
const STUCK: Replies = { planner: [planOf({ [PATH]: CORRECTED }, 'src/ab.mjs')], implementer: [candidate(1, 0), candidate(1, 1)] }

async function amended(place: TddPlace, replies: Replies, settings = SOON()) {
  place.write('../task.md', TASK)
  return place.tdd({ ...STUCK, ...replies }, ['--task', '../task.md'], settings)
}

describe('an addition to the task', () => {
  it.each([
    ['is of low confidence', amendment('b is one.', 'low'), '{ each: 500, all: 2000 }'],
    ['is empty', amendment(''), '{ each: 500, all: 2000 }'],
    ['cannot be read', 'I do not know.', '{ each: 500, all: 2000 }'],
    ['lets the task grow too much', amendment('b is one, and that is all there is to say.'), '{ each: 500, all: 20 }'],
  ])('IS-14 that %s ends as stalled, and the task stays as it was', async (_, say, caps) => {
    const place = tddPlace()
    const ended = await amended(place, { consultant: [say] }, SOON(caps))
    expect([ended.code, place.now().finish?.outcome, phasesOf(place, 1)]).toEqual([3, 'stalled', ['implement', 'test', 'amend']])
    expect(ended.stderr).toMatch(/^STALLED .*amend: fail \(/m)
    expect([place.now().kept['task']?.path, place.read('task.md')]).toEqual(['task.md', TASK])
  })

  it('IS-14 IS-15 is cut to its length, stands in the session alone, and reaches every later prompt', async () => {
    const place = tddPlace()
    const ended = await amended(place, { consultant: [amendment('b is one. And more of it.')] }, SOON('{ each: 9, all: 2000 }'))
    expect([ended.code, place.read('task.md')]).toEqual([0, TASK])
    expect(place.file('task-2.md')).toBe(`${TASK}\n## Domain Knowledge\n\n[Auto-DK iteration 1] b is one.\n`)
    expect(place.file('iteration-2/implement-prompt.md')).toContain('[Auto-DK iteration 1] b is one.')
    expect((await place.run(['report'])).stdout).toContain('added to the task:\n  + ## Domain Knowledge\n  + [Auto-DK iteration 1] b is one.')
    expect(place.file('iteration-1/amend-prompt.md')).toContain('export const b = () => 0')
  })

  it('IS-16 is followed by a survey and a plan, whose tests are taken when none is lost', async () => {
    const place = tddPlace()
    const more = nodeTests({ a: 'ab.a() === 1', b: 'ab.b() === 1', c: 'ab.a() === ab.b()' })
    const planner = [...(STUCK.planner ?? []), planOf({ [PATH]: more }, 'src/ab.mjs', 'src/other.mjs')]
    const ended = await amended(place, { planner, consultant: [amendment('b is one.')] })
    expect([ended.code, phasesOf(place, 1)]).toEqual([0, ['implement', 'test', 'amend', 'resurvey', 'replan']])
    expect(place.file('plan-2.md')).toContain('src/other.mjs')
    expect(place.file(place.now().ids['tests']?.path ?? '')).toContain(`${PATH}::c`)
    expect(ended.stdout.split('\t')[1]).toBe('verified')
  })

  it.each([
    ['cannot be read keeps the old plan', 'No idea.', 'plan.md'],
    ['loses a test keeps the old tests', planOf({ [PATH]: nodeTests({ a: 'ab.a() === 1' }) }, 'src/ab.mjs'), 'plan-2.md'],
  ])('IS-16 a new plan that %s', async (_, say, path) => {
    const place = tddPlace()
    const ended = await amended(place, { planner: [...(STUCK.planner ?? []), say], consultant: [amendment('b is one.')] })
    expect([ended.code, place.now().plan, place.now().kept['plan']?.path]).toEqual([0, 2, path])
    expect(place.now().proof?.exceptions).toEqual([])
    expect(place.file(place.now().ids['tests']?.path ?? '')).toContain(`${PATH}::b`)
  })

  it('IS-14 that is refused rings three times, where other ends ring once', async () => {
    const place = tddPlace()
    await amended(place, { consultant: [amendment('', 'low')] })
    const args = (...more: string[]): string[] => ['run', 'tdd', 'write ab', '--config', `${place.root}/settings.yaml`, '--fresh', ...more]
    const rings = async (...more: string[]): Promise<number> => (await place.startInTerminal(args(...more)).ended).stdout.split('\u0007').length - 1
    expect(await rings()).toBe(3)
    expect(await rings('--agent', 'implementer=paste')).toBe(1)
  })
})
