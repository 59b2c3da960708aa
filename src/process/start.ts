// Starts one process in a session of its own, and says in plain words why when it cannot.
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Readable, Writable } from 'node:stream'
import { childEnvironment, TREE_VARIABLE } from './environment.js'
import { oneLine } from './notes.js'
import type { ProcessRequest } from './types.js'

export type Child = ChildProcessByStdio<Writable | null, Readable, Readable>

export type StartRequest = Pick<ProcessRequest, 'argv' | 'cwd' | 'env' | 'signal'> & {
  stdin?: string | Uint8Array | AsyncIterable<string>
  /** `nothing`: `env` is all that the process finds, besides the mark of its tree. */
  inherits?: 'nothing'
}

export type Start = { kind: 'started'; child: Child; pid: number } | { kind: 'unstartable'; note: string } | { kind: 'aborted' }

/** Shortages that pass: another try is worth its wait. */
const PASSING = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'ETXTBSY'])
const NOTHING = {}
const PAUSES_MILLISECONDS = [20, 50, 100, 200, 400, 800]

export async function startProcess(request: StartRequest, token: string): Promise<Start> {
  for (const pause of [...PAUSES_MILLISECONDS, null]) {
    if (request.signal?.aborted) return { kind: 'aborted' }
    const outcome = await tryStart(request, token)
    if ('child' in outcome) return { kind: 'started', ...outcome }
    if (pause === null || !PASSING.has(outcome.code)) return { kind: 'unstartable', note: explain(request, outcome) }
    await sleep(pause)
  }
  return { kind: 'aborted' }
}

type StartFault = { code: string; message: string }

async function tryStart(request: StartRequest, token: string): Promise<{ child: Child; pid: number } | StartFault> {
  const [command, ...args] = request.argv
  const tree = (process.env[TREE_VARIABLE] ?? '') + token
  let child: Child
  try {
    child = spawn(command, args, {
      cwd: request.cwd,
      env: childEnvironment(request.inherits === 'nothing' ? NOTHING : process.env, { cwd: request.cwd, tree, extra: request.env }),
      detached: true,
      stdio: [request.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    }) as Child
  } catch (error) {
    return asFault(error)
  }
  const { pid } = child
  if (pid === undefined) return new Promise((resolve) => child.once('error', (error) => resolve(asFault(error))))
  child.on('error', () => {})
  return { child, pid }
}

function asFault(error: unknown): StartFault {
  const { code, message } = error as NodeJS.ErrnoException
  return { code: code ?? '', message: message ?? String(error) }
}

function explain(request: StartRequest, fault: StartFault): string {
  return oneLine(`cannot start "${request.argv[0]}": ${reason(request, fault)}`)
}

function reason({ argv, cwd }: StartRequest, { code, message }: StartFault): string {
  const isPath = argv[0].includes('/')
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      if (!isFolder(cwd)) return `the folder "${cwd}" it should work in is not there`
      if (!isPath) return 'not found on PATH'
      return existsSync(resolve(cwd, argv[0])) ? 'the program its first line names is not there' : 'no such file'
    case 'EACCES':
      return isPath ? 'the file is not executable, or may not be reached' : 'found on PATH, but not executable'
    case 'E2BIG':
      return 'its arguments and environment are too long together'
    case 'EAGAIN':
      return 'the system allows no more processes'
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open'
    case 'ENOMEM':
      return 'not enough memory'
    case 'ETXTBSY':
      return 'the file is still being written'
    default:
      return message
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
