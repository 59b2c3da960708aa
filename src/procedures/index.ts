// The procedures that come with Greenlatch, as data, and the prompt fragments they name.
import type { Procedure } from '../core/types.js'
import { converge, convergeFragments } from './converge.js'
import { ooda, oodaFragments } from './ooda.js'

export const builtinProcedures: Readonly<Record<string, Procedure>> = { converge, ooda }

/** Every built-in fragment by name: what `{ builtin: name }` in a prompt stands for. */
export const fragments: Readonly<Record<string, string>> = { ...convergeFragments, ...oodaFragments }
