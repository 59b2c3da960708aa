import { afterAll, describe, expect, it } from 'vitest'
import { closeReader, read } from './fixture.js'
import { tiesUp } from './loose-ends.js'

afterAll(closeReader)

/** What a change is worth that puts a text before the last line of a source that holds `mark`. */
async function worth(path: string, source: string, mark: string, text: string): Promise<number> {
  const unit = await read(path, source)
  const at = source.lastIndexOf(mark)
  return tiesUp(unit, { kind: 'statement', weight: 1, edits: [{ start: at, end: at, text }], at })
}

describe('loose ends', () => {
  it('are variables that were made to change and never do', async () => {
    const loop = (kind: string): string => `function f(node, keys) {\n  ${kind} at = node\n  for (const key of keys) {\n    const child = at.get(key)\n  }\n  return at\n}\n`
    expect(await worth('a.js', loop('let'), '  }', 'at = child\n')).toBeGreaterThan(await worth('a.js', loop('const'), '  }', 'at = child\n'))
    expect(await worth('a.js', loop('let'), '  }', 'keys = child\n')).toBeLessThan(await worth('a.js', loop('let'), '  }', 'at = child\n'))
    expect(await worth('a.js', loop('let').replace('const child =', 'at ='), '  }', 'at = keys\n')).toBe(1)
  })

  it('are the same in Python for plain values alone: a list that is filled is not given anew', async () => {
    const loop = (value: string): string => `def f(lots, wanted):\n    left = ${value}\n    for lot in lots:\n        lot.take(left)\n    return left\n`
    expect(await worth('a.py', loop('wanted'), '    return', 'left -= 1\n')).toBeGreaterThan(1)
    expect(await worth('a.py', loop('[]'), '    return', 'left -= 1\n')).toBe(1)
    expect(await worth('a.py', loop('wanted'), '    return', 'x = left == 1\n')).toBe(1)
  })

  it('are names, imports and members that nobody reads, where they can be seen', async () => {
    const source = "import { trim } from './text.js'\nclass A {\n  set(value, limit) {\n    this.most = 3\n    this.value = value\n    return this.value\n  }\n  get(limit) {\n    return limit\n  }\n}\n"
    expect(await worth('a.js', source, '    return this', 'use(limit)\n')).toBeGreaterThan(1)
    expect(await worth('a.js', source, '    return limit', 'use(limit)\n')).toBe(1)
    expect(await worth('a.js', source, '    return limit', 'trim(1)\n')).toBeGreaterThan(1)
    expect(await worth('a.js', source, '    return limit', 'use(this.most)\n')).toBeGreaterThan(1)
    expect(await worth('a.js', source, '    return limit', 'use(this.value)\n')).toBe(1)
  })

  it('are collections that are asked and never filled', async () => {
    const source = (more: string): string => `const known = new Map()\nfunction f(key) {\n  const value = known.get(key) ?? make(key)\n${more}  return value\n}\n`
    expect(await worth('a.js', source(''), '  return', 'known.set(key, value)\n')).toBeGreaterThan(1)
    expect(await worth('a.js', source(''), '  return', 'known.delete(key)\n')).toBe(1)
    expect(await worth('a.js', source('  known.set(key, 1)\n'), '  return', 'known.set(key, value)\n')).toBe(1)
  })
})
