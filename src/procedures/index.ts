// The procedures that come with Greenlatch, as data, and the prompt fragments they name.
import type { Procedure } from '../core/types.js'
import { artifact } from './artifact.js'
import { converge, convergeFragments } from './converge.js'
import { cycle, cycleFragments } from './cycle.js'
import { ooda, oodaFragments } from './ooda.js'
import { tdd, tddFragments } from './tdd.js'

/** The procedures that come with it, by name. */
export const builtinProcedures: Readonly<Record<string, Procedure>> = { artifact, converge, cycle, ooda, tdd }

/** Every built-in fragment by name: what `{ builtin: name }` in a prompt stands for. */
export const fragments: Readonly<Record<string, string>> = { ...convergeFragments, ...cycleFragments, ...oodaFragments, ...tddFragments }
