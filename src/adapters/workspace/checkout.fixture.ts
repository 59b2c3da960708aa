// For tests of checkouts: a user's repository or folder, its start tree in a store, and the request for a checkout of it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../files/fixture.js'
import { plainGit, put, repositoryWith, tryGit } from '../../git/fixture.js'
import { folderExcludes } from './checkout-excludes.js'
import type { CheckoutRequest, Origin } from './checkout.js'
import { importTree } from './objects.js'
import { snapshot, type Site } from './snapshot.js'
import { emptyTree, openStore } from './store.js'

export type Case = { root: string; user: string; request: CheckoutRequest; site: Site }

async function prepared(root: string, user: string, origin: Origin, start: (site: Site) => Promise<string>): Promise<Case> {
  const store = await openStore(join(root, 'state/store.git'))
  const folder = join(root, 'state/checkouts/s-1')
  const index = join(root, 'state/sessions/s-1/index')
  const site: Site = { store, folder, index, base: emptyTree(store), aside: join(root, 'aside'), strays: 'aside' }
  const request: CheckoutRequest = { origin, store, folder, index, session: 's-1', start: await start(site), at: 7000 }
  return { root, user, request, site: { ...site, base: request.start } }
}

export async function fromRepository(user: string, root: string): Promise<Case> {
  const repository = { gitDir: plainGit(user, 'rev-parse', '--absolute-git-dir'), config: 'foreign' } as const
  const head = tryGit(user, ['rev-parse', '--verify', '-q', 'HEAD']).stdout.trim() || null
  return prepared(root, user, { kind: 'repository', repository, head }, ({ store }) => importTree(store, repository, 'HEAD'))
}

export async function withRepository(files: Readonly<Record<string, string>>): Promise<Case> {
  const root = temporaryFolder()
  const user = join(root, 'a "user":\n#1')
  repositoryWith(user, files)
  return fromRepository(user, root)
}

export async function withFolder(files: Readonly<Record<string, string>>): Promise<Case> {
  const root = temporaryFolder()
  const user = join(root, 'plain')
  put(user, files)
  return prepared(root, user, { kind: 'folder', folder: user }, async (site) => {
    writeFileSync(join(root, 'excludes'), folderExcludes(user))
    const theirs = { folder: user, index: join(root, 'first-index'), excludes: join(root, 'excludes'), strays: 'refuse' } as const
    return (await snapshot({ ...site, ...theirs })).tree
  })
}
