// Names and texts of a report as they are in every checkout: without the folder it lies in, without terminal codes, bounded.
import { posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { shortHash } from '../../../core/hash.js'
import { sanitise } from '../../../text/sanitise.js'

export type Names = {
  /** The folder of the package whose tests are reported, relative to the checkout; empty when it is the checkout itself. */
  prefix: string
  /** A file as the checkout names it. What lies outside stays absolute. */
  file(path: string): string
  id(file: string | null, names: readonly string[]): string
  /** A text to be kept, at most this long. */
  text(text: string, mostChars: number): string
  withoutRoots(text: string): string
}

export type NamesOptions = {
  /** Absolute folders that are taken off: the checkout and its real path. */
  roots: readonly string[]
  prefix?: string
}

const LONGEST_ID_CHARS = 600

export function createNames({ roots, prefix = '' }: NamesOptions): Names {
  const folder = cleanPrefix(prefix)
  const starts = rootStarts(roots)
  const file = remembered((path) => {
    const plain = withoutRoots(path.startsWith('file:') ? fromUrl(path) : path, starts)
    return posix.isAbsolute(plain) ? plain : plain === path ? posix.join(folder, plain) : posix.normalize(plain)
  })
  return {
    prefix: folder,
    file,
    id(of, names) {
      const place = of ?? folder
      return place === '' ? names.join(' > ') : `${place}::${names.join(' > ')}`
    },
    text: (text, mostChars) => boundedText(text, mostChars, (part) => withoutRoots(part, starts)),
    withoutRoots: (text) => withoutRoots(text, starts),
  }
}

/** An id is one line; a very long one is cut, and a hash of the whole stands for the rest. */
export function plainId(id: string): string {
  const plain = sanitise(id)
  const line = (plain.includes('\n') ? plain.replaceAll('\n', ' ') : plain).trim()
  return detached(line.length <= LONGEST_ID_CHARS ? line : `${line.slice(0, LONGEST_ID_CHARS)} …${shortHash(line)}`)
}

/** A copy that does not keep the piece of the report alive from which it was cut. */
export function detached(text: string): string {
  return text.length < 13 ? text : [text.slice(0, 1), text.slice(1)].join('')
}

const MOST_REMEMBERED = 10_000

/** Thousands of tests share a file. */
export function remembered(make: (key: string) => string): (key: string) => string {
  const known = new Map<string, string>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const made = make(key)
    if (known.size >= MOST_REMEMBERED) known.clear()
    known.set(detached(key), detached(made))
    return made
  }
}

function cleanPrefix(prefix: string): string {
  const clean = posix.normalize(prefix === '' ? '.' : prefix).replace(/\/$/, '')
  return clean === '.' ? '' : clean
}

/** Longest first, so that a folder inside another is taken off whole. */
function rootStarts(roots: readonly string[]): string[] {
  const plain = roots.map((root) => root.replace(/\/+$/, '')).filter((root) => root !== '')
  const starts = plain.flatMap((root) => [`${pathToFileURL(root).href}/`, `file://${root}/`, `${root}/`])
  return [...new Set(starts)].toSorted((one, other) => other.length - one.length)
}

function withoutRoots(text: string, starts: readonly string[]): string {
  return starts.reduce((shorter, start) => (shorter.includes(start) ? shorter.replaceAll(start, '') : shorter), text)
}

function fromUrl(url: string): string {
  try {
    return decodeURI(new URL(url).pathname)
  } catch {
    return url
  }
}

/** Some runners tell at the beginning what is wrong and some at the end, so both are kept. */
function boundedText(text: string, mostChars: number, shorten: (text: string) => string): string {
  const margin = 4 * mostChars
  const near = text.length <= 2 * margin ? text : `${text.slice(0, margin)}\n…\n${text.slice(-margin)}`
  const plain = shorten(sanitise(near)).trimEnd().replace(/^(?:[ \t]*\n)+/, '')
  if (plain.length <= mostChars) return detached(plain)
  const half = Math.floor((mostChars - 3) / 2)
  return detached(`${plain.slice(0, half)}\n…\n${plain.slice(-half)}`)
}
