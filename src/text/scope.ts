// What a candidate may change: paths by globs, and how much of it. Measures changes against the tree a session started from.
import type { Failure } from '../core/types.js'
import { counted } from './amounts.js'
import { fingerprintOf } from './failures/failing-lines.js'
import { matcherOf, type Matcher } from './glob.js'

/** An empty `allow` allows everything; 0 is no limit. */
export type ScopeRules = {
  allow: readonly string[]
  deny: readonly string[]
  files: number
  lines: number
  /** The file system takes `A` and `a` for one name, and so do the rules. */
  caseInsensitive?: boolean
}

/** One changed name as text, whatever changed about it: content, mode, kind. `from` is the name it had before; a copy has none. */
export type ScopeChange = { path: string; from?: string; added: number; removed: number; submodule: boolean }

export type Breach = { path: string; why: string; fingerprint: string }

/** `over` says how much was changed, when that is more than the budget. */
export type Measure = { breaches: Breach[]; over: { files: number; lines: number } | null }

/** The settings decide what is checked, so that changing them is never part of a task unless they are allowed by name. */
const OWN_FILE = /(^|\/)greenlatch\.yaml$/

/** The order of the changes does not matter, and neither does whether a rename was recognised as one. */
export function measureScope(changes: readonly ScopeChange[], rules: ScopeRules): Measure {
  const judge = judgeOf(rules)
  const names = new Map<string, Kind>()
  for (const { path, from, submodule } of changes) {
    for (const name of from === undefined ? [path] : [path, from]) names.set(name, submodule ? 'submodule' : (names.get(name) ?? 'file'))
  }
  const breaches = [...names].flatMap(([name, kind]) => judge(name, kind))
  const files = names.size
  const lines = changes.reduce((sum, { added, removed }) => sum + added + removed, 0)
  const isOver = (rules.files > 0 && files > rules.files) || (rules.lines > 0 && lines > rules.lines)
  return { breaches: breaches.toSorted((a, b) => (a.path < b.path ? -1 : 1)), over: isOver ? { files, lines } : null }
}

/** Whether a name is within the rules, as far as a name alone can tell. */
export function mayChange(rules: ScopeRules): (name: string) => boolean {
  const judge = judgeOf(rules)
  return (name) => judge(name, 'file').length === 0
}

/** The rules in one line; empty where everything may be changed. */
export function scopeText({ allow, deny, files, lines, mode }: ScopeRules & { mode: 'block' | 'warn' }): string {
  if (allow.length + deny.length + files + lines === 0) return ''
  const rules = [
    allow.length > 0 ? allow.join(', ') : 'everything',
    ...(deny.length > 0 ? [`but never ${deny.join(', ')}`] : []),
    ...(files > 0 ? [`at most ${counted(files, 'file')}`] : []),
    ...(lines > 0 ? [`at most ${counted(lines, 'line')}`] : []),
  ]
  return `${rules.join('; ')}${mode === 'warn' ? ' (only warns)' : ''}`
}

/** As failures of a check, for the engine to count and compare. */
export function scopeFailures({ breaches, over }: Measure, { files, lines }: Pick<ScopeRules, 'files' | 'lines'>): Failure[] {
  const all = breaches.map(({ path, why, fingerprint }) => failureOf(path, fingerprint, `${path} is out of scope: ${why}`))
  if (!over) return all
  const most = [...(files > 0 ? [counted(files, 'file')] : []), ...(lines > 0 ? [counted(lines, 'line')] : [])].join(' and ')
  const message = `${counted(over.files, 'file')} and ${counted(over.lines, 'line')} changed, at most ${most} allowed`
  return [...all, failureOf('diff budget', fingerprintOf('scope', 'diff budget'), message)]
}

function failureOf(subject: string, fingerprint: string, message: string): Failure {
  return { gate: 'scope', subject, class: 'scope', fingerprint, message, runs: { failed: 1, of: 1 } }
}

type Kind = 'file' | 'submodule'

/** Says of a name why it is out of scope, at most one reason: the first that applies. */
function judgeOf({ allow, deny, caseInsensitive }: ScopeRules): (name: string, kind: Kind) => Breach[] {
  const folded = (text: string): string => (caseInsensitive === true ? text.normalize('NFC').toLowerCase() : text)
  const rule = (glob: string): { glob: string; matches: Matcher } => ({ glob, matches: matcherOf(folded(glob)) })
  const [allowing, denying] = [allow.map(rule), deny.map(rule)]
  const byName = new Set(allow.map(folded))
  return (name, kind) => {
    const path = folded(name)
    const breach = (why: string, by: string): Breach[] => [{ path: name, why, fingerprint: fingerprintOf('scope', `${by}\u0000${name}`) }]
    if (kind === 'submodule') return breach('it is a submodule', 'submodule')
    const denied = denying.find(({ matches }) => matches(path))
    if (denied) return breach(`denied by "${denied.glob}"`, `deny ${denied.glob}`)
    if (OWN_FILE.test(path) && !byName.has(path)) return breach('it holds the settings of this tool', 'settings')
    return allowing.length === 0 || allowing.some(({ matches }) => matches(path)) ? [] : breach('no rule allows it', 'allow')
  }
}
