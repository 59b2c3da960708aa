// `config`: every setting with its value and where it comes from.
import { hostOnly } from '../../text/web-address.js'
import { concealedAll, concealedGate } from '../agents-env.js'
import { openContext } from '../context.js'
import type { Call } from '../program.js'

export default async function config({ flags }: Call): Promise<number> {
  const context = await openContext(flags)
  const { origins, files } = context.config
  const { agents, gates, notify } = context.config.values
  const shown = notify.webhook === undefined ? notify : { ...notify, webhook: hostOnly(notify.webhook) }
  const values = { ...context.config.values, agents: concealedAll(agents), gates: gates.map(concealedGate), notify: shown }
  if (context.output.format !== 'text') {
    context.output.json({ values, origins, files, store: context.store })
    return 0
  }
  const rows = Object.entries(origins).map(([key, { where, tier }]) => {
    return [key, JSON.stringify(valueAt(values, key)) ?? '', where || tier] as const
  })
  const widest = (lengths: number[]): number => Math.max(...lengths.map((length) => Math.min(60, length)))
  const [keys, widths] = [widest(rows.map(([key]) => key.length)), widest(rows.map(([, value]) => value.length))]
  for (const [key, value, where] of rows) context.output.data(`${key.padEnd(keys)}  ${value.padEnd(widths)}  ${where}`)
  context.output.data(`${'(sessions)'.padEnd(keys)}  ${context.store}`)
  return 0
}

/** Keys name one level of a map at most, and names inside may hold dots themselves. */
function valueAt(values: object, key: string): unknown {
  const at = key.indexOf('.')
  const [head, name] = at < 0 ? [key, undefined] : [key.slice(0, at), key.slice(at + 1)]
  const value = (values as Record<string, unknown>)[head]
  return name === undefined ? value : (value as Record<string, unknown> | undefined)?.[name]
}
