import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../files/fixture.js'
import { noSandbox } from '../../sandbox/none.js'
import { copiesOf } from './copy.js'
import { applied } from './dedupe.js'
import { closeReader, read } from './fixture.js'
import { hintFrom, wantedIn } from './hints.js'
import { suspicionOf } from './localise.js'
import { openReader } from './parse.js'
import { questionsFor } from './questions.js'
import { rank } from './rank.js'
import type { Checker } from './runners/types.js'
import { warmChecker } from './runners/warm.js'
import type { Ranked } from './types.js'
import { askedWhatIf } from './what-if.js'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})
afterAll(closeReader)

type Project = { sources: Record<string, string>; tests: Record<string, string>; python?: true }

const NODE = { folder: '', runner: 'node', program: process.execPath, flags: [], paths: [], env: {} } as const
const PYTHON = { folder: '', runner: 'unittest', program: 'python3', args: ['discover'], asModule: true, env: {} } as const

async function opened({ sources, tests, python }: Project) {
  const root = temporaryFolder()
  for (const [path, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...sources, ...tests })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const copies = await copiesOf(root, 1)
  if (typeof copies === 'string') throw new Error(copies)
  const signal = new AbortController().signal
  const checker: Checker = warmChecker({ sandbox: noSandbox(), warm: python ? PYTHON : NODE, gate: {}, copies, signal, wallSeconds: 120 })
  const reader = openReader()
  open.push(async () => {
    await checker.close()
    await reader.close()
    copies.remove()
  })
  const run = await checker.first(async () => [])
  if (!run) throw new Error('the tests do not run')
  const failing = run.tests.filter(({ passed }) => !passed)
  const targets = failing.map(({ id }) => id)
  const units = await Promise.all(Object.entries(sources).map(async ([path, text]) => read(path, text)))
  const suspicion = suspicionOf(run, (id) => targets.includes(id))
  const ranked = rank({ units, suspicion, hint: hintFrom(failing.map(({ message }) => message)), seed: 1 })
  const passing = run.tests.filter(({ passed }) => passed).map(({ id }) => id)
  const messages = new Map(failing.map(({ id, message }) => [id, message]))
  return { run, reader, checker, ranked, roots: copies.roots, asked: () => askedWhatIf(ranked, reader, { checker, targets, passing, messages }) }
}

/** How many times its score a change was given, by the text it makes. */
function raised(before: readonly Ranked[], after: readonly Ranked[], from: string, to: string): number {
  const scoreIn = (list: readonly Ranked[]): number => {
    const made = list.find(({ unit, edits }) => unit.source.includes(from) && applied(unit.source, edits) === unit.source.replace(from, () => to))
    if (!made) throw new Error(`nobody offers ${to}`)
    return made.score
  }
  return scoreIn(after) / scoreIn(before)
}

const ASSERTING = "import test from 'node:test'\nimport assert from 'node:assert/strict'\n"
const PRICE = 'export function price(n) {\n  const base = n * 10\n  const off = n > 10 ? base / 10 : 0\n  const fee = n > 100 ? 5 : 0\n  return base - off + fee\n}\n'
const PRICE_TESTS = `${ASSERTING}import { price } from './price.js'
test('a few', () => assert.equal(price(5), 50))
test('ten', () => assert.equal(price(10), 90))
test('many', () => assert.equal(price(20), 180))
`
const STOCK = 'export function rest(has, takes) {\n  return has + takes\n}\n'
const STOCK_TESTS = `${ASSERTING}import { rest } from './stock.js'\ntest('rest', () => assert.equal(rest(5, 2), 3))\n`

describe('asking what if', () => {
  it('puts behind what makes no difference where a test fails, and before it what makes one only there', async () => {
    const { ranked, asked } = await opened({ sources: { 'price.js': PRICE }, tests: { 'price.test.js': PRICE_TESTS } })
    const after = await asked()
    expect(raised(ranked, after, 'n > 10 ?', 'n >= 10 ?')).toBeGreaterThan(1)
    expect(raised(ranked, after, 'n > 100', 'n >= 100')).toBeLessThan(0.1)
    expect(after.findIndex(({ unit, edits }) => applied(unit.source, edits).includes('n >= 10 ?'))).toBeLessThan(5)
  })

  it('does the same for Python', async () => {
    const source = 'def price(n):\n    base = n * 10\n    off = base // 10 if n > 10 else 0\n    fee = 5 if n > 100 else 0\n    return base - off + fee\n'
    const cases = [['few', 5, 50], ['ten', 10, 90], ['many', 20, 180]].map(([name, n, result]) => `    def test_${name}(self):\n        self.assertEqual(price(${n}), ${result})\n`)
    const test = `import unittest\nfrom price import price\nclass Prices(unittest.TestCase):\n${cases.join('')}`
    const { ranked, asked } = await opened({ python: true, sources: { 'price.py': source }, tests: { 'test_price.py': test } })
    const after = await asked()
    expect(raised(ranked, after, 'n > 10 ', 'n >= 10 ')).toBeGreaterThan(1)
    expect(raised(ranked, after, 'n > 100', 'n >= 100')).toBeLessThan(0.1)
  })

  it('leaves each of several faults its place, though no change mends all that fails', async () => {
    const { ranked, asked } = await opened({
      sources: { 'price.js': PRICE, 'stock.js': STOCK },
      tests: { 'price.test.js': PRICE_TESTS, 'stock.test.js': STOCK_TESTS },
    })
    const after = await asked()
    expect(raised(ranked, after, 'n > 10 ?', 'n >= 10 ?')).toBeGreaterThanOrEqual(1)
    expect(raised(ranked, after, 'has + takes', 'has - takes')).toBeGreaterThanOrEqual(1)
    expect(raised(ranked, after, 'n > 100', 'n >= 100')).toBeLessThan(0.1)
  })

  it('calls nothing twice that leaves a trace', async () => {
    const { run, reader, checker, ranked } = await opened({
      sources: { 'names.js': 'let count = 0\nfunction next() {\n  count += 1\n  return count\n}\nexport function name(word) {\n  return word + next() + 1\n}\n' },
      tests: {
        'names.test.js': `${ASSERTING}import { name } from './names.js'
test('first', () => assert.equal(name('a'), 'a11'))
test('second', () => assert.equal(name('b'), 'b21'))
test('third', () => assert.equal(name('c'), 'c3'))
`,
      },
    })
    const { texts, numbersOf } = await questionsFor(ranked, reader)
    expect(numbersOf.size).toBeGreaterThan(0)
    expect(texts[0]?.text).toContain('__keep(0, next())')
    const seen = await checker.whatIf(texts)
    expect(seen?.map(({ id, passed }) => [id, passed])).toEqual(run.tests.map(({ id, passed }) => [id, passed]))
  })

  it('asks of statements that would be put in whether what they see to is so already', async () => {
    const source = 'const known = new Set()\nexport function isNew(word) {\n  const isKnown = known.has(word)\n  let answer = !isKnown\n  return answer\n}\n'
    const tests = `${ASSERTING}import { isNew } from './words.js'
test('once', () => assert.equal(isNew('a'), true))
test('twice', () => assert.deepEqual([isNew('b'), isNew('b')], [true, false]))
`
    const { run, reader, checker, ranked, asked } = await opened({ sources: { 'words.js': source }, tests: { 'words.test.js': tests } })
    const after = await asked()
    const behind = (step: string): [string, string] => ['= known.has(word)', `= known.has(word)\n  ${step}`]
    expect(raised(ranked, after, ...behind('known.add(word)'))).toBeGreaterThan(0.5)
    expect(raised(ranked, after, ...behind('known.delete(word)'))).toBeLessThan(0.1)
    const seen = await checker.whatIf((await questionsFor(ranked, reader)).texts)
    expect(seen?.map(({ id, passed }) => [id, passed])).toEqual(run.tests.map(({ id, passed }) => [id, passed]))
  })

  it('disturbs nothing in JavaScript: what is used up, deleted, called on something, handed over or looked at with effects', async () => {
    const source = `export function take(n, iterable) {\n  const out = []\n  for (const x of iterable) {\n    if (out.length > n) break\n    out.push(x)\n  }\n  return out\n}
export class Box {\n  constructor() {\n    this.items = { a: 1 }\n    this.size = function () {\n      return Object.keys(this.items).length\n    }\n  }\n  drop(key) {\n    delete this.items[key]\n    return (this.size)()\n  }\n}
export function each(list, log) {\n  return list.map(log).length + 0\n}
export function odd(list) {\n  return list.filter((x) => x !== null).length + 1\n}\n`
    const tests = `${ASSERTING}import { take, Box, each, odd } from './odd.js'
function* endless() {\n  let i = 0\n  while (true) yield i++\n}
test('take', () => assert.deepEqual(take(2, endless()), [0, 1]))
test('drop', () => assert.equal(new Box().drop('a'), 0))
test('each', () => {\n  let calls = 0\n  each([1, 2], () => (calls += 1))\n  assert.equal(calls, 2)\n})
test('odd', () => {\n  const bad = { get x() {\n    throw new Error('no')\n  }, get [Symbol.for('nodejs.util.inspect.custom')]() {\n    throw new Error('no')\n  } }\n  assert.equal(odd([bad]), 1)\n})
`
    const { run, reader, checker, ranked } = await opened({ sources: { 'odd.js': source }, tests: { 'odd.test.js': tests } })
    const { texts, numbersOf } = await questionsFor(ranked, reader)
    expect(numbersOf.size).toBeGreaterThan(100)
    const seen = await checker.whatIf(texts)
    expect(seen?.map(({ id, passed }) => [id, passed])).toEqual(run.tests.map(({ id, passed }) => [id, passed]))
  })

  it('disturbs nothing in Python: blocks of one line, classes, defaults, texts, queues, what is used up or above', async () => {
    const source = `import queue\nclass Base:\n    def area(self):\n        return 2\nclass A(Base):\n    LIMIT = 5\n    def __init__(self, items=()):\n        self.items = iter(items)\n    def area(self, n=LIMIT - 1, m=0):\n        return super().area() * 3 + 1 + n - m\n    def rest(self):\n        return [x for x in self.items]
def clamp(n, low, high):\n    total = 0\n    if n < low: total = low\n    if n > high: total = high\n    else: total += n\n    return total
def told(a):\n    return f"{max(a + 1, 2)}-{'z' * a}"
def waits(n):\n    q = queue.Queue()\n    q.put(n)\n    return q.get() + 1
def drop(d, k):\n    del d[k], d['b']\n    return len(d)
def depth(n):\n    if n <= 0:\n        return 0\n    return 1 + depth(n - 1)\n`
    const cases = ['A().area(), 11', "A('ab').rest(), ['a', 'b']", 'clamp(5, 1, 9), 5', "told(1), '2-z'", 'waits(1), 2', "drop({'a': 1, 'b': 2}, 'a'), 0", 'depth(400), 401']
    const test = `import unittest\nfrom odd import A, clamp, told, waits, drop, depth\nclass Odd(unittest.TestCase):\n${cases.map((pair, at) => `    def test_${at}(self):\n        self.assertEqual(${pair})\n`).join('')}`
    const { run, reader, checker, ranked } = await opened({ python: true, sources: { 'odd.py': source }, tests: { 'test_odd.py': test } })
    const suspicion = { paths: ['odd.py'], line: () => 1 }
    const everywhere = rank({ units: [...new Set(ranked.map(({ unit }) => unit))], suspicion, hint: hintFrom([]), seed: 1 })
    const { texts, numbersOf } = await questionsFor(everywhere, reader)
    expect(numbersOf.size).toBeGreaterThan(100)
    const seen = await checker.whatIf(texts)
    expect(seen?.map(({ id, passed }) => [id, passed])).toEqual(run.tests.map(({ id, passed }) => [id, passed]))
  })

  it('leaves the copy as it was when a process ends over its questions', async () => {
    const source = 'export function f(n) {\n  return n + 1\n}\n'
    const tests = `${ASSERTING}import { f } from './f.js'\ntest('f', () => assert.equal(f(1), 3))\n`
    const { run, checker, roots } = await opened({ sources: { 'f.js': source }, tests: { 'f.test.js': tests } })
    const killing = `process.kill(process.pid, 'SIGKILL')\n${source}`
    expect(await checker.whatIf([{ path: 'f.js', text: killing }])).toBeNull()
    expect(readFileSync(join(roots[0] ?? '', 'f.js'), 'utf8')).toBe(source)
    checker.aim(run.tests.map(({ id }) => id))
    expect((await checker.try({ path: 'f.js', text: killing }, 0)).note).toBe('the runner ended')
    expect(readFileSync(join(roots[0] ?? '', 'f.js'), 'utf8')).toBe(source)
  })

  it('hears from a failure which value was wanted', () => {
    expect([...wantedIn('AssertionError: Expected values to be strictly equal:\n\n100 !== 90\n')]).toEqual(['90'])
    expect([...wantedIn('AssertionError: 100 != 90')]).toEqual(['90'])
    expect([...wantedIn('true !== false')]).toEqual([])
  })
})
