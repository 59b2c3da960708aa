// A lock made of numbered files, for systems without a lock that the kernel holds: the owner is who made the highest number.
import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf, replaceFile } from './durable.js'
import { isAlive, thisProcess, type ProcessIdentity } from './owner.js'

type Claim = ProcessIdentity | 'released'

const ATTEMPTS = 50

/**
 * Takes the lock and returns its release, or says who has it.
 * Numbers only go up and a number is made by one process alone (link refuses an existing name), so that of many processes that
 * found the same dead owner exactly one takes its place. Deleting and making one single file again cannot promise that.
 */
export function takeLockFile(folder: string, name: string): { release: () => void } | { pid: number | null } {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const highest = highestOf(folder, name)
    const claim = highest === 0 ? 'released' : readClaim(pathOf(folder, name, highest))
    if (claim === 'moved') continue
    if (claim !== 'released' && isAlive(claim)) return { pid: claim.pid }
    if (makeClaim(folder, name, highest + 1)) return { release: () => release(folder, name, highest + 1) }
  }
  return { pid: null }
}

export function holderOfLockFile(folder: string, name: string): ProcessIdentity | undefined {
  const highest = highestOf(folder, name)
  if (highest === 0) return undefined
  const claim = readClaim(pathOf(folder, name, highest))
  return claim !== 'moved' && claim !== 'released' && isAlive(claim) ? claim : undefined
}

/** True when this process now owns the lock. */
function makeClaim(folder: string, name: string, number: number): boolean {
  const temporary = join(folder, `.lock-${name}.${randomBytes(6).toString('hex')}.tmp`)
  const path = pathOf(folder, name, number)
  try {
    writeFileSync(temporary, JSON.stringify(thisProcess()), { flag: 'wx', mode: 0o600 })
    linkSync(temporary, path)
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  // A slow process can make a number that a later owner has already cleared away: then the later one stands.
  if (highestOf(folder, name) > number) {
    rmSync(path, { force: true })
    return false
  }
  for (const older of numbersOf(folder, name)) if (older < number) rmSync(pathOf(folder, name, older), { force: true })
  return true
}

/** The number stays: were it given back, a process that read the folder earlier could take it a second time. */
function release(folder: string, name: string, number: number): void {
  replaceFile(pathOf(folder, name, number), JSON.stringify('released'))
}

function readClaim(path: string): Claim | 'moved' {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Claim
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 'moved'
    // Claims appear whole, so what cannot be read was emptied by a power cut: its owner is gone.
    if (error instanceof SyntaxError) return 'released'
    throw error
  }
}

function highestOf(folder: string, name: string): number {
  return Math.max(0, ...numbersOf(folder, name))
}

function numbersOf(folder: string, name: string): number[] {
  const prefix = `.lock-${name}.`
  return readdirSync(folder)
    .filter((file) => file.startsWith(prefix) && /^\d+$/.test(file.slice(prefix.length)))
    .map((file) => Number(file.slice(prefix.length)))
}

function pathOf(folder: string, name: string, number: number): string {
  return join(folder, `.lock-${name}.${number}`)
}
