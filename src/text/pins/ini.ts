// Splits INI files into entries, as each of their readers does: pytest (iniconfig) and all others in Python (configparser) differ.
import type { Entry } from './entries.js'

/** What counts as blank in Python. */
const BLANK = '[ \\t\\v\\f\\r\\n\\x1c-\\x1f\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'
/** Where Python ends a line when it splits a text. */
const END = '[\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029]'
const LINE_END = new RegExp(`\\r\\n|${END}`)
const INDENT = new RegExp(`^${BLANK}*`)
const EMPTY = new RegExp(`^${BLANK}*(?:[#;].*)?$`, 's')
const SETTING = /^([^:=]+)[:=](.*)$/s

/** A header stands at the very beginning of its line, and whatever is indented belongs to the setting above. */
export function iniconfigEntries(text: string): Entry[] {
  const entries: Entry[] = []
  let section = ''
  for (const [index, line] of text.split(LINE_END).entries()) {
    if (EMPTY.test(line)) continue
    const header = line.startsWith('[') ? /^\[(.*)\]$/s.exec((line.split(/[#;]/)[0] ?? '').trimEnd()) : null
    if (header) section = header[1] ?? ''
    else if (line.startsWith('[') || indentOf(line) > 0) goOn(entries, section, line, index + 1)
    else entries.push(entryOf(section, line, index + 1))
  }
  return entries
}

/** A line is part of the setting above when it is indented more; otherwise it may be a header or a setting, indented or not. */
export function configparserEntries(text: string): Entry[] {
  const entries: Entry[] = []
  let [section, indent, isOpen] = ['', 0, false]
  for (const [index, line] of text.split(/\r\n|[\n\r]/).entries()) {
    if (EMPTY.test(line)) continue
    const own = indentOf(line)
    if (isOpen && own > indent) {
      goOn(entries, section, line, index + 1)
      continue
    }
    indent = own
    const header = /^\[(.+)\]/s.exec(line.slice(own))
    isOpen = header === null
    if (header) section = header[1] ?? ''
    else entries.push(lowered(entryOf(section, line.slice(own), index + 1)))
  }
  return entries
}

function indentOf(line: string): number {
  return INDENT.exec(line)?.[0].length ?? 0
}

function entryOf(section: string, line: string, number: number): Entry {
  const [, key = line, value = ''] = SETTING.exec(line) ?? []
  return { path: [section, key.trim()], value: value.trim(), line: number }
}

function lowered({ path: [section = '', key = ''], ...rest }: Entry): Entry {
  return { ...rest, path: [section, key.toLowerCase()] }
}

/** Where there is no setting above in the section, nobody knows what to make of the line. */
function goOn(entries: Entry[], section: string, line: string, number: number): void {
  const last = entries.at(-1)
  if (last?.path[0] === section) last.value += `\n${line.trim()}`
  else entries.push({ path: [section, line.trim()], value: '', line: number })
}
