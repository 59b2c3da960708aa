// The process of one ask: where it works, under which limits, who hears of it, and which files it leaves beside its answer.
import type { AskRequest, Reach, Sandbox } from '../../ports.js'
import type { ProcessRequest, ProcessResult } from '../../process/types.js'
import { artifactPath, placeOf } from './place.js'

type Hooks = Pick<ProcessRequest, 'stdin' | 'secrets' | 'onText' | 'onErrorText' | 'onPipe' | 'onLimit'>

export type AskProcess = Hooks & {
  argv: readonly [string, ...string[]]
  env: Readonly<Record<string, string | undefined>>
  /** Where its standard output goes; records beside the answer unless it is told. */
  stdoutPath?: string
  sandbox: Sandbox
  reach: Reach
  signal: AbortSignal
}

export async function runForAsk(request: AskRequest, asked: AskProcess): Promise<{ result: ProcessResult; files: string[] }> {
  const { stdoutPath = artifactPath(request, 'records.jsonl'), env, sandbox, ...rest } = asked
  const stderrPath = artifactPath(request, 'stderr.log')
  const result = await sandbox.run({
    ...rest,
    cwd: request.cwd,
    env: { ...env, ...placeOf(request) },
    limits: request.limits,
    stdoutPath,
    stderrPath,
    onOutput: (bytes) => request.onActivity({ kind: 'output', bytes }),
    onCut: (note) => request.onActivity({ kind: 'cut', note }),
    onDenied: (address) => request.onActivity({ kind: 'denied', note: deniedNote(address) }),
  })
  // A file is made with the first byte that goes into it.
  return { result, files: [...(result.stdout.bytes > 0 ? [stdoutPath] : []), ...(result.stderr.bytes > 0 ? [stderrPath] : [])] }
}

/** With what to do about it, if it was meant. */
function deniedNote(address: string): string {
  return `the sandbox kept it from ${address}; to let it through: sandbox: { allow: ["${address.replace(/:(80|443)$/, '')}"] }`
}
