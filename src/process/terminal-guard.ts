// Puts a terminal back when we are ended in a way that leaves us no time to: a small shell that does nothing but wait for our end.
import { spawn } from 'node:child_process'

export type TerminalGuard = {
  /** The terminal is ours from here on; called after it was changed. */
  up(): void
  /** It is as it was. */
  down(): void
  /** Nothing is guarded any more. */
  close(): void
}

const READY_MILLISECONDS = 2000

/**
 * It reads from a pipe that closes with our process, however that ends. Whoever has set the terminal otherwise meanwhile, such as the
 * shell that we were started from, has done it already: then only the screen and the cursor are put back.
 */
const SCRIPT = `
saved=$(stty -g <&4) || exit 1
echo ready
raw=
while read -r word; do
  case $word in up) raw=$(stty -g <&4) ;; *) raw= ;; esac
done
[ -n "$raw" ] || exit 0
printf '%b' "$1" >&3
[ "$(stty -g <&4)" != "$raw" ] || stty "$saved" <&4
`

/** The terminal that is written to and the one keys come from, which are the same as a rule. */
type Ends = { output: number; input: number }

/** Resolves when it is on guard; to null where there is no shell or no terminal. `restore` is written to the terminal when we are gone. */
export async function startTerminalGuard({ output, input }: Ends, restore: string): Promise<TerminalGuard | null> {
  // In a session of its own it is neither ended with us by the keys of the terminal, nor stopped for writing to it.
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', restore], {
    detached: true,
    cwd: '/',
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'ignore', output, input],
  })
  const { stdin, stdout } = child
  if (!stdin || !stdout) return null
  for (const part of [child, stdin, stdout]) part.on('error', () => {})
  const isReady = await new Promise<boolean>((resolve) => {
    const late = setTimeout(() => resolve(false), READY_MILLISECONDS)
    const tell = (ready: boolean) => (): void => {
      clearTimeout(late)
      resolve(ready)
    }
    stdout.once('data', tell(true))
    child.once('exit', tell(false))
    child.once('error', tell(false))
  })
  for (const part of [child, stdin, stdout] as { unref?: () => void }[]) part.unref?.()
  if (!isReady) {
    stdin.destroy()
    return null
  }
  return { up: () => void stdin.write('up\n'), down: () => void stdin.write('down\n'), close: () => void stdin.end('down\n') }
}
