// Where a process can be killed: every system call its main thread makes from the moment it first touches its state.
import { readFileSync } from 'node:fs'

/** Memory, masks and waiting of threads: nothing outside the process changes between these and the call before. */
const INNER = setOf(`
  mmap munmap mremap mprotect madvise brk futex getpid gettid
  rt_sigprocmask rt_sigaction rt_sigreturn prlimit64 sched_yield exit_group execve`)

/** Between any two of these, in turn, lies a state of the outside world that no other pair has. */
const CHANGING = setOf(`
  write pwrite64 writev openat mkdir rename link unlink ftruncate fsync fdatasync
  clone vfork bind listen shutdown kill`)

function setOf(words) {
  return new Set(words.trim().split(/\s+/))
}

export function changing(points) {
  return points.filter(({ call }) => CHANGING.has(call))
}

/** What to put before a command so that its calls are listed in `trace`. */
export function listingTo(trace) {
  return ['strace', '-qq', '-o', trace]
}

/** The calls as `{ call, nth }`, in the order they were made. */
export function pointsIn(trace, { state }) {
  const lines = readFileSync(trace, 'latin1').split('\n')
  const first = lines.findIndex((line) => line.includes(state) && !line.startsWith('execve'))
  const counts = {}
  return lines.flatMap((line, index) => {
    const call = /^(\w+)\(/.exec(line)?.[1]
    if (call === undefined || INNER.has(call)) return []
    counts[call] = (counts[call] ?? 0) + 1
    return index < first ? [] : [{ call, nth: counts[call] }]
  })
}

/** The command that kills with signal 9 at the entry of that call, so that the call itself is not made. */
export function killingAt({ call, nth }) {
  return ['strace', '-qq', '-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${call}:signal=SIGKILL:when=${nth}`]
}

/** So many of them, evenly spread; all when that is not fewer. */
export function spread(points, count) {
  if (count >= points.length) return points
  return Array.from({ length: count }, (_, index) => points[Math.floor((index * points.length) / count)])
}
