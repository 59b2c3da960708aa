// Where vitest leaves its results, how it is told to, and how they are read back.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
export const PROJECTS = ['unit', 'e2e']
export const resultsFolder = join(root, '.cache', 'results')

/** The command that runs one project afresh; what an earlier run left is removed, so it can never be taken for this one's. */
export function vitestCommand(project) {
  const path = resultsPath(resultsFolder, project)
  mkdirSync(resultsFolder, { recursive: true })
  rmSync(path, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`]
  return inMemory(['npm', 'run', '--silent', `test:${project}`, '--', ...reporters])
}

/**
 * With temporary folders in memory, where that can be had: a session syncs more than a hundred times, and a disk takes longer for these
 * than all programs for their work. What becomes of files on a disk that fails or loses power is tried by the fault runs.
 */
export function inMemory(command) {
  const folder = mkdtempSync(join(tmpdir(), 'gl-'))
  process.on('exit', () => rmdirSync(folder))
  const inside = (argv) => ['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs -o mode=1777 tmpfs "$0" && TMPDIR="$0" exec "$@"', folder, ...argv]
  const [program, ...args] = inside(['true'])
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0 ? inside(command) : command
}

/** What vitest wrote for one project; undefined when it wrote nothing. */
export function readResults(folder, project) {
  const path = resultsPath(folder, project)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

function resultsPath(folder, project) {
  return join(folder, `${project}.json`)
}
