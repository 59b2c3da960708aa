// Lays out, for one run of a gate, the folder of shims through which test runners report by themselves, and the environment for it.
import { mkdirSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { makeScratch } from '../../../files/durable.js'
import { openOwnedFolder } from '../../../files/owned-folder.js'
import { HELPERS } from './helpers.js'
import { onlyLists } from './only.js'
import { commonText, type ShimSettings } from './shim-common.js'
import { NODE_SHIM, runnerShim } from './shim-javascript.js'
import { CARGO_SHIM, GO_SHIM, pytestShim, pythonShim, SCRIPT_SHELL } from './shim-others.js'

type Variables = Readonly<Record<string, string | undefined>>

export type ShimOptions = {
  /** Absolute path without ending, beside which the folder is made. */
  base: string
  /** The checkout. */
  root: string
  /** What the command would find in its environment without us. */
  environment: Variables
  only: readonly string[] | null
  testTimeoutSeconds: number | null
}

export type Shims = {
  /** To be added to the environment of the command. */
  environment: Record<string, string>
  /** Where reports come to lie. */
  reports: string
  /** All of it; whoever had it laid takes it away. */
  folder: string
  /** When it was ready, by the clock of the file system. */
  laidAt: bigint
}

const SHIMS: Readonly<Record<string, string>> = {
  node: NODE_SHIM,
  vitest: runnerShim('vitest'),
  jest: runnerShim('jest'),
  mocha: runnerShim('mocha'),
  pytest: pytestShim('pytest'),
  'py.test': pytestShim('py.test'),
  python: pythonShim('python'),
  python3: pythonShim('python3'),
  go: GO_SHIM,
  cargo: CARGO_SHIM,
}

/** Where a pytest that is not started by its shim writes: what the two variables stand for is filled in by pytest. */
export const PYTEST_FOLDER = 'pytest'
export const PYTEST_FILE = join('$PYTEST_CURRENT_TEST', 'pytest.xml')

export function layShims(options: ShimOptions): Shims {
  const { environment } = options
  const folder = freshFolder(options.base)
  const [bin, lib, reports, only] = ['bin', 'lib', 'reports', 'only'].map((name) => join(folder, name)) as [string, string, string, string]
  for (const path of [bin, join(lib, 'python'), reports, only]) mkdirSync(path, { recursive: true, mode: 0o700 })
  const addopts = `--junitxml='${join(reports, PYTEST_FOLDER)}$PWD/${PYTEST_FILE}' -o junit_family=xunit1`
  writeAll(bin, lib, environment['PATH'] ?? '', {
    bin, lib, reports, addopts, node: process.execPath,
    only: options.only && only,
    testTimeoutSeconds: options.testTimeoutSeconds,
    scriptShell: environment['npm_config_script_shell'] ?? null,
  })
  const lists = options.only ? onlyLists(options.only, realpathSync(options.root)) : {}
  for (const [name, text] of Object.entries(lists)) write(join(only, name), text)
  return {
    environment: {
      PATH: [bin, environment['PATH'] ?? '/usr/bin:/bin'].join(delimiter),
      npm_config_script_shell: join(lib, 'script-shell'),
      GREENLATCH_REPORTS: reports,
      PYTEST_ADDOPTS: [environment['PYTEST_ADDOPTS'], addopts].filter(Boolean).join(' '),
    },
    reports,
    folder,
    laidAt: statSync(lib, { bigint: true }).ctimeNs,
  }
}

/** A program that is not there gets no shim: commands look for programs before they use them. */
function writeAll(bin: string, lib: string, path: string, settings: ShimSettings): void {
  const common = commonText(settings)
  for (const [name, text] of Object.entries(SHIMS)) if (isOnPath(name, path)) writeProgram(join(bin, name), common + text)
  writeProgram(join(lib, 'script-shell'), common + SCRIPT_SHELL)
  for (const [name, text] of Object.entries(HELPERS)) write(join(lib, name), text)
}

function writeProgram(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}`, { mode: 0o700, flag: 'wx' })
}

function write(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
}

/** Some characters mean something in PATH, or to pytest; a folder that has them is not used. */
function freshFolder(base: string): string {
  if (/[:$'"\\~\n]/.test(base)) return openOwnedFolder('gate').folder
  mkdirSync(dirname(base), { recursive: true, mode: 0o700 })
  removeLeftovers(base)
  return makeScratch(`${base}.run-`)
}

function isOnPath(name: string, path: string): boolean {
  return path.split(delimiter).some((folder) => isProgram(join(folder || '.', name)))
}

function isProgram(path: string): boolean {
  try {
    const entry = statSync(path, { throwIfNoEntry: false })
    return entry !== undefined && entry.isFile() && (entry.mode & 0o111) !== 0
  } catch {
    return false
  }
}

/** No two runs have the same base, so what lies there was left by a run of it that was killed. */
function removeLeftovers(base: string): void {
  const prefix = `${basename(base)}.run-`
  for (const name of readdirSync(dirname(base)).filter((entry) => entry.startsWith(prefix))) rmSync(join(dirname(base), name), { recursive: true, force: true })
}
