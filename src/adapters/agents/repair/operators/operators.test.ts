import { afterAll, describe, expect, it } from 'vitest'
import { closeReader, madeOf } from '../fixture.js'

afterAll(closeReader)

/** What is wrong, what is right. */
const JAVASCRIPT: [string, string, string][] = [
  ['a boundary', 'function f(n) {\n  if (n > 3) return 1;\n}', 'function f(n) {\n  if (n >= 3) return 1;\n}'],
  ['an off by one', 'function f(a) {\n  return a.slice(0, a.length);\n}', 'function f(a) {\n  return a.slice(0, a.length - 1);\n}'],
  ['a wrong variable', 'function f(low, high) {\n  return low + low;\n}', 'function f(low, high) {\n  return low + high;\n}'],
  ['swapped arguments', 'function f(a, b) {\n  return g(b, a);\n}', 'function f(a, b) {\n  return g(a, b);\n}'],
  [
    'a missing argument',
    'const g = (a, b) => a + b;\nfunction f(a, b) {\n  return g(a);\n}',
    'const g = (a, b) => a + b;\nfunction f(a, b) {\n  return g(a, b);\n}',
  ],
  ['a wrong operator', 'function f(a, b) {\n  return a + b;\n}', 'function f(a, b) {\n  return a - b;\n}'],
  ['a negated condition', 'function f(a) {\n  if (a.ok) return 1;\n}', 'function f(a) {\n  if (!a.ok) return 1;\n}'],
  [
    'a missing condition',
    'function f(a, b) {\n  if (a > 0) return 1;\n  if (b > 0) return 2;\n}',
    'function f(a, b) {\n  if (a > 0 && b > 0) return 1;\n  if (b > 0) return 2;\n}',
  ],
  ['a missing return', 'function f(a) {\n  a.map((x) => x);\n}', 'function f(a) {\n  return a.map((x) => x);\n}'],
  [
    'a missing await',
    'async function f(a) {\n  const x = g(a);\n  return x;\n}',
    'async function f(a) {\n  const x = await g(a);\n  return x;\n}',
  ],
  [
    'a missing base case',
    'function f(n) {\n  return n * f(n - 1);\n}',
    'function f(n) {\n  if (n <= 1) return 1;\n  return n * f(n - 1);\n}',
  ],
  ['a wrong constant', 'function f(n) {\n  return n * 60;\n}', 'function f(n) {\n  return n * 3600;\n}'],
  ['a wrong method', 'function f(a) {\n  return a.some((x) => x);\n}', 'function f(a) {\n  return a.every((x) => x);\n}'],
  ['a missing guard', 'function f(a) {\n  return a.b.c;\n}', 'function f(a) {\n  return a.b?.c;\n}'],
  [
    'a statement in a block',
    'function f(a) {\n  for (const x of a) {\n    g(x);\n    h();\n  }\n}',
    'function f(a) {\n  for (const x of a) {\n    g(x);\n  }\n  h();\n}',
  ],
  ['a result that is not wrapped', 'function f(a) {\n  return a / 2;\n}', 'function f(a) {\n  return Math.floor(a / 2);\n}'],
  [
    'sides that are turned',
    'function f(a) {\n  return a.sort((x, y) => y - x);\n}',
    'function f(a) {\n  return a.sort((x, y) => x - y);\n}',
  ],
  ['parameters in the wrong order', 'function f(b, a) {\n  return a - b;\n}', 'function f(a, b) {\n  return a - b;\n}'],
  ['a receiver of the wrong kind', "function f(n) {\n  return n.padStart(2);\n}", "function f(n) {\n  return String(n).padStart(2);\n}"],
  [
    'parts that keep their blanks',
    "function f(a) {\n  return a.split('|');\n}",
    "function f(a) {\n  return a.split('|').map((part) => part.trim());\n}",
  ],
  ['a step that is missing', 'function f(n) {\n  n -= 1;\n  g();\n}', 'function f(n) {\n  n -= 1;\n  g();\n  n += 1;\n}'],
  [
    'a name for a property',
    'function f(job, at) {\n  g(job.at);\n  h(job.every, at);\n}',
    'function f(job, at) {\n  g(job.at);\n  h(job.every, job.at);\n}',
  ],
  ['binding', 'function f(a, b) {\n  return a + b / 2;\n}', 'function f(a, b) {\n  return (a + b) / 2;\n}'],
  ['spreads in the wrong order', 'function f(a, b) {\n  return { ...b, ...a };\n}', 'function f(a, b) {\n  return { ...a, ...b };\n}'],
  ['indices that are exchanged', 'function f(m, a, b) {\n  return m[b][a];\n}', 'function f(m, a, b) {\n  return m[a][b];\n}'],
  ['a list that forgets its way', 'function f(path, key) {\n  return [key];\n}', 'function f(path, key) {\n  return [...path, key];\n}'],
  [
    'arguments of two calls',
    "function f(a, b) {\n  return ' '.repeat(b) + '|' + ' '.repeat(a);\n}",
    "function f(a, b) {\n  return ' '.repeat(a) + '|' + ' '.repeat(b);\n}",
  ],
  ['the other nothing', 'function f(a) {\n  return a === undefined;\n}', 'function f(a) {\n  return a == null;\n}'],
  [
    'a question before a loop',
    'function f(a, b) {\n  g();\n  for (const x of b) h(x);\n  return a > 0;\n}',
    'function f(a, b) {\n  g();\n  if (a > 0) for (const x of b) h(x);\n  return a > 0;\n}',
  ],
  [
    'an end before a result',
    'function f(a) {\n  const n = a.length;\n  return a[0] / n;\n}',
    'function f(a) {\n  const n = a.length;\n  if (n === 0) return 0;\n  return a[0] / n;\n}',
  ],
  [
    'a call that the file makes elsewhere',
    'const f = (key) => clean(key);\nfunction g(key) {\n  return m.get(key);\n}',
    'const f = (key) => clean(key);\nfunction g(key) {\n  return m.get(clean(key));\n}',
  ],
  [
    'an option that nobody gives',
    'function on(a, { once = false } = {}) {}\nfunction f(a) {\n  return on(a);\n}',
    'function on(a, { once = false } = {}) {}\nfunction f(a) {\n  return on(a, { once: true });\n}',
  ],
  ['an extreme', 'function f(a, b) {\n  a.end = b.end;\n}', 'function f(a, b) {\n  a.end = Math.max(a.end, b.end);\n}'],
  ['a pattern', "function f(a) {\n  return a.replace(/\\d+/, '');\n}", "function f(a) {\n  return a.replace(/\\d+/g, '');\n}"],
  ['a rest below zero', 'function f(a, b) {\n  return a % b;\n}', 'function f(a, b) {\n  return ((a % b) + b) % b;\n}'],
  ['a copy', 'function f(a) {\n  const copy = a;\n  return copy;\n}', 'function f(a) {\n  const copy = [...a];\n  return copy;\n}'],
  [
    'a loop that goes on',
    'function f(keys) {\n  let at = root;\n  for (const key of keys) {\n    g(at[key]);\n  }\n}',
    'function f(keys) {\n  let at = root;\n  for (const key of keys) {\n    g(at[key]);\n    at = at[key];\n  }\n}',
  ],
  ['a sum that forgets', 'function f(m, k, n) {\n  m.set(k, n);\n}', 'function f(m, k, n) {\n  m.set(k, (m.get(k) ?? 0) + n);\n}'],
  [
    'a question that another place asks',
    'function f(m, k, n) {\n  if (n > 0) return 1;\n  if (m.has(k)) return 2;\n}',
    'function f(m, k, n) {\n  if (n > 0 && m.has(k)) return 1;\n  if (m.has(k)) return 2;\n}',
  ],
  ['a missing sign', 'function f(amount) {\n  return { amount };\n}', 'function f(amount) {\n  return { amount: -amount };\n}'],
  [
    'a map that is never filled',
    'const known = new Map();\nfunction f(key) {\n  const value = known.get(key) ?? make(key);\n  return value;\n}',
    'const known = new Map();\nfunction f(key) {\n  const value = known.get(key) ?? make(key);\n  known.set(key, value);\n  return value;\n}',
  ],
  [
    'an entry that stays where it was',
    'class A {\n  #all = new Map()\n  set(key, value) {\n    if (this.#all.size > 3) this.drop()\n    this.#all.set(key, value)\n  }\n}',
    'class A {\n  #all = new Map()\n  set(key, value) {\n    this.#all.delete(key)\n    if (this.#all.size > 3) this.drop()\n    this.#all.set(key, value)\n  }\n}',
  ],
  [
    'what a loop forgets',
    'function f(all) {\n  let last = null;\n  for (const x of all) {\n    if (x.at !== last) g(x);\n  }\n}',
    'function f(all) {\n  let last = null;\n  for (const x of all) {\n    if (x.at !== last) g(x);\n    last = x.at;\n  }\n}',
  ],
  [
    'a sum that nothing is added to',
    'function f(all) {\n  let sum = 0;\n  for (const x of all) {\n    g(x);\n  }\n  return sum;\n}',
    'function f(all) {\n  let sum = 0;\n  for (const x of all) {\n    g(x);\n    sum += x;\n  }\n  return sum;\n}',
  ],
  [
    'a guard that another function has',
    "function g(n) {\n  if (n < 1) throw new RangeError('none');\n  return n;\n}\nfunction f(count) {\n  return g(count) / 2;\n}",
    "function g(n) {\n  if (n < 1) throw new RangeError('none');\n  return n;\n}\nfunction f(count) {\n  if (count < 1) throw new RangeError('none');\n  return g(count) / 2;\n}",
  ],
  [
    'an input that is not refused',
    "function f(n) {\n  if (n > 9) throw new RangeError('too many');\n  return n;\n}",
    "function f(n) {\n  if (n < 0) throw new RangeError('not allowed');\n  if (n > 9) throw new RangeError('too many');\n  return n;\n}",
  ],
  [
    'a condition that another place has',
    "function g(job) {\n  return job.state === 'open';\n}\nfunction f(entry, n) {\n  if (n > 1) return entry.state;\n}",
    "function g(job) {\n  return job.state === 'open';\n}\nfunction f(entry, n) {\n  if (n > 1 && entry.state === 'open') return entry.state;\n}",
  ],
  ['a thing that is kept instead of its copy', 'function f(past, now) {\n  past.push(now);\n}', 'function f(past, now) {\n  past.push({ ...now });\n}'],
  ['calls in the wrong order', "function f(a) {\n  return a.trim().split('|');\n}", "function f(a) {\n  return a.split('|').trim();\n}"],
  ['a name that is not handed on', 'function f(name, ...rest) {\n  g(1, ...rest);\n}', 'function f(name, ...rest) {\n  g(1, name, ...rest);\n}'],
  ['a method that cannot be chained', 'class A {\n  f(a) {\n    this.a = a;\n  }\n}', 'class A {\n  f(a) {\n    this.a = a;\n    return this;\n  }\n}'],
]

const PYTHON: [string, string, string][] = [
  ['a boundary', 'def f(n):\n    if n > 3:\n        return 1\n', 'def f(n):\n    if n >= 3:\n        return 1\n'],
  ['an off by one', 'def f(n):\n    return range(n)\n', 'def f(n):\n    return range(n + 1)\n'],
  ['a wrong variable', 'def f(low, high):\n    return low + low\n', 'def f(low, high):\n    return low + high\n'],
  ['swapped arguments', 'def f(a, b):\n    return g(b, a)\n', 'def f(a, b):\n    return g(a, b)\n'],
  ['a wrong operator', 'def f(a, b):\n    return a // b\n', 'def f(a, b):\n    return a / b\n'],
  ['and for or', 'def f(a, b):\n    return a and b\n', 'def f(a, b):\n    return a or b\n'],
  ['a negated condition', 'def f(a):\n    if not a:\n        return 1\n', 'def f(a):\n    if a:\n        return 1\n'],
  [
    'a missing condition',
    'def f(a, b):\n    while a:\n        a = b\n    return b is None\n',
    'def f(a, b):\n    while a and b:\n        a = b\n    return b is None\n',
  ],
  ['a missing return', 'def f(a):\n    sorted(a)\n', 'def f(a):\n    return sorted(a)\n'],
  ['a missing await', 'async def f(a):\n    return g(a)\n', 'async def f(a):\n    return await g(a)\n'],
  ['a missing base case', 'def f(n):\n    return f(n[1:])\n', 'def f(n):\n    if not n:\n        return 0\n    return f(n[1:])\n'],
  ['a wrong method', 'def f(a, b):\n    a.append(b)\n', 'def f(a, b):\n    a.extend(b)\n'],
  ['a missing guard', 'def f(d, k):\n    return d[k]\n', 'def f(d, k):\n    return d.get(k, 0)\n'],
  [
    'a return in a loop',
    'def f(a):\n    for x in a:\n        g(x)\n        return a\n',
    'def f(a):\n    for x in a:\n        g(x)\n    return a\n',
  ],
  ['a result that is not wrapped', 'def f(a):\n    return a.keys()\n', 'def f(a):\n    return sorted(a.keys())\n'],
  ['many that are not added up', 'def f(a):\n    return (x for x in a)\n', 'def f(a):\n    return sum((x for x in a))\n'],
  ['a slice', 'def f(a):\n    return a[1:]\n', 'def f(a):\n    return a[:-1]\n'],
  ['a division that rounds up', 'def f(a, b):\n    return a // b\n', 'def f(a, b):\n    return -(-a // b)\n'],
  ['empty and nothing', 'def f(a):\n    if not a:\n        return 1\n', 'def f(a):\n    if a is None:\n        return 1\n'],
  [
    'a default that all calls share',
    'def f(a, seen=[]):\n    seen.append(a)\n',
    'def f(a, seen=None):\n    if seen is None:\n        seen = []\n    seen.append(a)\n',
  ],
  ['a sum that forgets', 'def f(m, k, n):\n    m[k] = n\n', 'def f(m, k, n):\n    m[k] = m.get(k, 0) + n\n'],
  ['a slice below zero', 'def f(a, n):\n    return a[n - 2:n]\n', 'def f(a, n):\n    return a[max(0, n - 2):n]\n'],
  [
    'a keyword that nobody gives',
    'def on(a, once=False):\n    pass\ndef f(a):\n    return on(a)\n',
    'def on(a, once=False):\n    pass\ndef f(a):\n    return on(a, once=True)\n',
  ],
  ['a pattern', "def f(a):\n    return re.match(r'\\d', a)\n", "def f(a):\n    return re.match(r'\\d+', a)\n"],
  [
    'an attribute of itself',
    'class A:\n    def __init__(self):\n        self.n = 0\n    def g(self):\n        n = 1\n        return n\n',
    'class A:\n    def __init__(self):\n        self.n = 0\n    def g(self):\n        n = 1\n        return self.n\n',
  ],
  [
    'a set that is never filled',
    'def f(all):\n    seen = set()\n    for x in all:\n        if x in seen:\n            g(x)\n        h(x)\n',
    'def f(all):\n    seen = set()\n    for x in all:\n        if x in seen:\n            g(x)\n        h(x)\n        seen.add(x)\n',
  ],
  [
    'what may not be there',
    'def f(all, x):\n    known = all.get(x)\n    if x < known:\n        return 1\n    return 2\n',
    'def f(all, x):\n    known = all.get(x)\n    if x < known or known is None:\n        return 1\n    return 2\n',
  ],
]

describe('the operators', () => {
  it.each(JAVASCRIPT)('offer for JavaScript the repair of %s', async (_name, wrong, right) => {
    expect([...(await madeOf('a.js', wrong)).keys()]).toContain(right)
  })

  it.each(JAVASCRIPT.slice(0, 4))('offer for TypeScript the repair of %s', async (_name, wrong, right) => {
    expect([...(await madeOf('a.ts', wrong)).keys()]).toContain(right)
  })

  it('offer for TypeScript the repair of indices in the wrong order, with all their signs', async () => {
    const text = (inner: string, outer: string): string => `function f(a: M, b: M, r: number, c: number) {\n  return a[r]![0]! * b[${inner}]![${outer}]!\n}`
    expect([...(await madeOf('a.ts', text('c', 'r'))).keys()]).toContain(text('r', 'c'))
  })

  it.each(PYTHON)('offer for Python the repair of %s', async (_name, wrong, right) => {
    expect([...(await madeOf('a.py', wrong)).keys()]).toContain(right)
  })

  it('leave imports, types and documentation alone', async () => {
    const made = await madeOf('a.py', '"""Adds 1."""\nimport os\nfrom a import b\n')
    expect([...made.keys()]).toEqual([])
    const typed = await madeOf('a.ts', "import { a } from './b'\ntype T = 1 | 2\ninterface I { x: 3 }\n")
    expect([...typed.keys()]).toEqual([])
  })
})
