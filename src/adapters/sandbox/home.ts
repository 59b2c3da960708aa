// A home folder of its own for one process: empty but for the files it is given, of which some are taken back when they have been refreshed.
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { replaceFile } from '../../files/durable.js'
import type { Reach } from '../../ports.js'

type Wanted = NonNullable<Reach['home']>

/** `refresh` takes back what has changed since it was last called. */
export type GivenHome = { refresh(): void }

const MOST_BYTES = 1024 * 1024

/** Copies, so that a program may write its files anew under the same name, which a single file that is only shown there would not let it. */
export function giveHome(from: string, to: string, { given, refreshed }: Wanted): GivenHome {
  for (const path of [...given, ...refreshed].filter((each) => existsSync(join(from, each)))) {
    mkdirSync(dirname(join(to, path)), { recursive: true, mode: 0o700 })
    cpSync(join(from, path), join(to, path), { recursive: true, dereference: true, errorOnExist: false })
  }
  const before = new Map(refreshed.map((path) => [path, textOf(join(from, path))]))
  return {
    refresh() {
      for (const [path, text] of before) {
        const now = isPlain(join(to, path)) ? textOf(join(to, path)) : null
        // Where somebody else has refreshed it meanwhile, theirs is newer.
        if (now === null || now === text || textOf(join(from, path)) !== text || !isLogin(now)) continue
        before.set(path, now)
        takeBack(join(from, path), now)
      }
    },
  }
}

/** Where it cannot be written, the user logs in again; nothing else is lost. */
function takeBack(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    replaceFile(existsSync(path) ? realpathSync(path) : path, text)
  } catch {}
}

/** A link would have us read another file of the user's. */
function isPlain(path: string): boolean {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  return entry !== undefined && entry.isFile() && entry.nlink === 1 && entry.size <= MOST_BYTES
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** Tokens, as JSON. Some programs run a value that begins with an exclamation mark: outside, that would be a way out. */
function isLogin(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !holdsCommand(value)
  } catch {
    return false
  }
}

function holdsCommand(value: unknown): boolean {
  if (typeof value === 'string') return value.trimStart().startsWith('!')
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsCommand)
}
