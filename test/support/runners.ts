// Small projects with real tests for each runner, and the command gate run on them.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { commandGate, type CommandGateOptions } from '../../src/adapters/gates/command.js'
import type { GateOutcome, GateRequest } from '../../src/ports.js'
import { childEnvironment } from '../../src/process/environment.js'
import { noSandbox } from '../../src/adapters/sandbox/none.js'

export type Heard = Exclude<GateOutcome, 'aborted'>

const MODULES = join(import.meta.dirname, '../../node_modules')
const EFFECT: GateRequest['effect'] = {
  kind: 'check', id: '4.check', phase: 'check', iteration: 1, plan: 0, tree: 't', pins: 'start', base: 'check', opensIteration: false, opensPlan: false,
  gates: ['tests'], baseline: false, sealed: false, reruns: 0, confirm: 0,
}

const top = realpathSync(mkdtempSync(join(tmpdir(), 'greenlatch-runners-')))
afterAll(() => rmSync(top, { recursive: true, force: true, maxRetries: 5 }))
let projects = 0
let runs = 0

/** A folder with these files, and with our own packages for those that need a runner from there. */
export function project(files: Record<string, string>): string {
  const folder = join(top, `project-${(projects += 1)}`)
  mkdirSync(folder)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  if ('package.json' in files) symlinkSync(MODULES, join(folder, 'node_modules'))
  return folder
}

/** Compiled Rust is shared between projects; compiled Go is between all tests. */
const SHARED = { CARGO_TARGET_DIR: join(top, 'cargo'), RUST_BACKTRACE: '0' }

type Rest = Partial<CommandGateOptions> & { only?: readonly string[] }

export async function check(cwd: string, run: CommandGateOptions['run'], { only, ...rest }: Rest = {}): Promise<Heard> {
  const base = join(top, 'session', `check-${(runs += 1)}`)
  mkdirSync(dirname(base), { recursive: true })
  const limits = { wallSeconds: 110, silenceSeconds: 110, outputBytes: 8 * 1024 * 1024 }
  const gate = commandGate({ sandbox: noSandbox(), name: 'tests', run, ...rest, env: { ...SHARED, ...rest.env } })
  const request = { session: 's1', effect: EFFECT, cwd, base, limits, only: only ?? null, tests: [], onActivity: () => {} }
  const outcome = await gate.run(request, new AbortController().signal)
  if (outcome === 'aborted') throw new Error('aborted')
  return outcome
}

/** How the command ends without us. */
export function bareExit(cwd: string, run: string): number | null {
  const env = childEnvironment(process.env, { cwd, tree: '', extra: SHARED })
  return spawnSync('/bin/sh', ['-c', run], { cwd, env, stdio: 'ignore' }).status
}

/** Sorted, as runners are free in their order. */
export function summary({ result, failures, ids, skipped }: Heard) {
  return {
    exit: result.exit, known: result.known, complete: result.complete,
    failing: failures.map(({ subject }) => subject).toSorted(), ids: ids?.toSorted() ?? null, skipped: skipped.toSorted(),
  }
}

export function logOf({ files }: Heard): string {
  return files.map((path) => readFileSync(path, 'utf8')).join('')
}

/** A project in which the same tests are reached in several ways. */
export function wrapped(command: string, files: Record<string, string>, made = command): string {
  const scripts = { test: command, lint: 'sh lint.sh' }
  const lint = { 'lint.sh': 'echo "src/a.js:3:1: error: unused"\nexit 3\n' }
  const makefile = `.PHONY: test\ntest:\n\t${made}\n`
  return project({ ...lint, 'package.json': JSON.stringify({ private: true, scripts }), Makefile: makefile, ...files })
}
