// For the tests of this folder: a repository and a home with settings files in them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Refusal } from '../errors.js'
import type { Environment } from './locate.js'
import { loadConfig } from './load.js'
import type { Config, Layer } from './types.js'

export type Place = {
  root: string
  home: string
  write: (path: string, content: string | Uint8Array) => string
  load: (more?: { env?: Environment; flags?: Layer; cwd?: string; file?: string }) => Promise<Config>
  remove: () => void
}

export function makePlace(): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'greenlatch-config-')))
  const [root, home] = [join(base, 'repository'), join(base, 'home')]
  mkdirSync(join(root, '.git'), { recursive: true })
  mkdirSync(home)
  return {
    root,
    home,
    write: (path, content) => {
      const full = join(base, path)
      mkdirSync(dirname(full), { recursive: true })
      writeFileSync(full, content)
      return full
    },
    load: (more) => loadConfig({ cwd: root, env: {}, home, flags: {}, ...more }),
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}

export const PROJECT = 'repository/greenlatch.yaml'
export const USER = 'home/.config/greenlatch/config.yaml'

/** The refusal, or null when the settings were taken. Any other error is passed on. */
export async function refusalOf(loading: Promise<unknown>): Promise<Refusal | null> {
  try {
    await loading
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
