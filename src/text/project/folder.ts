// What is known of a repository that nobody has run anything in: names of files, and the texts of those that say how it is worked on.

/** Paths are relative to its root, with "/". */
export type Repository = { files: readonly string[]; texts: Readonly<Record<string, string>> }

/** One folder of it, seen from inside. */
export type Folder = {
  /** Where it is in the repository; empty for the root. */
  at: string
  files: readonly string[]
  has(path: string): boolean
  /** Empty where there is no such text. */
  text(path: string): string
  /** The names of all texts here that fit. */
  texts(pattern: RegExp): string[]
}

/** A command, and where it was found. `report`: files by which it tells of single tests. */
export type Found = { run: string; from: string; cwd?: string; report?: string }

/** What one ecosystem says about a folder. Of `test` the first is meant; the others would do as well. */
export type Part = { language: string; manager: string | null; test: Found[]; lint: Found[]; types: Found[]; build: Found[] }

/** The texts that are worth reading. */
const WORTH_READING =
  /(^|\/)(package\.json|pnpm-workspace\.yaml|deno\.jsonc?|pyproject\.toml|setup\.(cfg|py)|tox\.ini|pytest\.ini|requirements[\w.-]*\.txt|Pipfile|go\.work|Cargo\.toml|composer\.json|Gemfile|(GNU)?[Mm]akefile|[Jj]ustfile)$|^AGENTS\.md$/
const PYTHON_TEST = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/
const MOST_TEST_FILES = 5
const MOST_TEXTS = 100

/** Which files have to be read before `proposalFor` can say something: those near the root first. */
export function worthReading(files: readonly string[]): string[] {
  const depth = (path: string): number => path.split('/').length
  const manifests = files.filter((path) => WORTH_READING.test(path)).toSorted((a, b) => depth(a) - depth(b))
  return [...manifests.slice(0, MOST_TEXTS), ...files.filter((path) => PYTHON_TEST.test(path)).slice(0, MOST_TEST_FILES)]
}

export function folderAt({ files, texts }: Repository, at: string): Folder {
  const prefix = at === '' ? '' : `${at}/`
  const inside = files.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length))
  const known = new Set(inside)
  return {
    at,
    files: inside,
    has: (path) => known.has(path),
    text: (path) => (Object.hasOwn(texts, prefix + path) ? (texts[prefix + path] ?? '') : ''),
    texts: (pattern) => inside.filter((path) => pattern.test(path) && Object.hasOwn(texts, prefix + path)),
  }
}

export function named(part: Partial<Part> & Pick<Part, 'language'>): Part {
  return { manager: null, test: [], lint: [], types: [], build: [], ...part }
}

/** One that is there, as a list to be spread. */
export function when<T>(condition: unknown, ...found: T[]): T[] {
  return condition ? found : []
}
