// One changed file in one line.
import type { Change } from '../adapters/workspace/changes.js'
import { rawPath, type BytePath } from '../files/byte-path.js'
import { sanitise } from '../text/sanitise.js'

export function changeLine({ status, path, from, lines }: Change): string {
  const size = lines === 'binary' ? 'binary' : `+${lines.added} −${lines.removed}`
  const name = from === undefined ? textOf(path) : `${textOf(from)} → ${textOf(path)}`
  return sanitise(`${status.padEnd(12)} ${size.padStart(12)}  ${name}`).replaceAll('\n', ' ')
}

export function textOf(path: BytePath): string {
  return rawPath(path).toString('utf8')
}
