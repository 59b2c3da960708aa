// What `doctor` finds out about the settings without running anything: whether the gates' programs and the files that are named are there.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config, GateEntry } from '../config/types.js'
import { EXIT, Refusal } from '../errors.js'
import { findExecutable } from '../process/command-line.js'
import { programsIn } from '../text/commands/programs.js'
import { NEED_A_GATE } from '../text/project/settings-text.js'
import { procedureFor } from './choose-procedure.js'
import type { Finding } from './doctor-findings.js'
import { whatIs } from './project.js'

export function settingsFindings(config: Config): Finding[] {
  return [...procedureFindings(config), ...fileFindings(config), ...gateFindings(config)]
}

function procedureFindings(config: Config): Finding[] {
  const { procedure } = config.values
  try {
    procedureFor(procedure, config)
    return [{ state: 'ok', what: 'procedure', text: procedure }]
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [{ state: 'fail', what: 'procedure', text: error.message, next: error.next, code: error.code }]
  }
}

function fileFindings({ values: { task, philosophy } }: Config): Finding[] {
  const isThere = (file: string): boolean => whatIs(file)?.isFile() === true
  return [
    ...(task === undefined || isThere(task) ? [] : [{ state: 'fail' as const, what: 'task', text: `there is no file ${task}`, next: 'greenlatch run --task <file>', code: EXIT.usage }]),
    ...(philosophy === undefined || isThere(philosophy) ? [] : [{ state: 'warn' as const, what: 'philosophy', text: `there is no file ${philosophy}`, next: 'greenlatch run --philosophy <file>' }]),
  ]
}

function gateFindings({ values, root }: Config): Finding[] {
  if (values.gates.length > 0) return values.gates.map((gate) => gateFinding(gate, root))
  const isNeeded = (NEED_A_GATE as ReadonlySet<string>).has(values.procedure)
  return [{ state: 'warn', what: 'gates', text: `none configured${isNeeded ? `, and "${values.procedure}" needs one` : ''}`, next: 'greenlatch init' }]
}

/** Programs are looked for as a shell in the gate's folder would. */
function gateFinding({ name, run, cwd = '', env }: GateEntry, root: string): Finding {
  const what = `gate ${name}`
  const folder = join(root, cwd)
  const shown = `${typeof run === 'string' ? run : run.join(' ')}${cwd === '' ? '' : ` in ${cwd}`}`
  if (!existsSync(folder)) return { state: 'fail', what, text: `${shown}: there is no folder ${folder}`, next: 'greenlatch config', code: EXIT.gate }
  const missing = programsIn(run).find((program) => findExecutable(program.includes('/') && !program.startsWith('/') ? join(folder, program) : program, { ...process.env, ...env }) === null)
  if (missing === undefined) return { state: 'ok', what, text: shown }
  return { state: 'fail', what, text: `${shown}: ${missing} is not an executable program: install it, or change "gates:"`, next: 'greenlatch config', code: EXIT.gate }
}
