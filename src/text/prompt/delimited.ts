// Text of others inside a prompt: in a fence that it cannot end, or cut down to one line.
import { sanitise } from '../sanitise.js'

const LONGEST_LINE_CHARS = 160

export function fenced(text: string): string {
  const fence = backticksAround(text, 3)
  return `${fence}text\n${text}\n${fence}`
}

/** More of them than any run inside has, so that nothing inside can end it. */
function backticksAround(text: string, least: number): string {
  let longest = least - 1
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return '`'.repeat(longest + 1)
}

export function quoted(text = ''): string {
  return text.trim() === '' ? '' : fenced(sanitise(text).trim())
}

export function quotedFiles(files: readonly { path: string; text: string }[]): string {
  return files.map(({ path, text }) => `${inlineCode(path)}\n\n${fenced(text)}`).join('\n\n')
}

export function inlineCode(text: string): string {
  const line = oneLine(text)
  const mark = backticksAround(line, 1)
  return mark.length > 1 ? `${mark} ${line} ${mark}` : `${mark}${line}${mark}`
}

export function oneLine(text: string): string {
  return lineOf(text, LONGEST_LINE_CHARS)
}

/** On one line, without anything that could steer a terminal. */
export function lineOf(text: string, mostChars: number): string {
  const line = sanitise(text).replace(/\s+/g, ' ').trim()
  return line.length <= mostChars ? line : `${headOf(line, mostChars - 1)}…`
}

export function headOf(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, '')
}

export function tailOf(text: string, chars: number): string {
  return text.slice(-chars).replace(/^[\uDC00-\uDFFF]/, '')
}
