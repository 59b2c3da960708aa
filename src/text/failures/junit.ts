// A check as JUnit XML, for whatever shows test results: every test that is known, and every failure.
import type { Failure, GateResult, Judgement, Report } from '../../core/types.js'
import { cut } from './recorded.js'

/** The tests that a gate has to report, as the baseline found them. */
export type TestList = { ids: readonly string[]; skipped: readonly string[] }

export type JunitInput = {
  session: string
  report: Pick<Report, 'gates' | 'failures'>
  judgement: Pick<Judgement, 'found' | 'excused' | 'flaky'>
  /** By gate; a gate without a list has only its failures to show. */
  tests: Readonly<Record<string, TestList>>
  /** When the check ended, as ISO 8601. */
  timestamp: string
}

type Case = { id: string; failure: Failure | null } & (
  | { status: 'pass' | 'fail' }
  /** Failed and set aside, skipped, or nobody knows. */
  | { status: 'excused' | 'flaky' | 'skipped' | 'unknown'; why: string }
)

type Suite = { gate: string; result: GateResult | null; cases: Case[] }

export function junitOf(input: JunitInput): string {
  const suites = suitesOf(input)
  const body = suites.flatMap((suite) => suiteLines(suite, input.timestamp))
  const totals = countsOf(suites.flatMap(({ cases }) => cases))
  const open = `<testsuites${attributes({ name: `greenlatch ${input.session}`, ...totals })}>`
  return ['<?xml version="1.0" encoding="UTF-8"?>', open, ...body, '</testsuites>', ''].join('\n')
}

// ───────────────────────────── what each test came to ─────────────────────────────

function suitesOf({ report, judgement, tests }: JunitInput): Suite[] {
  const failures = [...report.failures, ...judgement.found]
  const statusOf = statuses(judgement)
  const gates = new Map<string, GateResult | null>(report.gates.map((result) => [result.gate, result]))
  for (const { gate } of failures) if (!gates.has(gate)) gates.set(gate, null)
  return Array.from(gates, ([gate, result]) => {
    const own = failures.filter((failure) => failure.gate === gate)
    return { gate, result, cases: casesOf({ gate, result }, own, Object.hasOwn(tests, gate) ? tests[gate] : undefined, statusOf) }
  })
}

type StatusOf = (failure: Failure) => 'fail' | 'excused' | 'flaky'

function statuses({ excused, flaky }: JunitInput['judgement']): StatusOf {
  const [isExcused, isFlaky] = [new Set(excused), new Set(flaky)]
  return ({ subject }) => (isFlaky.has(subject) ? 'flaky' : isExcused.has(subject) ? 'excused' : 'fail')
}

type Of = Pick<Suite, 'gate' | 'result'>

/** The listed tests in their order, then what failed besides; a gate that names nothing is one test itself. */
function casesOf({ gate, result }: Of, failures: readonly Failure[], list: TestList | undefined, statusOf: StatusOf): Case[] {
  const open = new Map(failures.map((failure) => [failure.subject, failure]))
  const doubt = result === null ? null : doubtIn(result)
  const skipped = new Set(list?.skipped)
  const listed = (list?.ids ?? []).map((id): Case => {
    const failure = open.get(id) ?? open.get(cut(id))
    if (failure) {
      open.delete(failure.subject)
      return failedCase(id, failure, statusOf)
    }
    if (doubt !== null) return { id, failure: null, status: 'unknown', why: doubt }
    return skipped.has(id) ? { id, failure: null, status: 'skipped', why: 'skipped' } : { id, failure: null, status: 'pass' }
  })
  const all = [...listed, ...Array.from(open.values(), (failure) => failedCase(failure.subject, failure, statusOf))]
  if (all.length > 0 || result === null) return all
  const itself = { id: gate, failure: null }
  return [result.exit === 'pass' ? { ...itself, status: 'pass' } : { ...itself, status: 'unknown', why: doubt ?? result.exit }]
}

/** Why a test that is not among the failures cannot be said to have passed; null when it can. */
function doubtIn({ exit, complete, missing, more = 0, note }: GateResult): string | null {
  if (exit === 'not run' || exit === 'error') return note === '' ? exit : `${exit}: ${note}`
  if (exit === 'timeout' || !complete) return 'the run did not come to its end'
  if (missing > 0) return `${missing} of the tests were not reported, or are skipped now`
  return more > 0 ? `${more} failures are not listed` : null
}

function failedCase(id: string, failure: Failure, statusOf: StatusOf): Case {
  const status = statusOf(failure)
  if (status === 'fail') return { id, failure, status }
  const { failed, of } = failure.runs
  return { id, failure, status, why: `${status}, failed ${failed} of ${of}: ${failure.message}` }
}

// ───────────────────────────── XML ─────────────────────────────

function suiteLines({ gate, result, cases }: Suite, timestamp: string): string[] {
  const time = result === null ? {} : { time: result.seconds.toFixed(3) }
  const open = attributes({ name: `gate ${gate}`, ...countsOf(cases), ...time, timestamp })
  const said = result === null ? {} : { exit: result.exit, note: result.note }
  return [`  <testsuite${open}>`, ...properties('    ', said), ...cases.flatMap(caseLines), '  </testsuite>']
}

function countsOf(cases: readonly Case[]): Record<'tests' | 'failures' | 'errors' | 'skipped', number> {
  const failures = cases.filter(({ status }) => status === 'fail').length
  const passed = cases.filter(({ status }) => status === 'pass').length
  return { tests: cases.length, failures, errors: 0, skipped: cases.length - failures - passed }
}

function caseLines(test: Case): string[] {
  const open = `    <testcase${attributes(nameOf(test.id))}`
  if (test.status === 'pass') return [`${open}/>`]
  const { failure } = test
  const said = {
    status: test.status,
    ...(failure && { class: failure.class, fingerprint: failure.fingerprint, runs: `${failure.runs.failed} of ${failure.runs.of}` }),
    ...(failure?.before && { runs_at_start: `${failure.before.failed} of ${failure.before.of}` }),
  }
  return [`${open}>`, ...properties('      ', said), problemLine(test), '    </testcase>']
}

function problemLine(test: Case): string {
  switch (test.status) {
    case 'pass':
      return ''
    case 'fail': {
      const { message = '', class: kind = 'behaviour' } = test.failure ?? {}
      return `      <failure${attributes({ message, type: typeOf(message) ?? kind })}>${escaped(message)}</failure>`
    }
    case 'excused':
    case 'flaky':
    case 'skipped':
    case 'unknown':
      return `      <skipped${attributes({ message: test.why })}/>`
  }
}

/** The type of an error where the message begins with one. */
function typeOf(message: string): string | null {
  return /^([A-Za-z_][\w.$]*(?:Error|Exception|Failure|Failed))(?:\b|$)/.exec(message)?.[1] ?? null
}

/** Ids name a file, then the test. */
function nameOf(id: string): Record<string, string> {
  const at = id.indexOf('::')
  if (at <= 0 || at + 2 === id.length) return { name: id }
  const file = id.slice(0, at)
  return { name: id.slice(at + 2), classname: file, file }
}

function properties(indent: string, values: Readonly<Record<string, string>>): string[] {
  const lines = Object.entries(values).map(([name, value]) => `${indent}  <property${attributes({ name: `greenlatch.${name}`, value })}/>`)
  return lines.length === 0 ? [] : [`${indent}<properties>`, ...lines, `${indent}</properties>`]
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values).map(([name, value]) => ` ${name}="${escapedValue(String(value))}"`).join('')
}

/** What XML 1.0 cannot hold at all, escaped or not, and control characters that it would let through. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const UNFIT = /[^\t\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

function escaped(text: string): string {
  return text.replace(UNFIT, '\ufffd').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;')
}

/** Readers turn plain line breaks in a value into spaces. */
function escapedValue(text: string): string {
  return escaped(text).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')
}
