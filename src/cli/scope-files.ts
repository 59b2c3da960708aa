// The files that an agent may have to change, for one that cannot look at them itself and has no plan that names them.
import { readdirSync, type Dirent } from 'node:fs'
import { basename, join } from 'node:path'
import { DEPENDENCY_NAMES } from '../adapters/workspace/copy-folders.js'
import type { Session } from '../core/index.js'
import type { Folder, TextFile } from '../ports.js'
import { mayChange, type ScopeRules } from '../text/scope.js'
import { shownFiles } from './plan-files.js'

const MOST_ENTRIES = 5000
const MOST_FILES = 100
const MADE_NAMES: ReadonlySet<string> = new Set([...DEPENDENCY_NAMES, 'dist', 'build', 'target', 'vendor', '__pycache__'])

/** `below` is where the agent works, as a path from the root that the rules count from. */
export type Around = { cwd: string; below: string; rules: ScopeRules; promptTokens: number }

/** What is named by failing tests, the task or the changes so far comes first; then whatever may be changed. */
export function scopeFiles(session: Session, folder: Pick<Folder, 'read'>, { cwd, below, rules, promptTokens }: Around): TextFile[] {
  const may = mayChange(rules)
  const all = filesBelow(cwd).filter((path) => may(join(below, path)))
  const told = ['task', 'changes'].map((name) => session.kept[name] && folder.read(session.kept[name].path)).join('\n')
  const isTold = (path: string): boolean => told.includes(path) || told.includes(basename(path))
  const paths = [...new Set([...testsIn(session), ...all.filter(isTold), ...all])]
  const rest = paths.length - MOST_FILES
  const more = rest > 0 ? [{ path: `and ${rest} more`, text: '(not shown here)' }] : []
  return [...shownFiles(paths.slice(0, MOST_FILES), cwd, promptTokens), ...more]
}

/** Nothing of a gate that is kept back. */
function testsIn({ facing, when }: Session): string[] {
  const seen = facing.filter(({ gate }) => when[gate] !== 'sealed')
  return seen.flatMap(({ subject }) => /^([^:\s]+\.\w+)::/.exec(subject)?.[1] ?? [])
}

/** The shallow ones first. Hidden files may hold secrets, and what was made or installed is nobody's to write. */
function filesBelow(root: string): string[] {
  const files: string[] = []
  const folders = ['']
  let entries = 0
  for (let at = folders.shift(); at !== undefined && entries < MOST_ENTRIES; at = folders.shift()) {
    for (const entry of entriesOf(join(root, at))) {
      entries += 1
      if (entry.name.startsWith('.') || MADE_NAMES.has(entry.name)) continue
      if (entry.isDirectory()) folders.push(join(at, entry.name))
      else if (entry.isFile()) files.push(join(at, entry.name))
    }
  }
  return files
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((one, other) => (one.name < other.name ? -1 : 1))
  } catch {
    return []
  }
}
