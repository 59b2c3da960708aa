// Tries candidates in warm processes, one for each copy of the checkout.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sandbox } from '../../../../ports.js'
import type { Copies } from '../copy.js'
import type { Run } from '../localise.js'
import { openLane, type Lane } from './lane.js'
import { NODE_SERVER } from './node-server.js'
import { NODE_FRESH, NODE_HOOKS, NODE_REPORTER, NODE_SERVING } from './node-threads.js'
import { PYTHON_SERVER } from './python-server.js'
import type { Warm } from './recognise.js'
import { testFiles } from './test-files.js'
import { NOTHING_WON, type Checker, type Seen, type Trial, type Verdict } from './types.js'
import type { Checked } from '../agent.js'

export type WarmOptions = {
  warm: Warm
  gate: Pick<Checked['entry'], 'env' | 'network'>
  copies: Copies
  signal: AbortSignal
  wallSeconds: number
  sandbox: Sandbox
}

/** A candidate may take so many times what the tests took before, and so many seconds of processor time more. */
const TIMES = 3
const MORE_CPU_SECONDS = 0.3
const MORE_WALL_SECONDS = 20
/** With questions in it each value is made many times. */
const ASKED_TIMES = 30
const MORE_ASKED_SECONDS = 5

/**
 * `modules`: what Python's lanes load beforehand. `bounded`: it had to be ended by a count of turns. `staying`: Node's lanes may try candidate
 * after candidate in one thread.
 */
type First = { run: (Omit<Run, 'folder'> & { modules?: readonly string[] }) | null; cpu: number; hangs: boolean; bounded?: boolean; staying?: boolean }

export function warmChecker(options: WarmOptions): Checker {
  const { copies, warm } = options
  const lanes = copies.roots.map((root, at) =>
    openLane({ ...startOf(options, root, at), wallSeconds: options.wallSeconds, signal: options.signal, sandbox: options.sandbox, reach: { network: options.gate.network ?? 'none', read: [copies.folder], write: [root] } }),
  )
  let targets: readonly string[] = []
  let isBounded = false
  let known: { passing: readonly string[]; limits: readonly number[]; staying: boolean } = { passing: [], limits: [], staying: false }
  let askedLimits: readonly number[] = []
  return {
    lanes: lanes.length,
    async first(bounded) {
      const ask = async (texts: readonly Trial[]): Promise<First | null> => (await lanes[0]?.ask({ kind: 'first', texts })) as First | null
      const plain = await ask([])
      const answer = plain?.hangs ? await ask(await bounded()) : plain
      if (!answer?.run) return null
      isBounded = plain?.hangs === true || answer.bounded === true
      known = {
        passing: answer.run.tests.filter(({ passed }) => passed).map(({ id }) => id),
        limits: [answer.cpu * TIMES + MORE_CPU_SECONDS, answer.cpu * TIMES * 3 + MORE_WALL_SECONDS],
        staying: answer.staying ?? false,
      }
      askedLimits = [answer.cpu * ASKED_TIMES + MORE_ASKED_SECONDS, answer.cpu * ASKED_TIMES * 3 + MORE_ASKED_SECONDS * 3]
      await Promise.all(lanes.slice(1).map((lane) => lane.ask({ kind: 'preload', modules: answer.run?.modules ?? [] })))
      return { ...answer.run, folder: warm.folder }
    },
    aim(wanted) {
      targets = wanted
    },
    async whatIf(texts) {
      // The program with questions in it would run without an end too.
      if (isBounded) return null
      const ask = async (): Promise<unknown> => (await lanes[0]?.ask({ kind: 'what if', texts, limits: askedLimits })) ?? null
      return (await puttingBack(copies.roots[0] ?? '', texts, ask)) as readonly Seen[] | null
    },
    async try({ path, text }, at) {
      const job = { kind: 'try', path, text, targets, ...known }
      const ask = async (): Promise<unknown> => (await lanes[at]?.ask(job)) ?? null
      const answer = (await puttingBack(copies.roots[at] ?? '', [{ path }], ask)) as Verdict | null
      return answer ?? { ...NOTHING_WON, note: 'the runner ended' }
    },
    async close() {
      await Promise.all(lanes.map((lane: Lane) => lane.close()))
    },
  }
}

/** A process puts back what it laid into its copy, unless it ended on the way. */
async function puttingBack(root: string, files: readonly { path: string }[], ask: () => Promise<unknown>): Promise<unknown> {
  const before = files.map(({ path }) => ({ path: join(root, path), bytes: readFileSync(join(root, path)) }))
  const answer = await ask()
  if (answer === null) for (const { path, bytes } of before) writeFileSync(path, bytes)
  return answer
}

function startOf(
  { warm, gate, copies }: WarmOptions,
  root: string,
  at: number,
): { argv: (mark: string) => [string, ...string[]]; cwd: string; env: Record<string, string | undefined> } {
  const cwd = join(root, warm.folder)
  const env = { PYTHONDONTWRITEBYTECODE: '1', ...gate.env, ...warm.env }
  const lay = (name: string, text: string): string => {
    const path = join(copies.folder, name)
    if (at === 0) writeFileSync(path, text, { mode: 0o600 })
    return path
  }
  if (warm.runner !== 'node') {
    const server = lay('server.py', PYTHON_SERVER)
    const module = warm.asModule ? { GREENLATCH_MODULE: 'true' } : {}
    return { argv: (mark) => [warm.program, server, mark, warm.runner, JSON.stringify(warm.args), root], cwd, env: { ...env, ...module } }
  }
  const server = lay('server.mjs', NODE_SERVER)
  const threads = { fresh: lay('fresh.mjs', NODE_FRESH), serving: lay('serving.mjs', NODE_SERVING), hooks: lay('hooks.mjs', NODE_HOOKS) }
  const settings = {
    files: testFiles(cwd, '', warm.paths),
    root: cwd,
    top: root,
    ...threads,
    reporter: lay('reporter.mjs', NODE_REPORTER),
    flags: warm.flags,
  }
  return { argv: (mark) => [warm.program, server, mark, JSON.stringify(settings)], cwd, env }
}
