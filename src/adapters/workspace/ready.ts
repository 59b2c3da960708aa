// Makes a checkout ready to work in by the user's own command, once for each state of the lockfiles.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Session } from '../../core/types.js'
import type { Acted, Limits, Reach, Sandbox, Workspace } from '../../ports.js'
import type { ProcessResult } from '../../process/types.js'
import { dependencyFolders, dependencyKey } from './dependencies.js'
import { findKept, giveDependencies, keepDependencies, markUse } from './dependencies-kept.js'

export type ReadyOptions = {
  checkout: string
  /** Where the command runs: the checkout or a folder in it. */
  cwd: string
  argv: readonly [string, ...string[]]
  /** The file with what is left out of the checkout's tree. */
  excludes: string
  /** Where copies are kept for the next checkout. */
  kept: string
  logOf: (base: string) => string
  limits: Limits
  sandbox: Sandbox
  /** Variables that it is given besides. */
  env?: Readonly<Record<string, string>>
}

/** Package managers fetch what the lockfiles name, by the registries and keys that the user has set for them. */
export const SETUP_REACH: Reach = {
  network: 'host',
  home: { given: ['.npmrc', '.yarnrc', '.yarnrc.yml', '.config/pnpm/rc', '.config/pip/pip.conf', '.pip/pip.conf', '.cargo/config.toml', '.cargo/credentials.toml', '.config/go/env', '.bundle/config', '.gemrc', '.m2/settings.xml', '.netrc'], refreshed: [] },
}

/** May be repeated: what is there already is left as it is. */
export function readyAct(options: ReadyOptions): Workspace['act'] {
  return async (session, effect, signal) => {
    const { checkout, kept: room, argv, excludes } = options
    const key = dependencyKey(checkout, argv)
    const kept = await findKept(room, key)
    if (kept) {
      const { paths, seconds } = await giveDependencies(room, kept, checkout, { signal })
      if (isUntouched(session)) markUse(room, key, session.id)
      leaveOut(checkout, excludes)
      return passed(`${paths.join(', ') || 'nothing'} copied from an earlier setup (${seconds.toFixed(1)} s)`)
    }
    const log = options.logOf(effect.base)
    const env = { ...options.env, GREENLATCH_SESSION: session.id, GREENLATCH_EFFECT: effect.id }
    const { cwd, limits, sandbox } = options
    const result = await sandbox.run({ argv, cwd, env, limits, stdoutPath: log, stderrPath: `${log}.stderr`, signal, reach: SETUP_REACH })
    if (result.ending === 'aborted') return 'aborted'
    const files = [log, `${log}.stderr`].filter((path) => existsSync(path))
    if (!isDone(result)) return { verdict: 'error', cause: 'gate', note: `setup: ${whyNot(result)}`, files }
    leaveOut(checkout, excludes)
    const done = `done in ${result.seconds.toFixed(1)} s`
    if (!isUntouched(session)) return { ...passed(done), files }
    const { paths } = await keepDependencies({ from: checkout, room, key, made: 'setup', signal })
    markUse(room, key, session.id)
    return { ...passed(`${done}; ${paths.join(', ') || 'nothing'} kept for the next session`), files }
  }
}

/** What an agent has worked in is not kept for others, nor for the deciding check. */
function isUntouched({ turns }: Session): boolean {
  return Object.keys(turns).length === 0
}

export function isDone({ ending, exitCode }: ProcessResult): boolean {
  return ending === 'exited' && exitCode === 0
}

export function whyNot({ note, stderr }: ProcessResult): string {
  const line = stderr.text.trimEnd().split('\n').at(-1) ?? ''
  return line === '' ? note : `${note}: ${line.slice(0, 200)}`
}

function passed(note: string): Acted {
  return { verdict: 'pass', cause: null, note, files: [] }
}

/** Dependencies are no part of the tree, even where nobody has thought of ignoring them. */
function leaveOut(checkout: string, excludes: string): void {
  const known = existsSync(excludes) ? readFileSync(excludes, 'utf8').split('\n') : []
  const lines = dependencyFolders(checkout).map((path) => `/${path}/`).filter((line) => !known.includes(line))
  if (lines.length > 0) appendFileSync(excludes, `${lines.join('\n')}\n`)
}
