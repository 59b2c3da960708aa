// The plainest value that fits a JSON Schema: for parameters that a script leaves out, and for answers beside the work.
import { recordOf, stringOf, type Json } from './json.js'

const DEPTH = 6

export function sampleOf(schema: Json, depth = DEPTH): unknown {
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices) && depth > 0) return sampleOf(recordOf(choices[0]), depth - 1)
  const type = stringOf(Array.isArray(schema.type) ? schema.type[0] : schema.type).toLowerCase()
  switch (type) {
    case 'object':
      return objectOf(schema, depth)
    case 'array':
      return []
    case 'boolean':
      return false
    case 'number':
    case 'integer':
      return typeof schema.minimum === 'number' ? schema.minimum : 1
    case 'null':
      return null
    default:
      return 'scripted'
  }
}

function objectOf(schema: Json, depth: number): Json {
  const required = Array.isArray(schema.required) ? schema.required.map(stringOf) : []
  const properties = recordOf(schema.properties)
  return depth === 0 ? {} : Object.fromEntries(required.map((name) => [name, sampleOf(recordOf(properties[name]), depth - 1)]))
}
