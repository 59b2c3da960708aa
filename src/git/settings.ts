// The configuration that counts in a repository, as values: the user's and the system's included.
import { git, type Repository } from './git.js'

/** Key (as git writes it: lower case but for the name in the middle) → values in the order in which they count, the last most. */
export type Settings = ReadonlyMap<string, readonly string[]>

export type AllSettings = {
  all: Settings
  /** Without what the repository says of itself. */
  users: Settings
}

export async function readSettings(repository: Repository): Promise<AllSettings> {
  const { fields } = await git({ ...repository, userConfig: 'read' }, ['config', '--list', '--show-scope', '-z', '--includes'])
  const all = new Map<string, string[]>()
  const users = new Map<string, string[]>()
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope, entry = ''] = [fields[at], fields[at + 1]]
    // Ours, laid over it for this command.
    if (scope === 'command') continue
    const end = entry.indexOf('\n')
    // A key without a value is a switch that is on.
    const [key, value] = end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)]
    add(all, key, value)
    if (scope === 'system' || scope === 'global') add(users, key, value)
  }
  return { all, users }
}

function add(settings: Map<string, string[]>, key: string, value: string): void {
  const known = settings.get(key)
  if (known) known.push(value)
  else settings.set(key, [value])
}

export function isOn(settings: Settings, key: string): boolean {
  return /^(true|yes|on|[1-9]\d*)$/i.test(settings.get(key)?.at(-1) ?? '')
}
