// Which tests are wanted, in the words of each runner. What a runner cannot be told is left out of its list, and it runs all.
import { join } from 'node:path'

/** A word on a command line can be no longer than 128 KiB. */
const LONGEST_PATTERN_CHARS = 100_000
const MOST_WORDS = 1000

type Wanted = { place: string; name: string }

/** Name of a list → its text. An empty text is no list. `root` is the real path of the checkout. */
export function onlyLists(ids: readonly string[], root: string): Record<string, string> {
  const wanted = ids.flatMap(withoutCount).map(split)
  return {
    javascript: bounded(pattern(wanted.map(({ name }) => spaced(name)))),
    node: bounded(`/${pattern(wanted.flatMap(({ name }) => [name, ...name.split(' > ')].map(spaced)))}/`),
    files: lines(wanted.map(({ place }) => place).filter((place) => place !== '').map((place) => join(root, place))),
    go: bounded(goPattern(wanted.map(({ name }) => name).filter((name) => /^(?:Test|Example|Fuzz)/.test(name)))),
    cargo: wanted.some(isDocTest) ? '' : lines(wanted.map(({ name }) => name)),
    unittest: lines(wanted.map(({ name }) => name).filter((name) => /^\w+(?:\.\w+)+$/.test(name))),
    pytest: lines(ids),
  }
}

/** The second test of a name is told by a number that its runner does not know. A name may also end like that by itself. */
function withoutCount(id: string): string[] {
  const plain = id.replace(/ #\d+$/, '')
  return plain === id ? [id] : [id, plain]
}

function split(id: string): Wanted {
  const at = id.indexOf('::')
  return at < 0 ? { place: '', name: id } : { place: id.slice(0, at), name: id.slice(at + 2) }
}

/** Cargo tells these apart by a line number, which an id does not have. */
function isDocTest({ place }: Wanted): boolean {
  return place.endsWith(' doc)')
}

function pattern(alternatives: readonly string[]): string {
  return `^\\s*(?:${[...new Set(alternatives)].join('|')})\\s*$`
}

/** Ids part names with ` > `, runners with a space; and an id has a space where a name has a line break. */
function spaced(name: string): string {
  return escaped(name).replaceAll(' > ', ' (?:> )?').replaceAll(/ +/g, '\\s+')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** Go matches level by level, so only as many levels are told as every wanted name has. */
function goPattern(names: readonly string[]): string {
  const paths = names.map((name) => name.split('/'))
  const depth = Math.min(...paths.map((path) => path.length))
  if (paths.length === 0) return ''
  const levels = Array.from({ length: depth }, (_none, level) => [...new Set(paths.map((path) => escaped(path[level] ?? '')))])
  return levels.map((level) => `^(?:${level.join('|')})$`).join('/')
}

function bounded(text: string): string {
  return text.length > LONGEST_PATTERN_CHARS ? '' : text
}

function lines(words: readonly string[]): string {
  const all = [...new Set(words)].filter((word) => word !== '' && !word.includes('\n'))
  return all.length > MOST_WORDS ? '' : all.map((word) => `${word}\n`).join('')
}
