// Reference pages made from the code: commands from the command table, settings and artifacts from their schemas, codes and events from the types.
import { Command, type Argument } from 'commander'
import { COMMANDS, type Declared } from '../../../src/cli/command-list.js'
import { addGlobalFlags } from '../../../src/cli/options.js'
import { artifactJsonSchemas } from '../../../src/config/artifact-schemas.js'
import { SCALAR_KEYS, variableName } from '../../../src/config/scalars.js'
import { jsonSchemas } from '../../../src/config/schema.js'
import { PATTERNS } from '../../../src/text/diagnosis/diagnosis.js'
import { CAUSES, DECISIONS, EXITS, LABELS, OUTCOMES, STATES, VERDICTS } from './codes.js'
import { code, page, table } from './page.js'
import { openingSentences } from './sources.js'
import { eventsPage, libraryPage } from './types-pages.js'

export const REFERENCE: Readonly<Record<string, () => string>> = {
  'commands.md': commandsPage,
  'configuration.md': configurationPage,
  'codes.md': codesPage,
  'events.md': eventsPage,
  'artifacts.md': artifactsPage,
  'library.md': libraryPage,
  'source.md': sourcePage,
}

// ───────────────────────────── commands ─────────────────────────────

function shaped({ name, shape }: Declared): Command {
  const bare = new Command(name)
  return shape ? shape(bare) : bare
}

function flagRows(command: Command): string[][] {
  return command.options.map(({ flags, description, argChoices, defaultValue }) => [
    code(flags),
    `${description}${argChoices ? `: ${argChoices.map(code).join(', ')}` : ''}${defaultValue === undefined ? '' : ` (${code(String(defaultValue))} where nothing is said)`}`,
  ])
}

function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

function commandPart(declared: Declared, above: string): string {
  const command = shaped(declared)
  const name = `${above}${declared.name}`
  const usage = [name, ...command.registeredArguments.map(argumentText)].join(' ')
  const args = command.registeredArguments.filter(({ description }) => description !== '').map((argument) => `- ${code(argument.name())}: ${argument.description}`)
  const flags = flagRows(command)
  const own = [
    `## ${name}`,
    `${code(`greenlatch ${usage}`)}: ${declared.summary}.`,
    ...(args.length > 0 ? [args.join('\n')] : []),
    ...(flags.length > 0 ? [table(['flag', 'what it does'], flags)] : []),
    `Examples: ${declared.examples.map((example) => code(`greenlatch ${example}`)).join(' · ')}`,
  ].join('\n\n')
  return [own, ...(declared.parts ?? []).map((part) => commandPart(part, `${name} `))].join('\n\n')
}

function commandsPage(): string {
  const everywhere = new Command()
  addGlobalFlags(everywhere)
  const completion = '## completion\n\n`greenlatch completion <shell>`: a script that completes words in your shell; `bash`, `zsh` or `fish`.'
  return page(
    'Commands',
    'What each prints and how it ends is in [codes.md](codes.md).',
    table(['command', 'does'], COMMANDS.map(({ name, summary }) => [`[${code(name)}](#${name})`, summary])),
    `## Flags of every command\n\n${table(['flag', 'what it does'], flagRows(everywhere))}`,
    ...COMMANDS.map((declared) => commandPart(declared, '')),
    completion,
  )
}

// ───────────────────────────── schemas ─────────────────────────────

type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  description?: string
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  minimum?: number
  maximum?: number
}

/** What the schema gives where it has no bound. */
const ENDLESS = 1e9

function kindOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => code(String(value))).join(', ')
  if (schema.const !== undefined) return code(String(schema.const))
  if (schema.anyOf) return [...new Set(schema.anyOf.map(kindOf))].join(' or ')
  if (schema.items) return `list of ${kindOf(schema.items)}`
  if (typeof schema.additionalProperties === 'object') return `map of name to ${kindOf(schema.additionalProperties)}`
  if (schema.properties) return 'map'
  const { type = 'anything', minimum = -Infinity, maximum = Infinity } = schema
  const bounds = [minimum < -ENDLESS ? '' : `from ${minimum}`, maximum > ENDLESS ? '' : `up to ${maximum}`]
  return [[type].flat().join(' or '), ...bounds].filter(Boolean).join(' ')
}

/** What may also be null says what it is in the branch that is not. */
function saysOf({ description, anyOf = [] }: Schema): string {
  return description ?? anyOf.map(saysOf).find((says) => says !== '') ?? ''
}

/** Every key with what it may be; the same key in several branches is one row. */
function keyRows(schema: Schema, prefix = ''): string[][] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => [[prefix + key, kindOf(inner), saysOf(inner)], ...keyRows(inner, `${prefix}${key}.`)])
  const named = typeof schema.additionalProperties === 'object' ? keyRows(schema.additionalProperties, `${prefix}<name>.`) : []
  const items = schema.items ? keyRows(schema.items, `${prefix.replace(/\.$/, '')}[].`) : []
  const rows = [...own, ...named, ...items, ...(schema.anyOf ?? []).flatMap((branch) => keyRows(branch, prefix))]
  return [...new Map(rows.map((row) => [row[0], row])).values()]
}

function configurationPage(): string {
  const { config } = jsonSchemas() as { config: Schema }
  const rows = keyRows(config).filter(([key = '']) => !key.startsWith('procedures.<name>.'))
  const procedure = keyRows(config).filter(([key = '']) => key.startsWith('procedures.<name>.')).map(([key = '', ...rest]) => [key.slice('procedures.<name>.'.length), ...rest])
  const cells = ([key = '', kind = '', what = '']: readonly string[]): string[] => [code(key), kind, what]
  return page(
    'Configuration',
    'Defaults, tiers and examples are in [configuration.md](../configuration.md).',
    `## Keys of \`greenlatch.yaml\`\n\n${table(['key', 'is', 'what it says'], rows.map(cells))}`,
    `## Keys of a procedure, below \`procedures.<name>\`\n\nWhat may be null is taken away by it from what the procedure extends.\n\n${table(['key', 'is', 'what it says'], procedure.map(cells))}`,
    `## Environment\n\n${table(['variable', 'sets'], SCALAR_KEYS.map((key) => [code(variableName(key)), code(key)]))}`,
  )
}

function artifactsPage(): string {
  const parts = Object.entries(artifactJsonSchemas() as Record<string, Schema>).map(([name, schema]) => {
    const title = name === 'event' ? '## What hooks and addresses are told' : `## \`${name}.json\``
    return `${title}\n\n${table(['field', 'is', 'what it says'], keyRows(schema).map(([key = '', kind = '', what = '']) => [code(key), kind, what]))}`
  })
  return page('Artifacts', 'What they are for is in [artifacts.md](../artifacts.md); `greenlatch schema <name>` prints each as JSON Schema.', ...parts)
}

// ───────────────────────────── codes, sources ─────────────────────────────

function codesPage(): string {
  const rows = (means: Readonly<Record<string, string>>): string[][] => Object.entries(means).map(([word, what]) => [code(word), what])
  return page(
    'Exit and reason codes',
    'Codes and words never change with language, and are the same with and without `--json`.',
    `## Exit codes\n\n${table(['code', 'means'], EXITS.map(([number, what]) => [number, what]))}`,
    `## Outcomes\n\nHow a session ended: \`finish.outcome\`.\n\n${table(['outcome', 'means'], rows(OUTCOMES))}`,
    `## Labels\n\nHow far it is proved: \`finish.label\`.\n\n${table(['label', 'means'], rows(LABELS))}`,
    `## Where a session stands\n\n\`rest\` of a session that has not ended.\n\n${table(['word', 'means'], rows(STATES))}`,
    `## Verdicts\n\nWhat one ask or check came to.\n\n${table(['verdict', 'means'], rows(VERDICTS))}`,
    `## Causes of an error\n\n\`report.cause\`, where the verdict is \`error\`.\n\n${table(['cause', 'means'], rows(CAUSES))}`,
    `## Causes of a decision\n\n\`decision.cause\`: which policy decided.\n\n${table(['cause', 'means'], rows(DECISIONS))}`,
    `## Patterns\n\nThe names that \`greenlatch explain\` gives, in the order they are tried; what each needs is in [convergence-ladder.md](../convergence-ladder.md#patterns).\n\n${PATTERNS.map((pattern) => `- ${pattern}`).join('\n')}`,
  )
}

/** In the order of the folders' names, so that a room stands before the folders in it. */
function sourcePage(): string {
  const folders = [...openingSentences('src'), ...openingSentences('scripts')].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const part = ([folder, files]: (typeof folders)[number]): string => `## ${folder}\n\n${table(['file', 'what it is'], files.map(({ file, says }) => [`[${code(file)}](../../${folder}/${file})`, says]))}`
  return page('Source', 'Each file opens with the sentence that stands here; what may import what is in [ARCHITECTURE.md](../../ARCHITECTURE.md).', ...folders.map(part))
}
