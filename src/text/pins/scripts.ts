// Which files a gate runs as programs, followed from its command through the scripts of packages: `npm test` is worth what they are.
import { commandsOf, joined, type Command } from './command-line.js'
import { startedBy } from './programs.js'

type Scripts = Readonly<Record<string, string>>

export type Followed = {
  /** Relative to the root; a folder ends in a slash. A name that is no file does no harm. */
  files: string[]
  /** Where commands run, and so where scripts are looked up. */
  folders: string[]
}

/** What runs scripts by name. */
const SCRIPT_RUNNER = /^(?:.*\/)?(?:npm|pnpm|yarn|bun|run-s|run-p|npm-run-all2?|turbo|lerna|nx|wireit|concurrently|--run)$/
const LEADS_TO_FOLDER = /^(?:--prefix|-C|--cwd|--dir|-w|--workspace|--directory)$/
const MOST_TEXTS = 200
const DEEPEST = 5

/** A command of a gate as text for a shell, or as words. */
export function followCommand(run: string | readonly string[], folder: string, scriptsIn: (folder: string) => Scripts): Followed {
  const first = typeof run === 'string' ? commandsOf(run, folder) : [{ words: [...run], inputs: [], folder }]
  const waiting: Command[][] = [first]
  const known = new Set<string>()
  const [files, folders] = [new Set<string>(), new Set<string>()]
  for (let at = 0; at < waiting.length && at < MOST_TEXTS; at++) {
    for (const { command, started } of (waiting[at] ?? []).flatMap((each) => withInner(each, 0))) {
      for (const file of started) files.add(file)
      for (const ways of packageFolders(command)) {
        for (const way of ways) folders.add(way)
        const place = ways.find((way) => Object.keys(scriptsIn(way)).length > 0) ?? '.'
        const scripts = scriptsIn(place)
        for (const name of scriptsNamedIn(command.words, scripts)) {
          if (known.has(`${place}\0${name}`)) continue
          known.add(`${place}\0${name}`)
          waiting.push(...[`pre${name}`, name, `post${name}`].flatMap((key) => (Object.hasOwn(scripts, key) ? [commandsOf(scripts[key] ?? '', place)] : [])))
        }
      }
    }
  }
  return { files: [...files], folders: [...folders] }
}

/** With the commands that it holds in its words: `bash -c "…"`. */
function withInner(command: Command, depth: number): { command: Command; started: string[] }[] {
  const { files, texts } = startedBy(command)
  const inner = depth < DEEPEST ? texts.flatMap((text) => commandsOf(text, command.folder)) : []
  return [{ command, started: files }, ...inner.flatMap((each) => withInner(each, depth + 1))]
}

/** `npm --prefix app test` runs a script of `app`; where a folder has no manifest the one above it counts, and so on. */
function packageFolders({ words, folder }: Command): string[][] {
  const named = words.flatMap((word, at) => {
    const [flag = '', value = words[at + 1]] = word.split('=', 2)
    return LEADS_TO_FOLDER.test(flag) && value !== undefined ? (joined(folder, value) ?? []) : []
  })
  return [folder, ...named].map(upwards)
}

function upwards(folder: string): string[] {
  const names = folder === '.' ? [] : folder.split('/')
  return [...names.map((_, at) => names.slice(0, names.length - at).join('/')), '.']
}

function scriptsNamedIn(words: readonly string[], scripts: Scripts): string[] {
  if (!words.some((word) => SCRIPT_RUNNER.test(word))) return []
  const names = words.flatMap((word) => word.split(/\s+/)).map((word) => word.replace(/^(?:npm|yarn|pnpm|bun|node):/, ''))
  return names.flatMap((name) => {
    if (name.includes('*')) return Object.keys(scripts).filter((key) => matchesStar(name, key))
    const key = name === 't' || name === 'tst' ? 'test' : name
    return Object.hasOwn(scripts, key) ? [key] : []
  })
}

/** `test:*` names every script that begins so. */
function matchesStar(pattern: string, name: string): boolean {
  const [head = '', tail = ''] = pattern.split(/\*+/, 2)
  return name.startsWith(head) && name.endsWith(tail)
}
