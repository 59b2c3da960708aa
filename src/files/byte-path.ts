// Paths as bytes: read as UTF-8 two different names could come out equal, and neither could then be opened.

/** A string with one character per byte: sorts, compares and joins as bytes do. */
export type BytePath = string

export function bytePath(text: string): BytePath {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** What the file system takes. */
export function rawPath(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1')
}

/** For comparing with rules, which are text. A path that is none is compared as its bytes look, which no two paths share. */
export function pathText(path: BytePath): string {
  const text = rawPath(path).toString('utf8')
  return bytePath(text) === path ? text : path
}

/** For people, in a list: without quotes where nothing in it needs them. */
export function listedPath(path: BytePath): string {
  return /^[\w./@+-]+$/.test(path) ? path : shownPath(path)
}

/** For people. */
export function shownPath(path: BytePath): string {
  return JSON.stringify(rawPath(path).toString('utf8'))
}
