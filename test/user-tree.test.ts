// A property over random folders of users and random stories: nothing of theirs changes, and nothing that stood in the checkout is lost.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytePath, rawPath, type BytePath } from '../src/files/byte-path.js'
import { plainGit, stateOf, tryGit } from '../src/git/fixture.js'
import { CLI, eventsOf, isAlive, makePlace, until, type Ended, type Place } from './support/cli.js'
import { deeds, inShell, makeTree, userTree, type Edit, type UserTree } from './support/user-trees.js'
import { tryAll } from './support/subset.js'

const RUNS = tryAll ? 25 : 6
const ALONGSIDE = 2
/** `USER_TREES_AGAIN='1234 62'`, the seed and the path that a failure prints, tries that one again. */
const AGAIN = process.env['USER_TREES_AGAIN']?.split(' ')

/** How a run of the CLI ends: by itself, or in the middle of what the agent does, or at any moment. */
type Ending = { how: 'itself' } | { how: 'SIGKILL' | 'SIGINT'; after: number | 'agent' }
type Step = 'resume' | 'undo' | 'redo' | 'clean'
type Story = {
  tree: UserTree
  dirty: 'include' | 'ignore'
  iterations: Edit[][]
  gateWrites: boolean
  ending: Ending
  steps: Step[]
  /** Which of its places is gone to in the end. */
  place: number
}

const moment = fc.oneof(fc.constant('agent' as const), fc.integer({ min: 0, max: 900 }))
const ending: fc.Arbitrary<Ending> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ how: 'itself' as const }) },
  { weight: 3, arbitrary: fc.record({ how: fc.constantFrom('SIGKILL' as const, 'SIGINT' as const), after: moment }) },
)
const STEPS: Step[][] = [
  [], ['resume'], ['undo'], ['undo', 'redo'], ['clean'], ['resume', 'undo'], ['clean', 'resume'], ['resume', 'clean'],
]
const story: fc.Arbitrary<Story> = fc.record({
  tree: userTree,
  dirty: fc.constantFrom('include' as const, 'ignore' as const),
  iterations: fc.array(deeds, { minLength: 1, maxLength: 2 }),
  gateWrites: fc.boolean(),
  ending,
  steps: fc.constantFrom(...STEPS),
  place: fc.nat(),
})

// ───────────────────────────── trees ─────────────────────────────

type Tree = Record<BytePath, string>

/** As git names them: path → mode and object. Ignored files and the insides of repositories are no part of it. */
function treeOf(folder: string, below: BytePath = ''): Tree {
  const entries = readdirSync(rawPath(`${bytePath(folder)}/${below}`), { encoding: 'latin1' }).map((name): Tree => {
    const path = `${below}${name}`
    const full = rawPath(`${bytePath(folder)}/${path}`)
    const stat = lstatSync(full)
    if (name === '.git' || name.endsWith('.ign') || path === 'build') return {}
    if (stat.isDirectory()) return treeOf(folder, `${path}/`)
    const bytes = stat.isSymbolicLink() ? readlinkSync(full, { encoding: 'buffer' }) : readFileSync(full)
    const mode = stat.isSymbolicLink() ? '120000' : (stat.mode & 0o100) === 0 ? '100644' : '100755'
    return { [path]: `${mode} ${createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')}` }
  })
  return Object.assign({}, ...entries) as Tree
}

function textOf(tree: Tree): string {
  return Object.keys(tree).toSorted().map((path) => `${path}\0${tree[path]}\0`).join('')
}

function treeIn(store: string, tree: string): Tree {
  const { stdout } = spawnSync('git', ['--git-dir', store, 'ls-tree', '-r', '-z', tree], { encoding: 'latin1' })
  return Object.fromEntries(stdout.split('\0').filter(Boolean).map((line) => {
    const [, mode = '', object = '', path = ''] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? []
    return [path, `${mode} ${object}`]
  }))
}

/** Everything that a session keeps, under the names people know it by. */
function placesOf(place: Place): { name: string; tree: Tree }[] {
  const store = join(dirname(dirname(place.session())), 'store.git')
  const refs = plainGit(store, 'for-each-ref', '--format=%(refname) %(tree)', `refs/greenlatch/${basename(place.session())}/`)
  return refs.split('\n').filter(Boolean).map((line) => {
    const [ref = '', tree = ''] = line.split(' ')
    return { name: ref.split('/').slice(3).join('/'), tree: treeIn(store, tree) }
  })
}

function checkoutOf(place: Place): string {
  return join(dirname(dirname(place.session())), 'checkouts', basename(place.session()))
}

function kept(place: Place, name: string): Tree | undefined {
  return existsSync(join(place.root, 'stood', name)) ? treeOf(join(place.root, 'stood', name)) : undefined
}

// ───────────────────────────── playing a story ─────────────────────────────

/** Notes what stands in the folder, whole or not at all. */
const NOTE = `note() {
  rm -rf "$ROOT/noting-$1"
  mkdir -p "$ROOT/stood"
  cp -a . "$ROOT/noting-$1" && rm -rf "$ROOT/stood/$1" && mv "$ROOT/noting-$1" "$ROOT/stood/$1"
}`

function agentOf(place: Place, iterations: readonly Edit[][]): string {
  const cases = iterations.map((edits, at) => `${at + 1})\n${inShell(edits)}\n;;`)
  const hold = 'if [ -e "$ROOT/hold" ]; then rm "$ROOT/hold"; echo cut > cut-off.txt; note cut; : > "$ROOT/held"; exec sleep 30; fi'
  const work = ['case "$GREENLATCH_ITERATION" in', ...cases, 'esac', hold, 'note "$GREENLATCH_ITERATION"']
  return place.program('agent', 'cat > /dev/null', NOTE, ...work)
}

function gateOf(place: Place, gateWrites: boolean): string {
  const lines = gateWrites ? [NOTE, 'echo wrote >> gate-wrote.txt', 'note "gate-$GREENLATCH_ITERATION"'] : [':']
  return place.program('gate', ...lines)
}

async function runUntil(place: Place, args: readonly string[], ending: Ending): Promise<Ended> {
  if (ending.how === 'itself') return place.run(args)
  if (ending.after === 'agent') writeFileSync(join(place.root, 'hold'), '')
  const started = place.start(args)
  const isDue = ending.after === 'agent' ? () => existsSync(join(place.root, 'held')) : overAt(Date.now() + ending.after)
  await until('the moment to end it', () => isDue() || !isAlive(started.pid))
  started.send(ending.how)
  return started.ended
}

function overAt(time: number): () => boolean {
  return () => Date.now() >= time
}

/** Each has to do its work, or to say in one line why there is none for it. */
async function take(place: Place, step: Step): Promise<Ended> {
  const ended = await place.run(step === 'clean' ? ['clean', '--yes'] : [step])
  const isTold = ended.code === 2 && /^greenlatch: .+\n {2}next: .+\n$/m.test(ended.stderr)
  if (ended.code !== 0 && !(isTold && step !== 'clean')) throw new Error(`${step} ended with ${ended.code}: ${ended.stderr}`)
  return ended
}

function toTheEnd({ code, stderr }: Ended): void {
  if (code !== 0) throw new Error(`run ended with ${code}: ${stderr}`)
}

/** Of an object only the time may change: git marks those as used that it meets again. */
function userState({ repo }: Place): Record<string, string> {
  const timeless = (state: string): string => state.replace(/^(\d+) \d+ /, '$1 ')
  const isObject = (path: string): boolean => path.startsWith('.git/objects/')
  return Object.fromEntries(Object.entries(stateOf(repo)).map(([path, state]) => [path, isObject(path) ? timeless(state) : state]))
}

async function play(place: Place, { tree, dirty, iterations, gateWrites, ending, steps, place: chosen }: Story): Promise<void> {
  rmSync(place.repo, { recursive: true })
  makeTree(place.repo, tree)
  const before = userState(place)
  const unchanged = (after: string): void => expect(userState(place), `the user's folder after ${after}`).toEqual(before)
  const agent = ['--ai-cmd', agentOf(place, iterations), '--gate', `checked=${gateOf(place, gateWrites)}`]
  const run = ['run', 'ooda', '--max-iterations', String(iterations.length), '--dirty', dirty, ...agent]
  const first = await runUntil(place, run, ending)
  unchanged('run')
  if (ending.how === 'itself') toTheEnd(first)
  if (place.session() === '') toTheEnd(await place.run(run))
  for (const step of steps) {
    await take(place, step)
    unchanged(step)
  }
  await goThere(place, chosen)
  unchanged('going to one of its places')
  everythingIsKept(place)
}

/** One command brings any place back: `undo --to` where there is a checkout, else the patch that `diff` prints. */
async function goThere(place: Place, chosen: number): Promise<void> {
  const names = ['start', 'last', ...placesOf(place).map(({ name }) => name).filter((name) => name.startsWith('salvage/'))]
  const name = names[chosen % names.length] ?? 'start'
  const { code, stderr, stdout } = await place.run(['undo', '--to', name])
  // A session that stands there is not moved: what a cut-off attempt has left in its folder waits for `resume`.
  if (code === 2 && stderr.includes('already')) return
  if (code !== 0) throw new Error(`undo --to ${name} ended with ${code}: ${stderr}${stdout}`)
  const wanted = placesOf(place).find((other) => other.name === name)?.tree ?? kept(place, lastAnswered(place))
  const found = existsSync(checkoutOf(place)) ? treeOf(checkoutOf(place)) : patched(place, name)
  if (wanted !== undefined && found !== null) expect(textOf(found), `what ${name} brings back`).toBe(textOf(wanted))
}

/** An agent that was ended on its way out has done its work, and is not answered all the same. */
function lastAnswered(place: Place): string {
  const events = eventsOf(place.session())
  const answered = new Set(events.flatMap((event) => (event.type === 'observed' ? [event.report.effect] : [])))
  const asks = events.flatMap((event) => (event.type === 'asked' && event.effect.kind === 'ask' && answered.has(event.effect.id) ? [event.effect] : []))
  return String(asks.at(-1)?.iteration ?? 'none')
}

/** The start, with the patch to a place laid over it. Null for the one that git makes and cannot read: an empty file below `name `. */
function patched(place: Place, name: string): Tree | null {
  const env = { ...place.env }
  const { stdout, status } = spawnSync(process.execPath, [CLI, 'diff', '--iter', `start..${name}`], { cwd: place.repo, env })
  expect(status).toBe(0)
  const [folder, store] = [join(place.root, 'patched'), join(dirname(dirname(place.session())), 'store.git')]
  mkdirSync(folder)
  plainGit(folder, 'init', '-q')
  const start = plainGit(store, 'rev-parse', `refs/greenlatch/${basename(place.session())}/start^{tree}`)
  const borrowing = { GIT_ALTERNATE_OBJECT_DIRECTORIES: join(store, 'objects') }
  expect(tryGit(folder, ['read-tree', '-u', '--reset', start], borrowing).status).toBe(0)
  if (stdout.length === 0) return treeOf(folder)
  const applied = tryGit(folder, ['apply', '--whitespace=nowarn', '-'], borrowing, stdout)
  if (applied.stderr.includes('lacks filename information') && stdout.includes(' /')) return null
  expect(applied).toMatchObject({ status: 0, stderr: '' })
  return treeOf(folder)
}

/** Whatever an agent or a gate had left in the checkout is under a name, or still there, and the store is whole. */
function everythingIsKept(place: Place): void {
  const there = existsSync(checkoutOf(place)) ? [treeOf(checkoutOf(place))] : []
  const known = new Set([...placesOf(place).map(({ tree }) => tree), ...there].map(textOf))
  const stood = existsSync(join(place.root, 'stood')) ? readdirSync(join(place.root, 'stood')) : []
  const lost = stood.filter((name) => !known.has(textOf(treeOf(join(place.root, 'stood', name)))))
  expect(lost, 'what stood in the checkout and is kept nowhere').toEqual([])
  const store = join(dirname(dirname(place.session())), 'store.git')
  expect(tryGit(store, ['fsck', '--full', '--no-dangling', '--no-progress'])).toMatchObject({ status: 0, stdout: '' })
}

describe('a user’s folder', () => {
  it(`I10 is the same after every one of ${RUNS} random stories, and nothing that stood in the checkout is lost.`, async () => {
    const stories = fc.array(story, { minLength: ALONGSIDE, maxLength: ALONGSIDE })
    const plays = fc.asyncProperty(stories, async (all) => void (await Promise.all(all.map((one) => play(makePlace(), one)))))
    const again = AGAIN ? { seed: Number(AGAIN[0]), path: AGAIN[1] ?? '' } : {}
    await fc.assert(plays, { numRuns: Math.ceil(RUNS / ALONGSIDE), endOnFailure: true, ...again })
  }, 60_000 + RUNS * 20_000)
})
