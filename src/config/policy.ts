// Reads a policy file: a patch of the policies and the budget of procedures, written as below `procedures:` in the settings.
import { resolve } from 'node:path'
import type { Procedure } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { refusalOfFile } from './many-faults.js'
import { resolveProcedure, type ProcedureEntry } from './resolve.js'
import { readSource } from './source.js'
import { oneLine } from './words.js'

const NEXT = 'greenlatch schema procedure'

/** No procedure of a user's can have this name. */
const RECORDED = '@recorded'

/** Throws Refusal with the file, the line and the key for whatever is wrong with it. */
export async function loadPolicy(path: string, cwd: string): Promise<ProcedureEntry> {
  const name = oneLine(path)
  const text = textOf(resolve(cwd, path), name)
  const { parseSettings } = await import('./document.js')
  const parsed = parseSettings(text)
  if (parsed.faults.length > 0) throw refusalOfFile(name, parsed.faults, NEXT)
  const { checkPolicy } = await import('./schema.js')
  const checked = checkPolicy(parsed.value ?? {})
  if ('faults' in checked) throw refusalOfFile(name, checked.faults.map((fault) => ({ line: parsed.lineOf(fault.path), text: fault.text })), NEXT)
  if (Object.keys(checked.entry).length > 0) return checked.entry
  throw new Refusal(EXIT.usage, `${name} changes nothing: expected policies or budget`, NEXT)
}

function textOf(path: string, name: string): string {
  try {
    return readSource({ tier: 'project', path, name })
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(error.code, error.message, 'greenlatch backtest --policy <file>') : error
  }
}

/** The procedure with the patch laid over it, or the first thing that keeps the two from fitting together. */
export function withPolicy(procedure: Procedure, entry: ProcedureEntry): Procedure | { unfit: string } {
  const name = procedure.name
  const { procedure: changed, problems } = resolveProcedure(name, { [RECORDED]: { ...procedure }, [name]: { ...entry, extends: RECORDED } })
  const [problem] = problems
  return problem === undefined ? changed : { unfit: problem }
}
