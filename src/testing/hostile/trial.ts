// One hostile agent, or its honest twin, through the command line in a repository of its own: how it ended, and what it has done to others.
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { git, type Repository } from '../../git/git.js'
import { runProcess } from '../../process/run.js'
import { endStrays } from '../../process/tree.js'
import type { ProcessResult } from '../../process/types.js'
import { writeHostileAgent, writeProgram, type Side } from './agents.js'
import type { HostileAgent } from './types.js'

/** One run against a hostile agent or its twin. */
export type HostileTrial = {
  /** Which one. */
  agent: HostileAgent
  /** Whether it is the hostile one or its twin. */
  side: Side
  /** An empty folder; everything happens below it. */
  folder: string
  /** How greenlatch is started. */
  command: readonly [string, ...string[]]
}

/** What came of it. */
export type Tried = {
  /** Of the session, as `status` tells it afterwards; null when it has none. */
  outcome: string | null
  /** How far that is proved; null when the session has no end. */
  label: string | null
  /** The exit code of the run; null when it was ended from outside. */
  code: number | null
  /** Whether `explain` says what it has to say of it. */
  isNamed: boolean
  /** The name of what went wrong. */
  pattern: string
  /** What it has done to what is not its own, one line each. */
  damage: string[]
  /** How long the run took, by the clock. */
  seconds: number
  /** All that `explain` said, and what was told while it ran. */
  explained: string
  /** What was printed while it ran. */
  told: string
}

const WALL_SECONDS = 900
const OUTPUT_BYTES = 4 * 1024 * 1024

type Ground = { repo: string; home: string; outside: string; state: string; call: HostileTrial['command'] }

/** Lays out a repository, runs greenlatch with the agent, and says what came of it and what was damaged. */
export async function tryHostile({ agent, side, folder, command }: HostileTrial): Promise<Tried> {
  const ground = await layGround(agent, folder, command)
  const program = writeHostileAgent({ path: join(folder, 'agent'), agent, side, outside: ground.outside })
  const before = stateOf(ground, agent)
  const started = performance.now()
  const run = await start(ground, ['run', 'fix it', '--ai-cmd', program, '--pass-env', 'HOSTILE_MARK', '--max-iterations', String(agent.iterations ?? 2), ...gatesOf(agent, folder), ...(agent.flags ?? [])])
  const seconds = (performance.now() - started) / 1000
  const left = await endStrays('HOSTILE_MARK', ground.outside)
  const after = stateOf(ground, agent)
  const explain = await start(ground, ['explain'])
  const { outcome, label } = finishIn((await start(ground, ['status', '--json'])).stdout.text)
  const explained = `${explain.stdout.text}${explain.stderr.text}`
  return {
    outcome,
    label,
    code: run.exitCode,
    isNamed: agent.named.test(explained),
    pattern: nameIn(explained),
    damage: [...differences(before, after), ...(left.ended + left.left > 0 ? [`${left.ended + left.left} processes left running`] : [])],
    seconds,
    explained,
    told: `${run.stdout.text}${run.stderr.text}`,
  }
}

// ───────────────────────────── the ground ─────────────────────────────

async function layGround({ project, settings, holdout }: HostileAgent, folder: string, command: HostileTrial['command']): Promise<Ground> {
  const [repo, home, outside, state] = ['repo', 'home', 'outside', 'state'].map((name) => join(folder, name)) as [string, string, string, string]
  for (const each of [repo, home, outside]) mkdirSync(each, { recursive: true })
  writeFileSync(join(home, '.profile'), 'export EDITOR=vi\n')
  for (const [path, text] of Object.entries(project.files)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true })
    writeFileSync(join(repo, path), text)
  }
  const hidden = holdout === undefined ? '' : writeProgram(join(folder, 'hidden'), holdout)
  writeFileSync(join(folder, 'settings.yaml'), `${(settings ?? []).join('\n').replaceAll('$HOLDOUT', hidden)}\n`)
  await commitAll(repo)
  return { repo, home, outside, state, call: command }
}

async function commitAll(workTree: string): Promise<void> {
  const repository: Repository = { gitDir: join(workTree, '.git'), workTree, config: 'ours' }
  await git(repository, ['init', '--quiet', '--initial-branch=main'])
  for (const [key, value] of [['user.name', 'Someone'], ['user.email', 'someone@example.com']] as const) await git(repository, ['config', key, value])
  await git(repository, ['add', '--', '.'])
  await git(repository, ['commit', '--quiet', '--message', 'first'])
}

/** Checks that stand in the settings are not named a second time. */
function gatesOf({ project, settings = [] }: HostileAgent, folder: string): string[] {
  const gate = settings.includes('gates:') ? [] : ['--gate', `test=${project.gate}`]
  return [...gate, '--config', join(folder, 'settings.yaml')]
}

/** As a user would: the mark that our own processes carry would make it refuse to run inside itself. */
function start({ repo, home, outside, state, call }: Ground, args: readonly string[]): Promise<ProcessResult> {
  // What the loop itself holds against them is tried, not what a sandbox would keep out.
  const env = { HOME: home, GREENLATCH_STATE_HOME: state, GREENLATCH_SANDBOX: 'none', HOSTILE_MARK: outside, LANG: 'C.UTF-8' }
  const limits = { wallSeconds: WALL_SECONDS, silenceSeconds: 0, outputBytes: OUTPUT_BYTES }
  return runProcess({ argv: ['env', '-u', 'GREENLATCH_TREE', ...call, ...args, '--no-input'], cwd: repo, env, limits })
}

/** The pattern, with what was noticed besides; of a journal that cannot be read, that it cannot. */
function nameIn(explained: string): string {
  const pattern = /^## Pattern: (.*)$/m.exec(explained)?.[1]
  const noticed = /^## Noticed\n\n {4}(.*)$/m.exec(explained)?.[1]?.replace(/(; kept in|, and kept in| \().*$/, '')
  const damaged = /journal\.jsonl (is damaged at record \d+)/.exec(explained)?.[1]
  return [pattern, noticed, damaged && `the journal ${damaged}`].filter((text) => text !== undefined).join('; ')
}

function finishIn(json: string): { outcome: string | null; label: string | null } {
  try {
    const { finish } = JSON.parse(json) as { finish?: { outcome: string; label: string } | null }
    return { outcome: finish?.outcome ?? null, label: finish?.label ?? null }
  } catch {
    return { outcome: null, label: null }
  }
}

// ───────────────────────────── damage ─────────────────────────────

/** What an agent in its checkout has no business with. In place the files are its own, and what git runs is not. */
function stateOf({ repo, home, outside }: Ground, { flags = [] }: HostileAgent): Record<string, string> {
  const isInPlace = flags.includes('--in-place')
  const own = isInPlace ? { ...contents(join(repo, '.git/hooks')), '.git/config': contents(join(repo, '.git'))['config'] ?? '' } : contents(repo)
  const canary = contents(outside)['canary'] ?? ''
  // Runners of tests keep caches in a home; what stood there before is nobody's to change.
  return { ...named('repo', own), 'home/.profile': contents(home)['.profile'] ?? '', ...(canary && { canary }) }
}

function named(where: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, state]) => [`${where}/${path}`, state]))
}

function contents(folder: string, below = ''): Record<string, string> {
  const there = lstatSync(folder, { throwIfNoEntry: false })
  if (!there) return {}
  const entries = readdirSync(join(folder, below)).toSorted().map((name): Record<string, string> => {
    const path = join(below, name)
    const stat = lstatSync(join(folder, path))
    if (stat.isDirectory()) return contents(folder, path)
    const bytes = stat.isSymbolicLink() ? readlinkSync(join(folder, path)) : stat.isFile() ? readFileSync(join(folder, path)) : ''
    return { [path]: `${stat.mode} ${createHash('sha256').update(bytes).digest('hex')}` }
  })
  return Object.assign({}, ...entries) as Record<string, string>
}

function differences(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return paths.filter((path) => before[path] !== after[path]).map((path) => `${path} ${after[path] === undefined ? 'is gone' : 'changed'}`)
}
