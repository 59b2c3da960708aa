// The mark beside a checkout: what says that the folder is ours, so that it and nothing else is ever taken away again.
import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errnoOf, syncFolder, writeDurable } from '../../files/durable.js'
import { isObject } from '../../text/reply/json.js'

/** `making`: it may be half there under its temporary name. `whole`: it is ready. `going`: it is being taken away. */
export type CheckoutState = 'making' | 'whole' | 'going'

export type Mark = { session: string; state: CheckoutState }

const KIND = 'greenlatch checkout'
const ENDING = '.checkout.json'

/** It is outside the checkout, where what works in there does not come across it. */
function markPath(folder: string): string {
  return `${folder}${ENDING}`
}

export function temporaryPath(folder: string): string {
  return join(dirname(folder), `.${basename(folder)}.making`)
}

export function excludesPath(folder: string): string {
  return `${folder}.excludes`
}

export function writeMark(folder: string, mark: Mark): void {
  writeDurable(markPath(folder), `${JSON.stringify({ kind: KIND, ...mark })}\n`)
}

export function removeMark(folder: string): void {
  rmSync(markPath(folder), { force: true })
  removeHalfMark(folder)
  syncFolder(dirname(folder))
}

/** What a process that was killed while it wrote a mark has left of it. */
export function removeHalfMark(folder: string): void {
  rmSync(join(dirname(folder), `.${basename(markPath(folder))}.tmp`), { force: true })
}

/** Null when there is none, or none of ours. A link is no mark. */
export function readMark(folder: string): Mark | null {
  const path = markPath(folder)
  try {
    if (!lstatSync(path).isFile()) return null
    const mark: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isObject(mark)) return null
    const { kind, session, state } = mark
    // A name that leads elsewhere is none of a session.
    if (kind !== KIND || typeof session !== 'string' || !/^\w[^/\0]*$/.test(session)) return null
    return state === 'making' || state === 'whole' || state === 'going' ? { session, state } : null
  } catch (error) {
    if (error instanceof SyntaxError || errnoOf(error) === 'ENOENT') return null
    throw error
  }
}

/** The folders below `room` that carry a mark, whether or not there is still a folder. */
export function markedIn(room: string): string[] {
  const names = lstatSync(room, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(room) : []
  const folders = names.filter((name) => name.endsWith(ENDING)).map((name) => join(room, name.slice(0, -ENDING.length)))
  return folders.filter((folder) => readMark(folder) !== null).toSorted()
}
