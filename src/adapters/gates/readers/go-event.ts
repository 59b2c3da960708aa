// One line of `go test -json`.
import { jsonObject, numberIn, textIn, type JsonObject } from './document.js'

export type GoEvent = {
  action: string
  /** Empty where the event belongs to none. So is the test. */
  package: string
  test: string
  seconds: number | null
  /** Without the line feed at its end. */
  output: string
  /** What else stands in it; null when there is nothing else. */
  rest: JsonObject | null
}

/** As Go writes nearly all of them: these keys in this order, and nothing that is escaped but the line feed at the end. */
const PLAIN =
  /^\{(?:"Time":"[^"\\]*",)?"Action":"([a-z]+)","Package":"([^"\\]*)"(?:,"Test":"([^"\\]*)")?(?:,"Elapsed":([\d.]+))?(?:,"Output":"([^"\\]*)(?:\\n)?")?\}$/

/** Null when the line is something else. Any other line than a plain one is read as JSON, at three times the cost. */
export function eventIn(line: string): GoEvent | null {
  if (!line.startsWith('{')) return null
  const plain = PLAIN.exec(line)
  if (plain === null) return parsed(line)
  const [, action = '', of = '', test = '', elapsed, output = ''] = plain
  return { action, package: of, test, seconds: elapsed === undefined ? null : Number(elapsed), output, rest: null }
}

function parsed(line: string): GoEvent | null {
  const event = jsonObject(line)
  if (event === null || typeof event.Action !== 'string') return null
  const { Action: action, Package: of, Test: test, Elapsed: elapsed, Output: output } = event
  const text = textIn(output)
  return {
    action, package: textIn(of), test: textIn(test), seconds: numberIn(elapsed),
    output: text.endsWith('\n') ? text.slice(0, -1) : text, rest: event,
  }
}
