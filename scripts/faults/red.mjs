// Takes each countermeasure out of a copy of the sources, runs the test that shows it, and expects it to fail; `--page` writes docs/threats.md.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../results.mjs'
import { THREATS, threatsPage } from './threats.mjs'

const COPIED = ['src', 'test', 'scripts', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts', 'dist', 'README.md', 'AGENTS.md', 'ARCHITECTURE.md', 'CHANGELOG.md']
const MOST_MINUTES = 5

if (import.meta.url === pathToFileURL(process.argv[1]).href && process.argv.includes('--page')) writeFileSync(join(root, 'docs/threats.md'), threatsPage())

/** `{ id, test, isGreenBefore, isRed }` for each; `ids` when only some are wanted. */
export function seeRed(ids = null, onProgress = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'greenlatch-red-'))
  try {
    for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true, force: true, verbatimSymlinks: true })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    return THREATS.filter(({ id, off }) => off && (ids?.includes(id) ?? true)).map((threat) => {
      const seen = tryWithout(folder, threat)
      onProgress(seen)
      return seen
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function tryWithout(folder, { id, off: { file, find, becomes, test } }) {
  const path = join(folder, file)
  const whole = readFileSync(path, 'utf8')
  if (whole.split(find).length !== 2) throw new Error(`${id}: "${find}" does not stand exactly once in ${file}`)
  const green = failedTests(folder, test)
  writeFileSync(path, whole.replace(find, () => becomes))
  const red = failedTests(folder, test)
  writeFileSync(path, whole)
  return { id, file, test, isGreenBefore: green === 0, failed: red, isRed: red > 0 }
}

/** How many of its tests fail; NaN when it cannot be told, such as where a file does not load. */
function failedTests(folder, test) {
  const isWhole = test.startsWith('test/')
  if (isWhole) spawnSync(process.execPath, ['scripts/build.mjs', '--no-types'], { cwd: folder, stdio: 'ignore' })
  const out = join(folder, 'results.json')
  rmSync(out, { force: true })
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', isWhole ? 'e2e' : 'unit*', '--reporter=json', `--outputFile=${out}`, test]
  spawnSync(process.execPath, args, { cwd: folder, stdio: 'ignore', timeout: MOST_MINUTES * 60_000 })
  try {
    return JSON.parse(readFileSync(out, 'utf8')).numFailedTests
  } catch {
    return Number.NaN
  }
}
