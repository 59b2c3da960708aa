// Which git is used, and whether it is new enough: found on PATH once, and never in a folder that is named relative to another.
import { delimiter, isAbsolute } from 'node:path'
import { EXIT, Refusal } from '../errors.js'
import { findExecutable } from '../process/command-line.js'
import { runShort, type ShortResult } from '../process/short.js'

/** The first with `merge-tree --write-tree`; `core.fsync` came with 2.36, configuration by environment with 2.31. */
const MINIMUM_GIT = [2, 38] as const

const found = new Map<string, Promise<string>>()

/** The absolute path. Throws Refusal when there is none or it is too old. */
export async function gitProgram(environment: Readonly<Record<string, string | undefined>> = process.env): Promise<string> {
  const path = environment['PATH'] ?? ''
  const known = found.get(path)
  if (known) return known
  const looking = look(path)
  found.set(path, looking)
  looking.catch(() => found.delete(path))
  return looking
}

/** The program, and what it says of its version. */
export async function gitVersion(): Promise<string> {
  const program = await gitProgram()
  return `${(await askVersion(program)).stdout.toString('utf8').trim().replace(/^git version /, '')} (${program})`
}

function askVersion(program: string): Promise<ShortResult> {
  return runShort({ argv: [program, 'version'], cwd: '/', env: { LC_ALL: 'C' }, timeoutSeconds: 60, outputBytes: 10_000 })
}

async function look(path: string): Promise<string> {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder))
  const program = findExecutable('git', { PATH: folders.join(delimiter) })
  if (program === null) throw unusable('git is not found on PATH')
  const result = await askVersion(program)
  const said = result.stdout.toString('utf8').trim()
  if (result.ending !== 'exited' || result.exitCode !== 0) throw unusable(`${program} cannot be used: ${result.note}`)
  if (!isNewEnough(said)) throw unusable(`${program} is too old: it says "${said}", and ${MINIMUM_GIT.join('.')} is needed`)
  return program
}

function unusable(message: string): Refusal {
  return new Refusal(EXIT.state, message, `install git ${MINIMUM_GIT.join('.')} or newer`)
}

export function isNewEnough(said: string): boolean {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(said) ?? []
  const [wantedMajor, wantedMinor] = MINIMUM_GIT
  return Number(major) > wantedMajor || (Number(major) === wantedMajor && Number(minor) >= wantedMinor)
}
