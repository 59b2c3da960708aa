// An addition to the task: reading it from an answer, and laying it into the task within its limits.
import { lastObject } from './json.js'
import { textIn, textOf } from './values.js'
import { sanitise } from '../sanitise.js'

export type ReadAmendment = { kind: 'addition'; addition: string; diagnosis: string } | { kind: 'none'; why: string }

const ADDITION = ['dk_addition', 'addition'] as const
const LOWEST_CONFIDENCE = 0.5

export function readAmendment(text: string): ReadAmendment {
  const { value, trouble } = lastObject(text, (object) => ADDITION.some((name) => name in object))
  if (value === null) return { kind: 'none', why: `the amendment cannot be read: ${trouble}` }
  const { confidence } = value
  const isLow = typeof confidence === 'number' ? confidence < LOWEST_CONFIDENCE : textOf(confidence).trim().toLowerCase() === 'low'
  if (isLow) return { kind: 'none', why: 'the amendment is of low confidence' }
  const addition = sanitise(textIn(value, ADDITION)).trim()
  if (addition === '') return { kind: 'none', why: 'the amendment adds nothing' }
  return { kind: 'addition', addition, diagnosis: textOf(value['diagnosis']).trim() }
}

export type Amending = {
  task: string
  addition: string
  iteration: number
  /** The task as it was given: all growth is measured from it. */
  original: string
  /** Most characters of one addition, and of everything that was ever added. */
  each: number
  all: number
}

const HEADING = '## Domain Knowledge'
const IS_HEADING = /^## +domain knowledge\s*$/i
const ENDS_SECTION = /^##? /
const FENCE = /^\s*(?:`{3}|~{3})/

/** Made again from its own result it is the same. */
export function amendTask({ task, addition, iteration, original, each, all }: Amending): { text: string } | { fault: string } {
  const cut = closed(Array.from(addition.trim()).slice(0, each).join('').trimEnd())
  const entry = `[Auto-DK iteration ${iteration}] ${cut.replace(/\r?\n/g, '\n  ')}`
  if (`\n${task}\n`.replaceAll('\r\n', '\n').includes(`\n${entry}\n`)) return { text: task }
  const text = withEntry(task, entry)
  const growth = lengthOf(text) - lengthOf(original)
  return growth > all ? { fault: `the task would grow by ${growth} characters in all, and ${all} are allowed` } : { text }
}

/** A fence that was cut in two would take in the rest of the task. */
function closed(addition: string): string {
  const fences = addition.split('\n').filter((line) => FENCE.test(line))
  return fences.length % 2 === 0 ? addition : `${addition}\n${fences.at(-1)?.trim().slice(0, 3)}`
}

function lengthOf(text: string): number {
  return Array.from(text).length
}

function withEntry(task: string, entry: string): string {
  const lines = task.trimEnd().split('\n')
  const { heading, end } = sectionIn(lines)
  if (heading < 0) return `${task.trimEnd()}${task.trim() === '' ? '' : '\n\n'}${HEADING}\n\n${entry}\n`
  const last = lines.slice(0, end).findLastIndex((line) => line.trim() !== '')
  const after = lines.slice(last + 1).join('\n').trim()
  return `${lines.slice(0, last + 1).join('\n')}\n\n${entry}\n${after === '' ? '' : `\n${after}\n`}`
}

/** What stands in fences is no heading, whatever it looks like. */
function sectionIn(lines: readonly string[]): { heading: number; end: number } {
  let isFenced = false
  let heading = -1
  for (const [at, line] of lines.entries()) {
    if (FENCE.test(line)) isFenced = !isFenced
    if (isFenced) continue
    if (heading >= 0 && ENDS_SECTION.test(line)) return { heading, end: at }
    if (heading < 0 && IS_HEADING.test(line)) heading = at
  }
  return { heading, end: lines.length }
}
