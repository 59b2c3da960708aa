// End-to-end tests of `tdd`: plans, candidates as text, the floor and reviews, with real runners and scripted agents.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsOf } from './support/cli.js'
import { fileBlock, nodeTests, planOf, tddPlace, type TddPlace } from './support/tdd.js'

const PATH = 'test/ab.test.mjs'
const TESTS = { [PATH]: nodeTests({ a: 'ab.a() === 1', b: 'ab.b() === 1' }) }
const PLAN = planOf(TESTS, 'src/ab.mjs')
const candidate = (a: number, b: number, more = ''): string => fileBlock('src/ab.mjs', `export const a = () => ${a}\nexport const b = () => ${b}\n${more}`)
const RIGHT = candidate(1, 1)
/** Where the floor is not what is looked at. */
const AT_ONCE = ['--min-iterations', '1']

function phasesOf(place: TddPlace): string[] {
  return eventsOf(place.session()).flatMap((event) => (event.type === 'asked' ? [`${event.effect.iteration} ${event.effect.phase}`] : []))
}

function idsOf(place: TddPlace): { ids: string[]; planned: string[] } {
  return JSON.parse(place.file(place.now().ids['tests']?.path ?? '')) as { ids: string[]; planned: string[] }
}

describe('the plan', () => {
  it('IS-03 IS-04 is read from prose and fences behind reasoning, by the consultant where nobody else plans', async () => {
    const place = tddPlace()
    const say = `<think>Two tests, <think>or three?</think> {"tests": []}</think>\nHere it is:\n\n\`\`\`json\n${PLAN}\n\`\`\`\n\nGood luck.`
    const ended = await place.tdd({ consultant: [say], implementer: [RIGHT] }, ['write ab', ...AT_ONCE])
    expect([ended.code, place.now().roles['planner']]).toEqual([0, 'consultant'])
    expect(place.file('plan.md')).toContain('src/ab.mjs')
  })

  it('IS-03 has a limit on its prompt that is its own', async () => {
    const place = tddPlace(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`src/module-${n}.mjs`, `export const f${n} = () => ${n}\n`])))
    const planner = `agents: { small: { script: ${join(place.root, 'planner.json')}, promptTokens: 900 } }\n`
    place.write('../planner.json', JSON.stringify({ turns: [{ say: PLAN }] }))
    const dry = async (...more: string[]): Promise<string> => (await place.run(['run', 'tdd', 'write ab', '--dry-run', ...more])).stdout
    place.write('greenlatch.yaml', `${planner}agent: { planner: small, '*': paste }\ncontext: ["${'many words '.repeat(700)}"]\n`)
    expect(await dry()).toMatch(/of 900 tokens|within 900 tokens/)
    expect(await dry('--agent', 'paste')).not.toContain('900 tokens')
  })

  it('IS-04 that cannot be used is asked for once more with what is wrong, and then fails with both replies kept', async () => {
    const place = tddPlace()
    const ended = await place.tdd({ planner: ['{"plan": ["src/ab.mjs: write it"]}', 'I would rather not.'], implementer: [RIGHT] }, ['write ab'])
    expect([ended.code, place.now().finish?.outcome, phasesOf(place)]).toEqual([1, 'failed', ['0 setup', '0 survey', '0 plan', '0 plan']])
    expect(place.file('plan-prompt.md')).not.toContain('WHAT WAS WRONG')
    expect(place.file('plan-2-prompt.md')).toMatch(/WHAT WAS WRONG WITH YOUR LAST ANSWER\n\n```text\n.*"tests" is missing/)
    expect([place.file('plan-response.md'), place.file('plan-2-response.md')]).toEqual(['{"plan": ["src/ab.mjs: write it"]}', 'I would rather not.'])
  })

  it('IS-04 that is mended in time goes on', async () => {
    const place = tddPlace()
    const outside = planOf({ '../ab.test.mjs': 'x' }, 'src/ab.mjs')
    const ended = await place.tdd({ planner: [outside, PLAN], implementer: [RIGHT] }, ['write ab', ...AT_ONCE])
    expect(ended.code).toBe(0)
    expect(place.file('plan-2-prompt.md')).toContain('../ab.test.mjs')
    expect(existsSync(join(place.repo, '../ab.test.mjs'))).toBe(false)
  })

  it('IS-05 that brings Python tests is checked by pytest, test by test as it collects them', async () => {
    const place = tddPlace()
    const tests = 'import unittest\nimport ab\n\ndef test_a():\n    assert ab.a() == 1\n\nclass TestB(unittest.IsolatedAsyncioTestCase):\n    async def test_b(self):\n        self.assertEqual(ab.b(), 1)\n'
    const python = fileBlock('ab.py', 'def a():\n    return 1\n\ndef b():\n    return 1')
    const ended = await place.tdd({ planner: [planOf({ 'test_ab.py': tests }, 'ab.py')], implementer: [python] }, ['write ab', ...AT_ONCE])
    expect([ended.code, ended.stdout.split('\t')[1]]).toEqual([0, 'verified'])
    expect(idsOf(place).planned.toSorted()).toEqual(['test_ab.py::TestB::test_b', 'test_ab.py::test_a'])
    expect(place.now().proof?.tree).toBe(place.now().tree)
    const log = readFileSync(join(place.session(), 'iteration-1/test.tests.log'), 'utf8')
    expect(log).toContain('test_ab.py::test_a PASSED')
  })

  it('IS-05 that adds to tests which are there is told from them, and its own alone prove the work', async () => {
    const old = { 'src/ab.mjs': 'export const a = () => 1\nexport const b = () => 0\n', [PATH]: nodeTests({ a: 'ab.a() === 1' }) }
    const place = tddPlace(old)
    const ended = await place.tdd({ planner: [PLAN], implementer: [RIGHT] }, ['write b', '--gate', 'tests=node --test', ...AT_ONCE])
    expect([ended.code, ended.stdout.split('\t')[1], idsOf(place).planned]).toEqual([0, 'verified', [`${PATH}::b`]])
    expect(ended.stderr).not.toContain('prove nothing')
  })

  it('IS-05 whose tests nobody knows to run is refused with the flag that is missing', async () => {
    const place = tddPlace()
    const ended = await place.tdd({ planner: [planOf({ 'test/ab.test.xyz': 'check ab' }, 'src/ab.xyz')], implementer: [fileBlock('src/ab.xyz', 'x')] }, ['write ab'])
    expect(ended.code).toBe(5)
    expect(ended.stderr).toMatch(/greenlatch run --config \S+ --gate "<your test command>"/)
  })

  it('IS-05 fixes its tests: whoever edits or deletes one is named, and it is put back', async () => {
    const place = tddPlace()
    const edits = { say: 'done', write: { [PATH]: nodeTests({ a: 'true', b: 'true' }), 'src/ab.mjs': 'export const a = () => 0\nexport const b = () => 0\n' } }
    const deletes = { say: 'done', delete: [PATH] }
    const honest = { say: 'done', write: { 'src/ab.mjs': 'export const a = () => 1\nexport const b = () => 1\n' } }
    // This one edits files itself.
    place.write('../own.json', JSON.stringify({ turns: [edits, deletes, honest] }))
    const ended = await place.tdd({ planner: [PLAN], implementer: [RIGHT] }, ['write ab', '--agent', `implementer=scripted:${join(place.root, 'own.json')}`])
    expect(ended.stderr).toMatch(new RegExp(`warning: the checks depend on ${PATH}: .*"a"`))
    expect(place.file('iteration-2/implement-prompt.md')).toContain(PATH)
    expect([ended.code, place.now().iteration]).toEqual([0, 3])
    expect(place.git('--git-dir', join(place.session(), '../../store.git'), 'show', `${place.now().finish?.delivers}:${PATH}`)).toBe(TESTS[PATH]?.trim())
  })
})

describe('a candidate as text', () => {
  it('IS-07 IS-18 is asked for with the files as they are, what fails, the diagnosis and the code of the last review', async () => {
    const place = tddPlace()
    const review = JSON.stringify({
      diagnosis: 'b gives zero because of the moon', plan: [{ change: 'mind the tides' }],
      code: [{ path: 'src/ab.mjs', content: 'export const b = () => 3 - 2' }],
    })
    await place.tdd({ planner: [PLAN], implementer: [candidate(1, 0), RIGHT], reviewer: [review] }, ['write ab'])
    const [first, second] = [1, 2].map((n) => place.file(`iteration-${n}/implement-prompt.md`))
    expect(first).toContain('(not there yet)')
    for (const piece of ['export const b = () => 0', 'because of the moon', '3 - 2', `${PATH}::b`, 'mind the tides']) expect(second).toContain(piece)
    expect(second).not.toContain(`${PATH}::a\n`)
    expect(second).toContain("test('b'")
  })

  it('IS-18 a review that cannot be read, or plans nothing, leaves the plan as it was and says so', async () => {
    const place = tddPlace()
    const ended = await place.tdd({ planner: [PLAN], implementer: [candidate(1, 0), candidate(0, 1), RIGHT], reviewer: ['', '{"diagnosis": "hm", "plan": []}'] }, ['write ab'])
    expect([ended.code, ended.stderr.match(/^warning: .*review.*$/gm)?.length]).toEqual([0, 1])
    expect(place.now().kept['plan']?.path).toBe('plan.md')
    expect(place.file('iteration-3/implement-prompt.md')).toContain('hm')
  })

  it('IS-08 without a file is a warning, and the loop goes on', async () => {
    const place = tddPlace()
    const ended = await place.tdd({ planner: [PLAN], implementer: ['I have thought about it.', RIGHT] }, ['write ab'])
    expect(ended.stderr).toContain('warning: the reply has no file block: nothing is written')
    expect([ended.code, place.now().iteration]).toEqual([0, 2])
  })

  it('IS-08 keeps an end marker inside content, refuses paths that lead out by name, and tells the next prompt', async () => {
    const place = tddPlace()
    const tagged = '=== FILE src/ab.mjs :: x ===\n// === END ===\nexport const marker = `\n=== END ===\n`\nexport const a = () => 1\nexport const b = () => 0\n=== END :: x ===\n'
    const hostile = ['../out.txt', '/tmp/greenlatch-out.txt', '.git/hooks/pre-commit', 'src/../../out.txt'].map((path) => fileBlock(path, 'evil')).join('')
    const command = '=== COMMAND ===\nnpm install left-pad\n=== END ===\n'
    const ended = await place.tdd({ planner: [PLAN], implementer: [`${tagged}${hostile}${command}`, `${tagged}${command}`, RIGHT] }, ['write ab'])
    expect(ended.code).toBe(0)
    for (const path of ['../out.txt', '/tmp/greenlatch-out.txt', '.git/hooks/pre-commit', 'src/../../out.txt']) {
      expect(ended.stderr).toContain(path)
      expect(place.file('iteration-1/implement-2-prompt.md')).toContain(path)
    }
    expect(existsSync('/tmp/greenlatch-out.txt')).toBe(false)
    expect(place.file('iteration-2/implement-prompt.md')).toContain('export const marker = `\n=== END ===\n`\nexport const a')
    expect(ended.stderr).toContain('warning: command not run: npm install left-pad (no rule allows it)')
    expect(place.file('iteration-2/implement-prompt.md')).toContain('1. npm install left-pad\n   not run: no rule allows it')
  })
})

describe('the floor', () => {
  it('IS-11 holds a first success back, goes through audit and review, and is told when it is reached', async () => {
    const place = tddPlace()
    const ended = await place.tdd({ planner: [PLAN], implementer: [RIGHT, candidate(1, 1, '// looked through')] }, ['write ab'])
    expect(ended.stderr).toMatch(/^ {2}1 {2}test .*iteration 1 is below the floor of 2$/m)
    expect(phasesOf(place).slice(3)).toEqual(['1 implement', '1 test', '1 audit', '1 review', '2 implement', '2 test', '2 seal'])
    expect(ended.stderr).toContain('TASK COMPLETE · iteration 2 · plan 1\n')
    expect(ended.code).toBe(0)
  })

  it('IS-11 is set by --min-iterations', async () => {
    const place = tddPlace()
    const ended = await place.tdd({ planner: [PLAN], implementer: [RIGHT] }, ['write ab', '--min-iterations', '1'])
    expect([ended.code, place.now().iteration]).toEqual([0, 1])
    expect(ended.stderr).toContain('TASK COMPLETE · iteration 1 · plan 1\n')
  })
})
