// From what lies in a repository to a proposal of how to check work on it. Nothing is run, and nothing is certain: people see it first.
import { commandsIn, type Kind } from './agents-md.js'
import { folderAt, type Folder, type Found, type Part, type Repository } from './folder.js'
import { nodePart, readJson } from './node.js'
import { dotnetPart, elixirPart, goPart, javaPart, makePart, phpPart, rubyPart, rustPart } from './others.js'
import { pythonPart } from './python.js'

export type Proposal = {
  languages: string[]
  managers: string[]
  /** What is proposed as gates; several where there are several languages or projects. */
  tests: Found[]
  /** Other commands that test, for people to choose from. */
  others: Found[]
  lint: Found[]
  types: Found[]
  build: Found[]
}

const ECOSYSTEMS: readonly ((folder: Folder) => Part | null)[] = [nodePart, pythonPart, goPart, rustPart, javaPart, dotnetPart, rubyPart, phpPart, elixirPart]
const PROJECT_FILE = /^(package\.json|deno\.json|pyproject\.toml|setup\.py|requirements\.txt|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(\.kts)?|[^/]+\.csproj|Gemfile|composer\.json|mix\.exs)$/
/** Projects in these are not what the repository is about. */
const ASIDE = /^(docs?|examples?|samples?|demos?|fixtures?|test|tests|testdata|e2e|scripts|tools|third[_-]party|vendor|templates?|benchmarks?)$/i
const MOST_PROJECTS = 6
const AGENTS = 'AGENTS.md'

export function proposalFor(repository: Repository): Proposal {
  const root = folderAt(repository, '')
  const atRoot = partsOf(root)
  const below = atRoot.some(({ test }) => test.length > 0) ? [] : projectsBelow(repository).flatMap((at) => partsOf(folderAt(repository, at)).map((part) => placed(part, at)))
  const parts = [...atRoot, ...below]
  const make = makePart(root)
  const told = minedFrom(root)
  const byLanguage = parts.flatMap(({ test: [first] }) => (first ? [first] : []))
  const all = [...told.test, ...byLanguage, ...parts.flatMap(({ test }) => test.slice(1)), ...(make?.test ?? [])]
  const [mined] = told.test
  const tests = mined ? [withReport(mined, byLanguage)] : byLanguage.length > 0 ? byLanguage : (make?.test.slice(0, 1) ?? [])
  const firsts = (kind: Exclude<Kind, 'test'>): Found[] => {
    const [first] = told[kind]
    return first ? [first] : distinct([...parts, ...(make ? [make] : [])].flatMap((part) => part[kind].slice(0, 1)))
  }
  return {
    languages: [...new Set(parts.map(({ language }) => language))],
    managers: [...new Set(parts.flatMap(({ manager }) => manager ?? []))],
    tests: distinct(tests),
    others: distinct(all).filter((found) => !tests.some((test) => isSame(test, found))),
    lint: firsts('lint'), types: firsts('types'), build: firsts('build'),
  }
}

function partsOf(folder: Folder): Part[] {
  return ECOSYSTEMS.flatMap((look) => look(folder) ?? [])
}

/** Folders with a manifest of their own, none inside another. */
function projectsBelow({ files }: Repository): string[] {
  const folders = files.flatMap((path) => {
    const names = path.split('/')
    const file = names.pop() ?? ''
    return names.length >= 1 && names.length <= 2 && PROJECT_FILE.test(file) && !names.some((name) => ASIDE.test(name)) ? [names.join('/')] : []
  })
  const distinctFolders = [...new Set(folders)].toSorted()
  return distinctFolders.filter((at) => !distinctFolders.some((other) => at.startsWith(`${other}/`))).slice(0, MOST_PROJECTS)
}

function placed(part: Part, at: string): Part {
  const there = (all: readonly Found[]): Found[] => all.map((found) => ({ ...found, cwd: at, from: `${at}/${found.from}` }))
  return { ...part, test: there(part.test), lint: there(part.lint), types: there(part.types), build: there(part.build) }
}

// ───────────────────────────── AGENTS.md ─────────────────────────────

function minedFrom(root: Folder): Record<Kind, Found[]> {
  const told: Record<Kind, Found[]> = { test: [], lint: [], types: [], build: [] }
  const { scripts } = readJson(root.text('package.json'))
  for (const { run, line, kind } of commandsIn(root.text(AGENTS))) {
    if (isScriptThere(run, root.has('package.json') ? scripts : undefined)) told[kind].push({ run, from: `${AGENTS}:${line}` })
  }
  return told
}

/** A page that tells of a script which is gone is out of date. */
function isScriptThere(run: string, scripts: unknown): boolean {
  const [, name] = /^(?:npm|pnpm|yarn|bun) run ([\w:.-]+)/.exec(run) ?? []
  if (name === undefined) return true
  return typeof scripts === 'object' && scripts !== null && Object.hasOwn(scripts, name)
}

/** What the ecosystem knows of the same command holds for it too. */
function withReport(mined: Found, known: readonly Found[]): Found {
  const same = known.find((found) => isSame(found, mined) && found.report !== undefined)
  return same ? { ...same, from: mined.from } : mined
}

function isSame(one: Found, other: Found): boolean {
  return one.run === other.run && one.cwd === other.cwd
}

function distinct(all: readonly Found[]): Found[] {
  return all.filter((found, at) => all.findIndex((other) => isSame(found, other)) === at)
}
