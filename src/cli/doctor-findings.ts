// What `doctor` looks at without running anything of the repository: Node, git, the repository, the state folder and its disk.
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { EXIT, Refusal } from '../errors.js'
import { git } from '../git/git.js'
import { gitVersion } from '../git/program.js'
import { inspect, type RepositoryFacts } from '../git/inspect.js'
import { noticesOf, refusalOf } from '../git/policy.js'
import { grouped } from '../text/amounts.js'

/** `next` is the fix, `code` what a finding of `fail` is left with. */
export type Finding = { state: 'ok' | 'warn' | 'fail'; what: string; text: string; next?: string; code?: number }

const LEAST_NODE = [20, 19] as const
const LITTLE_ROOM_MEGABYTES = 1024
const NO_ROOM_MEGABYTES = 50

export function nodeFinding(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNewEnough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])
  if (isNewEnough) return { state: 'ok', what: 'node', text: process.version }
  return { state: 'fail', what: 'node', text: `${process.version}, and ${LEAST_NODE.join('.')} is needed`, next: `install node ${LEAST_NODE.join('.')} or newer` }
}

/** `ours`: whole paths of what is no part of the user's work. */
export async function gitFindings(cwd: string, ours: readonly string[]): Promise<Finding[]> {
  const found: Finding[] = []
  try {
    found.push({ state: 'ok', what: 'git', text: await gitVersion() })
    const facts = await inspect(cwd, ours)
    return [...found, ...(await identity(facts)), standing(facts, cwd), ...noticesOf(facts).map((text): Finding => ({ state: 'warn', what: 'repository', text }))]
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [...found, { state: 'fail', what: found.length === 0 ? 'git' : 'repository', text: error.message, next: error.next, code: error.code }]
  }
}

/** A run needs none; `accept` makes a commit. */
async function identity(facts: RepositoryFacts): Promise<Finding[]> {
  if (facts.kind !== 'work tree') return []
  try {
    const { text } = await git({ gitDir: facts.gitDir, workTree: facts.topLevel, config: 'foreign', userConfig: 'read' }, ['var', 'GIT_COMMITTER_IDENT'])
    return [{ state: 'ok', what: 'identity', text: text.replace(/ \d+ [+-]\d+$/, '') }]
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [{ state: 'warn', what: 'identity', text: 'git does not know your name and e-mail address, which accept needs', next: error.next }]
  }
}

function standing(facts: RepositoryFacts, cwd: string): Finding {
  const refusal = refusalOf(facts)
  // What a flag would let through is no failure; a repository that no run can begin in is one.
  if (refusal) return { state: refusal.code === EXIT.state ? 'fail' : 'warn', what: 'repository', text: refusal.message, next: refusal.next, code: refusal.code }
  return { state: 'ok', what: 'repository', text: facts.kind === 'work tree' ? `${facts.topLevel}, nothing uncommitted` : `${cwd} (no git: a copy of the folder is used)` }
}

/** What Linux calls proc, sysfs, cgroup and cgroup2. */
const HOLD_NO_FILES = new Set([0x9fa0, 0x62656572, 0x27e0eb, 0x63677270])

export function stateFindings(sessions: string): Finding[] {
  let folder = sessions
  while (!existsSync(folder)) folder = dirname(folder)
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    return [{ state: 'fail', what: 'state', text: `${folder} cannot be written to`, next: 'greenlatch doctor --state-dir <folder>', code: EXIT.state }]
  }
  if (HOLD_NO_FILES.has(statfsSync(folder).type)) return [{ state: 'fail', what: 'state', text: `${folder} is made by the system, and no files can be kept there`, next: 'greenlatch doctor --state-dir <folder>', code: EXIT.state }]
  return [{ state: 'ok', what: 'state', text: sessions }, diskFinding(folder)]
}

/** Checkouts, clean copies and checkpoints all lie in the state folder. */
function diskFinding(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder)
  const megabytes = Math.floor((bavail * bsize) / 1024 / 1024)
  const text = `${grouped(megabytes)} MB free where sessions are kept`
  if (megabytes >= LITTLE_ROOM_MEGABYTES) return { state: 'ok', what: 'disk', text }
  const next = 'greenlatch clean'
  return megabytes >= NO_ROOM_MEGABYTES ? { state: 'warn', what: 'disk', text, next } : { state: 'fail', what: 'disk', text, next, code: EXIT.state }
}
