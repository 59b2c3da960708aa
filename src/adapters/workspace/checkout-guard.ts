// Takes out of the repository of a checkout what would run programs there: hooks and settings that an agent has planted, each named.
import { lstatSync, readdirSync, readFileSync, writeFileSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { bytePath, listedPath } from '../../files/byte-path.js'
import { printable } from '../../files/durable.js'
import { blanksFor } from '../../git/drivers.js'
import type { RepositoryGuard } from './repository-guard.js'
import { setAside } from './salvage-aside.js'

type Guarded = { folder: string; aside: string }

/** Settings with a fixed name that name a program, or lend the settings of another file. */
const RUNS = /^(core\.(fsmonitor|hookspath|sshcommand|editor|pager|askpass|gitproxy|alternaterefscommand)|(alias|include|includeif|sequence|interactive)\..*)$/is
/** As every checkout is made: nothing runs by these. */
const INERT: Readonly<Record<string, string>> = { 'core.hookspath': '.git/hooks', 'core.fsmonitor': 'false' }
const MOST_BYTES = 1024 * 1024

/** Its own git never reads any of this; whoever types git there, and a gate that does, would. Looks only when something has changed. */
export function guardCheckout(guarded: Guarded): RepositoryGuard {
  let last = ''
  return {
    check() {
      const now = stampOf(guarded)
      if (now === last) return []
      const lines = [...hooksTaken(guarded), ...settingsTaken(guarded)]
      last = stampOf(guarded)
      return lines
    },
  }
}

function entryAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

function stampOf({ folder }: Guarded): string {
  const entries = ['.git', '.git/hooks', '.git/config'].map((name) => entryAt(join(folder, name)))
  return JSON.stringify(entries.map((entry) => entry && [entry.ino, entry.mode, entry.size, entry.mtimeMs, entry.ctimeMs]))
}

/** Samples are no hooks. */
function hooksTaken(guarded: Guarded): string[] {
  const hooks = join(guarded.folder, '.git/hooks')
  if (!entryAt(join(guarded.folder, '.git'))?.isDirectory() || !entryAt(hooks)) return []
  if (!entryAt(hooks)?.isDirectory()) return [taken(guarded, '.git/hooks')]
  const names = readdirSync(bytePath(hooks), { encoding: 'latin1' }).filter((name) => !name.endsWith('.sample'))
  return names.toSorted().map((name) => taken(guarded, `.git/hooks/${name}`))
}

function taken(guarded: Guarded, path: string): string {
  setAside(guarded, path, 'an agent put it there')
  return `${listedPath(path)} was added; taken away, and kept in ${printable(guarded.aside)}`
}

function settingsTaken(guarded: Guarded): string[] {
  const path = join(guarded.folder, '.git/config')
  const entry = entryAt(path)
  if (!entry?.isFile() || entry.size > MOST_BYTES || !entryAt(join(guarded.folder, '.git'))?.isDirectory()) return []
  const text = readFileSync(path, 'latin1')
  const { kept, keys } = withoutPrograms(text)
  if (keys.length === 0) return []
  setAside(guarded, '.git/config', 'an agent put programs there')
  writeFileSync(path, kept, { encoding: 'latin1', mode: entry.mode & 0o777, flag: 'wx' })
  return [...new Set(keys)].map((key) => `.git/config: ${printable(key)} was set; taken away, and kept in ${printable(guarded.aside)}`)
}

/** The lines of a configuration without those that set one of these, and their keys. A value goes on after a backslash at the end of its line. */
export function withoutPrograms(text: string): { kept: string; keys: string[] } {
  const keys: string[] = []
  let section = ''
  let isDropping = false
  const kept = text.split('\n').filter((line, at, lines) => {
    if (at > 0 && /(^|[^\\])(\\\\)*\\\r?$/.test(lines[at - 1] ?? '')) return !isDropping
    const [, name, sub, rest = ''] = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/s.exec(line) ?? []
    if (name !== undefined) section = sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${sub}`
    const [, key, value = ''] = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*?)\s*)?$/s.exec(name === undefined ? line : rest) ?? []
    const full = key === undefined ? '' : `${section}.${key.toLowerCase()}`
    isDropping = full !== '' && INERT[full] !== value && (RUNS.test(full) || blanksFor([full]).length > 0)
    if (isDropping) keys.push(full)
    return !isDropping
  })
  return { kept: kept.join('\n'), keys }
}
