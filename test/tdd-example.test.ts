// The published example of `tdd`, number for number: twelve iterations, three plans, two additions to the task.
import { describe, expect, it } from 'vitest'
import type { Effect } from '../src/core/index.js'
import { eventsOf } from './support/cli.js'
import { fileBlock, nodeTests, planOf, tddPlace } from './support/tdd.js'

const TESTS = { 'test/ab.test.mjs': nodeTests({ a: 'ab.a() === 1', b: 'ab.b() === 1' }) }

/** The n-th candidate, with what its two functions give. */
const candidate = (n: number, a: number, b: number): string => fileBlock('src/ab.mjs', `// try ${n}\nexport const a = () => ${a}\nexport const b = () => ${b}`)
const tries = (from: number, to: number, a: number, b: number): string[] => Array.from({ length: to - from + 1 }, (_, at) => candidate(from + at, a, b))
const amendment = (addition: string): string => JSON.stringify({ diagnosis: 'a fact is missing', dk_addition: addition, confidence: 'high' })

describe('twelve iterations', () => {
  it('IS-23 IS-13 IS-16 run with two additions and a floor of twelve, and end at twelve', async () => {
    const place = tddPlace()
    place.write('../task.md', '# ab\n\nWrite a and b.\n')
    const ended = await place.tdd(
      {
        planner: [planOf(TESTS, 'src/ab.mjs')],
        implementer: [...tries(1, 5, 0, 1), ...tries(6, 10, 1, 0), ...tries(11, 12, 1, 1)],
        // It is asked for the two additions, and as auditor and reviewer from the third turn of those on.
        consultant: [amendment('a gives one.'), amendment('b gives one.'), '{"tests_correct": true, "issues": [], "diagnosis": "seen from afar", "plan": []}'],
      },
      ['--task', '../task.md', '--min-iterations', '12'],
    )
    expect([ended.code, ended.stdout.split('\t').slice(0, 2)]).toEqual([0, ['converged', 'verified']])
    expect(ended.stderr).toContain('TASK COMPLETE · iteration 12 · plan 3\n')

    const effects = eventsOf(place.session()).flatMap((event) => (event.type === 'asked' ? [event.effect] : []))
    const iterationsOf = (phase: string): number[] => effects.filter((effect) => effect.phase === phase).map(({ iteration }) => iteration)
    const handedOver = (effect: Effect): boolean => effect.kind === 'ask' && effect.answers === 'consultant' && effect.role !== 'consultant'
    const all = Array.from({ length: 12 }, (_, at) => at + 1)
    expect([iterationsOf('implement'), iterationsOf('test')]).toEqual([all, all])
    expect([iterationsOf('plan'), iterationsOf('amend'), iterationsOf('replan'), iterationsOf('seal')]).toEqual([[0], [5, 10], [5, 10], [12]])
    expect([iterationsOf('audit'), iterationsOf('review')]).toEqual(Array.from({ length: 2 }, () => all.filter((n) => ![5, 10, 12].includes(n))))
    expect(effects.filter((effect) => effect.phase === 'audit' && handedOver(effect)).map(({ iteration }) => iteration)).toEqual([3, 4, 8, 9])
    expect(effects.filter((effect) => effect.phase === 'review' && handedOver(effect)).map(({ iteration }) => iteration)).toEqual([3, 4, 8, 9])
    expect(effects.filter(({ phase }) => phase === 'implement').map(({ plan }) => plan)).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3])
    for (const n of all) expect(ended.stderr).toContain(`iteration ${n} · plan ${n <= 5 ? 1 : n <= 10 ? 2 : 3}\n`)

    expect(ended.stderr).toMatch(/^ 11 {2}test .*iteration 11 is below the floor of 12$/m)
    expect(all.filter((n) => place.file(`iteration-${n}/implement-prompt.md`).includes('completely different strategy'))).toEqual([4, 5, 9, 10])
    expect(place.file('task-3.md')).toBe('# ab\n\nWrite a and b.\n\n## Domain Knowledge\n\n[Auto-DK iteration 5] a gives one.\n\n[Auto-DK iteration 10] b gives one.\n')
    expect(place.read('task.md')).toBe('# ab\n\nWrite a and b.\n')
    expect((await place.run(['report'])).stdout).toContain('+ [Auto-DK iteration 10] b gives one.')
  })
})
