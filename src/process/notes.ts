// What the lines for people say of processes is made of: times, amounts of bytes, and text of others.
import { sanitise } from '../text/sanitise.js'

export function inTime(exactly: number): string {
  const seconds = exactly < 10 ? Number(exactly.toFixed(1)) : Math.round(exactly)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return join(`${minutes} min`, seconds % 60, 's')
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
