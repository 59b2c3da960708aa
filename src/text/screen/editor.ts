// One line that is being written, and the keys of a terminal as names.
import { widthOf } from './fit.js'

export type Editing = { text: string; at: number }

export type Typed = { kind: 'text'; text: string } | { kind: 'key'; name: KeyName }

export type KeyName =
  | 'enter' | 'escape' | 'interrupt' | 'suspend'
  | 'erase' | 'erase word' | 'erase all' | 'delete'
  | 'left' | 'right' | 'up' | 'down' | 'page up' | 'page down' | 'home' | 'end'

const MOST_CHARACTERS = 2000

const KEYS: Readonly<Record<string, KeyName>> = {
  '\r': 'enter', '\n': 'enter', '\u001B': 'escape', '\u007F': 'erase', '\b': 'erase', '\u0017': 'erase word', '\u0015': 'erase all',
  '\u0001': 'home', '\u0005': 'end', '\u0003': 'interrupt', '\u001A': 'suspend',
  '\u001B[D': 'left', '\u001B[C': 'right', '\u001B[A': 'up', '\u001B[B': 'down', '\u001B[5~': 'page up', '\u001B[6~': 'page down',
  '\u001B[H': 'home', '\u001B[F': 'end', '\u001B[3~': 'delete', '\u001BOD': 'left', '\u001BOC': 'right', '\u001BOA': 'up', '\u001BOB': 'down',
}

/** Sequences of keys that mean nothing here are passed over whole, so that none of their letters is taken for a key. */
// oxlint-disable-next-line no-control-regex -- control characters are what keys send
const PIECES = /\u001B\[[0-?]*[ -/]*[@-~]|\u001BO[@-~]|[\u0000-\u001F\u007F]|[^\u0000-\u001F\u007F]+/g

export function typedIn(chunk: string): Typed[] {
  return (chunk.match(PIECES) ?? []).flatMap((piece): Typed[] => {
    const name = KEYS[piece]
    if (name) return [{ kind: 'key', name }]
    return piece.charCodeAt(0) < 0x20 ? [] : [{ kind: 'text', text: piece }]
  })
}

export const NOTHING_WRITTEN: Editing = { text: '', at: 0 }

/** The line after one more key; keys that change nothing leave it as it is. */
export function edited({ text, at }: Editing, typed: Typed): Editing {
  const [before, after] = [text.slice(0, at), text.slice(at)]
  if (typed.kind === 'text') {
    const more = typed.text.slice(0, MOST_CHARACTERS - text.length)
    return { text: before + more + after, at: at + more.length }
  }
  switch (typed.name) {
    case 'erase':
      return withBefore([...before].slice(0, -1).join(''), after)
    case 'erase word':
      return withBefore(before.replace(/\S*\s*$/, ''), after)
    case 'erase all':
      return withBefore('', after)
    case 'delete':
      return { text: before + [...after].slice(1).join(''), at }
    case 'left':
      return { text, at: [...before].slice(0, -1).join('').length }
    case 'right':
      return { text, at: at + ([...after][0]?.length ?? 0) }
    case 'home':
      return { text, at: 0 }
    case 'end':
      return { text, at: text.length }
    default:
      return { text, at }
  }
}

function withBefore(before: string, after: string): Editing {
  return { text: before + after, at: before.length }
}

/** The part of the line around the caret that fits behind its name. */
export function editorLine(name: string, { text, at }: Editing, columns: number, caret: string): string {
  const head = `${name} `
  let before = text.slice(0, at)
  while (before !== '' && widthOf(head + before + caret) >= columns) before = [...before].slice(1).join('')
  return `${head}${before}${caret}${text.slice(at)}`
}
