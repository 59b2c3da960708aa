// Tunes the JavaScript engine for a process that waits nearly all its life.
import { setFlagsFromString } from 'node:v8'

/**
 * The loop runs a little code between long waits: compiling it for speed and collecting its garbage on several threads costs more
 * than it ever gives back (a tenth and more of the processor time of a short iteration). Asked for when the loop begins, so that
 * no other command is slower for it.
 */
export function tuneForWaiting(): void {
  for (const flag of ['--no-opt', '--no-parallel-scavenge']) setFlagsFromString(flag)
}
