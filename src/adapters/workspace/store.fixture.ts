// For tests of the store: a store, a folder seen through it, and another user's eyes for what root may always do.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { run, temporaryFolder } from '../../files/fixture.js'
import { plainGit, put } from '../../git/fixture.js'
import { snapshot, type Site } from './snapshot.js'
import { emptyTree, openStore, type Store } from './store.js'

export type Bench = { root: string; store: Store; site: Site; folder: string }

/** An empty store and a folder with these files. Nothing has been taken in yet. */
export async function bench(files: Readonly<Record<string, string>> = {}): Promise<Bench> {
  const root = temporaryFolder()
  const store = await openStore(join(root, 'store.git'))
  const folder = join(root, 'folder')
  mkdirSync(folder)
  put(folder, files)
  const site: Site = { store, folder, index: join(root, 'index'), base: emptyTree(store), aside: join(root, 'aside'), strays: 'aside' }
  return { root, store, site, folder }
}

/** The same, once its tree is known. */
export async function known(files: Readonly<Record<string, string>>): Promise<Bench & { tree: string }> {
  const { site, ...rest } = await bench(files)
  const { tree } = await snapshot(site)
  return { ...rest, site: { ...site, base: tree }, tree }
}

/** Path → mode and, for a file, its text. */
export function filesOf({ path }: Store, tree: string): Record<string, string> {
  const trusting = ['-c', 'safe.directory=*']
  const lines = plainGit(path, ...trusting, 'ls-tree', '-r', '-z', tree).split('\0').filter((line) => line !== '')
  return Object.fromEntries(lines.map((line) => {
    const [, mode = '', id = '', name = ''] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? []
    return [name, mode === '160000' ? mode : `${mode} ${plainGit(path, ...trusting, 'cat-file', 'blob', id)}`]
  }))
}

/** Folders nested so deep that no path reaches the file at the end of them, beside which lies a link. */
export function makeDeep(folder: string, target: string): void {
  const name = 'd'.repeat(200)
  const script = `import os\nos.chdir(${JSON.stringify(folder)})\nfor _ in range(30):\n  os.mkdir('${name}'); os.chdir('${name}')\nopen('deep', 'w').close()\nos.symlink(${JSON.stringify(target)}, 'link')`
  run(['python3', '-c', script])
}

/** Root may read and write everything: as root these tests work with another user's rights. The folder must belong to that user. */
export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work()
  process.setegid?.(65_534)
  process.seteuid?.(65_534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
  }
}
