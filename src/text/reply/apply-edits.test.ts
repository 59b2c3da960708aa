// Tests of changing a text by parts: found exactly, found nearby, found twice, not found.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyParts, type Part, type PartLine } from './apply-edits.js'

/** Lines as a diff has them. */
function part(lines: readonly string[], at: number | null = null): Part {
  const does: Record<string, PartLine['does']> = { ' ': 'keep', '-': 'remove', '+': 'add' }
  return { name: 'it', at, lines: lines.map((line) => ({ does: does[line.charAt(0)] ?? 'keep', text: line.slice(1) })) }
}

const numbered = (count: number): string => Array.from({ length: count }, (_, n) => `line ${n}\n`).join('')

describe('parts', () => {
  it.each([
    ['at their line', 'a\nb\nc\n', part(['-b', '+B'], 1), 'a\nB\nc\n'],
    ['a few lines off', `x\ny\n${'a\nb\nc\n'}`, part([' a', '-b', '+B'], 0), 'x\ny\na\nB\nc\n'],
    ['without a line', 'a\nb\nc\n', part(['-c', '+C']), 'a\nb\nC\n'],
    ['at their line though they fit others too', 'a\na\na\n', part(['-a', '+b'], 1), 'a\nb\na\n'],
    ['but for the spaces at ends of lines, which stay', 'a  \nb\t\nc\n', part([' a', '-b', '+B'], 0), 'a  \nB\nc\n'],
    ['in a file with the line ends of another system', 'a\r\nb\r\nc\r\n', part([' a', '-b', '+B', ' c'], 0), 'a\r\nB\r\nc\r\n'],
    ['at the end of a file without a last line end', 'a\nb', part(['-b', '+B'], 1), 'a\nB'],
    ['into a file that is empty', '', part(['+a', '+b'], 0), 'a\nb\n'],
    ['taking all away', 'a\nb\n', part(['-a', '-b'], 0), ''],
  ])('are applied %s', (_where, text, one, result) => {
    expect(applyParts(text, [one])).toEqual({ text: result })
  })

  it('make a file that is not there, and follow one another with what they moved', () => {
    expect(applyParts(null, [part(['+a'], 0)])).toEqual({ text: 'a\n' })
    const text = 'a\nx\nb\nx\nc\nx\n'
    const parts = [part([' a', '+1', '+2'], 0), part(['-x', '+y'], 3), part(['-x', '+z'], 5)]
    expect(applyParts(text, parts)).toEqual({ text: 'a\n1\n2\nx\nb\ny\nc\nz\n' })
  })

  it.each([
    ['nowhere', 'a\nb\n', part(['-c', '+d']), 'it is nowhere in the file'],
    ['nowhere near', `${numbered(600)}end\n`, part(['-end', '+END'], 0), 'it is nowhere in the file within 500 lines of line 1'],
    ['in two places', 'a\nb\na\n', part(['-a', '+c']), 'it fits 2 places of the file; more lines around it would tell which'],
    ['in two places but for ends of lines', 'a \nb\na\t\n', part(['-a', '+c']), 'it fits 2 places of the file; more lines around it would tell which'],
    ['in many places', 'a\n'.repeat(100), part(['-a', '+c']), 'it fits many places of the file; more lines around it would tell which'],
    ['but for spaces before lines', '  a\n', part(['-a', '+c']), 'it is nowhere in the file'],
    ['but for letters', 'return a\n', part(['-return b', '+c']), 'it is nowhere in the file'],
    ['and name no line of the file', 'a\n', part(['+b'], 0), 'it names no line of the file, so that nobody can say where it belongs'],
  ])('are refused when they are found %s', (_where, text, one, fault) => {
    expect(applyParts(text, [one])).toEqual({ fault })
  })

  it('cost little on a file that is like them everywhere', () => {
    const lines = Array.from({ length: 100_000 }, () => '-x')
    expect(applyParts(`${'x\n'.repeat(200_000)}`, [part([...lines.slice(1), '-y', '+z'])])).toEqual({ fault: 'it is like too many places of the file' })
  })

  it('are as many as any honest change has, and not so many that a long file is made anew without end', () => {
    const text = numbered(30_000)
    const parts = (count: number) => Array.from({ length: count }, (_, n) => part([`-line ${n}`, `+LINE ${n}`], n))
    expect(applyParts(text, parts(300))).toHaveProperty('text')
    expect(applyParts(text, parts(1000))).toEqual({ fault: 'it: too many parts for a file of 30000 lines; write it whole' })
  })

  it('give the text that a change came from, wherever it had moved to', () => {
    const text = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 5 }).filter((line) => !/[\n\r]/.test(line) && line.trim() === line), { minLength: 3, maxLength: 20 })
    fc.assert(
      fc.property(text, fc.nat(17), fc.nat(30), (lines, at, said) => {
        const start = Math.min(at, lines.length - 3)
        const [before = '', old = '', after = ''] = lines.slice(start, start + 3)
        const changed = lines.map((line, n) => (n === start + 1 ? 'NEW LINE' : line))
        const one = part([` ${before}`, `-${old}`, '+NEW LINE', ` ${after}`], said)
        expect(applyParts(`${lines.join('\n')}\n`, [one])).toEqual({ text: `${changed.join('\n')}\n` })
      }),
    )
  })
})
