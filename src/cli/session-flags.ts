// Flags that say what a session may change and where it works.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config, ScopeSettings } from '../config/types.js'
import type { Procedure } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { branchFault } from './branch-name.js'

export type ScopeFlags = { allow?: string[]; deny?: string[]; diffBudget?: string }

export type PlaceFlags = { inPlace?: boolean; dirty?: 'include' | 'ignore'; branch?: string; id?: string; leave?: Procedure['final'] }

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

/** What a procedure allows by itself counts only where neither settings nor flags say anything. */
export function scopeIn({ name, allow }: Procedure, { values, origins, root }: Config): ScopeSettings {
  const { scope } = values
  if (allow === undefined || origins['scope.allow']?.tier !== 'built-in') return scope
  const missing = allow.find((glob) => !/[*?[{\\]/.test(glob) && !existsSync(join(root, glob)))
  if (missing === undefined) return { ...scope, allow }
  const what = `procedure "${name}" changes only what is in ${allow.join(', ')} unless it is told otherwise, and there is no ${missing}`
  throw new Refusal(EXIT.usage, what, 'greenlatch run --allow <folder>')
}

export function placeOf(flags: PlaceFlags, procedure: Procedure): PlaceSetup {
  const { inPlace, dirty, leave } = flags
  if (hasBranchPhase(procedure)) refuseForBranch(flags, procedure)
  if (inPlace && dirty === 'ignore') {
    throw new Refusal(EXIT.usage, '--in-place works on your folder as it stands: it cannot ignore what is dirty', 'greenlatch run --help')
  }
  return { inPlace: inPlace === true, dirty: dirty ?? null, branch: branchOf(flags, procedure), leave: leave ?? procedure.final }
}

/** What is committed is what was checked, and nothing else. */
function refuseForBranch({ inPlace, dirty }: PlaceFlags, { name }: Procedure): void {
  if (inPlace) throw new Refusal(EXIT.usage, `--in-place: procedure "${name}" works in a copy, and commits to a branch of its own`, 'greenlatch run --help')
  if (dirty !== 'include') return
  const what = `--dirty include: procedure "${name}" makes a commit, and what you have not committed would be part of it`
  throw new Refusal(EXIT.usage, what, 'greenlatch run --dirty ignore')
}

function branchOf({ branch, id }: PlaceFlags, procedure: Procedure): string | null {
  if (id !== undefined && !hasBranchPhase(procedure)) {
    throw new Refusal(EXIT.usage, `--id: procedure "${procedure.name}" makes no branch that it could name`, `greenlatch procedures show ${procedure.name}`)
  }
  const flag = branch === undefined ? '--id' : '--branch'
  const name = branch ?? (id === undefined ? null : `feature/${procedure.name}-${id}`)
  const fault = id === '' && branch === undefined ? 'has no id' : name === null ? null : branchFault(name)
  if (fault !== null) throw new Refusal(EXIT.usage, `${flag}: the name "${name}" ${fault}`, `greenlatch run ${flag} <name>`)
  return name
}

export function hasBranchPhase({ phases }: Pick<Procedure, 'phases'>): boolean {
  return Object.values(phases).some((phase) => phase.kind === 'workspace' && phase.action === 'branch')
}
