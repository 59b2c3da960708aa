// Where vitest leaves its results, how it is told to, and how they are read back.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
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
  return ['npm', 'run', '--silent', `test:${project}`, '--', ...reporters]
}

/** What vitest wrote for one project; undefined when it wrote nothing. */
export function readResults(folder, project) {
  const path = resultsPath(folder, project)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

function resultsPath(folder, project) {
  return join(folder, `${project}.json`)
}
