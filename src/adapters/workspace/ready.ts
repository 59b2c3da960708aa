// Makes a checkout ready to work in by the user's own command, once for each state of the lockfiles.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Acted, Limits, Workspace } from '../../ports.js'
import { runProcess } from '../../process/run.js'
import { dependencyFolders, dependencyKey, giveDependencies, hasDependencies, keepDependencies } from './dependencies.js'

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
}

/** May be repeated: what is there already is left as it is. */
export function readyAct(options: ReadyOptions): Workspace['act'] {
  return async (session, effect, signal) => {
    const { checkout, kept, argv } = options
    const key = createHash('sha256').update(dependencyKey(checkout, argv.join('\0'))).digest('hex').slice(0, 32)
    if (hasDependencies(kept, key)) {
      const { paths, seconds } = await giveDependencies(kept, key, checkout, signal)
      leaveOut(options)
      return passed(`${paths.join(', ') || 'nothing'} copied from an earlier setup (${seconds.toFixed(1)} s)`)
    }
    const log = options.logOf(effect.base)
    const env = { GREENLATCH_SESSION: session.id, GREENLATCH_EFFECT: effect.id }
    const result = await runProcess({ argv, cwd: options.cwd, env, limits: options.limits, stdoutPath: log, stderrPath: `${log}.stderr`, signal })
    if (result.ending === 'aborted') return 'aborted'
    const files = [log, `${log}.stderr`].filter((path) => existsSync(path))
    if (result.ending !== 'exited' || result.exitCode !== 0) {
      return { verdict: 'error', cause: 'gate', note: `setup: ${result.note}${lastLine(result.stderr.text)}`, files }
    }
    leaveOut(options)
    const copied = await keepDependencies(checkout, kept, key, signal)
    return { ...passed(`done in ${result.seconds.toFixed(1)} s; ${copied.paths.join(', ') || 'nothing'} kept for the next session`), files }
  }
}

function passed(note: string): Acted {
  return { verdict: 'pass', cause: null, note, files: [] }
}

function lastLine(text: string): string {
  const line = text.trimEnd().split('\n').at(-1) ?? ''
  return line === '' ? '' : `: ${line.slice(0, 200)}`
}

/** What the command made is no part of the tree, even where nobody has thought of ignoring it. */
function leaveOut({ checkout, excludes }: ReadyOptions): void {
  const known = existsSync(excludes) ? readFileSync(excludes, 'utf8').split('\n') : []
  const lines = dependencyFolders(checkout).map((path) => `/${path}/`).filter((line) => !known.includes(line))
  if (lines.length > 0) appendFileSync(excludes, `${lines.join('\n')}\n`)
}
