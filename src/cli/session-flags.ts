// Flags that say what a session may change and where it works.
import type { ScopeSettings } from '../config/types.js'
import type { Procedure } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { branchFault } from './branch-name.js'

export type ScopeFlags = { allow?: string[]; deny?: string[]; diffBudget?: string }

export type PlaceFlags = { inPlace?: boolean; dirty?: 'include' | 'ignore'; branch?: string; leave?: Procedure['final'] }

/** Where a session works and what it leaves behind. */
export type PlaceSetup = {
  /** In the user's own folder instead of a copy. */
  inPlace: boolean
  /** What becomes of changes that were not committed; null refuses to begin where there are any. */
  dirty: 'include' | 'ignore' | null
  /** The branch the work is done on; null for one named after the session. */
  branch: string | null
  leave: Procedure['final']
}

export function scopeOf({ allow, deny, diffBudget }: ScopeFlags): Partial<ScopeSettings> {
  return { ...(allow && { allow }), ...(deny && { deny }), ...(diffBudget !== undefined && readDiffBudget(diffBudget)) }
}

/** `20/800`, `20/` or `/800`: files, lines, or both. */
function readDiffBudget(text: string): Pick<Partial<ScopeSettings>, 'files' | 'lines'> {
  const [, files = '', lines = ''] = /^(\d{0,9})\/(\d{0,9})$/.exec(text) ?? []
  if (files === '' && lines === '') {
    throw new Refusal(EXIT.usage, `--diff-budget: "${text}" is not files/lines (write 20/800, 20/ or /800)`, 'greenlatch run --help')
  }
  return { ...(files !== '' && { files: Number(files) }), ...(lines !== '' && { lines: Number(lines) }) }
}

export function placeOf({ inPlace, dirty, branch, leave }: PlaceFlags, { final }: Procedure): PlaceSetup {
  const fault = branch === undefined ? null : branchFault(branch)
  if (fault !== null) throw new Refusal(EXIT.usage, `--branch: the name "${branch}" ${fault}`, 'greenlatch run --branch <name>')
  if (inPlace && dirty === 'ignore') {
    throw new Refusal(EXIT.usage, '--in-place works on your folder as it stands: it cannot ignore what is dirty', 'greenlatch run --help')
  }
  return { inPlace: inPlace === true, dirty: dirty ?? null, branch: branch ?? null, leave: leave ?? final }
}
