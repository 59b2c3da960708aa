// `accept` killed with signal 9 at system calls of its own and of the git it starts: typed again, it is finished or begins anew.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLI, type Place } from './support/cli.js'
import { acceptedIn, clutter, filesBelow, keep, makeWorkshop, type Workshop } from './support/repositories.js'
import { tryAll } from './support/subset.js'

/** Between two of these lies a state of the outside world that no other pair has. */
const CALLS = ['write', 'pwrite64', 'openat', 'mkdir', 'rename', 'link', 'unlink', 'rmdir', 'fsync', 'fdatasync', 'clone', 'vfork', 'clone3']
/** How many of the points are tried here. */
const POINTS = tryAll ? Infinity : 6

type Point = { call: string; nth: number; follow: 'self' | 'all' }

function traced(place: Place, args: readonly string[], flags: readonly string[]): { status: number | null; stderr: string } {
  const env = { ...place.env }
  return spawnSync('strace', ['-qq', ...flags, process.execPath, CLI, ...args], { cwd: place.repo, env, encoding: 'utf8', timeout: 60_000 })
}

/** The calls from the first touch of the session's folder on: of the main thread, or the most that any process makes. */
function pointsOf(place: Place, args: readonly string[], follow: Point['follow']): Point[] {
  const trace = join(place.root, 'trace')
  const flags = [...(follow === 'all' ? ['-f'] : []), '-e', `trace=${CALLS.join(',')}`, '-o', trace]
  expect(traced(place, args, flags)).toMatchObject({ status: 0, stderr: expect.stringContaining('accepted') })
  const lines = readFileSync(trace, 'utf8').split('\n').map((line) => /^(?:(\d+) +)?(\w+)\((.*)/.exec(line)).filter((found) => found !== null)
  if (follow === 'all') return pointsOfChildren(lines.map(([, pid = '', call = '']) => ({ pid, call })))
  const first = lines.findIndex(([, , , rest = '']) => rest.includes(place.state))
  const counts: Record<string, number> = {}
  return lines.flatMap(([, , call = ''], index) => {
    counts[call] = (counts[call] ?? 0) + 1
    return index < first ? [] : [{ call, nth: counts[call] ?? 0, follow }]
  })
}

/** Which process is hit is left to chance: whichever first makes its nth call of the kind. */
function pointsOfChildren(calls: readonly { pid: string; call: string }[]): Point[] {
  const most = new Map<string, number>()
  const counts = new Map<string, number>()
  const own = calls[0]?.pid
  for (const { pid, call } of calls.filter((one) => one.pid !== own)) {
    const count = (counts.get(`${pid} ${call}`) ?? 0) + 1
    counts.set(`${pid} ${call}`, count)
    most.set(call, Math.max(most.get(call) ?? 0, count))
  }
  return [...most].flatMap(([call, count]) => Array.from({ length: count }, (_, at) => ({ call, nth: at + 1, follow: 'all' as const })))
}

function spread(points: readonly Point[], count: number): Point[] {
  return points.length <= count ? [...points] : Array.from({ length: count }, (_, at) => points[Math.floor((at * points.length) / count)] as Point)
}

function killAt(place: Place, args: readonly string[], { call, nth, follow }: Point): void {
  const kill = ['-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${call}:signal=SIGKILL:when=${nth}`]
  traced(place, args, [...(follow === 'all' ? ['-f'] : []), ...kill])
}

async function sweep(place: Place, args: readonly string[], check: () => void): Promise<number> {
  const putBack = keep(place)
  const points = [...spread(pointsOf(place, args, 'self'), POINTS), ...tracedAgain()]
  for (const point of points) {
    putBack()
    killAt(place, args, point)
    const ended = await place.run(args)
    const done = ended.code === 0 || ended.stderr.includes('was accepted already')
    expect(done, `${JSON.stringify(point)}: ${ended.stderr}`).toBe(true)
    try {
      check()
    } catch (error) {
      throw new Error(`killed at ${JSON.stringify(point)}; then it said ${ended.stderr}`, { cause: error })
    }
  }
  return points.length

  function tracedAgain(): Point[] {
    putBack()
    return spread(pointsOf(place, args, 'all'), POINTS)
  }
}

/** As after an accept that nobody disturbed. */
function expectLanded(shop: Workshop, head: string, others: unknown): void {
  expect(shop.git('rev-list', `${head}..main`).split('\n')).toHaveLength(1)
  expect([shop.git('status', '--porcelain'), shop.git('fsck', '--full', '--no-dangling'), shop.others()]).toEqual(['?? notes.txt', '', others])
  expect([shop.file('a'), shop.file('new/deep/c.txt'), existsSync(join(shop.repo, 'sub'))]).toEqual(['A\n', 'c\n', false])
  expect(acceptedIn(shop)).toEqual([`commit ${shop.git('rev-parse', 'main')} on main`])
  expect(filesBelow(join(shop.repo, '.git')).filter((path) => /lock|greenlatch|tmp/.test(path))).toEqual([])
  expect(filesBelow(shop.session()).filter((path) => path.startsWith('accept'))).toEqual([])
}

describe('an accept that is killed', () => {
  it.each([['accept'], ['accept --hooks']])('GL-02 is finished, or begun anew, by typing it again: %s.', async (words) => {
    const shop = makeWorkshop()
    clutter(shop)
    const agent = shop.program('agent', 'echo A > a; mkdir -p new/deep; echo c > new/deep/c.txt; rm -r sub')
    expect((await shop.run(['run', 'ooda', 'x', '--dirty', 'ignore', '--max-iterations', '1', '--ai-cmd', agent])).code).toBe(0)
    const [head, others] = [shop.git('rev-parse', 'HEAD'), shop.others()]
    const tried = await sweep(shop, words.split(' '), () => expectLanded(shop, head, others))
    expect(tried).toBeGreaterThan(10)
  }, 900_000)

  it.each(['folder', 'repository'])('into the files of a %s is finished by typing it again, and what stood there is kept.', async (kind) => {
    const shop = makeWorkshop({ a: '1\n2\n3\n4\n5\n6\n7\n', b: 'b\n', mine: 'x\n' })
    if (kind === 'folder') rmSync(join(shop.repo, '.git'), { recursive: true })
    else shop.put({ mine: 'changed\n' })
    const mine = shop.file('mine')
    const turn = { write: { a: '1\n2\n3\n4\n5\n6\nSEVEN\n', 'new/c': 'c\n', b: 'B\n' } }
    await shop.work([turn], ...(kind === 'folder' ? [] : ['--dirty', 'include']))
    shop.put({ a: 'ONE\n2\n3\n4\n5\n6\n7\n' })
    await sweep(shop, ['accept'], () => {
      expect(['a', 'b', 'new/c', 'mine'].map((path) => shop.file(path))).toEqual(['ONE\n2\n3\n4\n5\n6\nSEVEN\n', 'B\n', 'c\n', mine])
      expect(acceptedIn(shop)).toHaveLength(1)
      expect(filesBelow(shop.session()).filter((path) => path.startsWith('accept'))).toEqual([])
    })
    const kept = await shop.run(['diff', '--iter', 'start..salvage/1'])
    expect(kept.stdout).toContain('+ONE')
  }, 900_000)
})
