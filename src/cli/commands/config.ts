// `config`: every setting with its value and where it comes from.
import { openContext } from '../context.js'
import type { Call } from '../program.js'

export default async function config({ flags }: Call): Promise<number> {
  const context = await openContext(flags)
  const { values, origins, files } = context.config
  if (context.output.format !== 'text') {
    context.output.json({ values, origins, files, store: context.store })
    return 0
  }
  const rows = Object.entries(origins).map(([key, origin]) => [key, JSON.stringify(valueAt(values, key)) ?? '', origin.where || origin.tier])
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => Math.min(60, row[column]?.length ?? 0))))
  for (const [key = '', value = '', where = ''] of rows) context.output.data(`${key.padEnd(widths[0] ?? 0)}  ${value.padEnd(widths[1] ?? 0)}  ${where}`)
  context.output.data(`${'(sessions)'.padEnd(widths[0] ?? 0)}  ${context.store}`)
  return 0
}

/** Keys name one level of a map at most, and names inside may hold dots themselves. */
function valueAt(values: object, key: string): unknown {
  const at = key.indexOf('.')
  const [head, name] = at < 0 ? [key, undefined] : [key.slice(0, at), key.slice(at + 1)]
  const value = (values as Record<string, unknown>)[head]
  return name === undefined ? value : (value as Record<string, unknown> | undefined)?.[name]
}
