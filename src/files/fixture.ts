// For tests with real files: a folder that is removed afterwards, and child processes that run our own modules.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { onTestFinished } from 'vitest'

export function temporaryFolder(base: string = tmpdir()): string {
  const folder = mkdtempSync(join(base, 'greenlatch-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Makes a script that may import our modules relative to `src/` runnable by a plain node process. */
export function bundle(source: string): string {
  const outfile = join(temporaryFolder(), 'child.mjs')
  const resolveDir = join(dirname(fileURLToPath(import.meta.url)), '..')
  const stdin = { contents: source, resolveDir, loader: 'ts' } as const
  buildSync({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
  return outfile
}

/** Runs a program and returns what it printed; a program that is missing or fails is an error that says so. */
export function run(argv: readonly [string, ...string[]]): string {
  const [program, ...rest] = argv
  const { status, error, stdout, stderr } = spawnSync(program, rest, { encoding: 'utf8' })
  if (error || status !== 0) throw new Error(`this test needs ${argv.join(' ')} to work: ${error?.message ?? `exit ${status}: ${stderr}`}`)
  return stdout
}
