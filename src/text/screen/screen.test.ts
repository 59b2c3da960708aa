// Tests of the screen: golden ones at several sizes, in Unicode and ASCII, and text that would spoil it.
import { describe, expect, it } from 'vitest'
import { fails, passes } from '../../../test/support/core-cases.js'
import { fit, fitLine, textOf, widthOf } from './fit.js'
import { modelOf, sessionAt } from './fixture.js'
import { screenOf, type Model, type Size } from './screen.js'
import { usualOf } from './watched.js'

const CHECKS = [fails('a', 'b', 'c'), fails('a', 'b', 'c', 'd'), fails('a', 'b', 'c')]
const SIZES: Size[] = [{ columns: 80, rows: 24 }, { columns: 120, rows: 40 }, { columns: 40, rows: 12 }]
const HOSTILE = '\u001B[2J\u001B]0;owned\u0007evil\ttab\rline\n日本語のテキスト 👩‍👩‍👧 ❤️ \u202Eשלום\u202C e\u0301\u0301 \u{E0041}x'

function shown(model: Model, size: Size, unicode = true): string[] {
  return screenOf(model, size, { unicode }).map(textOf)
}

function toned(model: Model, tone: string): string[] {
  return screenOf(model, { columns: 120, rows: 24 }, { unicode: true }).flatMap((line) => line.filter((span) => span.tone === tone && span.text.trim() !== '').map(({ text }) => text.trim()))
}

describe('the screen of a running session', () => {
  it.each(SIZES.flatMap((size) => [true, false].map((unicode) => ({ ...size, unicode }))))('is as it should be at $columns×$rows, Unicode $unicode', async ({ unicode, ...size }) => {
    const lines = shown(modelOf(CHECKS), size, unicode)
    expect(lines).toHaveLength(size.rows)
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(size.columns)
    const name = `__golden__/${size.columns}x${size.rows}-${unicode ? 'unicode' : 'ascii'}.txt`
    await expect(lines.map((line) => `${line.trimEnd()}\n`).join('')).toMatchFileSnapshot(name)
  })

  it('counts the time at work, and none of the time between a stop and a resume', () => {
    const model = modelOf(CHECKS)
    const hour = 3_600_000
    const resumed = { ...model, now: model.now + hour, begunAt: model.now + hour - 5000, doing: null }
    const [head, phases] = [0, 5].map((line) => shown(resumed, { columns: 80, rows: 24 })[line])
    expect(head).toMatch(/ 3:1\d$/)
    expect(phases).toContain('implement 0:05')
  })

  it('shows a diff or a diagnosis in place of what happened', async () => {
    const panel = { name: 'diff', lines: ['modified  +3 −1  src/a.js', '+const x = 1', '-const x = 2'], top: 0 }
    const lines = shown(modelOf(CHECKS, { panel, said: 'hint left' }), { columns: 80, rows: 24 })
    await expect(lines.map((line) => `${line.trimEnd()}\n`).join('')).toMatchFileSnapshot('__golden__/panel.txt')
  })

  it('says which lines of a long diff are seen, and that there are more', () => {
    const lines = Array.from({ length: 40 }, (_, place) => `line ${place + 1}`)
    const title = (top: number): string | undefined => shown(modelOf(CHECKS, { panel: { name: 'diff', lines, top } }), { columns: 80, rows: 24 })[9]
    expect(title(0)).toContain('diff, lines 1 to 13 of 40 · arrows')
    expect(title(30)).toContain('diff, lines 31 to 40 of 40 · arrows')
  })

  it('breaks a long line of what happened in two while there is room below, and cuts it otherwise', () => {
    const parts = ['converge', 'session 20261118-201421-ero1g', 'agent repair (from the package itself)', '1 gate: tests']
    const tail = (more: number): string[] => [parts.join(' · '), ...Array.from({ length: more }, (_, place) => `event ${place}`)]
    const lines = (more: number): string[] => shown(modelOf(CHECKS, { tail: tail(more) }), { columns: 80, rows: 24 }).map((line) => line.trim())
    expect(lines(2)).toEqual(expect.arrayContaining([parts.slice(0, 2).join(' · '), parts.slice(2).join(' · '), 'event 1']))
    expect(lines(12)).toEqual(expect.arrayContaining([expect.stringContaining('agent repair (from the packag'), 'event 11']))
    expect(lines(12)).not.toContain(parts.slice(2).join(' · '))
  })

  it('shows what was asked for also where there is hardly any room', () => {
    const panel = { name: 'explain', lines: ['one', 'two', 'three', 'four', 'five', 'six', 'seven'], top: 0 }
    const lines = shown(modelOf(CHECKS, { panel, said: '' }), { columns: 40, rows: 12 })
    expect(lines.map((line) => line.trim())).toEqual(expect.arrayContaining(['one', 'two', 'three', 'four', 'five', 'six']))
    expect(lines[0]).toContain('RUNNING')
  })

  it('says of fewer failures than ever that they are not proved yet, instead of naming an older best', () => {
    const model = modelOf(CHECKS)
    const { head } = model.view
    const [, , failing] = shown({ ...model, view: { ...model.view, head: { ...head, best: { iteration: 0, failing: 9 } } } }, { columns: 80, rows: 24 })
    expect(failing).toMatch(/now 3 · not proved yet · baseline 5/)
  })

  it.each(SIZES)('holds hostile, wide and right-to-left text within $columns×$rows, wherever it stands', (size) => {
    const model = modelOf([fails(HOSTILE), fails('b')], { task: HOSTILE.repeat(9), tail: Array.from({ length: 50 }, () => HOSTILE), doing: { text: HOSTILE, at: 0 }, said: HOSTILE, keys: HOSTILE })
    for (const unicode of [true, false]) {
      const lines = shown(model, size, unicode)
      expect(lines).toHaveLength(size.rows)
      for (const line of lines) {
        expect(widthOf(line)).toBeLessThanOrEqual(size.columns)
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\uFE00-\uFE0F]/u)
        // oxlint-disable-next-line no-control-regex -- all that is not ASCII is what is looked for
        if (!unicode) expect(line).toMatch(/^[\u0020-\u007E]*$/)
      }
    }
  })

  it.each([1, 2, 3, 5, 9, 11])('has as many lines as there are rows, also where there are only %i', (rows) => {
    const lines = shown(modelOf(CHECKS, { said: 'hint left' }), { columns: 40, rows })
    expect(lines).toHaveLength(rows)
    if (rows > 2) expect(lines.slice(-2).join()).toContain('h hint')
    if (rows > 3) expect(lines.at(-1)).toContain('s stream')
  })

  it('colours the state, the best, what was reverted and the budget that ends first, and little else', () => {
    const model = modelOf(CHECKS)
    expect(toned(model, 'good')).toEqual(['best 3 (1)', 'best'])
    expect(toned(model, 'bad')).toEqual(['REVERTED to 1'])
    expect(toned(model, 'strong')).toEqual(['RUNNING', '▸ YOU ARE HERE'])
    expect(toned(model, 'careful')).toEqual(['▸ 4 of 12 iterations (33 %, ends first)'])
    expect(toned({ ...model, now: model.now + 60_000 }, 'careful')).toContain('no output for 2:01')
  })

  it('says how long nothing was heard only where somebody listens', () => {
    const text = (doing: Model['doing']): string => shown(modelOf(CHECKS, { doing }), { columns: 80, rows: 24 }).join('\n')
    expect(text(null)).not.toContain('no output')
    expect(text({ text: '', at: 0 })).toContain('no output for 1:')
    expect(text({ text: 'npm test', at: 1e9 })).toContain('implement: npm test')
  })

  it('tells what a session at its end came to', () => {
    const lines = shown(modelOf([passes], { state: 'converged' }), { columns: 80, rows: 24 })
    expect(lines[0]).toContain('CONVERGED')
    expect(lines.join('\n')).toContain('now      converged: ')
  })
})

describe('what is remembered for it', () => {
  it('is how long each phase usually takes', () => {
    expect(usualOf(sessionAt(CHECKS).watched)).toEqual({ baseline: 0, implement: 62, check: 0 })
  })

  it('is no more after ninety iterations than after sixty-four', () => {
    const { watched } = sessionAt(Array.from({ length: 90 }, () => fails('a')))
    expect(watched.viewed.view.rows).toHaveLength(64)
  })
})

describe('a text that is made to fit', () => {
  it.each([['abcdef', 6, 'abcdef'], ['abcdef', 5, 'abcd…'], ['日本語', 5, '日本…'], ['日本語', 6, '日本語'], ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'], ['✅✅', 3, '✅…'], ['abc', 0, '']])('%j in %i columns is %j', (text, columns, expected) => {
    expect(fit(text, columns)).toBe(expected)
  })

  it('says that something is left out also where a whole piece is', () => {
    expect(textOf(fitLine([{ text: 'abc' }, { text: 'def' }], 3))).toBe('ab…')
    expect(textOf(fitLine([{ text: 'abc' }, { text: 'def' }], 4))).toBe('abc…')
    expect(textOf(fitLine([{ text: 'abc' }, { text: 'def' }], 6))).toBe('abcdef')
  })
})
