// Reads SARIF 2.1 of linters and audits: every error is trouble of its own.
import type { Collector, Reader } from './collect.js'
import { documentReader, objectIn, objectsIn, textIn, type JsonObject } from './document.js'
import type { Names } from './names.js'

type Level = 'error' | 'warning' | 'note' | 'none'
const WEIGHT: Record<Level, number> = { none: 0, note: 1, warning: 2, error: 3 }
const LONGEST_SUBJECT_MESSAGE_CHARS = 160

/** A finding has no name that is there when all is well, so it is trouble and not a test; a log without findings is fine. */
export function sarifReader(names: Names, least: Level = 'error'): Reader {
  return documentReader(names, 'is fine', (collector) => ({
    lists: ['runs'],
    values: [],
    take: (_list, entry) => takeRun(objectIn(entry) ?? {}, names, collector, least),
    end(document) {
      if (document.runs === undefined) collector.doubt('the report is no SARIF: it has no runs')
    },
  }))
}

function takeRun(run: JsonObject, names: Names, collector: Collector, least: Level): void {
  const driver = objectIn(objectIn(run.tool)?.driver) ?? {}
  const rules = objectsIn(driver.rules)
  const seen = new Set<string>()
  for (const result of objectsIn(run.results)) takeResult(result, rules, { names, collector, least, seen })
  for (const invocation of objectsIn(run.invocations)) {
    if (invocation.executionSuccessful === false) collector.doubt(`${textIn(driver.name) || 'the tool'} says that it did not finish`)
  }
}

type Target = { names: Names; collector: Collector; least: Level; seen: Set<string> }

function takeResult(result: JsonObject, rules: readonly JsonObject[], { names, collector, least, seen }: Target): void {
  const rule = ruleOf(result, rules)
  if (isSettled(result) || WEIGHT[levelOf(result, rule)] < WEIGHT[least]) return
  const ruleId = textIn(result.ruleId) || textIn(rule?.id)
  const message = textIn(objectIn(result.message)?.text) || textIn(objectIn(rule?.shortDescription)?.text) || ruleId
  const place = objectIn(objectsIn(result.locations)[0]?.physicalLocation)
  const uri = textIn(objectIn(place?.artifactLocation)?.uri)
  const line = objectIn(place?.region)?.startLine
  const file = uri === '' ? null : names.file(decoded(uri))
  const subject = names.id(file, [ruleId, firstLine(message)].filter((part) => part !== ''))
  if (seen.has(subject)) return
  seen.add(subject)
  const stack = file === null ? '' : typeof line === 'number' ? `${file}:${line}` : file
  collector.trouble(subject, { kind: 'error', type: ruleId, message, stack })
}

function ruleOf(result: JsonObject, rules: readonly JsonObject[]): JsonObject | undefined {
  const index = typeof result.ruleIndex === 'number' ? result.ruleIndex : -1
  return rules[index] ?? rules.find((rule) => rule.id === result.ruleId)
}

/** Results may also say that something is in order, and people may have accepted a finding. */
function isSettled(result: JsonObject): boolean {
  const kind = textIn(result.kind)
  const suppressions = objectsIn(result.suppressions)
  const isSuppressed = suppressions.length > 0 && suppressions.every((entry) => (textIn(entry.status) || 'accepted') === 'accepted')
  return isSuppressed || (kind !== '' && kind !== 'fail' && kind !== 'open')
}

function levelOf(result: JsonObject, rule: JsonObject | undefined): Level {
  const level = textIn(result.level) || textIn(objectIn(rule?.defaultConfiguration)?.level)
  return level === 'error' || level === 'note' || level === 'none' ? level : 'warning'
}

function firstLine(message: string): string {
  return message.trim().split('\n', 1)[0]?.slice(0, LONGEST_SUBJECT_MESSAGE_CHARS) ?? ''
}

function decoded(uri: string): string {
  if (uri.startsWith('file:')) return uri
  try {
    return decodeURI(uri)
  } catch {
    return uri
  }
}
