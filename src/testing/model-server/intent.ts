// Turns what a script wants done into a call of a tool that the client offers, whatever its name and parameters.
import { posix } from 'node:path'
import { quoteWord } from '../../text/prompt/quote.js'
import { recordOf, stringOf, type Json } from './json.js'
import { sampleOf } from './sample.js'
import type { ModelIntent, ModelRequest, ModelTool, ModelToolCall, ModelTurn } from './types.js'

type Deed = { verb: 'write' | 'edit' | 'read' | 'shell'; given: Record<string, string> }

/** Names without what stands before `__`, in small letters and without marks. */
const TOOLS: Record<Deed['verb'], readonly string[]> = {
  write: ['write', 'writefile', 'createfile', 'create', 'texteditor'],
  edit: ['edit', 'editfile', 'replace', 'strreplace', 'strreplaceeditor', 'texteditor'],
  read: ['read', 'readfile', 'view', 'texteditor'],
  shell: ['bash', 'shell', 'execcommand', 'shellcommand', 'runshellcommand', 'runcommand', 'executecommand', 'terminal'],
}

const PARAMETERS: Record<string, readonly string[]> = {
  path: ['file_path', 'filePath', 'path', 'absolute_path', 'filename', 'target_file'],
  content: ['content', 'file_text', 'contents', 'text'],
  old: ['old_string', 'oldString', 'old_str', 'oldText', 'before'],
  new: ['new_string', 'newString', 'new_str', 'newText', 'after'],
  command: ['command', 'cmd', 'script'],
}

/** What an editor with one tool for everything calls its verbs. */
const EDITOR_COMMANDS: Record<string, readonly string[]> = { write: ['write', 'create'], edit: ['str_replace'], read: ['view'] }

/** Where agents say that they are: the first of these in a request. */
const FOLDERS = [
  /<cwd>([^<\n]+)<\/cwd>/,
  /(?:working directory|working in the directory|workspace directory|current directory)(?: is)?:?\s*[`'"]?(\/[^\s`'"<,]*)/i,
]

/** The calls of a turn, its intents last, or why there is no way to make them. */
export function callsOf(turn: ModelTurn, request: ModelRequest): { calls: ModelToolCall[]; trouble: string } {
  const found = deedsOf(turn).map((deed) => callFor(deed, request))
  const missing = found.filter((call) => typeof call === 'string')
  return { calls: [...(turn.toolCalls ?? []), ...found.filter((call) => typeof call !== 'string')], trouble: missing.join('; ') }
}

function deedsOf({ write, edit, read, shell }: ModelIntent): Deed[] {
  const deeds: (Deed | undefined)[] = [
    write && { verb: 'write', given: write },
    edit && { verb: 'edit', given: edit },
    read && { verb: 'read', given: read },
    shell === undefined ? undefined : { verb: 'shell', given: { command: shell } },
  ]
  return deeds.filter((deed) => deed !== undefined)
}

function callFor(deed: Deed, request: ModelRequest): ModelToolCall | string {
  const placed = inFolder(deed, workingFolder(request))
  const own = toolFor(deed.verb, request.tools)
  if (own) return callOf(own, placed)
  const shell = toolFor('shell', request.tools)
  if (shell) return callOf(shell, { verb: 'shell', given: { command: commandFor(placed) } })
  return `no tool that is offered can ${deed.verb}: ${request.tools.map(({ name }) => name).join(', ') || 'none'}`
}

function toolFor(verb: Deed['verb'], tools: readonly ModelTool[]): ModelTool | undefined {
  const simple = (name: string) => (name.split('__').at(-1) ?? '').toLowerCase().replaceAll(/[^a-z]/g, '')
  const usable = tools.filter(({ kind }) => kind === 'function')
  return TOOLS[verb].map((word) => usable.find(({ name }) => simple(name) === word)).find((tool) => tool !== undefined)
}

function callOf({ name, schema }: ModelTool, { verb, given }: Deed): ModelToolCall {
  const properties = recordOf(schema.properties)
  const input: Json = {}
  for (const [key, value] of Object.entries(given)) {
    const parameter = PARAMETERS[key]?.find((word) => Object.hasOwn(properties, word)) ?? PARAMETERS[key]?.[0] ?? key
    input[parameter] = recordOf(properties[parameter]).type === 'array' ? ['bash', '-lc', value] : value
  }
  if (verb !== 'shell' && Object.hasOwn(properties, 'command')) input.command = editorCommand(verb, recordOf(properties.command))
  return { name, input: completed(verb === 'edit' ? withEdits(input, given, properties) : input, schema) }
}

function editorCommand(verb: string, property: Json): string {
  const known = Array.isArray(property.enum) ? property.enum : []
  const words = EDITOR_COMMANDS[verb] ?? []
  return words.find((word) => known.includes(word)) ?? words[0] ?? verb
}

/** Some editors take a list of changes. */
function withEdits(input: Json, given: Record<string, string>, properties: Json): Json {
  if (recordOf(properties.edits).type !== 'array') return input
  const change = recordOf(recordOf(recordOf(properties.edits).items).properties)
  const named = (key: 'old' | 'new') => PARAMETERS[key]?.find((word) => Object.hasOwn(change, word)) ?? key
  const rest = Object.entries(input).filter(([key]) => Object.hasOwn(properties, key))
  return { ...Object.fromEntries(rest), edits: [{ [named('old')]: given.old, [named('new')]: given.new }] }
}

function completed(input: Json, schema: Json): Json {
  const required = Array.isArray(schema.required) ? schema.required.map(stringOf) : []
  const missing = required.filter((name) => !Object.hasOwn(input, name))
  return { ...input, ...Object.fromEntries(missing.map((name) => [name, sampleOf(recordOf(recordOf(schema.properties)[name]))])) }
}

/** Many tools take only absolute paths, and a script cannot know where the agent is put to work. */
function inFolder(deed: Deed, folder: string | null): Deed {
  const { path } = deed.given
  if (path === undefined || folder === null || path.startsWith('/')) return deed
  return { ...deed, given: { ...deed.given, path: posix.join(folder, path) } }
}

function workingFolder({ system, body }: ModelRequest): string | null {
  // Line ends are escaped in JSON: the folder must not swallow what follows on the next line.
  const everything = `${system}\n${JSON.stringify(body).replaceAll('\\n', '\n')}`
  return FOLDERS.map((pattern) => pattern.exec(everything)?.[1]).find((folder) => folder !== undefined) ?? null
}

const REPLACE_ONCE =
  "const fs = require('fs'), [, path, old, fresh] = process.argv, text = fs.readFileSync(path, 'utf8');" +
  ' fs.writeFileSync(path, text.replace(old, () => fresh))'

function commandFor({ verb, given: { path = '', content = '', old = '', new: fresh = '', command = '' } }: Deed): string {
  switch (verb) {
    case 'write':
      return `mkdir -p ${quoteWord(posix.dirname(path))} && printf %s ${quoteWord(content)} > ${quoteWord(path)}`
    case 'edit':
      return `node -e ${[REPLACE_ONCE, path, old, fresh].map(quoteWord).join(' ')}`
    case 'read':
      return `cat ${quoteWord(path)}`
    case 'shell':
      return command
  }
}
