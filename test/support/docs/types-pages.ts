// The reference of events and of the library, made from how the sources declare them.
import { HOOK_EVENTS } from '../../../src/text/happenings.js'
import { EVENTS } from './codes.js'
import { coreFields, eventTypes, exportsOf, type Exported, type Field } from './declared.js'
import { code, page, table } from './page.js'

/** Types of the engine that the page of events takes apart; that of the library leads there. */
const TAKEN_APART = ['Opened', 'Report', 'Judgement', 'Decision', 'Finish', 'Effect', 'Failure', 'GateResult', 'Spend']

type HrefOf = (type: string) => string | null

/** A type that is handed to nobody is shown as what it stands for. */
function fieldTable(owner: string, fields: readonly Field[], hrefOf: HrefOf, isKnown: (type: string) => boolean): string {
  const shown = ({ type, stands }: Field): string => (stands === null || isKnown(type) ? linked(type, hrefOf) : code(stands))
  return table(['field', 'type', 'what it is'], fields.map((field) => [code(field.name), shown(field), field.says]), owner)
}

/** A link where the type, or what it is a list of, has a place of its own. */
function linked(type: string, hrefOf: HrefOf): string {
  const href = hrefOf(type.replace(/^readonly /, '').replace(/( \| null)?(\[\])?( \| null)?$/, ''))
  return href === null ? code(type) : `[${code(type)}](${href})`
}

// ───────────────────────────── events ─────────────────────────────

export function eventsPage(): string {
  const core = new Set(exportsOf('src/core/index.ts').map(({ name }) => name))
  const hrefOf: HrefOf = (type) => (TAKEN_APART.includes(type) ? `#${type.toLowerCase()}` : core.has(type) ? `library.md#${anchorOf('`greenlatch/core`')}` : null)
  const carried = (fields: readonly Field[]): string => fields.map(({ name, type }) => `${code(name)} (${linked(type, hrefOf)})`).join(', ') || 'nothing else'
  const rows = eventTypes().map(({ name, fields }) => [code(name), EVENTS[name as keyof typeof EVENTS], name === 'opened' ? '[its fields](#opened)' : carried(fields)])
  return page(
    'Events',
    'Each line of `journal.jsonl` is a record with one or more of these events; `greenlatch logs --output jsonl` prints them. A name with `?` may be missing.',
    `## In the journal\n\n${table(['event', 'what happened', 'what it carries'], rows)}`,
    ...TAKEN_APART.map((name) => `## ${name}\n\n${fieldTable(name, coreFields(name), hrefOf, (type) => core.has(type))}`),
    `## Told outside\n\nHooks and addresses are told of ${HOOK_EVENTS.map(code).join(', ')} ([notifications.md](../notifications.md)); the shape is in [artifacts.md](artifacts.md#what-hooks-and-addresses-are-told).`,
  )
}

// ───────────────────────────── library ─────────────────────────────

/** What is longer is no cell of a table: a type with fields has them below, as has one whose fields say something; one of several shapes has a line for each. */
const LONGEST = 160

function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')
}

function isApart({ fields, signature }: Exported): boolean {
  return fields !== null && (signature.length > LONGEST || /^\w*$/.test(signature) || fields.some(({ own }) => own))
}

function shapeOf(one: Exported): string {
  if (one.path.startsWith('src/core/') && TAKEN_APART.includes(one.name)) return `[its fields](events.md#${anchorOf(one.name)})`
  if (one.name === 'Event') return '[the events](events.md#in-the-journal)'
  if (isApart(one)) return `[its fields](#${anchorOf(one.name)})`
  return one.signature.length > LONGEST ? shapesIn(one.signature).map(code).join('<br>') : code(one.signature)
}

/** Split at the outermost level, where one shape ends and the next begins; a list of words stays whole. */
function shapesIn(signature: string): string[] {
  if (!signature.includes('{')) return [signature]
  let depth = 0
  const shapes = ['']
  for (const part of signature.split(/(?=[{}()<>[\]]| [|&] )/)) {
    if (depth === 0 && /^ [|&] /.test(part)) shapes.push('')
    shapes[shapes.length - 1] += part
    if (/^[{(<[]/.test(part)) depth += 1
    if (/^[})>\]]/.test(part) && !shapes.at(-1)?.endsWith(`=${part}`)) depth -= 1
  }
  return shapes.map((shape) => shape.trim())
}

export function libraryPage(): string {
  const [all, core, testing] = ['src/index.ts', 'src/core/index.ts', 'src/testing/index.ts'].map(exportsOf) as [Exported[], Exported[], Exported[]]
  const isShared = ({ name, path }: Exported): boolean => core.some((one) => one.name === name && one.path === path)
  const own = all.filter((one) => !isShared(one))
  const differing = own.filter(({ name }) => core.some((one) => one.name === name)).map(({ name }) => code(name))
  const everything = [...all, ...testing]
  const places = new Map(everything.flatMap((one) => Array.from(shapeOf(one).matchAll(/^\[.*\]\((.*)\)$/g), ([, place = '']): [string, string] => [one.name, place])))
  const isKnown = (type: string): boolean => everything.some(({ name }) => name === type)
  const part = (title: string, says: string, found: readonly Exported[]): string => {
    const rows = (kind: Exported['kind']): string[][] => found.filter((one) => one.kind === kind).map((one) => [code(one.name), shapeOf(one), one.says])
    const apart = found.filter((one) => isApart(one) && shapeOf(one).includes('(#'))
    const fields = apart.map(({ name, fields }) => `### ${name}\n\n${fieldTable(name, fields ?? [], (type) => places.get(type) ?? null, isKnown)}`)
    return [`## ${title}`, says, table(['value', 'is', 'what it does'], rows('value')), table(['type', 'is', 'what it says'], rows('type')), ...fields].join('\n\n')
  }
  return page(
    'Library',
    'Programs that use it are in [library.md](../library.md). A name with `?` may be left out.',
    part('`greenlatch`', `It hands on everything of [\`greenlatch/core\`](#greenlatchcore) as well; only ${differing.join(', ')} is another one here.`, own),
    part('`greenlatch/core`', 'The engine: pure functions over plain data.', core),
    part('`greenlatch/testing`', 'For tests of those who build on it.', testing),
  )
}
