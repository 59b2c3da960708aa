import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { chooseFrom, doubtsAbout, isTrusted, moreAfter } from './choose.js'
import { closeReader, read } from './fixture.js'
import { hintFrom } from './hints.js'
import { openReader } from './parse.js'
import { rank } from './rank.js'
import type { Checker, Trial, Verdict } from './runners/types.js'
import { searchSeconds } from './repair.js'
import { search, type Found, type Searched } from './search.js'

afterAll(closeReader)

const SOURCE = 'export function pick(a, b) {\n  if (a > b) return a\n  return b\n}\n'

/** Judges texts by a rule instead of by tests; `slow` is the lane that takes its time. */
function judged(passes: (text: string) => boolean, slow = -1): Checker & { tried: string[] } {
  const tried: string[] = []
  const verdict = (text: string): Verdict => (passes(text) ? { fixed: ['t'], broken: [], note: '' } : { fixed: [], broken: [], note: '' })
  return {
    tried,
    lanes: 2,
    first: async () => null,
    whatIf: async () => null,
    aim: () => {},
    async try({ text }: Trial, lane) {
      tried.push(text)
      if (lane === slow) await sleep(20)
      return verdict(text)
    },
    close: async () => {},
  }
}

async function searched(checker: Checker, more = 5, candidates = 200, known = new Set<string>()): Promise<Searched> {
  const unit = await read('a.js', SOURCE)
  const reader = openReader()
  const ranked = rank({ units: [unit], suspicion: { paths: ['a.js'], line: () => 1 }, hint: hintFrom([]), seed: 1 })
  try {
    return await search({
      ranked,
      checker,
      reader,
      targets: ['t'],
      bounds: { candidates, seconds: 60, more: () => more },
      known,
      signal: new AbortController().signal,
    })
  } finally {
    await reader.close()
  }
}

const isMended = (text: string): boolean => /a >= b|a < b/.test(text)

describe('a search', () => {
  it('finds the same whichever lane is faster, and looks at some more after the first', async () => {
    const one = await searched(judged(isMended, 0))
    const other = await searched(judged(isMended, 1))
    expect(one.end).toBe('found')
    expect(one.passing.length).toBeGreaterThan(1)
    expect(one.passing.map(({ text }) => text)).toEqual(other.passing.map(({ text }) => text))
  })

  it('tries no two texts of one shape, and nothing that is known already', async () => {
    const checker = judged(() => false)
    const { refuted, end } = await searched(checker, 5, 5000)
    expect(end).toBe('over')
    expect(new Set(refuted.map(({ shape }) => shape)).size).toBe(checker.tried.length)
    const again = await searched(judged(() => false), 5, 5000, new Set(refuted.map(({ shape }) => shape)))
    expect(again.tried).toBe(0)
  })

  it('goes on to its limit where what passes is not to be trusted', async () => {
    expect(await searched(judged(isMended), Infinity, 40)).toMatchObject({ tried: 40, end: 'candidates' })
  })

  it('stops at its limit', async () => {
    expect(await searched(judged(() => false), 5, 10)).toMatchObject({ tried: 10, end: 'candidates', passing: [] })
  })
})

describe('the choice', () => {
  it('prefers what is ordinary to what takes code away or was made for the tests', async () => {
    const { passing } = await searched(judged(isMended), 60)
    const [first] = passing
    if (!first) throw new Error('nothing passed')
    const end = SOURCE.indexOf('  return b')
    const deleting: Found = {
      ...first,
      kind: 'statement',
      edits: [{ start: SOURCE.indexOf('  if'), end, text: '' }],
      worth: first.worth * 1.5,
    }
    const special: Found = { ...first, edits: [{ start: end, end, text: '  if (a === 4711) return 4712\n' }], worth: first.worth * 2 }
    expect(chooseFrom([deleting, special, first], ['4711 !== 4712'])[0]).toBe(first)
  })

  it('prefers what reads like the rest of the file', async () => {
    const source = 'export const f = (a, b) => g(a, b.size)\nexport const h = (a, b) => g(a, b)\n'
    const unit = await read('a.js', source)
    const start = source.lastIndexOf(')')
    const made = (text: string): Found => {
      const edits: Found['edits'] = [{ start, end: start, text }]
      const factors = { suspect: 1, small: 1, hinted: 1 }
      const place = { unit, line: 2, at: start, place: 0, rank: 0, by: 0, fixed: ['t'] }
      const whole = source.slice(0, start) + text + source.slice(start)
      return { ...place, kind: 'wrap', weight: 1, edits, factors, score: 1, worth: 1, shape: text, text: whole }
    }
    expect(chooseFrom([made('.keys'), made('.size')], [])[0]?.shape).toBe('.size')
  })

  it('prefers another place to one where whatever stands there passes', async () => {
    const unit = await read('a.js', SOURCE)
    const made = (start: number, text: string, worth: number): Found => {
      const edits: Found['edits'] = [{ start, end: start + 1, text }]
      const factors = { suspect: 1, small: 1, hinted: 1 }
      const place = { unit, line: 2, at: start, place: 0, rank: 0, by: 0, fixed: ['t'] }
      return { ...place, kind: 'operator', weight: 1, edits, factors, score: 1, worth, shape: text, text: unit.source }
    }
    const [sign, name] = [SOURCE.indexOf('>'), SOURCE.lastIndexOf('b')]
    const arbitrary = ['b - 1', 'b + 1', 'a'].map((text) => made(name, text, 1))
    expect(chooseFrom([...arbitrary, made(sign, '>=', 0.9)], [])[0]?.shape).toBe('>=')
    expect(chooseFrom([...arbitrary.slice(1), made(sign, '>=', 0.3)], [])[0]?.shape).not.toBe('>=')
  })

  it('names what is doubtful, and tries more after it', async () => {
    const [first] = (await searched(judged(isMended))).passing
    if (!first) throw new Error('nothing passed')
    const line = { start: SOURCE.indexOf('  if'), end: SOURCE.indexOf('  return b') }
    const dropped: Found = { ...first, kind: 'statement', edits: [{ ...line, text: '' }] }
    expect([doubtsAbout(first), doubtsAbout(dropped)]).toEqual([[], ['takes a statement away', 'takes code away']])
    expect(moreAfter(dropped)).toBeGreaterThan(moreAfter(first))
  })

  it('does not propose what only takes a statement away, unless it stands there twice', async () => {
    const source = 'export function f(a) {\n  a.push(1)\n  a.push(1)\n  a.sort()\n}\n'
    const unit = await read('a.js', source)
    const without = (statement: string): Found => {
      const start = source.indexOf(statement)
      const edits: Found['edits'] = [{ start, end: start + statement.length, text: '' }]
      const factors = { suspect: 1, small: 1, hinted: 1 }
      const place = { unit, line: 2, at: start, place: 0, rank: 0, by: 0, fixed: ['t'] }
      const text = source.replace(statement, '')
      return { ...place, kind: 'statement', weight: 1, edits, factors, score: 1, worth: 1, shape: statement, text }
    }
    const [sorted, pushed] = [without('  a.sort()\n'), without('  a.push(1)\n')]
    expect([isTrusted(sorted), isTrusted(pushed)]).toEqual([false, true])
    expect(chooseFrom([sorted, pushed], [])).toEqual([pushed])
  })
})

describe('the time for a search', () => {
  it('leaves what is gone already, and what the confirmation by the gates will take', () => {
    expect(searchSeconds(60, 12, 10)).toBe(38)
    expect(searchSeconds(60, 20, 45)).toBe(10)
    expect(searchSeconds(10, 30, 30)).toBe(2)
  })
})
