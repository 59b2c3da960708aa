// Runs our own command line once more, as the user would: nothing marks it as ours, so a session that it puts into the background stays.
import { execFile } from 'node:child_process'

export type OwnRequest = {
  args: readonly string[]
  cwd: string
  stdin: string
  timeoutSeconds: number
  outputBytes: number
  signal: AbortSignal
}

/** `code` is null where it did not exit by itself. */
export type OwnResult = { ending: 'exited' | 'timeout' | 'broken off'; code: number | null; stdout: string; stderr: string }

/** Must not throw. An exit status other than 0 is an answer like any other. */
export function runOurselves({ args, cwd, stdin, timeoutSeconds, outputBytes, signal }: OwnRequest): Promise<OwnResult> {
  return new Promise((resolve) => {
    const options = { cwd, signal, timeout: timeoutSeconds * 1000, maxBuffer: outputBytes, encoding: 'utf8' } as const
    const child = execFile(process.execPath, [process.argv[1] ?? '', ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null
      resolve({ ending: code !== null ? 'exited' : error?.killed && !signal.aborted ? 'timeout' : 'broken off', code, stdout, stderr })
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(stdin)
  })
}
