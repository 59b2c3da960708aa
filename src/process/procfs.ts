// Reads Linux's table of processes under /proc; a process that has gone, or is not ours to look at, is an answer and not an error.
import { closeSync, openSync, readdirSync, readFileSync, readSync, statfsSync } from 'node:fs'

/** A living process. Those that have ended and only wait to be collected by their parent have no row. */
export type ProcessRow = { pid: number; name: string; parent: number; group: number; session: number; startTicks: number }

const PROC_FILE_SYSTEM = 0x9fa0

const buffer = Buffer.allocUnsafe(64 * 1024)

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}

function isProcFile(path: string): boolean {
  try {
    return statfsSync(path).type === PROC_FILE_SYSTEM
  } catch {
    return false
  }
}

export const hasProcfs = once(() => isProcFile('/proc/self/environ'))

/** Containers may put a made-up file over this one; then it tells nothing about process ids. */
const hasTrueLoadavg = once(() => isProcFile('/proc/loadavg'))

/** How many process ids there are before they begin again from the lowest; the smallest usual value when it cannot be read. */
export const processIdCount = once(() => {
  try {
    return Number(readFileSync('/proc/sys/kernel/pid_max', 'latin1')) || 32_768
  } catch {
    return 32_768
  }
})

/** When our own process was started: nothing that we started is older. */
export const ownStartTicks = once(() => readRow(process.pid)?.startTicks ?? 0)

/** The id given out last, threads included, or 0 when that cannot be told. */
export function newestProcessId(): number {
  if (!hasTrueLoadavg()) return 0
  const text = readStart('/proc/loadavg')
  return Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
}

export function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0)
  } catch {
    return []
  }
}

export function readRow(pid: number): ProcessRow | null {
  const text = readStart(`/proc/${pid}/stat`)
  // The name of the command stands in brackets and may hold brackets and spaces itself.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const state = fields[0]
  if (state === undefined || state === '' || state === 'Z' || state === 'X') return null
  const [parent, group, session, startTicks] = [fields[1], fields[2], fields[3], fields[19]].map(Number)
  if (parent === undefined || group === undefined || session === undefined || startTicks === undefined) return null
  return { pid, name: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')), parent, group, session, startTicks }
}

/** The words a process was started with, at most the first of them; those of the shell that only runs a line are left out. */
export function commandOf(pid: number): string {
  return commandText(Buffer.from(readStart(`/proc/${pid}/cmdline`), 'latin1').toString('utf8').split('\u0000'))
}

export function commandText(words: readonly string[]): string {
  return words.join(' ').replace(/^\S*\bsh -c /, '').trim()
}

/** Whether the environment a process was started with holds this text. */
export function environmentHolds(pid: number, wanted: Buffer): boolean {
  const file = open(`/proc/${pid}/environ`)
  if (file === null) return false
  try {
    for (let kept = 0; ; ) {
      const read = readSync(file, buffer, kept, buffer.length - kept, null)
      if (buffer.subarray(0, kept + read).includes(wanted)) return true
      if (read === 0) return false
      // The text may lie across two reads.
      const next = Math.min(wanted.length, kept + read)
      buffer.copyWithin(0, kept + read - next, kept + read)
      kept = next
    }
  } catch {
    return false
  } finally {
    closeSync(file)
  }
}

function open(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch {
    return null
  }
}

/** The first bytes of a short file, or nothing. */
function readStart(path: string): string {
  const file = open(path)
  if (file === null) return ''
  try {
    return buffer.toString('latin1', 0, readSync(file, buffer, 0, 1024, null))
  } catch {
    return ''
  } finally {
    closeSync(file)
  }
}
