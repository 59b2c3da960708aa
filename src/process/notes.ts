// The one line that tells people how a process ended.
import { sanitise } from '../text/sanitise.js'

export function inTime(seconds: number): string {
  if (seconds < 60) return `${Number(seconds.toFixed(seconds < 10 ? 1 : 0))} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return join(`${minutes} min`, Math.round(seconds % 60), 's')
  return join(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min')
}

function join(large: string, small: number, unit: string): string {
  return small === 0 ? large : `${large} ${small} ${unit}`
}

export function inBytes(bytes: number): string {
  for (const [unit, size] of [['GiB', 2 ** 30], ['MiB', 2 ** 20], ['KiB', 2 ** 10]] as const) {
    if (bytes >= size) return `${Number((bytes / size).toFixed(1))} ${unit}`
  }
  return `${bytes} bytes`
}

/** Foreign text in one line of bounded length. */
export function oneLine(text: string): string {
  const line = sanitise(text).replaceAll(/\s+/g, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}
