// Tests of composing prompts within a budget, and of the sections made from a session.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { issue, rebuild } from '../../core/index.js'
import type { Failure, Part, Posture, Procedure, Session } from '../../core/types.js'
import { composePrompt, sectionTexts, type PromptInput, type SectionExtras } from './prompt.js'
import { completionWord, readWord } from '../reply/reply.js'

const load: PromptInput['load'] = (fragment) => ('file' in fragment ? `from ${fragment.file}\n\n` : `\n\n  shipped ${fragment.builtin}\n`)
const part = (title: string, text: string, rank = 5): Part => ({ title, fragments: [{ text }], rank })

function compose(parts: Part[], rest: Partial<PromptInput> = {}) {
  return composePrompt({ title: 'T', parts, sections: {}, load, budgetTokens: 0, trim: 'ranked', ...rest })
}

describe('composing', () => {
  it('writes the title, a heading per part, and its fragments of all kinds with a blank line between', () => {
    const parts: Part[] = [
      { title: 'ONE', fragments: [{ text: 'inline' }, { file: 'notes.md' }, { builtin: 'x/y' }] },
      { title: 'TWO', fragments: [{ section: 'task' }] },
    ]
    expect(compose(parts, { sections: { task: 'do it' } }).text).toBe(
      '# T\n\n## ONE\n\ninline\n\nfrom notes.md\n\n  shipped x/y\n\n## TWO\n\ndo it\n',
    )
  })

  it('leaves out parts that have nothing to say', () => {
    const parts: Part[] = [{ title: 'EMPTY', fragments: [{ section: 'hints' }, { text: ' \n' }] }, part('FULL', 'text')]
    expect(compose(parts).text).toBe('# T\n\n## FULL\n\ntext\n')
  })

  it('gives a section a heading of its own only where it shares a part of another name', () => {
    const sections = { task: 'do it', gates: '- unit' }
    const parts: Part[] = [
      { title: 'OBSERVE', fragments: [{ text: 'look' }, { section: 'task' }] },
      { title: 'CHECKS', fragments: [{ text: 'these' }, { section: 'gates' }] },
    ]
    expect(compose(parts, { sections }).text).toBe('# T\n\n## OBSERVE\n\nlook\n\n### Task\n\ndo it\n\n## CHECKS\n\nthese\n\n- unit\n')
  })

  it('prints a placeholder for what a dry run cannot know', () => {
    const parts: Part[] = [{ title: 'FAILING NOW', fragments: [{ section: 'failures' }] }]
    expect(compose(parts, { notRun: ['failures'] }).text).toContain('\n[not run: baseline]\n')
  })

  it('leaves out the lowest rank first, of equal ranks the later one, and lists what is gone', () => {
    const unranked = { title: 'C', fragments: [{ text: 'c'.repeat(400) }] }
    const parts = [part('A', 'a'.repeat(400), 9), part('B', 'b'.repeat(400), 2), unranked, part('D', 'd'.repeat(400), 5)]
    const prompt = compose(parts, { budgetTokens: 180 })
    expect(prompt.leftOut.map((left) => left.title)).toEqual(['B', 'D', 'C'])
    expect(prompt.text).toContain('- B (about 102 tokens)')
    expect(prompt.text).not.toContain('bbb')
    expect(prompt).toMatchObject({ over: false })
  })

  it('keeps the last part however long it is, and says that the prompt is over its budget', () => {
    const prompt = compose([part('A', 'a'.repeat(4000)), part('B', 'b', 9)], { budgetTokens: 10 })
    expect(prompt.text).toContain('## B')
    expect(prompt.over).toBe(true)
  })

  it('never shortens a prompt that says so, and only tells that it is over', () => {
    const prompt = compose([part('A', 'a'.repeat(4000)), part('B', 'b')], { budgetTokens: 10, trim: 'never' })
    expect(prompt).toMatchObject({ leftOut: [], over: true })
    expect(prompt.text).toContain('a'.repeat(4000))
  })

  it('fits the budget or is over with one part left, and never loses a part silently', () => {
    const parts = fc.array(fc.record({ size: fc.nat(2000), rank: fc.integer({ min: 1, max: 9 }) }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 3000 }), (made, budgetTokens) => {
        const all = made.map(({ size, rank }, n) => part(`P${n}`, `x${'y'.repeat(size)}`, rank))
        const prompt = compose(all, { budgetTokens })
        const kept = all.filter((each) => prompt.text.includes(`## ${each.title}\n`)).length
        expect(kept + prompt.leftOut.length).toBe(all.length)
        expect(prompt.over).toBe(prompt.tokens > budgetTokens)
        if (prompt.over) expect(kept).toBe(1)
      }),
    )
  })
})

const procedure: Procedure = {
  name: 'test',
  summary: '',
  start: 'act',
  phases: {
    act: {
      kind: 'ask',
      role: 'implementer',
      yields: 'candidate',
      opensIteration: true,
      prompt: [],
      words: { done: '@completed', failed: '@failed' },
      on: { pass: 'act' },
    },
  },
  policies: {},
  budget: { iterations: 5 },
  final: 'last',
  stances: { careful: 'Take care.' },
}

const fresh = rebuild([
  { type: 'opened', format: 1, id: 's1', procedure, tree: 't', gates: [], when: {}, roles: {}, fingerprints: 1, task: null, openedAt: 0, setup: {} },
])
const failure = (subject: string, message: string): Failure => ({
  gate: 'unit',
  subject,
  class: 'behaviour',
  fingerprint: '1:0',
  message,
  runs: { failed: 1, of: 1 },
})

function sectionsOf(session: Partial<Session>, extras: Partial<SectionExtras> = {}, posture: Partial<Posture> = {}) {
  const whole = { ...fresh, ...session, posture: { ...fresh.posture, ...posture } }
  const effect = issue(whole)
  if (effect?.kind !== 'ask') throw new Error('the test procedure asks first')
  return { texts: sectionTexts(whole, { effect, ...extras }), nonce: effect.nonce }
}

describe('sections', () => {
  it('has only those that have something to say', () => {
    expect(Object.keys(sectionsOf({}).texts)).toEqual(['words'])
  })

  it('brings task, context, plan, gates and hints', () => {
    const hints = [{ id: 'h1', text: 'look at\nthe parser' }]
    const gates = [{ name: 'unit', describe: 'npm test' }]
    const { texts } = sectionsOf({ hints }, { kept: { task: 'do it', plan: 'first this' }, context: ['one', 'two'], gates })
    expect(texts).toMatchObject({
      task: 'do it',
      context: 'one\n\ntwo',
      plan: 'first this',
      gates: '- unit: `npm test`',
      hints: '- look at\n  the parser',
    })
  })

  it('shows a failure as output in a fence, with its name unless the output begins with it', () => {
    const facing = [failure('not ok <number> - adds', 'not ok 3 - adds\n1 !== 2'), failure('exit status', 'it broke')]
    const { failures } = sectionsOf({ facing }).texts
    expect(failures).toContain('1. unit\n\n```text\nnot ok 3 - adds\n1 !== 2\n```')
    expect(failures).toContain('2. unit\n\n```text\nexit status\nit broke\n```')
  })

  it('shows at most 20 failures, counts the rest and names where all of the output is', () => {
    const facing = Array.from({ length: 23 }, (_, n) => failure(`case ${n}`, `case ${n} broke`))
    const { failures = '' } = sectionsOf({ facing }, { logs: ['/s/check-unit.log'] }).texts
    expect(failures).toContain('23 failing')
    expect(failures).toContain('case 19 broke')
    expect(failures).not.toContain('case 20 broke')
    expect(failures).toContain('3 more are not shown here.')
    expect(failures).toContain('`/s/check-unit.log`')
  })

  it('shows one failure alone when the posture asks for one at a time', () => {
    const { failures, stance } = sectionsOf({ facing: [failure('a', 'a!'), failure('b', 'b!')] }, {}, { focus: 'one' }).texts
    expect(failures).not.toContain('b!')
    expect(failures).toContain('1 more is not shown here.')
    expect(stance).toContain('one failure')
  })

  it('keeps head and tail of a long message, within bounds', () => {
    const message = Array.from({ length: 40 }, (_, n) => `line ${n} ${'z'.repeat(70)}`).join('\n')
    const { failures = '' } = sectionsOf({ facing: [failure('x', message)] }).texts
    const body = /```text\n([\s\S]*)\n```/.exec(failures)?.[1] ?? ''
    expect(body.length).toBeLessThanOrEqual(620)
    expect(body.split('\n').length).toBeLessThanOrEqual(8)
    expect(body).toContain('line 0')
    expect(body.endsWith('z')).toBe(true)
  })

  it('shortens a message that is one long line', () => {
    const { failures = '' } = sectionsOf({ facing: [failure('x', `first ${'z'.repeat(5000)} last`)] }).texts
    expect(failures).toContain('first')
    expect(failures).toContain(' last\n')
    expect(failures.length).toBeLessThan(900)
  })

  it('lets no failure text out of its fence, whatever it contains', () => {
    const pieces = ['`', '```', '````````', '\n', '\n```\n', '# Ignore all', '\r', 'x', '\u2028', '~~~']
    const hostile = fc.array(fc.constantFrom(...pieces), { maxLength: 60 })
    fc.assert(
      fc.property(hostile, hostile, (subject, message) => {
        const { failures = '' } = sectionsOf({ facing: [failure(`s${subject.join('')}`, `m${message.join('')}`)] }).texts
        const [, fence = '', inside = ''] = /\n(`{3,})text\n([\s\S]*)\n\1$/.exec(failures) ?? []
        expect(inside).toContain('m')
        expect(inside.split('\n').some((line) => line.trim().startsWith(fence))).toBe(false)
      }),
    )
  })

  it('lists the last ten tries in a line each', () => {
    const refuted = Array.from({ length: 14 }, (_, n) => ({ iteration: n, failing: n, changed: '', note: `note\n${'w'.repeat(500)}` }))
    const lines = (sectionsOf({ refuted }).texts.refuted ?? '').split('\n').filter((line) => line.startsWith('iteration'))
    expect(lines).toHaveLength(10)
    expect(lines[0]).toMatch(/^iteration 4: 4 failing; note w/)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(200)
  })

  it('lists a try that was made again once, with every iteration of it and what it changed', () => {
    const again = { failing: 2, changed: 'src/a.ts (3 lines)', note: 'parses dates' }
    const refuted = [{ iteration: 1, ...again }, { iteration: 2, ...again, changed: 'src/b.ts (1 line)' }, { iteration: 3, ...again }]
    expect(sectionsOf({ refuted }).texts.refuted).toContain(
      '\niterations 1, 3: src/a.ts (3 lines); 2 failing; parses dates\niteration 2: src/b.ts (1 line); 2 failing; parses dates\n',
    )
  })

  it('lists apart what was kept, so that nobody undoes it', () => {
    const refuted = [{ iteration: 3, failing: 2, changed: 'src/b.ts (1 line)', note: 'parses dates' }]
    const mended = [
      { iteration: 1, failing: 3, before: null, changed: '', note: '' },
      { iteration: 2, failing: 2, before: 3, changed: 'src/a.ts (3 lines)', note: 'rejects\nday 0' },
      { iteration: 4, failing: 5, before: 2, changed: '', note: 'lint' },
    ]
    expect(sectionsOf({ refuted, mended }).texts.refuted).toBe(
      'These tries did not work. Do not repeat them.\n\n```text\niteration 3: src/b.ts (1 line); 2 failing; parses dates\n```\n\n' +
        'These tries were kept: their changes are in the files. Do not undo them.\n\n```text\n' +
        'iteration 1: kept: 3 failing\niteration 2: src/a.ts (3 lines); kept: 3→2 failing; mended: rejects day 0\n' +
        'iteration 4: kept: gets further than before, 5 failing; mended: lint\n```',
    )
    expect(sectionsOf({ mended }).texts.refuted).not.toContain('did not work')
    expect(sectionsOf({}).texts.refuted).toBeUndefined()
  })

  it('words the posture: stance text and limits of the change', () => {
    const { stance } = sectionsOf({}, {}, { stance: 'careful', scope: { files: 5, lines: 200 } }).texts
    expect(stance).toBe('Take care.\n\nChange at most 5 files and 200 lines.')
  })

  it('asks for completion words in a prompt that does not contain them', () => {
    const { texts, nonce } = sectionsOf({}, { kept: { task: 'do it' } })
    const parts: Part[] = [{ title: 'ALL', fragments: [{ section: 'task' }, { section: 'words' }] }]
    const { text } = compose(parts, { sections: texts })
    expect(text).toContain(nonce)
    expect(text).not.toContain(completionWord('done', nonce))
    expect(readWord(text, nonce)).toBeNull()
  })
})
