// Names what was done to the tests of a file: deleted, skipped, focused, emptied, weakened, expected values edited, with lines.
import { firstChangedLine } from '../hunks.js'
import { isSameRest, onlyGainsTests, restOf } from './additions.js'
import { blocksOf, outside, type Block } from './blocks.js'
import { deedsOn, type Deed, type What } from './compare.js'
import { buildConstraint, marksIn, newMark, type Mark } from './marks.js'
import { compact, languageOf, sourceOf, tokensOf, type Source } from './source.js'

export type TestFinding = {
  file: string
  /** In the file as it is now; for what is gone, as it was. */
  line: number
  what: What
  /** Its name with the suites it stands in; null for what concerns no single test. */
  test: string | null
  /** For people: `line 4: skipped "adds"`. */
  text: string
}

/** Null for a file that is not there. */
export type TestFile = { path: string; before: string | null; after: string | null }

type Side = { source: Source; blocks: Block[] }

const EXPECTED_VALUES = /(?:^|\/)(?:__snapshots__|__golden__|golden|snapshots?)\/|\.(?:snap|golden|ambr|approved\.\w+|verified\.\w+|expected\.\w+)$/i

/** A longer file is not taken apart. */
const LONGEST_SOURCE_CHARS = 300_000

/** Nothing for a file whose tests are all as they were, with or without new ones. */
export function testChanges({ path, before, after }: TestFile): TestFinding[] {
  if (before === after || (before === null && after === null)) return []
  const language = languageOf(path)
  if (language === null || Math.max(before?.length ?? 0, after?.length ?? 0) > LONGEST_SOURCE_CHARS) {
    return before === null ? [] : [plainFinding(path, before, after)]
  }
  const [old, now] = [sideOf(before ?? '', language), sideOf(after ?? '', language)]
  if (before === null) return focusedIn(path, now)
  if (after === null) return deletedFrom(path, old)
  const findings = [...testFindings(path, old, now), ...fileFindings(path, old, now)]
  if (findings.length > 0) return findings
  return onlyGainsTests(old, now) ? [] : [finding(path, { what: 'changed', line: firstChangedLine(before, after), detail: '' }, null)]
}

/** Whether a file that is no test file holds tests all the same, as sources in Rust do. */
export function holdsTests(path: string, text: string): boolean {
  const language = languageOf(path)
  if (language === 'rust') return /#\[\s*(?:cfg\s*\(\s*test\b|(?:\w+::)*(?:test|rstest|test_case)\b)/.test(text)
  return language === 'javascript' && /\bimport\.meta\.vitest\b/.test(text)
}

/** Of a file that holds tests among other things, what was done to the tests alone. */
export function inlineTestChanges(file: TestFile): TestFinding[] {
  const language = languageOf(file.path)
  if (language === null || file.before === null) return []
  if (Math.max(file.before.length, file.after?.length ?? 0) > LONGEST_SOURCE_CHARS) return fewerTests(file.path, file.before, file.after ?? '')
  const [old, now] = [sideOf(file.before, language), sideOf(file.after ?? '', language)]
  return file.after === null ? deletedFrom(file.path, old) : [...testFindings(file.path, old, now), ...aroundTests(file.path, old, now)]
}

/** All that can be told of a long source: its tests are counted. */
function fewerTests(path: string, before: string, after: string): TestFinding[] {
  const [was, is] = [before, after].map((text) => text.match(TEST_ATTRIBUTES)?.length ?? 0) as [number, number]
  return is < was ? [finding(path, { what: 'deleted', line: 1, detail: `${is} of ${was} tests left` }, null)] : []
}

const TEST_ATTRIBUTES = /#\[\s*(?:\w+::)*(?:test|rstest|test_case)\b|\b(?:it|test)\s*\(/g

/** What stands beside the tests in a module that is there for them alone. */
function aroundTests(path: string, old: Side, now: Side): TestFinding[] {
  const modules = old.blocks.filter(({ kind, start, body }) => kind === 'suite' && /#\[\s*cfg\s*\(\s*test\b/.test(old.source.code.slice(start, body)))
  return modules.flatMap((was): TestFinding[] => {
    const is = now.blocks.find(({ kind, name }) => kind === 'suite' && name === was.name)
    if (!is || isSameRest(restOf(old.source, testsOf(old), was.start, was.end), restOf(now.source, testsOf(now), is.start, is.end))) return []
    return [finding(path, { what: 'changed', line: is.line, detail: `beside the tests of ${was.name}` }, null)]
  })
}

function sideOf(text: string, language: Source['language']): Side {
  const source = sourceOf(text, language)
  return { source, blocks: blocksOf(source) }
}

// ───────────────────────────── tests ─────────────────────────────

function testFindings(path: string, old: Side, now: Side): TestFinding[] {
  const after = new Map(testsOf(now).map((block) => [block.name, block]))
  const known = new Set(testsOf(old).map(({ name }) => name))
  const lost = testsOf(old).filter(({ name }) => !after.has(name))
  const gained = testsOf(now).filter(({ name }) => !known.has(name))
  const bodies = new Map(gained.map((block) => [bodyOf(now.source, block), block.name]))
  const deleted = lost.map((block) => {
    const renamed = bodies.get(bodyOf(old.source, block))
    return finding(path, { what: 'deleted', line: block.line, detail: renamed === undefined ? '' : `now "${renamed}"` }, block.name)
  })
  const kept = testsOf(old).flatMap((block) => {
    const is = after.get(block.name)
    return is ? deedsOn({ source: old.source, block }, { source: now.source, block: is }).map((deed) => finding(path, deed, block.name)) : []
  })
  return [...deleted, ...kept, ...gained.flatMap((block) => focusOf(path, now.source, block)), ...replacedIn(path, old, now)]
}

/** In Python the last definition of a name is the one that counts. */
function replacedIn(path: string, old: Side, now: Side): TestFinding[] {
  if (now.source.language !== 'python') return []
  const known = new Set(old.blocks.map(({ name }) => name))
  const again = now.blocks.filter(({ name }) => !known.has(name) && / #\d+$/.test(name))
  return again.map(({ name, line }) => finding(path, { what: 'deleted', line, detail: 'defined again here' }, name.replace(/ #\d+$/, '')))
}

function testsOf({ blocks }: Side): Block[] {
  return blocks.filter(({ kind }) => kind === 'test')
}

function bodyOf(source: Source, { body, end }: Block): string {
  return compact(tokensOf(source, body, end))
}

/** A new test that is focused keeps the others from running. */
function focusedIn(path: string, now: Side): TestFinding[] {
  return testsOf(now).flatMap((block) => focusOf(path, now.source, block))
}

function focusOf(path: string, source: Source, block: Block): TestFinding[] {
  const [at] = [...marksIn(source, 'focused', block.start, block.body), ...block.suites.flatMap(({ start, body }) => marksIn(source, 'focused', start, body))]
  return at === undefined ? [] : [finding(path, { what: 'focused', line: source.line(at), detail: '' }, block.name)]
}

function deletedFrom(path: string, old: Side): TestFinding[] {
  const tests = testsOf(old)
  if (tests.length === 0) return [finding(path, { what: 'deleted', line: 1, detail: 'the file' }, null)]
  return tests.map(({ line, name }) => finding(path, { what: 'deleted', line, detail: '' }, name))
}

// ───────────────────────────── outside of tests ─────────────────────────────

const FILE_MARKS: readonly (readonly [Mark, What, string])[] = [
  ['skipped', 'skipped', 'for the whole file'],
  ['expected to fail', 'weakened', 'expected to fail, for the whole file'],
  ['mocked', 'weakened', 'more is mocked'],
]

function fileFindings(path: string, old: Side, now: Side): TestFinding[] {
  const constraint = buildConstraint(now.source.text)
  const built = now.source.language === 'go' && constraint !== buildConstraint(old.source.text)
    ? [finding(path, { what: 'skipped', line: now.source.line(now.source.text.indexOf(constraint)), detail: 'a build constraint' }, null)]
    : []
  return [...built, ...FILE_MARKS.flatMap(([mark, what, detail]): TestFinding[] => {
    const at = newMark({ source: old.source, marks: outsideMarks(old, mark) }, { source: now.source, marks: outsideMarks(now, mark) })
    return at === null ? [] : [finding(path, { what, line: now.source.line(at), detail }, null)]
  })]
}

function outsideMarks({ source, blocks }: Side, mark: Mark): number[] {
  return outside(marksIn(source, mark, 0, source.code.length), blocks)
}

function plainFinding(path: string, before: string, after: string | null): TestFinding {
  if (after === null) return finding(path, { what: 'deleted', line: 1, detail: 'the file' }, null)
  const what = EXPECTED_VALUES.test(path) ? 'expected value edited' : 'changed'
  return finding(path, { what, line: firstChangedLine(before, after), detail: '' }, null)
}

function finding(file: string, { what, line, detail }: Deed, test: string | null): TestFinding {
  const name = test === null ? '' : ` "${test}"`
  return { file, line, what, test, text: `line ${line}: ${what}${name}${detail === '' ? '' : ` (${detail})`}` }
}
