// `schema`: JSON Schema of the configuration, of a procedure or of an artifact, for editors and checks.
import { artifactJsonSchemas } from '../../config/artifact-schemas.js'
import { jsonSchemas } from '../../config/schema.js'
import { EXIT, Refusal } from '../../errors.js'
import { nearest } from '../../text/nearest.js'
import { didYouMean } from '../meant.js'
import type { Call } from '../program.js'

// oxlint-disable-next-line require-await -- every command is asynchronous
export default async function schema({ args }: Call): Promise<number> {
  const schemas: Record<string, object> = { ...jsonSchemas(), ...artifactJsonSchemas() }
  const name = args[0] ?? 'config'
  const found = schemas[name]
  if (!found) {
    const known = Object.keys(schemas)
    throw new Refusal(EXIT.usage, `there is no schema "${name}"${didYouMean(name, known)}; there are ${known.join(', ')}`, `greenlatch schema ${nearest(name, known) ?? 'config'}`)
  }
  process.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
  return 0
}
