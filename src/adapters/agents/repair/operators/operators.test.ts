import { afterAll, describe, expect, it } from 'vitest'
import { closeReader, madeOf } from '../fixture.js'

afterAll(closeReader)

/** What is wrong, what is right. */
const JAVASCRIPT: [string, string, string][] = [
  ['a boundary', 'function f(n) {\n  if (n > 3) return 1;\n}', 'function f(n) {\n  if (n >= 3) return 1;\n}'],
  ['an off by one', 'function f(a) {\n  return a.slice(0, a.length);\n}', 'function f(a) {\n  return a.slice(0, a.length - 1);\n}'],
  ['a wrong variable', 'function f(low, high) {\n  return low + low;\n}', 'function f(low, high) {\n  return low + high;\n}'],
  ['swapped arguments', 'function f(a, b) {\n  return g(b, a);\n}', 'function f(a, b) {\n  return g(a, b);\n}'],
  ['a missing argument', 'const g = (a, b) => a + b;\nfunction f(a, b) {\n  return g(a);\n}', 'const g = (a, b) => a + b;\nfunction f(a, b) {\n  return g(a, b);\n}'],
  ['a wrong operator', 'function f(a, b) {\n  return a + b;\n}', 'function f(a, b) {\n  return a - b;\n}'],
  ['a negated condition', 'function f(a) {\n  if (a.ok) return 1;\n}', 'function f(a) {\n  if (!a.ok) return 1;\n}'],
  ['a missing condition', 'function f(a, b) {\n  if (a > 0) return 1;\n  if (b > 0) return 2;\n}', 'function f(a, b) {\n  if (a > 0 && b > 0) return 1;\n  if (b > 0) return 2;\n}'],
  ['a missing return', 'function f(a) {\n  a.map((x) => x);\n}', 'function f(a) {\n  return a.map((x) => x);\n}'],
  ['a missing await', 'async function f(a) {\n  const x = g(a);\n  return x;\n}', 'async function f(a) {\n  const x = await g(a);\n  return x;\n}'],
  ['a missing base case', 'function f(n) {\n  return n * f(n - 1);\n}', 'function f(n) {\n  if (n <= 1) return 1;\n  return n * f(n - 1);\n}'],
  ['a wrong constant', 'function f(n) {\n  return n * 60;\n}', 'function f(n) {\n  return n * 3600;\n}'],
  ['a wrong method', 'function f(a) {\n  return a.some((x) => x);\n}', 'function f(a) {\n  return a.every((x) => x);\n}'],
  ['a missing guard', 'function f(a) {\n  return a.b.c;\n}', 'function f(a) {\n  return a.b?.c;\n}'],
  ['a statement in a block', 'function f(a) {\n  for (const x of a) {\n    g(x);\n    h();\n  }\n}', 'function f(a) {\n  for (const x of a) {\n    g(x);\n  }\n  h();\n}'],
  ['a result that is not wrapped', 'function f(a) {\n  return a / 2;\n}', 'function f(a) {\n  return Math.floor(a / 2);\n}'],
  ['sides that are turned', 'function f(a) {\n  return a.sort((x, y) => y - x);\n}', 'function f(a) {\n  return a.sort((x, y) => x - y);\n}'],
  ['binding', 'function f(a, b) {\n  return a + b / 2;\n}', 'function f(a, b) {\n  return (a + b) / 2;\n}'],
]

const PYTHON: [string, string, string][] = [
  ['a boundary', 'def f(n):\n    if n > 3:\n        return 1\n', 'def f(n):\n    if n >= 3:\n        return 1\n'],
  ['an off by one', 'def f(n):\n    return range(n)\n', 'def f(n):\n    return range(n + 1)\n'],
  ['a wrong variable', 'def f(low, high):\n    return low + low\n', 'def f(low, high):\n    return low + high\n'],
  ['swapped arguments', 'def f(a, b):\n    return g(b, a)\n', 'def f(a, b):\n    return g(a, b)\n'],
  ['a wrong operator', 'def f(a, b):\n    return a // b\n', 'def f(a, b):\n    return a / b\n'],
  ['and for or', 'def f(a, b):\n    return a and b\n', 'def f(a, b):\n    return a or b\n'],
  ['a negated condition', 'def f(a):\n    if not a:\n        return 1\n', 'def f(a):\n    if a:\n        return 1\n'],
  ['a missing condition', 'def f(a, b):\n    while a:\n        a = b\n    return b is None\n', 'def f(a, b):\n    while a and b:\n        a = b\n    return b is None\n'],
  ['a missing return', 'def f(a):\n    sorted(a)\n', 'def f(a):\n    return sorted(a)\n'],
  ['a missing await', 'async def f(a):\n    return g(a)\n', 'async def f(a):\n    return await g(a)\n'],
  ['a missing base case', 'def f(n):\n    return f(n[1:])\n', 'def f(n):\n    if not n:\n        return 0\n    return f(n[1:])\n'],
  ['a wrong method', 'def f(a, b):\n    a.append(b)\n', 'def f(a, b):\n    a.extend(b)\n'],
  ['a missing guard', 'def f(d, k):\n    return d[k]\n', 'def f(d, k):\n    return d.get(k, 0)\n'],
  ['a return in a loop', 'def f(a):\n    for x in a:\n        g(x)\n        return a\n', 'def f(a):\n    for x in a:\n        g(x)\n    return a\n'],
  ['a result that is not wrapped', 'def f(a):\n    return a.keys()\n', 'def f(a):\n    return sorted(a.keys())\n'],
  ['a slice', 'def f(a):\n    return a[1:]\n', 'def f(a):\n    return a[:-1]\n'],
  ['an attribute of itself', 'class A:\n    def __init__(self):\n        self.n = 0\n    def g(self):\n        n = 1\n        return n\n', 'class A:\n    def __init__(self):\n        self.n = 0\n    def g(self):\n        n = 1\n        return self.n\n'],
]

describe('the operators', () => {
  it.each(JAVASCRIPT)('offer for JavaScript the repair of %s', async (_name, wrong, right) => {
    expect([...(await madeOf('a.js', wrong)).keys()]).toContain(right)
  })

  it.each(JAVASCRIPT.slice(0, 4))('offer for TypeScript the repair of %s', async (_name, wrong, right) => {
    expect([...(await madeOf('a.ts', wrong)).keys()]).toContain(right)
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
