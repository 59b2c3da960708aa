// Starts a process that goes on without us, with its output in a log file.
import { spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { EXIT, Refusal } from '../errors.js'
import { oneLine } from './notes.js'

export type BackgroundRequest = {
  argv: readonly [string, ...string[]]
  cwd: string
  /** The whole environment: it is our own program that is started, so nothing is taken out. */
  env: Readonly<Record<string, string | undefined>>
  /** Made with mode 0600 when missing, else written on at its end. */
  logPath: string
}

/** Returns the id of the process, which is in a session of its own. Throws Refusal when it cannot be started. */
export function startBackground(request: BackgroundRequest): number {
  const { argv, cwd, env, logPath } = request
  const [command, ...args] = argv
  try {
    const log = openSync(logPath, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW, 0o600)
    try {
      const child = spawn(command, args, { cwd, env: { ...env }, detached: true, stdio: ['ignore', log, log] })
      child.on('error', () => {})
      child.unref()
      if (child.pid === undefined) throw new Error('the program or the folder is missing, or may not be used')
      return child.pid
    } finally {
      closeSync(log)
    }
  } catch (error) {
    const why = oneLine(error instanceof Error ? error.message : String(error))
    const what = `cannot start "${oneLine(command)}" in the background: ${why}`
    throw new Refusal(EXIT.failed, what, 'run it without --detach to see what is wrong')
  }
}
