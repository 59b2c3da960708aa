// What `doctor` looks at without running anything of the repository: Node, git, the repository and the state folder.
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { EXIT, Refusal } from '../errors.js'
import { gitProgram } from '../git/program.js'
import { inspect } from '../git/inspect.js'
import { noticesOf, refusalOf } from '../git/policy.js'
import { grouped } from '../text/amounts.js'

export type Finding = { state: 'good' | 'warn' | 'bad'; what: string; text: string; next?: string; code?: number }

const LEAST_NODE = [20, 19] as const
const LITTLE_ROOM_MEGABYTES = 1024

export function nodeFinding(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNewEnough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])
  return { state: isNewEnough ? 'good' : 'bad', what: 'node', text: `${process.version}${isNewEnough ? '' : `, and ${LEAST_NODE.join('.')} is needed`}` }
}

export async function gitFindings(cwd: string): Promise<Finding[]> {
  try {
    const text = await gitProgram()
    const facts = await inspect(cwd)
    const refusal = refusalOf(facts)
    const standing: Finding = refusal
      ? { state: 'warn', what: 'repository', text: refusal.message, next: refusal.next }
      : { state: 'good', what: 'repository', text: facts.kind === 'work tree' ? facts.topLevel : `${cwd} (no git: a copy of the folder is used)` }
    return [{ state: 'good', what: 'git', text }, standing, ...noticesOf(facts).map((notice): Finding => ({ state: 'warn', what: 'repository', text: notice }))]
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [{ state: 'bad', what: 'git', text: error.message, next: error.next, code: error.code }]
  }
}

export function stateFindings(sessions: string): Finding[] {
  let folder = sessions
  while (!existsSync(folder)) folder = dirname(folder)
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    return [{ state: 'bad', what: 'state', text: `${folder} cannot be written to`, next: 'greenlatch --state-dir <folder>', code: EXIT.state }]
  }
  const disk = statfsSync(folder)
  const megabytes = Math.floor((disk.bavail * disk.bsize) / 1024 / 1024)
  const isLittle = megabytes < LITTLE_ROOM_MEGABYTES
  return [{ state: isLittle ? 'warn' : 'good', what: 'state', text: `${sessions} (${grouped(megabytes)} MB free)` }]
}
