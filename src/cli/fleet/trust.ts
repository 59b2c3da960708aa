// The one place that decides what of a repository's own settings counts on a worker.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, Refusal } from '../../errors.js'
import type { Task } from '../../fleet/types.js'
import { quoteWord } from '../../text/prompt/quote.js'
import type { BeginFlags } from '../begin.js'
import { openContext } from '../context.js'
import { layerOf } from '../flags.js'

const SHOWN_DIGITS = 12

/**
 * A worker runs repositories that nobody has looked at on its machine. A state of their settings that the task names may run, and no
 * other: what this machine trusts besides has no say. Throws Refusal.
 */
export async function requireTrustedState({ repository, commit }: Task, flags: BeginFlags & { trust: string[] }, folder: string): Promise<void> {
  const { trust } = flags
  const { config: { executable } } = await openContext(flags, layerOf(flags, folder))
  if (executable && trust.includes(executable.hash)) return
  const there = executable ? `what ${executable.names.join(' and ')} would run or permit has the hash ${short(executable.hash)}` : 'its settings would run and permit nothing'
  const what = `${repository} at ${short(commit)} is not in a state that the task trusts: ${there}, and ${trust.map(short).join(' or ')} is trusted`
  throw new Refusal(EXIT.guard, what, `git fetch ${quoteWord(repository)} ${quoteWord(commit)} && git checkout FETCH_HEAD && greenlatch trust show`)
}

/** What cannot be done with the words of the task alone may be what the repository's own file is for, which is not read. */
export function untrusted(refusal: Refusal, folder: string): Refusal {
  if (!hasSettings(folder) || (refusal.code !== EXIT.usage && refusal.code !== EXIT.gate)) return refusal
  const what = `${refusal.message}; the repository's own greenlatch.yaml is not read, since the task names no state of it that is trusted`
  return new Refusal(EXIT.guard, what, 'greenlatch fleet submit --trust <hash>  (greenlatch trust show prints it, in the repository)')
}

export function hasSettings(folder: string): boolean {
  return existsSync(join(folder, 'greenlatch.yaml'))
}

function short(hash: string): string {
  return hash.slice(0, SHOWN_DIGITS)
}
