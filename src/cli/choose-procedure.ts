// Which procedure runs, with the settings laid over it: checked before anything begins.
import { iterationLimit } from '../config/iterations.js'
import { refusalOf } from '../config/many-faults.js'
import { resolveProcedure, type ProcedureEntry } from '../config/resolve.js'
import type { Config, PromptPart, PromptSettings } from '../config/types.js'
import type { Fragment, Part, Policies, Procedure } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { builtinProcedures, fragments } from '../procedures/index.js'
import { didYouMean } from './meant.js'

/** How a gate is named among targets. */
const GATE = 'gate:'

export function allProcedures(config: Config): Record<string, ProcedureEntry> {
  const own = Object.entries(config.values.procedures as Record<string, ProcedureEntry>)
  const changed = Object.fromEntries(own.map(([name, entry]) => [name, overBuiltin(name, entry)]))
  return { ...(builtinProcedures as Record<string, ProcedureEntry>), ...changed }
}

/** An entry with the name of a built-in procedure holds changes to it, unless it extends another one. */
function overBuiltin(name: string, entry: ProcedureEntry): ProcedureEntry {
  const builtin = Object.hasOwn(builtinProcedures, name) ? (builtinProcedures[name] as ProcedureEntry) : undefined
  if (!builtin || (entry.extends !== undefined && entry.extends !== name)) return entry
  return resolveProcedure(name, { [name]: { ...entry, extends: 'built-in' }, 'built-in': builtin }).procedure as ProcedureEntry
}

export function procedureFor(name: string, config: Config): Procedure {
  const entries = allProcedures(config)
  if (!Object.hasOwn(entries, name)) {
    throw new Refusal(EXIT.usage, `there is no procedure "${name}"${didYouMean(name, Object.keys(entries))}`, 'greenlatch procedures')
  }
  const { procedure, problems } = resolveProcedure(name, withSettings(entries, name, config))
  if (problems.length > 0) throw refusalOf(problems.map((problem) => `procedure "${name}": ${problem}`), 'greenlatch schema procedure')
  const { prompts = {}, ...plain } = procedure as Procedure & { prompts?: PromptSettings }
  return withPrompts(plain, prompts, config)
}

/** Settings that touch the procedure are laid over it as one more entry, so that they are checked like everything else. */
function withSettings(entries: Record<string, ProcedureEntry>, name: string, config: Config): Record<string, ProcedureEntry> {
  const { policies: has } = resolveProcedure(name, entries).procedure
  const { setbacks, floor, budget } = config.values
  if (!has.goal && isFlagged(config, ['target', 'excuse', 'require'])) throw lacks(name, 'proves nothing that --target, --excuse or --require could be about')
  if (!hasBaseline(entries, name) && isFlagged(config, ['target', 'excuse']) && (goalOf(config)?.targets || goalOf(config)?.excuse)) {
    throw lacks(name, 'has no baseline that --target or --excuse could be about')
  }
  if (setbacks !== undefined && !has.setbacks) throw lacks(name, 'counts no setbacks that --failure-threshold could limit')
  if (floor !== undefined && !has.floor) throw lacks(name, 'has no floor that --min-iterations could raise')
  const policies = {
    ...(setbacks !== undefined && { setbacks: { limit: setbacks } }),
    ...(floor !== undefined && { floor: { iterations: floor } }),
    ...(has.goal && { goal: goalOf(config) }),
  }
  const limit = iterationLimit(config, name)
  refuseUnreachable(name, floor ?? has.floor?.iterations ?? 0, limit?.iterations ?? 0)
  const base = `${name}-as-written`
  return {
    ...entries,
    [base]: entries[name] ?? {},
    [name]: { extends: base, policies, budget: { ...budget, ...(limit && { iterations: limit.iterations }) } },
  }
}

function hasBaseline(entries: Record<string, ProcedureEntry>, name: string): boolean {
  const { phases } = resolveProcedure(name, entries).procedure
  return Object.values(phases).some((phase) => phase.kind === 'check' && phase.baseline === true)
}

/** Either of the two may be what is wrong; the floor is the one that people do not know of. */
function refuseUnreachable(name: string, least: number, most: number): void {
  if (most === 0 || least <= most) return
  const what = `procedure "${name}": the floor of ${least} iterations is above the maximum of ${most}`
  throw new Refusal(EXIT.usage, what, `greenlatch run --min-iterations ${most}`)
}

function isFlagged({ origins }: Config, keys: readonly string[]): boolean {
  return keys.some((key) => origins[key]?.tier === 'flag')
}

/** What is not said leaves the procedure's own goal as it is. */
function goalOf({ values: { target, excuse, require } }: Config): Policies['goal'] {
  const gates = target.filter((word) => word.startsWith(GATE)).map((word) => word.slice(GATE.length))
  const targets = target.filter((word) => !word.startsWith(GATE))
  return {
    ...(targets.length > 0 && { targets }),
    ...(gates.length > 0 && { gates }),
    ...(excuse.length > 0 && { excuse }),
    ...(require !== undefined && { require }),
  }
}

function lacks(name: string, what: string): Refusal {
  return new Refusal(EXIT.usage, `procedure "${name}" ${what}`, `greenlatch procedures show ${name}`)
}

/** Replaces the text of the parts that are named. Flags win over the entry, the entry over files. */
function withPrompts(procedure: Procedure, ofEntry: PromptSettings, { values, origins }: Config): Procedure {
  const byFlag = Object.entries(values.prompts).filter(([part]) => origins[`prompts.${part}`]?.tier === 'flag')
  const prompts: PromptSettings = { ...values.prompts, ...ofEntry, ...Object.fromEntries(byFlag) }
  const phases = Object.entries(procedure.phases).map(([name, phase]) => {
    return [name, phase.kind === 'ask' ? { ...phase, prompt: phase.prompt.map((part) => withText(part, prompts)) } : phase]
  })
  return { ...procedure, phases: Object.fromEntries(phases) }
}

/** What comes from the session stays where it is. */
function withText(part: Part, prompts: PromptSettings): Part {
  const given = prompts[part.title.toLowerCase() as PromptPart]
  return given ? { ...part, fragments: [...given.map(known), ...part.fragments.filter((fragment) => 'section' in fragment)] } : part
}

function known(fragment: Fragment): Fragment {
  if (!('builtin' in fragment) || fragments[fragment.builtin] !== undefined) return fragment
  const meant = didYouMean(fragment.builtin, Object.keys(fragments))
  throw new Refusal(EXIT.usage, `there is no built-in fragment "${fragment.builtin}"${meant}`, 'greenlatch procedures show ooda')
}
