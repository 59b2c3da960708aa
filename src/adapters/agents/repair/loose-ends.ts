// What a careful reader would ask about at once: a name that nobody reads, and one that was made to change and never does.
import { unfilledIn } from './operators/keeping.js'
import { namesIn, type Name } from './scope.js'
import { field, isFunction, textOf, walk, type Node, type Unit } from './tree.js'
import type { Proposal } from './types.js'
import { escaped } from './words.js'

/** Something that is tied up by a text that says this, put anywhere in its scope. */
type LooseEnd = { says: RegExp; scope: Pick<Node, 'start' | 'end'>; worth: number }

/** How much likelier a change is that reads what nobody read, or that moves what stood still: few changes do, and most that do are right. */
const READS_IDLE = 8
const MOVES_STUCK = 20

const known = new WeakMap<Unit, readonly LooseEnd[]>()

/** At least 1. */
export function tiesUp(unit: Unit, { edits }: Proposal): number {
  const gained = ({ says, scope }: LooseEnd): boolean =>
    edits.some((edit) => edit.start >= scope.start && edit.end <= scope.end && says.test(edit.text) && !says.test(textOf(unit, edit)))
  return Math.max(1, ...looseEndsOf(unit).map((end) => (gained(end) ? end.worth : 1)))
}

function looseEndsOf(unit: Unit): readonly LooseEnd[] {
  const found = known.get(unit) ?? [...idleNames(unit), ...idleMembers(unit), ...stuckNames(unit), ...unfilled(unit)]
  known.set(unit, found)
  return found
}

const isOwn = ({ what, scope, text }: Name): boolean => (what === 'local' || what === 'parameter') && isFunction(scope) && !/^(_|self$|cls$)/.test(text)

function idleNames(unit: Unit): LooseEnd[] {
  const idle = namesIn(unit).filter((name) => name.uses === 0 && (name.what === 'import' || isOwn(name)))
  return idle.map(({ text, scope }) => ({ says: new RegExp(`(?<![\\w$.])${escaped(text)}(?![\\w$])`), scope, worth: READS_IDLE }))
}

/** `this.limit` that is given a value and asked for nowhere. */
function idleMembers(unit: Unit): LooseEnd[] {
  const members = [...walk(unit.root)].filter((node) => /^(member_expression|attribute)$/.test(node.type) && /^(this|self)\.[\w$#]+$/.test(textOf(unit, node)))
  const read = new Set(members.filter((node) => node.field !== 'left').map((node) => textOf(unit, node)))
  const idle = new Set(members.map((node) => textOf(unit, node)).filter((text) => !read.has(text)))
  return [...idle].map((text) => ({ says: new RegExp(`(?<![\\w$.])${escaped(text)}(?![\\w$])`), scope: unit.root, worth: READS_IDLE }))
}

function stuckNames(unit: Unit): LooseEnd[] {
  const writes = writesIn(unit)
  const stuck = namesIn(unit).filter((name) => name.uses > 0 && isOwn(name) && isStuck(unit, name, writes))
  return stuck.map(({ text, scope }) => ({ says: new RegExp(`(?<![\\w$.])${escaped(text)}\\s*(\\+\\+|--|[-+*/|&%]*=(?![=>]))`), scope, worth: MOVES_STUCK }))
}

/** A collection that is asked and never given anything. */
function unfilled(unit: Unit): LooseEnd[] {
  return unfilledIn(unit).map((says) => ({ says: new RegExp(says), scope: unit.root, worth: READS_IDLE }))
}

type Write = { target: Node; node: Node; value: Node | undefined }

/** Wherever a plain name is given a value. */
function writesIn(unit: Unit): Write[] {
  return [...walk(unit.root)].flatMap((node): Write[] => {
    const isWrite = node.type === 'variable_declarator' || /assignment|update_expression/.test(node.type)
    const target = isWrite ? (field(node, 'name') ?? field(node, 'left') ?? field(node, 'argument')) : undefined
    return target?.type === 'identifier' ? [{ target, node, value: field(node, 'value') ?? field(node, 'right') }] : []
  })
}

/** It could have been a constant, and whoever wrote it did not make it one: `let`, or in Python a plain value that is given a name of its own. */
function isStuck(unit: Unit, { text, scope, what, declaredAt }: Name, writes: readonly Write[]): boolean {
  const own = writes.filter(({ target }) => textOf(unit, target) === text && target.start >= scope.start && target.end <= scope.end)
  const [first] = own
  if (what !== 'local' || own.length !== 1 || first?.target.start !== declaredAt || first.value === undefined) return false
  if (unit.tongue !== 'python') return unit.source.startsWith('let ', first.node.parent?.start)
  return /^(integer|float|string|none|true|false|identifier)$/.test(first.value.type)
}
