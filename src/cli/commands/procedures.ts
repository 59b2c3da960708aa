// `procedures`: the procedures there are, or one of them as a graph, as it would run.
import { resolveProcedure } from '../../config/resolve.js'
import type { Config } from '../../config/types.js'
import { effectsPerIteration } from '../../config/effects.js'
import { isGoodEnd, judges, routeOf, type Procedure } from '../../core/index.js'
import { EXIT, Refusal } from '../../errors.js'
import { nearest } from '../../text/nearest.js'
import { graphMermaid, graphText, type Ways } from '../../text/graph.js'
import { allProcedures, procedureFor } from '../choose-procedure.js'
import { openContext } from '../context.js'
import type { Output } from '../output.js'
import type { Call } from '../program.js'

type ShowFlags = { mermaid?: boolean; yaml?: boolean }

export default async function procedures({ args, flags }: Call<ShowFlags>): Promise<number> {
  const { output, config } = await openContext(flags)
  const [verb, name, ...rest] = args
  if (verb === undefined) list(config, output)
  else if (verb === 'show' && name !== undefined && rest.length === 0) await show(name, flags, config, output)
  else throw misspoken(args, config)
  return 0
}

/** The name alone says what is meant, and so does a slip of `show`. */
function misspoken([first = '', second]: readonly string[], config: Config): Refusal {
  const known = Object.keys(allProcedures(config))
  const name = first === 'show' || second !== undefined ? second : first
  const meant = name === undefined ? null : known.includes(name) ? name : nearest(name, known)
  return new Refusal(EXIT.usage, 'say "procedures", or "procedures show <name>"', meant === null ? 'greenlatch procedures' : `greenlatch procedures show ${meant}`)
}

function list(config: Config, output: Output): void {
  const entries = allProcedures(config)
  const rows = Object.keys(entries).map((name) => {
    const { procedure, problems } = resolveProcedure(name, entries)
    return { name, summary: procedure.summary, default: name === config.values.procedure, problems }
  })
  if (output.format !== 'text') return output.json(rows)
  for (const { name, summary, default: chosen, problems } of rows) {
    const text = problems.length > 0 ? `cannot run: ${problems.join('; ')}` : summary
    output.data(`${name.padEnd(12)} ${text}${chosen ? ' (default)' : ''}`)
  }
}

async function show(name: string, flags: ShowFlags, config: Config, output: Output): Promise<void> {
  const procedure = procedureFor(name, config)
  if (output.format !== 'text') return output.json(procedure)
  if (flags.yaml) return output.data(await yamlOf(procedure))
  output.data((flags.mermaid ? graphMermaid : graphText)(procedure, waysOf(procedure)))
}

/** As it could stand in a settings file. */
async function yamlOf({ name, ...entry }: Procedure): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify({ procedures: { [name]: entry } }, { lineWidth: 120 })
}

export function waysOf(procedure: Procedure): Ways {
  const isHeldBack = (target: string): boolean => isGoodEnd(procedure.phases, target)
  return { routeOf, judges, isHeldBack, effectsPerIteration: effectsPerIteration(procedure) }
}
