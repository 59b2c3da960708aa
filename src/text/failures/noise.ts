// Takes out of a line what changes from run to run though the fault is the same.
import { sanitise } from '../sanitise.js'

/**
 * In this order: what comes earlier may contain what comes later, e.g. a time of day contains something like a line number. What a
 * pattern needs is looked for first, and what must stand before a match only where the rest fits: both are many times cheaper.
 */
const NOISE: readonly (readonly [pattern: RegExp, placeholder: string, needs?: string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>', '-'],
  [/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?)?/g, '<time>', '-'],
  [/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?: ?[AP]M)?\b/g, '<time>', ':'],
  [/\b0x[0-9a-f]+\b/gi, '<hex>'],
  [/\b(?=[0-9a-f]{8,64}\b)(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]+/gi, '<hex>'],
  [/:(?<=(?:\blocalhost|\d\.\d{1,3}|\[[0-9a-f:]*\]):)\d{1,5}\b/gi, ':<port>', ':'],
  [/\b(port)[ =:]+\d{1,5}\b/gi, '$1 <port>'],
  [/\b(seed|pid)[ =:]+\d+\b/gi, '$1 <number>'],
  [/\((?<=\bthread '[^']{0,200}' \()\d+\)/g, '(<number>)', '('],
  [/^(not ok) \d+/i, '$1 <number>'],
  [/^\d+(?=\) )/, '<number>'],
  [/(?<!\S)\d+:\d+(?=\s)/g, '<line>', ':'],
  [/:(?<=(?:\.[A-Za-z]\w{0,7}|[Mm]akefile|Dockerfile):)\d+(?::\d+)?/g, ':<line>', ':'],
  [/\((?<=\.[A-Za-z]\w{0,7}\()\d+(?:,\d+)?\)/g, '(<line>)', '('],
  [/\b(lines?|ln|col|column)[ :]+\d+(?:-\d+)?\b/gi, '$1 <line>'],
  [/\b\d+(?:[.,]\d+)?(?:(?:ns|µs|us|ms|s|m|h)\b| ?(?:ms|secs?|seconds?|mins?|minutes?|hours?)\b)/g, '<duration>'],
  [/\b(time|duration_ms|duration)[ =:]+\d+(?:\.\d+)?\b/gi, '$1 <duration>'],
  [/\s{2,}|[^\S ]/g, ' '],
]

/** A temporary folder: its first name is made up afresh each time, and numbers further down usually are. */
const TEMPORARY = /(?:\/private)?(?:\/var\/folders\/[^/\s]+\/[^/\s]+\/T|\/(?:var\/)?tmp)\/[^\s/:"'`),\]]+((?:\/[^\s/:"'`),\]]*)*)/g

export function normaliseLine(line: string): string {
  const quiet = sanitise(line).replace(TEMPORARY, (_whole, rest: string) => `<temp>${rest.replace(/\d+/g, '<number>')}`)
  return NOISE.reduce((text, [pattern, placeholder, needs]) => (has(text, needs) ? text.replace(pattern, placeholder) : text), quiet).trim()
}

function has(text: string, needs: string | undefined): boolean {
  return needs === undefined || text.includes(needs)
}
