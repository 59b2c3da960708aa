// Runs a command of the settings because of something that happened: what that was stands on its standard input, never in its words.
import type { CommandLine } from '../../agent-entry.js'
import { childEnvironment } from '../../process/environment.js'
import { runShort } from '../../process/short.js'
import { sanitise } from '../../text/sanitise.js'

export type ToldCommand = { run: CommandLine; timeoutSeconds: number; cwd: string; env: Readonly<Record<string, string | undefined>> }

const MOST_OUTPUT_BYTES = 4 * 1024 * 1024
const MOST_SAID_CHARS = 200

/** Null when it ended well, else one line that says how it ended and what it said last. No model has a say in it, so that no sandbox is needed. */
export async function runTold({ run, timeoutSeconds, cwd, env }: ToldCommand, stdin: string, signal: AbortSignal): Promise<string | null> {
  const { ending, exitCode, note, stderr } = await runShort({
    argv: typeof run === 'string' ? ['/bin/sh', '-c', run] : run,
    cwd,
    env: childEnvironment(process.env, { cwd, tree: '', extra: env }),
    stdin,
    timeoutSeconds,
    outputBytes: MOST_OUTPUT_BYTES,
    signal,
  })
  if (ending === 'exited' && exitCode === 0) return null
  const said = sanitise(stderr.toString()).trim().split('\n').at(-1)?.trim() ?? ''
  return said === '' ? note : `${note}: ${said.slice(0, MOST_SAID_CHARS)}`
}
