// A temporary folder whose name tells whose it is, so that what a killed process left is removed by the next one.
import { chmodSync, lstatSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stateRefusal } from './durable.js'
import { isAlive, thisProcess } from './owner.js'

const UNTOLD = 'x'
/** Sockets in it need a short path. */
const BOOT_LENGTH = 8

/** Number, start, boot and room of numbers of the process stand in its name: from the moment it is made it has an owner, and until its last file is gone. */
export function openOwnedFolder(kind: string): { folder: string; remove(): void } {
  const folder = makeFolder(kind)
  clearLeft(dirname(folder), kind)
  return { folder, remove: () => removeFolder(folder) }
}

function makeFolder(kind: string): string {
  try {
    return mkdtempSync(join(realpathSync(tmpdir()), `greenlatch-${kind}-${process.pid}-${thisProcess().start ?? UNTOLD}-${boot()}-${pidNamespace()}-`))
  } catch (error) {
    throw stateRefusal(error, tmpdir(), 'make room there, or name another folder in TMPDIR')
  }
}

/** A folder for temporary files need not show what is in it. */
function clearLeft(parent: string, kind: string): void {
  try {
    for (const name of readdirSync(parent)) if (isLeft(parent, name, kind)) removeFolder(join(parent, name))
  } catch {}
}

function boot(): string {
  return thisProcess().boot?.slice(0, BOOT_LENGTH) ?? UNTOLD
}

/** In two containers the same number is not the same process, and one may be alive that the other cannot see. */
function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? UNTOLD
  } catch {
    return UNTOLD
  }
}

/** Only what can be proved: whoever is of another boot or another room, or does not tell, may be alive. */
function isLeft(parent: string, name: string, kind: string): boolean {
  const prefix = `greenlatch-${kind}-`
  const [, pid, start = UNTOLD, booted, room] = (name.startsWith(prefix) && /^(\d+)-(\w+)-(\w+)-(\w+)-\w{6}$/.exec(name.slice(prefix.length))) || []
  const entry = pid === undefined ? undefined : lstatSync(join(parent, name), { throwIfNoEntry: false })
  if (!entry?.isDirectory() || entry.uid !== process.getuid?.()) return false
  const isOurs = booted === boot() && room === pidNamespace() && booted !== UNTOLD && room !== UNTOLD
  return isOurs && !isAlive({ pid: Number(pid), start: start === UNTOLD ? null : start, boot: null })
}

/** What cannot be removed now is tried again by a later process; it is no reason to lose a result. */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    openUp(folder)
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    } catch {}
  }
}

/** A process may have taken rights away from folders of its own. */
function openUp(folder: string): void {
  try {
    chmodSync(folder, 0o700)
    for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) openUp(join(folder, entry.name))
  } catch {}
}
