// `procedures`: the procedures there are, or one of them in full, as it would run.
import { effectsPerIteration, resolveProcedure } from '../../core/index.js'
import { EXIT, Refusal } from '../../errors.js'
import { openContext } from '../context.js'
import type { Call } from '../program.js'
import { allProcedures, procedureFor } from '../setup.js'

export default async function procedures({ args, flags }: Call): Promise<number> {
  const context = await openContext(flags)
  const { output, config } = context
  const [verb, name, ...rest] = args
  if (verb === undefined) {
    const entries = allProcedures(config)
    const rows = Object.keys(entries).map((each) => ({ name: each, summary: resolveProcedure(each, entries).procedure.summary, default: each === config.values.procedure }))
    if (output.format === 'text') for (const row of rows) output.data(`${row.name.padEnd(12)} ${row.summary}${row.default ? ' (default)' : ''}`)
    else output.json(rows)
    return 0
  }
  if (verb !== 'show' || name === undefined || rest.length > 0) throw new Refusal(EXIT.usage, 'say "procedures", or "procedures show <name>"', 'greenlatch procedures')
  const procedure = procedureFor(name, config)
  if (output.format !== 'text') output.json(procedure)
  else {
    const { stringify } = await import('yaml')
    const { name: _, ...entry } = procedure
    output.data(`# at most ${effectsPerIteration(procedure)} effects in one iteration, retries aside\n${stringify({ procedures: { [name]: entry } }, { lineWidth: 120 })}`)
  }
  return 0
}
