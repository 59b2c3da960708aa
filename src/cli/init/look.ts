// Looks at a folder for `init`: names of files near its root and the texts of manifests, within bounds, running nothing.
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { worthReading, type Repository } from '../../text/project/folder.js'

const DEEPEST = 4
const MOST_FILES = 5000
const LARGEST_BYTES = 262_144
/** Made by tools, or somebody else's. What begins with a dot is passed over as well. */
const PASSED_OVER = new Set(['node_modules', 'vendor', 'target', 'dist', 'build', 'out', 'coverage', 'venv', 'env', '__pycache__', 'site-packages', 'bower_components'])
/** Not looked into, but worth knowing of. */
const INSIDE = ['.venv/bin/python', 'node_modules/greenlatch/dist/greenlatch.schema.json']

export function lookAt(root: string): Repository {
  const files = [...filesIn(root), ...INSIDE.filter((path) => existsSync(join(root, path)))]
  return { files, texts: Object.fromEntries(worthReading(files).flatMap((path) => textOf(root, path))) }
}

/** Folder by folder, so that what is near the root is seen also where there is very much. */
function filesIn(root: string): string[] {
  const files: string[] = []
  let level = ['']
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const below: string[] = []
    for (const folder of level) {
      for (const entry of entriesOf(join(root, folder))) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`
        if (entry.isDirectory()) {
          if (!entry.name.startsWith('.') && !PASSED_OVER.has(entry.name)) below.push(path)
        } else files.push(path)
        if (files.length >= MOST_FILES) return files
      }
    }
    level = below
  }
  return files
}

function entriesOf(folder: string): { name: string; isDirectory(): boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

/** Links are followed as long as they stay inside: AGENTS.md is often one. */
function textOf(root: string, path: string): [string, string][] {
  try {
    const file = realpathSync(join(root, path))
    const found = statSync(file)
    if (!file.startsWith(realpathSync(root) + sep) || !found.isFile() || found.size > LARGEST_BYTES) return []
    return [[path, readFileSync(file, 'utf8')]]
  } catch {
    return []
  }
}
