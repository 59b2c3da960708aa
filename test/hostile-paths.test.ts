// Hostile paths at every door: whatever an agent or a repository names or plants, nothing outside the session's folder changes.
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scriptedAgent } from '../src/adapters/agents/scripted.js'
import { land } from '../src/adapters/workspace/accept-land.js'
import { openRoom, roomOf, type Landing } from '../src/adapters/workspace/accept-room.js'
import { writeMark } from '../src/adapters/workspace/checkout-mark.js'
import { removeCheckout } from '../src/adapters/workspace/checkout-remove.js'
import { changedEntries } from '../src/adapters/workspace/changes.js'
import { makeCheckout } from '../src/adapters/workspace/checkout.js'
import { copyFolders } from '../src/adapters/workspace/dependencies.js'
import { importTree } from '../src/adapters/workspace/objects.js'
import { stand } from '../src/adapters/workspace/restore.js'
import { snapshot, type Site } from '../src/adapters/workspace/snapshot.js'
import { replacePaths } from '../src/adapters/workspace/take-back.js'
import { Refusal } from '../src/errors.js'
import { plainGit, put, repositoryWith, stateOf } from '../src/git/fixture.js'
import { inspect } from '../src/git/inspect.js'
import type { AskRequest } from '../src/ports.js'
import { makePlace } from './support/cli.js'
import { gathered, ground, isRefusedByGit, nodeOf, siteOf, writeTree, type Ground } from './support/hostile-ground.js'
import { HOSTILE, HOSTILE_BYTES, plant, plantLinks } from './support/hostile-paths.js'

/** What it says when it refuses; null when it does the work. Anything else it throws fails the test. */
async function refusalOf(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

// ───────────────────────────── what an agent says ─────────────────────────────

function requestIn({ folder, root }: Ground): AskRequest {
  const limits = { wallSeconds: 5, silenceSeconds: 5, outputBytes: 1000 }
  const effect = { turn: 1, nonce: '' } as AskRequest['effect']
  return { session: 's-1', effect, prompt: '', responsePath: join(root, 'response'), cwd: folder, top: folder, limits, left: { tokens: null, usd: null }, onActivity: () => {} }
}

/** Why the path is refused, before or while the script is played; null when something was done. */
async function scripted(place: Ground, turn: object): Promise<string | null> {
  const scriptPath = join(place.root, 'script.json')
  writeFileSync(scriptPath, JSON.stringify({ turns: [turn] }))
  let said: string | null = null
  const refused = await refusalOf(async () => {
    const agent = await scriptedAgent({ name: 'scripted', scriptPath })
    const answer = await agent.ask(requestIn(place), new AbortController().signal)
    said = answer?.ending === 'done' ? null : (answer?.note ?? 'no answer')
  })
  return refused ?? said
}

const LEADS_AWAY = /^(\.\.\/|\.\.$|\/|[A-Za-z]:|\.(git|GIT)(\/|$))|\0|\\/
const LEADS_TO_PLANTED = /^((link|up)\/|deep\/link|git-link|file-link|dangling|pipe|hard|socket)/
const MUST_REFUSE = HOSTILE.filter((path) => LEADS_AWAY.test(path) || LEADS_TO_PLANTED.test(path))

const TURNS = [
  (path: string) => ({ write: { [path]: 'hostile' } }),
  (path: string) => ({ append: { [path]: 'hostile' } }),
  (path: string) => ({ delete: [path] }),
]

describe('paths that an agent names', () => {
  it(`are ${HOSTILE.length}, and those that lead out, through a link or into .git are refused whatever is to be done there.`, async () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(200)
    expect(MUST_REFUSE.length).toBeGreaterThan(50)
    for (const turn of TURNS) {
      const place = ground()
      await plantLinks(place.folder, place.outside)
      for (const path of HOSTILE) {
        const why = await scripted(place, turn(path))
        place.unchanged(JSON.stringify(turn(path)).slice(0, 200))
        // Deleting a pipe or a second name takes only what stands in the folder.
        const isHarmless = 'delete' in turn(path) && /^(pipe|hard|socket)/.test(path)
        if (MUST_REFUSE.includes(path) && !isHarmless) expect(why, JSON.stringify(path)).not.toBeNull()
      }
    }
    expect(existsSync('/tmp/greenlatch-escape')).toBe(false)
  })
})

// ───────────────────────────── what an agent plants ─────────────────────────────

/** As an agent would leave it: everything planted, and a folder of the tree is a link to one outside with the same names in it. */
async function plantAll({ folder, outside }: Ground, turn: number): Promise<number> {
  await plantLinks(folder, outside)
  rmSync(join(folder, 'tracked'), { recursive: true, force: true })
  symlinkSync(join(outside, 'tracked'), join(folder, 'tracked'))
  rmSync(join(folder, 'kept.txt'), { force: true })
  linkSync(join(outside, 'file'), join(folder, 'kept.txt'))
  return plant(folder, outside, turn)
}

describe('what an agent plants in its checkout', () => {
  it.each([0, 3])('changes nothing outside when it is kept, taken and put back, brought back and taken away (turn %i).', async (turn) => {
    const place = ground()
    const site = await siteOf(place)
    expect(await plantAll(place, turn)).toBeGreaterThan(120)
    const planted = (await snapshot(site)).tree
    place.unchanged('a checkpoint')
    const paths = (await changedEntries(site.store, site.base, planted)).map(({ path }) => path)
    expect(paths.length).toBeGreaterThan(100)
    expect(await replacePaths(site, { in: planted, from: site.base, paths })).toBe(site.base)
    const request = { ...site, session: 's-1', at: 0, why: 'hostile' }
    await stand({ ...request, tree: site.base })
    place.unchanged('putting it back')
    expect(readFileSync(join(place.folder, 'tracked/a'), 'utf8')).toBe('a\n')
    await plantAll(place, turn + 1)
    await stand({ ...request, tree: planted })
    place.unchanged('bringing it back')
    await plantAll(place, turn + 2)
    writeMark(place.folder, { session: 's-1', state: 'whole' })
    removeCheckout(place.folder)
    expect(existsSync(place.folder)).toBe(false)
    place.unchangedAround('taking it away')
  })
})

describe('what an agent plants where the user works too', () => {
  it('changes nothing outside either: it is kept and put back, or refused by name and left.', async () => {
    const place = ground()
    const site = await siteOf(place, 'leave')
    await plantAll(place, 4)
    const why = await refusalOf(() => stand({ ...site, session: 's-1', at: 0, why: 'hostile', tree: site.base }))
    place.unchanged(`putting it back (${why})`)
  })

  it('does not take gates and further agents elsewhere when it is a link in place of the folder they work in.', async () => {
    const place = makePlace()
    rmSync(place.repo, { recursive: true })
    repositoryWith(place.repo, { 'pkg/b/f': 'f\n' })
    put(join(place.root, 'outside'), { 'b/x': 'outside\n' })
    const agent = place.program('agent', 'cat > /dev/null', 'cd ../..; rm -rf pkg; ln -s "$ROOT/outside" pkg; echo done')
    const gate = place.program('gate', 'echo gate > gate-was-here')
    const before = stateOf(join(place.root, 'outside'))
    const run = ['run', 'ooda', '--max-iterations', '2', '--ai-cmd', agent, '--gate', `g=${gate}`]
    const ended = await place.run(run, { cwd: join(place.repo, 'pkg/b') })
    expect([ended.code, place.starts('gate').length]).toEqual([0, 2])
    expect(ended.stderr).toContain('"pkg", which is worked in, was replaced; put back')
    expect(stateOf(join(place.root, 'outside'))).toEqual(before)
  })
})

// ───────────────────────────── what a repository holds ─────────────────────────────

async function checkoutOf(place: Ground, site: Site, user: string, start: string): Promise<string | null> {
  const folder = join(place.root, 'around/state/checkouts/s-3')
  const repository = { gitDir: join(user, '.git'), config: 'foreign' } as const
  const origin = { kind: 'repository', repository, head: null } as const
  const index = join(place.root, 'ours/index-3')
  const why = await refusalOf(() => makeCheckout({ origin, store: site.store, folder, index, session: 's-3', start, at: 0 }))
  writeMark(folder, { session: 's-3', state: 'whole' })
  removeCheckout(folder)
  return why
}

describe('trees with hostile names as what a session begins with', () => {
  it(`are refused by git’s own rules, or make files inside the checkout and nowhere else (${HOSTILE_BYTES.length} paths).`, async () => {
    const place = ground()
    const user = join(place.root, 'user')
    repositoryWith(user, { a: 'a' })
    const site = await siteOf(place)
    const paths = HOSTILE_BYTES.filter((path) => !path.includes('\0') && path.length < 1000)
    const refused = paths.filter(isRefusedByGit)
    expect(refused.length).toBeGreaterThan(60)
    for (const path of refused) {
      const why = await checkoutOf(place, site, user, writeTree(site.store.path, nodeOf(path.split('/'))))
      expect(why, path).not.toBeNull()
      place.unchanged(`a tree with ${JSON.stringify(path)}`)
    }
    const short = paths.filter((path) => !isRefusedByGit(path) && path.split('/').every((part) => part.length <= 255))
    expect(await checkoutOf(place, site, user, writeTree(site.store.path, gathered(short)))).toBeNull()
    place.unchanged('a tree with all that git takes')
    for (const path of ['../x', '/x', '.git/config', 'sub/../../x']) {
      expect(await checkoutOf(place, site, user, writeTree(site.store.path, nodeOf([path]))), `one name: ${path}`).not.toBeNull()
      place.unchanged(`a tree with ${path} as one name`)
    }
  })

  it('are not brought back either when a session is to stand on one.', async () => {
    const place = ground()
    const site = await siteOf(place)
    for (const path of ['../x', '.git/config', 'a/../../../x', '.GIT/config', 'git~1/config']) {
      const tree = writeTree(site.store.path, { ...nodeOf(path.split('/')), 'kept.txt': 'file' })
      const why = await refusalOf(() => stand({ ...site, session: 's-1', at: 0, why: 'hostile', tree }))
      expect(why, path).toMatch(/cannot be put back|is refused/)
      place.unchanged(`standing on a tree with ${path}`)
    }
  })
})

// ───────────────────────────── into the user's files ─────────────────────────────

function linkAt(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

function secondName(top: string, outside: string): void {
  rmSync(join(top, 'a'))
  linkSync(join(outside, 'a'), join(top, 'a'))
}

describe('a result that is accepted', () => {
  it.each([
    ['a folder', (top: string, outside: string) => linkAt(outside, join(top, 'new'))],
    ['a folder further down', (top: string, outside: string) => linkAt(outside, join(top, 'new/deep'))],
    ['a file', (top: string, outside: string) => linkAt(join(outside, 'file'), join(top, 'new/deep/c'))],
    ['a second name of a file', secondName],
  ])('is not written through %s that leads outside.', async (_, plantIn) => {
    const place = ground()
    const [top, made] = [join(place.root, 'user'), join(place.root, 'made')]
    const head = repositoryWith(top, { a: 'one\n', '.gitignore': 'new\n' })
    for (const [key, value] of [['user.name', 'U'], ['user.email', 'u@x']] as const) plainGit(top, 'config', key, value)
    const { store } = await siteOf(place)
    const from = await importTree(store, { gitDir: join(top, '.git'), config: 'foreign' }, head)
    repositoryWith(made, { a: 'ONE\n', '.gitignore': 'new\n' })
    put(made, { 'new/deep/c': 'c\n', 'new/file': 'f\n' })
    plainGit(made, 'add', '-A', '-f')
    plainGit(made, 'commit', '-q', '-m', 'more')
    const to = await importTree(store, { gitDir: join(made, '.git'), config: 'foreign' }, 'HEAD')
    writeFileSync(join(place.outside, 'a'), 'one\n')
    const before = stateOf(place.outside)
    plantIn(top, place.outside)
    const facts = await inspect(top)
    if (facts.kind !== 'work tree') throw new Error(facts.kind)
    const room = roomOf(join(place.root, 'ours'))
    const landing: Landing = { ...facts, session: 's-1', store, room, aside: join(place.root, 'ours/aside'), say: () => {} }
    openRoom(room)
    const request = { head, branch: 'main', from, to, result: to, message: 'x\n', at: new Date(0), how: { kind: 'squash' } } as const
    const why = await refusalOf(() => land(landing, request))
    expect(stateOf(place.outside)).toEqual(before)
    expect([why === null, plainGit(top, 'rev-parse', 'HEAD') === head]).toEqual(why === null ? [true, false] : [false, true])
  })
})

describe('dependencies of the user', () => {
  it('are not copied through a link that stands in the checkout where their folder belongs.', async () => {
    const place = ground()
    const user = join(place.root, 'user')
    put(user, { 'packages/a/node_modules/x/index.js': 'x\n' })
    symlinkSync(place.outside, join(place.folder, 'packages'))
    const why = await refusalOf(() => copyFolders(user, place.folder, ['packages/a/node_modules']))
    place.unchanged(`copying dependencies (${why})`)
  })
})
