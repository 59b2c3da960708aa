// Checks the plain values and the globs among the flags by the same rules as those of the other tiers.
import { EXIT, Refusal } from '../errors.js'
import { globFault } from '../text/glob.js'
import { accepts, expectation, flagName, SCALAR_KEYS, SCALARS } from './scalars.js'
import type { Layer } from './types.js'
import { shown } from './words.js'

export function checkFlags(flags: Layer): void {
  for (const key of SCALAR_KEYS) {
    const value = valueAt(flags, key)
    // A map of roles is not a plain value; the command line has taken it apart already.
    if (value === undefined || (key === 'agent' && typeof value === 'object')) continue
    if (accepts(SCALARS[key], value)) continue
    throw new Refusal(EXIT.usage, `${flagName(key)}: ${expectation(SCALARS[key])}, found ${shown(value)}`, 'greenlatch run --help')
  }
  for (const list of ['allow', 'deny'] as const) {
    for (const glob of flags.scope?.[list] ?? []) {
      const fault = globFault(glob)
      if (fault !== null) throw new Refusal(EXIT.usage, `--${list}: expected ${fault}, found ${shown(glob)}`, 'greenlatch run --help')
    }
  }
}

function valueAt(flags: Layer, key: string): unknown {
  const [head, name] = key.split('.') as [keyof Layer, string?]
  const value: unknown = flags[head]
  return name === undefined ? value : (value as Record<string, unknown> | undefined)?.[name]
}
