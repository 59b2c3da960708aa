// Tests of what replies come to: every example of the page about them, and what the page does not show.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AskPhase, Effect, Session } from '../../core/types.js'
import type { Reading } from '../../ports.js'
import { examplesOf } from '../../../test/support/docs/lists.js'
import { readReply } from './read-reply.js'
import { formFor } from './forms.js'

type Kind = Pick<AskPhase, 'yields'> & Partial<Pick<AskPhase, 'wants' | 'judges'>>
type Given = { kept?: Record<string, string>; plan?: number; amendments?: { each: number; all: number }; inText?: boolean; retries?: number; files?: Record<string, string> }

const KEPT = { 'plan-files': '["src/add.py", "src/other.py"]', task: '# Task\n' }
const FILES = { 'src/add.py': 'def add(a, b):\n    return a - b\n' }
const KINDS: Record<string, Kind> = {
  candidate: { yields: 'candidate' },
  'candidate again': { yields: 'candidate' },
  plan: { yields: 'plan' },
  'plan tests': { yields: 'plan', wants: 'tests' },
  review: { yields: 'review' },
  'review judging': { yields: 'review', judges: true },
  tests: { yields: 'tests' },
  amendment: { yields: 'amendment' },
  response: { yields: 'response' },
}

function read(kind: string, text: string, { kept = KEPT, plan = 1, amendments, inText = true, files = FILES, retries = kind.endsWith('again') ? 1 : 0 }: Given = {}): Reading {
  const asked = KINDS[kind] ?? { yields: 'response' }
  const phase: AskPhase = { kind: 'ask', role: 'any', prompt: [], on: {}, ...asked }
  const session = { procedure: { phases: { now: phase }, policies: { ...(amendments && { amendments }) } }, retries } as unknown as Session
  const effect = { kind: 'ask', phase: 'now', yields: asked.yields, base: 'iteration-5/now', iteration: 5, plan } as Extract<Effect, { kind: 'ask' }>
  const texts: Record<string, string> = kept
  return readReply(session, effect, text, { kept: (name) => texts[name], inText, current: (path) => (files as Record<string, string>)[path] ?? null })
}

/** What the page shows of a reading: all that is not empty, with keeps as their texts. */
function shown({ verdict, note, files, deletes, failures, keeps, commands, warnings }: Reading): object {
  const texts = Object.fromEntries(Object.entries(keeps).map(([name, file]) => [name, file && file.text]))
  const parts = {
    note: note === '' ? [] : note,
    files: Object.fromEntries(files.map(({ path, text }) => [path, text])),
    deletes,
    commands,
    failures: failures.map(({ subject, fingerprint, finding }) => ({ subject, fingerprint, finding })),
    keeps: texts,
    warnings,
  }
  return { verdict, ...Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0)) }
}

describe('the page about replies', () => {
  const [file, ...pairs] = examplesOf('replies')
  const examples = pairs.flatMap(({ lang, words, text }, at) => (lang === 'reply' ? [{ kind: words.join(' '), text, json: pairs[at + 1]?.text ?? '' }] : []))

  it('IS-04 has an example of every form, each with what it comes to', () => {
    expect(pairs.map(({ lang }) => lang)).toEqual(examples.flatMap(() => ['reply', 'json']))
    expect(new Set(examples.map(({ kind }) => kind))).toEqual(new Set(Object.keys(KINDS).filter((kind) => kind !== 'response')))
  })

  it('IS-04 shows the file that its examples are about', () => {
    expect(file.text).toBe(FILES['src/add.py'])
  })

  it.each(examples.map((example, at) => [at + 1, example] as const))('IS-04 shows what example %i comes to', (_number, { kind, text, json }) => {
    expect(shown(read(kind, text))).toEqual(JSON.parse(json))
  })
})

describe('a plan', () => {
  const text = JSON.stringify({ tests: [{ path: 't.py', content: 'x' }], plan: [{ path: 'a.py', change: 'do' }] })

  it('IS-04 stands at the root of the session, numbered from the second one on', () => {
    const paths = (plan: number): (string | undefined)[] => ['plan', 'plan-files'].map((name) => read('plan tests', text, { plan }).keeps[name]?.path)
    expect(paths(1)).toEqual(['plan.md', 'plan-files.json'])
    expect(paths(3)).toEqual(['plan-3.md', 'plan-3-files.json'])
  })
})

describe('a candidate', () => {
  const text = '=== FILE a.py ===\nx\n=== END ===\n=== COMMAND ===\nls\n=== END ===\n'

  it('IS-08 of an agent that edits files itself is not read for blocks', () => {
    expect(shown(read('candidate', text, { inText: false }))).toEqual({ verdict: 'pass' })
    expect(shown(read('candidate', 'done', { inText: false }))).toEqual({ verdict: 'pass' })
    expect(read('response', text).files).toEqual([])
  })
})

describe('the files of a candidate', () => {
  const file = (path: string, content: string): string => `=== FILE ${path} ===\n${content}=== END ===\n`
  const edit = (path: string, from: string, to: string): string => `=== EDIT ${path} ===\n<<<<<<< SEARCH\n${from}=======\n${to}>>>>>>> REPLACE\n=== END ===\n`
  const patch = (path: string, hunks: string): string => `=== PATCH ${path} ===\n${hunks}=== END ===\n`

  it('IS-08 are asked for once more as often as the phase says, and then left', () => {
    const broken = '=== FILE a ===\nx'
    expect(read('candidate', broken)).toMatchObject({ verdict: 'error', again: true, files: [], note: 'a: it is never closed; end it with a line === END ===' })
    expect(read('candidate', broken, { retries: 1 })).toMatchObject({ verdict: 'pass', files: [], keeps: { refused: { text: expect.stringContaining('never closed') as string } } })
  })

  it.each([
    ['two that differ', `${file('a', 'x\n')}${file('./a', 'y\n')}${file('b', 'z\n')}`, 'a: two blocks for it say different things; write one'],
    ['one whole and one by parts', `${file('src/add.py', 'x\n')}${edit('src/add.py', 'x\n', 'y\n')}`, 'src/add.py: two blocks for it say different things; write one'],
    ['one written and deleted', `${file('a', 'x\n')}=== DELETE a ===\n`, 'a: two blocks for it say different things; write one'],
    ['parts of a file that is not there', edit('none.py', 'x\n', 'y\n'), 'none.py: there is no such text file to change'],
    ['a hunk that nothing is like', patch('src/add.py', '@@ -1 +1 @@\n-x\n+y\n'), 'src/add.py: hunk 1 is nowhere in the file within 500 lines of line 1'],
    ['a diff about another file', patch('src/add.py', '--- a/src/sub.py\n+++ b/src/sub.py\n@@ -1 +1 @@\n-x\n+y\n'), 'src/add.py: it is about src/sub.py; a block changes the one file that it names'],
    ['a diff that deletes', patch('src/add.py', '--- a/src/add.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n'), 'src/add.py: a diff takes no file away; write a line === DELETE src/add.py ==='],
    ['a second part that fits no more', edit('src/add.py', '    return a - b\n', '') + edit('src/add.py', '    return a - b\n', 'x\n'), 'src/add.py: part 1 is nowhere in the file'],
  ])('IS-08 are refused all together for %s', (_why, text, note) => {
    expect(read('candidate', text)).toMatchObject({ verdict: 'error', again: true, files: [], deletes: [], commands: [], note })
  })

  it('IS-08 are what parts make of them, several blocks in their order, beside whole ones', () => {
    const text = `${edit('src/add.py', 'def add(a, b):\n', 'def add(a, b, c):\n')}${patch('src/add.py', '@@ -2 +2 @@\n-    return a - b\n+    return a + b + c\n')}${file('b', 'x\n')}`
    expect(read('candidate', text).files).toEqual([{ path: 'b', text: 'x\n' }, { path: 'src/add.py', text: 'def add(a, b, c):\n    return a + b + c\n' }])
    expect(read('candidate', edit('new.py', '', 'x = 1\n')).files).toEqual([{ path: 'new.py', text: 'x = 1\n' }])
  })

  it('cannot be changed by parts where nobody says what is in them', () => {
    const phase = { kind: 'ask', yields: 'candidate' }
    const session = { procedure: { phases: { now: phase }, policies: {} }, retries: 0 } as unknown as Session
    const effect = { kind: 'ask', phase: 'now', yields: 'candidate', base: 'x' } as Extract<Effect, { kind: 'ask' }>
    expect(readReply(session, effect, edit('a', 'x\n', 'y\n')).note).toBe('a: files are not changed by parts here; write it whole')
  })
})

describe('a review that judges', () => {
  it('hands over nothing when it passes', () => {
    const passed = read('review judging', '{"verdict": "pass", "findings": [{"severity": "low", "description": "short names"}]}')
    expect(shown(passed)).toEqual({ verdict: 'pass', keeps: { diagnosis: null, findings: null, code: null } })
  })

  it('AC-08 does not pass with a finding that is an error', () => {
    const read1 = read('review judging', '{"verdict": "pass", "findings": [{"severity": "critical", "description": "SQL from input"}]}')
    expect(read1).toMatchObject({ verdict: 'fail', failures: [{ subject: 'SQL from input' }] })
    expect(read1.warnings).toEqual(['the review passes, with a finding that is an error: it counts as failed'])
  })

  it.each([
    ['its diagnosis', '{"verdict": "fail", "diagnosis": "wrong sign"}', 'wrong sign'],
    ['what it says around the verdict', 'The sign is wrong.\n```json\n{"verdict": "fail"}\n```', 'The sign is wrong.'],
    ['a word for it', '{"verdict": "fail"}', 'the review fails and gives no reason'],
  ])('AC-08 has a failure also when it names none: %s', (_what, text, subject) => {
    expect(read('review judging', text).failures.map((failure) => failure.subject)).toEqual([subject])
  })
})

describe('a review that advises', () => {
  it('IS-18 gives steps without a path the first file of the plan at hand, and keeps those that name one', () => {
    const text = JSON.stringify({ plan: ['turn the sign', { path: 'src/b.py', change: 'test it' }, { path: 'src/c.py' }] })
    expect(read('review', text).keeps).toMatchObject({
      plan: { path: 'iteration-5/now-plan.md', text: '# Plan\n\n1. `src/add.py`: turn the sign\n2. `src/b.py`: test it\n' },
      'plan-files': { path: 'iteration-5/now-plan-files.json', text: '[\n  "src/add.py",\n  "src/b.py"\n]\n' },
    })
    expect(read('review', text, { kept: { 'plan-files': 'broken' } }).keeps['plan']?.text).toContain('1. turn the sign\n')
  })

  it.each([['an empty plan', '{"diagnosis": "x", "plan": []}'], ['steps that say nothing', '{"plan": [{"path": "a.py"}, {}]}'], ['no plan', '{"diagnosis": "x"}']])(
    'IS-18 leaves the plan as it is for %s',
    (_what, text) => {
      expect(Object.keys(read('review', text).keeps)).toEqual(['diagnosis', 'code'])
    },
  )

  it('IS-18 says with a warning that nothing could be read, and keeps nothing of an empty answer', () => {
    expect(shown(read('review', '<think>hm'))).toEqual({ verdict: 'pass', warnings: ['the review cannot be read: the plan stays as it is'] })
  })

  it('lists its findings with the diagnosis, and fails with them only when it says so', () => {
    const findings = [{ path: 'a.py', description: 'wrong sign', fix: 'turn it' }]
    expect(read('review', JSON.stringify({ diagnosis: 'See:', findings }))).toMatchObject({ verdict: 'pass', failures: [], keeps: { diagnosis: { text: 'See:\n- a.py: wrong sign; fix: turn it\n' } } })
    expect(read('review', JSON.stringify({ verdict: 'fail', findings }))).toMatchObject({ verdict: 'fail', failures: [{ subject: 'a.py: wrong sign' }] })
  })
})

describe('an amendment', () => {
  const text = '{"diagnosis": "modulo", "addition": "Sums are modulo 7."}'

  it('IS-15 becomes a copy of the task for the next plan, and the original is kept beside it', () => {
    const { verdict, keeps } = read('amendment', text, { plan: 2 })
    expect(verdict).toBe('pass')
    expect(keeps['task']).toEqual({ path: 'task-3.md', text: '# Task\n\n## Domain Knowledge\n\n[Auto-DK iteration 5] Sums are modulo 7.\n' })
    expect(keeps['task-original']).toEqual({ path: 'task-original.md', text: '# Task\n' })
    expect(keeps['diagnosis']).toEqual({ path: 'iteration-5/now-diagnosis.md', text: 'modulo\n' })
  })

  it('IS-14 is measured from the original, not from the task as it is now', () => {
    const kept = { task: `# Task\n\n${'x'.repeat(100)}\n`, 'task-original': '# Task\n' }
    expect(read('amendment', text, { kept, amendments: { each: 500, all: 100 } })).toMatchObject({
      verdict: 'fail',
      note: 'the task would grow by 165 characters in all, and 100 are allowed',
      keeps: {},
    })
    expect(read('amendment', text, { kept, amendments: { each: 500, all: 200 } }).keeps['task-original']?.text).toBe('# Task\n')
    expect(read('amendment', text, { kept, amendments: { each: 4, all: 200 } }).keeps['task']?.text).toContain('] Sums\n')
  })
})

describe('the forms that prompts ask for', () => {
  const forms = Object.entries(KINDS).map(([name, kind]) => [name, formFor({ ...kind, inText: true })] as const)

  it('are the same as they were', async () => {
    const page = forms.map(([name, form]) => `## ${name}\n\n${form || '(any answer will do)'}\n`).join('\n')
    await expect(page).toMatchFileSnapshot('__golden__/reply-forms.md')
  })

  it.each(forms)('are no answer when they are only repeated: %s', (name, form) => {
    const reading = read(name, `You asked:\n\n${form}\n`)
    expect(reading.files).toEqual([])
    expect(reading.commands).toEqual([])
    expect(reading.failures).toEqual([])
    expect(reading.verdict).toBe({ candidate: 'error', 'plan tests': 'error', 'review judging': 'error', amendment: 'fail' }[name] ?? 'pass')
  })

  it('ask an agent that edits files itself for no blocks', () => {
    expect(formFor({ yields: 'candidate', inText: false })).toBe('')
  })
})

describe('any reply', () => {
  it('is read without an error, whatever was asked for', () => {
    const pieces = fc.constantFrom('{"tests": [', '{"plan": {', '"verdict": "fail"', '=== FILE a ===\n', '=== END ===\n', '<think>', '</think>', '}', ']', '```\n', '{"dk_addition": "x"}')
    const texts = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 10 }).map((list) => list.join(''))
    fc.assert(fc.property(texts, (text) => Object.keys(KINDS).forEach((kind) => void read(kind, text))))
  })

  it('costs little, however long it is', () => {
    for (const junk of ['{"a": ', '=== FILE a ===\n', '<think>{"', '- x\n', 'a.b.', '`', 'a/'.repeat(40)]) {
      for (const kind of Object.keys(KINDS)) expect(read(kind, junk.repeat(300_000 / junk.length))).toBeDefined()
    }
  })
})
