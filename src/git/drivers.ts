// Finds the settings of a foreign repository that name a program, wherever they are included from, and blanks each by its name.
import type { Setting } from './environment.js'
import type { Repository } from './git.js'

type Blank = { pattern: RegExp; value: string; unless?: 'hooks' | 'signing' }

/**
 * Settings with a name of their own in the key, which may be empty, and what takes their effect away. `required` would make a blank
 * filter a failure; a merge driver that fails leaves a conflict, where an empty one would silently take one side.
 */
const BLANKS: readonly Blank[] = [
  { pattern: /^filter\..*\.(clean|smudge|process)$/s, value: '' },
  { pattern: /^filter\..*\.required$/s, value: 'false' },
  { pattern: /^merge\..*\.driver$/s, value: 'exit 1' },
  { pattern: /^diff\..*\.(command|textconv)$/s, value: '' },
  { pattern: /^(difftool|mergetool|browser|man|guitool)\..*\.(cmd|path)$/s, value: 'false' },
  { pattern: /^credential\..*\.helper$/s, value: '' },
  { pattern: /^trailer\..*\.(command|cmd)$/s, value: 'false' },
  { pattern: /^tar\..*\.command$/s, value: 'false' },
  { pattern: /^submodule\..*\.update$/s, value: 'none' },
  { pattern: /^submodule\..*\.ignore$/s, value: 'dirty' },
  { pattern: /^remote\..*\.(uploadpack|receivepack|vcs)$/s, value: 'false' },
  { pattern: /^pager\..*$/s, value: 'false' },
  { pattern: /^hook\..*\.enabled$/s, value: 'false', unless: 'hooks' },
  { pattern: /^gpg\..*\.program$/s, value: 'false', unless: 'signing' },
]

/** The settings that blank every driver among these keys, except what the repository's `runs` lets through by name. */
export function blanksFor(keys: readonly string[], runs: Repository['runs'] = {}): Setting[] {
  const trusted = new Set(runs.filters)
  return [...new Set(keys.map(switchOfHook))].flatMap((key): Setting[] => {
    const filter = /^filter\.(.*)\.[^.]+$/s.exec(key)?.[1]
    if (filter !== undefined && trusted.has(filter)) return []
    const blank = BLANKS.find(({ pattern }) => pattern.test(key))
    return blank === undefined || (blank.unless && runs[blank.unless]) ? [] : [[key, blank.value]]
  })
}

/** From version 2.54 git takes hooks from the configuration too, each switched on unless this key says otherwise. */
function switchOfHook(key: string): string {
  return key.replace(/^(hook\..*)\.[^.]+$/s, '$1.enabled')
}
