// A world small enough to be a value: a project is a list of tests, and a state of its files says which of them fail.
import { emptyReport, shortHash, type Effect, type Failure, type GateResult, type Report, type Tree } from '../core/index.js'
import type { Random } from './random.js'

export const GATE = 'tests'
const ASK_SECONDS = 120
const CHECK_SECONDS = 20

/** `red` are the failing tests, each with the way it fails behind a `#`; `variant` tells apart files that fail alike. */
export type State = { red: readonly string[]; variant: string; lines: number }

/** `flaky` are tests that fail with the chance `flakyRate` on whatever an agent has changed. */
export type Project = { tests: readonly string[]; start: State; flaky: readonly string[]; flakyRate: number }

/** What an agent comes back with. `breaches` are what it touched and may not, and are taken back before anything is checked. */
export type Move =
  | { kind: 'edit'; state: State; breaches?: readonly Breach[]; says?: 'done' }
  | { kind: 'unavailable' | 'broken' }

export type Breach = { class: 'scope' | 'integrity'; subject: string }

export function makeProject(random: Random, { flaky = 0, red = 1 + random.below(4) }: { flaky?: number; red?: number } = {}): Project {
  const tests = Array.from({ length: 12 }, (_, place) => `suite › test ${place + 1}`)
  const start = { red: tests.slice(0, red), variant: 'start', lines: 0 }
  return { tests, start, flaky: tests.slice(tests.length - flaky), flakyRate: 0.5 + random.next() / 5 }
}

export function treeOf({ red, variant, lines }: State): Tree {
  return `${red.toSorted().join(',')}|${variant}|${lines}`
}

export function stateOf(tree: Tree): State {
  const [red = '', variant = '', lines = ''] = tree.split('|')
  return { red: red === '' ? [] : red.split(','), variant, lines: Number(lines) }
}

export function testOf(red: string): string {
  return red.split('#')[0] ?? red
}

/** Whether the work is really done, whatever a gate happened to say. */
export function isRight({ red, variant }: State, { flaky }: Project): boolean {
  return red.length === 0 && variant !== 'start' && flaky.length === 0
}

// ───────────────────────────── reports ─────────────────────────────

export function candidateReport(effect: Effect, move: Move): Report {
  const report = { ...emptyReport(effect), spent: { seconds: ASK_SECONDS, tokens: 5000, usd: 0 } }
  switch (move.kind) {
    case 'unavailable':
      return { ...report, verdict: 'error', cause: 'infrastructure', note: 'connection refused' }
    case 'broken':
      return { ...report, verdict: 'error', cause: 'agent', note: 'exit status 1' }
    case 'edit': {
      const tree = treeOf(move.state)
      const failures = (move.breaches ?? []).map(breachOf)
      return { ...report, tree, failures, changed: tree === effect.tree ? '' : `src/main.ts +${move.state.lines}` }
    }
  }
}

/** A flaky test never fails on the files the session began with: it is the change that made it so. */
export function checkReport(random: Random, effect: Extract<Effect, { kind: 'check' }>, { flaky, flakyRate }: Project): Report {
  const state = stateOf(effect.tree)
  const firm = state.red.map((red) => failureOf(red, { failed: 1, of: 1 }))
  const chance = state.variant === 'start' ? [] : flaky.flatMap((test) => flakyFailure(effect, test, () => random.chance(flakyRate)))
  const failures = [...firm, ...chance]
  const verdict = failures.length > 0 ? 'fail' : 'pass'
  const result: Omit<GateResult, 'gate'> = { exit: verdict, complete: true, known: true, missing: 0, seconds: CHECK_SECONDS, note: '' }
  const gates = effect.gates.map((gate): GateResult => ({ gate, ...result }))
  const sealed = effect.sealed ? { tree: effect.tree, pins: 'pins' } : null
  const spent = { seconds: CHECK_SECONDS, tokens: 0, usd: 0 }
  return { ...emptyReport(effect), verdict, gates, failures, sealed, diffLines: state.lines, spent }
}

function flakyFailure({ reruns, confirm, sealed }: Extract<Effect, { kind: 'check' }>, test: string, fails: () => boolean): Failure[] {
  const looks = Array.from({ length: 1 + confirm }, fails)
  if (!looks.includes(true)) return []
  const again = Array.from({ length: reruns }, fails)
  const runs = [...looks, ...again]
  const failed = runs.filter(Boolean).length
  const before = sealed && failed < runs.length ? { before: { failed: 0, of: 1 + reruns } } : {}
  return [{ ...failureOf(test, { failed, of: runs.length }), ...before }]
}

function failureOf(red: string, runs: Failure['runs']): Failure {
  const subject = testOf(red)
  return { gate: GATE, subject, class: 'behaviour', fingerprint: shortHash(red), message: `${subject} fails`, runs }
}

function breachOf({ class: kind, subject }: Breach): Failure {
  const fingerprint = shortHash(`${kind} ${subject}`)
  return { gate: kind, subject, class: kind, fingerprint, message: `${subject} was changed`, runs: { failed: 1, of: 1 } }
}

/** What a reviewer wants changed; no finding is a pass. */
export function reviewReport(effect: Effect, findings: readonly string[]): Report {
  const report = { ...emptyReport(effect), spent: { seconds: ASK_SECONDS, tokens: 3000, usd: 0 } }
  const failures = findings.map((subject): Failure => ({
    gate: effect.phase, subject, class: 'behaviour', fingerprint: shortHash(subject), message: subject, runs: { failed: 1, of: 1 },
    finding: { category: 'style', severity: 'error', path: 'src/main.ts', snippet: '', fix: '' },
  }))
  return { ...report, verdict: failures.length > 0 ? 'fail' : 'pass', failures }
}
