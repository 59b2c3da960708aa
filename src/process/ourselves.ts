// Runs our own command line once more, as the user would: nothing marks it as ours, so a session that it puts into the background stays.
import { execFile, type ExecFileException } from 'node:child_process'

export type OwnRequest = {
  args: readonly string[]
  cwd: string
  stdin: string
  timeoutSeconds: number
  outputBytes: number
  signal: AbortSignal
}

/** `code` is null where it did not exit by itself; what kept it from beginning is then told as `stderr`. */
export type OwnResult = { ending: 'exited' | 'timeout' | 'too much' | 'broken off'; code: number | null; stdout: string; stderr: string }

/** Must not throw. An exit status other than 0 is an answer like any other. */
export async function runOurselves(request: OwnRequest): Promise<OwnResult> {
  try {
    return await started(request)
  } catch (error) {
    return { ending: 'broken off', code: null, stdout: '', stderr: error instanceof Error ? error.message : String(error) }
  }
}

function started({ args, cwd, stdin, timeoutSeconds, outputBytes, signal }: OwnRequest): Promise<OwnResult> {
  return new Promise((resolve) => {
    const options = { cwd, signal, timeout: timeoutSeconds * 1000, maxBuffer: outputBytes, encoding: 'utf8' } as const
    const child = execFile(process.execPath, [process.argv[1] ?? '', ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null
      resolve({ ending: code === null ? endingOf(error, signal) : 'exited', code, stdout, stderr: code === null && stderr === '' ? (error?.message ?? '') : stderr })
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(stdin)
  })
}

function endingOf(error: ExecFileException | null, signal: AbortSignal): OwnResult['ending'] {
  if (error?.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'too much'
  return error?.killed && !signal.aborted ? 'timeout' : 'broken off'
}
