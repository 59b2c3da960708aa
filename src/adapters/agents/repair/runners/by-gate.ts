// Tries candidates with the gate's own command: one process for each, for runners that cannot be kept warm.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Effect, Failure } from '../../../../core/types.js'
import type { AskRequest, Gate, GateOutcome } from '../../../../ports.js'
import type { Copies } from '../copy.js'
import { NOTHING_WON, type Checker, type Trial, type Verdict } from './types.js'

export type GateOptions = { gate: Gate; request: AskRequest; copies: Copies; signal: AbortSignal }

const LEAST_SECONDS = 20
const TIMES = 5

export type GateRuns = {
  run(root: string, only: readonly string[] | null, wallSeconds: number): Promise<Exclude<GateOutcome, 'aborted'> | null>
}

/** Runs a gate in a copy, as a check of its own that no journal hears of. */
export function gateRuns({ gate, request, copies, signal }: GateOptions): GateRuns {
  let runs = 0
  return {
    async run(root, only, wallSeconds) {
      runs += 1
      const effect: Extract<Effect, { kind: 'check' }> = {
        ...request.effect,
        kind: 'check',
        gates: [gate.name],
        baseline: false,
        sealed: false,
        reruns: 0,
        confirm: 0,
      }
      const limits = { ...request.limits, wallSeconds, silenceSeconds: wallSeconds }
      const base = join(copies.folder, `run-${runs}-${gate.name}`)
      const outcome = await gate.run(
        { session: request.session, effect, cwd: root, base, limits, only, tests: [], onActivity: () => {} },
        signal,
      )
      return outcome === 'aborted' ? null : outcome
    },
  }
}

export function gateChecker(options: GateOptions): Checker {
  const runs = gateRuns(options)
  const { copies, request } = options
  let [targets, before, wallSeconds]: [readonly string[], readonly Failure[], number] = [[], [], request.limits.wallSeconds]
  return {
    lanes: copies.roots.length,
    async first() {
      const outcome = await runs.run(copies.roots[0] ?? '', null, wallSeconds)
      if (!outcome || outcome.result.exit === 'error' || outcome.failures.length === 0) return null
      before = outcome.failures
      wallSeconds = Math.min(wallSeconds, Math.max(LEAST_SECONDS, outcome.result.seconds * TIMES))
      // Gates tell of everything from the top.
      return { folder: '', tests: before.map(({ subject, message }) => ({ id: subject, passed: false, lines: {}, message })), loaded: {} }
    },
    aim(wanted) {
      targets = wanted
    },
    // The command says nothing of values.
    whatIf: async () => null,
    async try(trial, lane) {
      const root = copies.roots[lane] ?? ''
      return withText(root, trial, async () => {
        const few = await runs.run(root, targets, wallSeconds)
        const fixed = few && passing(few, targets)
        if (!fixed || fixed.length === 0) return NOTHING_WON
        const all = await runs.run(root, null, wallSeconds)
        return all ? verdictOf(all, targets, before) : NOTHING_WON
      })
    },
    close: async () => {},
  }
}

function passing({ result, failures }: Exclude<GateOutcome, 'aborted'>, targets: readonly string[]): string[] {
  if (result.exit !== 'pass' && (result.exit !== 'fail' || failures.length === 0)) return []
  return targets.filter((id) => !failures.some(({ subject }) => subject === id))
}

function verdictOf(outcome: Exclude<GateOutcome, 'aborted'>, targets: readonly string[], before: readonly Failure[]): Verdict {
  const broken = outcome.failures.map(({ subject }) => subject).filter((id) => !before.some(({ subject }) => subject === id))
  return { fixed: passing(outcome, targets), broken, note: '' }
}

export async function withText<T>(root: string, { path, text }: Trial, work: () => Promise<T>): Promise<T> {
  const file = join(root, path)
  const before = readFileSync(file)
  try {
    writeFileSync(file, text)
    return await work()
  } finally {
    writeFileSync(file, before)
  }
}
