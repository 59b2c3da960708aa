// Which questions about values are asked of a run of the tests, and which candidate each of them is about.
import { byOf, callsIn, hostOf, isPureText, recalled } from './hosts.js'
import type { Reader } from './parse.js'
import { withQuestions, type Asked } from './question-text.js'
import type { Trial } from './runners/types.js'
import { beginsLine, functionAround, isBlock, textOf, walk, type Node, type Unit } from './tree.js'
import type { Edit, Ranked } from './types.js'

/** Each is made again and again while the tests run. */
const MOST_OTHERS = 6000

type Questions = { texts: Trial[]; numbersOf: ReadonlyMap<Ranked, readonly number[]> }

export async function questionsFor(ranked: readonly Ranked[], reader: Reader): Promise<Questions> {
  const asked = new Map<Unit, Map<string, Asked>>()
  const wanted: { each: Ranked; keys: { place: Asked; other: string }[] }[] = []
  let others = 0
  // The likeliest first: what is beyond the limit keeps the place it has.
  for (const each of ranked) {
    const places = others < MOST_OTHERS ? placesOf(each) : null
    if (!places) continue
    const own = asked.get(each.unit) ?? new Map<string, Asked>()
    asked.set(each.unit, own)
    const keys = places.map(({ other, ...place }) => {
      const key = `${place.start} ${place.end} ${place.own} ${place.isBehind ?? ''}`
      const known = own.get(key) ?? { ...place, others: [], first: 0 }
      own.set(key, known)
      if (!known.others.includes(other)) {
        known.others.push(other)
        others += 1
      }
      return { place: known, other }
    })
    wanted.push({ each, keys })
  }
  await onlyReadable(asked, reader)
  let count = 0
  for (const places of asked.values())
    for (const place of places.values()) {
      place.first = count
      count += place.others.length
    }
  const numbersOf = new Map<Ranked, readonly number[]>()
  for (const { each, keys } of wanted) {
    const numbers = keys.map(({ place, other }) => (place.others.includes(other) ? place.first + place.others.indexOf(other) : -1))
    if (!numbers.includes(-1)) numbersOf.set(each, numbers)
  }
  const texts: Trial[] = []
  for (const [unit, places] of asked) {
    const text = withQuestions(unit, [...places.values()])
    if ((await reader.shape(unit.path, text)) !== null) texts.push({ path: unit.path, text })
    else for (const each of numbersOf.keys()) if (each.unit === unit) numbersOf.delete(each)
  }
  return { texts, numbersOf }
}

/** One that does not parse would spoil the whole file. */
async function onlyReadable(asked: ReadonlyMap<Unit, ReadonlyMap<string, Asked>>, reader: Reader): Promise<void> {
  for (const [unit, places] of asked) {
    await Promise.all([...places.values()].map(async (place) => {
      const reads = async (other: string): Promise<boolean> => isExpression(unit, other) && (await reader.shape(unit.path, `(${other})`)) !== null
      const isReadable = await Promise.all(place.others.map(reads))
      place.others = place.others.filter((_other, at) => isReadable[at])
    }))
  }
}

/** Within the braces of a text: a quote that holds the text itself, or a backslash, which newer Pythons alone allow. */
const TORN_TEXT = /[fF]"[^"]*\{[^}"]*["\\]|[fF]'[^']*\{[^}']*['\\]/

/** Grammars let more through than the languages do. */
function isExpression({ tongue }: Unit, text: string): boolean {
  if (/^\s*$/.test(text)) return false
  if (tongue === 'python' && TORN_TEXT.test(text)) return false
  return tongue === 'python' ? !/:=|^\s*\*|(?<![=!<>])=(?!=)/.test(text.replaceAll(/(['"]).*?\1/g, '')) || /\w\(.*\w=/.test(text) : !(text.includes('??') && /\|\||&&/.test(text))
}

type Place = Omit<Asked, 'others' | 'first'> & { other: string }

/** Where a change would be seen, and what would stand there; null when that cannot be asked. */
function placesOf({ unit, edits }: Ranked): Place[] | null {
  const question = edits.length === 1 ? questionIn(unit, edits[0]) : null
  if (question) return [question]
  const hosts = edits.map((edit) => hostOf(unit, edit))
  if (hosts.some((host) => host === null)) return null
  const byHost = new Map<Node, Edit[]>()
  hosts.forEach((host, at) => host && edits[at] && byHost.set(host, [...(byHost.get(host) ?? []), edits[at]]))
  const places = [...byHost].map(([host, own]): Place => ({
    start: host.start,
    end: host.end,
    own: null,
    by: byOf(host),
    calls: callsIn(unit, host),
    other: recalled(unit, host, within(unit, host, own)),
  }))
  return places.every(({ other }) => isPureText(unit, other)) ? places : null
}

function within({ source }: Unit, host: Node, edits: readonly Edit[]): string {
  let [text, at] = ['', host.start]
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    text += source.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return text + source.slice(at, host.end)
}

const STEP = /^\s*[\w$.#]+(\[[^\]]+\])? [-+]?= |^\s*[\w$.#]+\.(set|add|delete|discard)\(/

/** `if (…) return …` before a statement makes a difference where it is so, `if (…)` around one where it is not. */
function questionIn(unit: Unit, { start, end, text }: Edit): Place | null {
  const isBetween = start === end
  if (isBetween && STEP.test(text)) return questionOfStep(unit, start, text)
  const ending = isBetween ? /^\s*(?:if \((.+)\)|if (.+):)\s*(?:return|continue|break|throw|raise)\b/.exec(text) : null
  const around = isBetween ? null : guardOf(unit, { start, end, text })
  const other = ending?.[1] ?? ending?.[2] ?? around
  if (other === undefined || other === null || !isPureText(unit, other) || !isStatementStart(unit, start)) return null
  return { start, end: start, own: word(unit, !isBetween), by: 'truth', calls: [], other }
}

/** A statement that would be put between two others makes a difference where what it sees to was not so before. */
function questionOfStep(unit: Unit, start: number, text: string): Place | null {
  const isBehind = text.startsWith('\n')
  const other = seenTo(unit, text.trim().replace(/;$/, ''))
  const isPlace = isBehind ? isStatementEnd(unit, start) : isStatementStart(unit, start)
  if (other === null || !isPlace || !isPureText(unit, other)) return null
  return { start, end: start, isBehind, own: word(unit, true), by: 'truth', calls: [], other }
}

/** Whether what a statement sees to is so already. */
function seenTo({ tongue }: Unit, step: string): string | null {
  const isPython = tongue === 'python'
  const same = (one: string, other: string): string =>
    isPython ? `(${one}) == (${other})` : `Object.is(${one}, ${other})`
  const [, name, sign, value] = /^([\w$.#]+(?:\[[^\]]+\])?) ([-+]?)= ([^=].*)$/.exec(step) ?? []
  if (name !== undefined && value !== undefined) return same(name, sign ? `${name} ${sign} (${value})` : value)
  const [, receiver = '', method, given = ''] = /^([\w$.#]+)\.(set|add|delete|discard)\((.+)\)$/.exec(step) ?? []
  if (method === undefined) return null
  const [, key, entry] = method === 'set' ? (/^([^,()]+), ([^,]+)$/.exec(given) ?? []) : []
  if (method === 'set') return key !== undefined && entry !== undefined ? same(`${receiver}.get(${key})`, entry) : null
  const holds = isPython ? `(${given}) in ${receiver}` : `${receiver}.has(${given})`
  return method === 'add' ? holds : isPython ? `not (${holds})` : `!${holds}`
}

function guardOf(unit: Unit, edit: Edit): string | null {
  const own = textOf(unit, edit).replaceAll(/\s+/g, ' ')
  const text = edit.text.replaceAll(/\s+/g, ' ')
  const head = text.endsWith(` ${own}`) ? text.slice(0, -own.length - 1) : ''
  return (/^if \((.+)\)$/.exec(head) ?? /^if (.+):$/.exec(head))?.[1] ?? null
}

function word({ tongue }: Unit, isSo: boolean): string {
  if (tongue === 'python') return isSo ? 'True' : 'False'
  return String(isSo)
}

function isStatementStart(unit: Unit, offset: number): boolean {
  return statementsIn(unit).some((node) => node.start === offset && (unit.tongue !== 'python' || beginsLine(unit, node)))
}

/** Of one that begins its line: another line can follow it. */
function isStatementEnd(unit: Unit, offset: number): boolean {
  return statementsIn(unit).some((node) => node.end === offset && beginsLine(unit, node))
}

const statements = new WeakMap<Unit, Node[]>()

function statementsIn(unit: Unit): Node[] {
  const isStatement = (node: Node): boolean => node.parent !== null && isBlock(node.parent) && functionAround(node) !== null
  const known = statements.get(unit) ?? [...walk(unit.root)].filter(isStatement)
  statements.set(unit, known)
  return known
}
