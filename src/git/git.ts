// The one git wrapper: a repository named outright, a command from a fixed list, and nothing foreign that could run.
import { existsSync } from 'node:fs'
import { runShort, type ShortResult } from '../process/short.js'
import { blanksFor } from './drivers.js'
import { environmentFor, settingsFor, type Setting } from './environment.js'
import { failure } from './failure.js'
import { keysOf } from './keys.js'
import { gitProgram } from './program.js'
import { guardedArguments, settingsOfVerb } from './verbs.js'

export { GitError } from './failure.js'

export type Repository = {
  /** Absolute; passed outright, nothing is ever discovered or inherited. */
  gitDir: string
  /** Absolute; absent: an operation without files, as in a bare repository. */
  workTree?: string
  /** A private index file, absolute. */
  index?: string
  /** `ours`: only we write its configuration (the store). `foreign`: the user's or an agent's; its drivers are listed and blanked first. */
  config: 'ours' | 'foreign'
  /** Reads the user's and the system's configuration too, its drivers blanked as well: who commits, what is ignored, how lines end. */
  userConfig?: 'read'
  /** Programs of the user's that may run, for `accept` alone. Without it git finds no program at all, not even a second git. */
  runs?: { hooks?: true; signing?: true; filters?: readonly string[] }
  /** Where new objects go instead of the repository's own folder, absolute: so a foreign repository is worked with and not written to. */
  objects?: string
  /** Further object folders to read from. */
  alternates?: readonly string[]
  /** Everything written is synced to disk before git returns. */
  durable?: true
  /** May talk to other repositories, by what the user's configuration says about reaching them (see remote.ts); only one of our own may. */
  reaches?: 'remotes'
}

export type GitOptions = {
  /** Paths that are no UTF-8 can only be given here, as bytes. */
  input?: string | Buffer
  /** Exit codes besides 0 that are answers, not errors. */
  accepts?: readonly number[]
  signal?: AbortSignal
  timeoutSeconds?: number
  outputBytes?: number
  /** Configuration for this command alone. What keeps foreign programs from running counts after it. */
  settings?: Readonly<Record<string, string>>
  env?: Readonly<Record<string, string>>
}

export type GitOutput = {
  code: number
  stdout: Buffer
  /** What it warned of, at most the first 64 KiB. */
  stderr: Buffer
  /** As UTF-8, without the last line break. */
  readonly text: string
  /** What stood between the NULs of `-z`, one character per byte (see `files/byte-path.ts`). */
  readonly fields: string[]
}

const TIMEOUT_SECONDS = 600
/** A configuration may include a pipe that never ends. */
const LISTING_SECONDS = 30
const OUTPUT_BYTES = 512 * 1024 * 1024

/** Throws GitError, which is a Refusal, for whatever goes wrong outside; a command that is not allowed is a bug and a plain error. */
export async function git(repository: Repository, args: readonly string[], options: GitOptions = {}): Promise<GitOutput> {
  const guarded = guardedArguments(args, repository.config === 'ours' ? repository.reaches : undefined)
  // With programs to find, `add` would start a second git in every submodule, and that one runs the submodule's drivers.
  if (repository.runs && args[0] === 'add') throw new Error('git add: not where programs may run; update-index asks no submodules')
  // `config` runs nothing, whatever it reads.
  const blanks = args[0] === 'config' ? [] : await blanksOf(repository, options.signal)
  const settings = [...Object.entries(options.settings ?? {}), ...blanks, ...settingsFor(repository), ...settingsOfVerb(args[0])]
  const result = await start(repository, { args: guarded, settings }, options)
  if (result.ending !== 'exited' || !isAnswer(result.exitCode, options)) throw failure(repository, args, result)
  return output(result.exitCode ?? 0, result)
}

function isAnswer(code: number | null, { accepts = [] }: GitOptions): boolean {
  return code === 0 || (code !== null && accepts.includes(code))
}

async function blanksOf(repository: Repository, signal: AbortSignal | undefined): Promise<Setting[]> {
  if (repository.config === 'ours' || !existsSync(repository.gitDir)) return []
  return blanksFor(await keysOf(repository, () => listKeys(repository, signal)), repository.runs)
}

/** All keys of the configuration, with what is included from elsewhere. Listing them runs nothing. */
async function listKeys(repository: Repository, signal: AbortSignal | undefined): Promise<string[]> {
  const args = ['config', '--list', '--name-only', '-z', '--includes']
  const command = { args, settings: settingsFor(repository) }
  const result = await start(repository, command, { timeoutSeconds: LISTING_SECONDS, ...(signal && { signal }) })
  if (result.ending !== 'exited' || result.exitCode !== 0) throw failure(repository, args, result)
  return output(0, result).fields
}

type Command = { args: readonly string[]; settings: readonly Setting[] }

async function start(repository: Repository, { args, settings }: Command, options: GitOptions): Promise<ShortResult> {
  const { gitDir, workTree } = repository
  const { input, signal, timeoutSeconds = TIMEOUT_SECONDS, outputBytes = OUTPUT_BYTES } = options
  const places = [`--git-dir=${gitDir}`, ...(workTree === undefined ? [] : [`--work-tree=${workTree}`])]
  return runShort({
    argv: [await gitProgram(), '--no-pager', ...places, ...args],
    cwd: workTree ?? (args[0] === 'init' ? '/' : gitDir),
    env: { ...environmentFor(repository, args[0] ?? '', settings), ...options.env },
    timeoutSeconds,
    outputBytes,
    ...(startsNothing(repository) && { leaves: 'at most its group' }),
    ...(input !== undefined && { stdin: input }),
    ...(signal && { signal }),
  })
}

/**
 * It finds no program (see `environment.ts`), and no configuration but ours could name one by its path. Filters are left out by that:
 * they run where files are looked at, and an agent without a sandbox may have written some into our configuration.
 */
function startsNothing({ config, userConfig, runs, reaches, workTree }: Repository): boolean {
  return config === 'ours' && !userConfig && !runs && !reaches && workTree === undefined
}

function output(code: number, { stdout, stderr }: ShortResult): GitOutput {
  return {
    code,
    stdout,
    stderr,
    get text() {
      return stdout.toString('utf8').replace(/\n$/, '')
    },
    get fields() {
      return fieldsOf(stdout.toString('latin1'))
    },
  }
}

export function fieldsOf(text: string): string[] {
  const fields = text.split('\0')
  return fields.at(-1) === '' ? fields.slice(0, -1) : fields
}
