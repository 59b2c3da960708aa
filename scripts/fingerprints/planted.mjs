// Reads files of planted faults. `=== family: faults` begins a family, which is one test, file or program. `--- part` begins a part
// of its text, `--- part fault` what stands there instead when that fault is planted, and `--- part [fault] reversed` what does when
// the condition asks for the other order. What a fault does not give is as in the base.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Family → its faults beside the base, and `part(name, fault, condition)`; undefined where the family has no such part. */
export function readPlanted(name) {
  const text = readFileSync(join(import.meta.dirname, 'planted', `${name}.txt`), 'utf8')
  const blocks = text.split(/^=== /m).slice(1)
  return Object.fromEntries(blocks.map((block) => {
    const [heading, ...parts] = block.trimEnd().split(/^--- /m)
    const [family, faults] = heading.trim().split(':')
    return [family, { faults: faults.trim().split(' '), part: partsOf(parts) }]
  }))
}

function partsOf(parts) {
  const texts = new Map(parts.map((part) => [part.split('\n', 1)[0].trim(), part.slice(part.indexOf('\n') + 1).trimEnd()]))
  return (name, fault = 'base', { reversed = false } = {}) => {
    const order = reversed ? [`${name} ${fault} reversed`, ...(fault === 'base' ? [`${name} reversed`] : [])] : []
    return [...order, `${name} ${fault}`, name].map((key) => texts.get(key)).find((found) => found !== undefined)
  }
}
