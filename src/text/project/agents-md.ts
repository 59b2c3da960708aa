// Finds the commands that AGENTS.md tells: proposals to be looked at, since anybody may have written them there.
import { commandWords } from '../commands/command-words.js'

export type Kind = 'test' | 'lint' | 'types' | 'build'

/** `line` counts from 1. */
export type Mined = { run: string; line: number; kind: Kind }

const FENCE = /^\s{0,3}(?:[-*+]\s+)?(`{3,}|~{3,})\s*([\w+-]*)/
const SHELLS = new Set(['', 'sh', 'bash', 'shell', 'zsh', 'console', 'shellsession', 'terminal', 'text'])
const LONGEST_TEXT = 200_000
const LONGEST_COMMAND = 120

/** Programs that build and test. A command that begins otherwise is not taken. */
const PROGRAM =
  /^(npm|pnpm|yarn|bun|bunx|npx|node|deno|python3?|pytest|tox|nox|uv|poetry|pdm|pipenv|hatch|ruff|mypy|pyright|flake8|go|golangci-lint|cargo|mvn|gradle|\.\/mvnw|\.\/gradlew|make|just|task|dotnet|bundle|rake|composer|mix|ctest|(\.venv\/bin|vendor\/bin)\/[\w-]+)$/
/** Nothing that a shell would act on: what stands in a file must not be more than it seems. */
const PLAIN_WORD = /^[\w@%+=:,./*-]+$/
/** Does something else than checking, or never ends. */
const OTHER_AIM = /^(install|i|ci|add|remove|init|create|publish|deploy|start|dev|serve|preview|watch|clean|push|pull|login|update|upgrade|fmt|format|fix|release)$|^--(watch|fix|write|help|version)/
/** About one test or some, shown as an example. */
const PARTIAL = /::|\.(test|spec)\.|_test\.|(^|\/)test_|^-(k|run|t|g)$|^--(grep|only|filter|testNamePattern|tests)\b|^--$/

const KINDS: readonly [Kind, RegExp][] = [
  ['types', /^(typecheck|type-check|check-types|types|tsc|mypy|pyright)$/],
  ['lint', /^(lint(:[\w:-]+)?|eslint|ruff|flake8|oxlint|biome|clippy|rubocop|golangci-lint|vet)$/],
  ['test', /^(tests?(:[\w:-]+)?|check|pytest|unittest|vitest|jest|mocha|ava|rspec|phpunit|ctest|tox|nox)$/],
  ['build', /^(build(:[\w:-]+)?|compile|assemble|package)$/],
]

/** In the order of the file, except that `test` comes before `test:unit` and the like. */
export function commandsIn(markdown: string): Mined[] {
  const seen = new Set<string>()
  const mined = candidatesIn(markdown.slice(0, LONGEST_TEXT)).flatMap(({ text, line }): Mined[] => {
    const words = plainWords(text)
    const kind = words && kindOf(words)
    if (!words || !kind || seen.has(text)) return []
    seen.add(text)
    return [{ run: text, line, kind }]
  })
  const isPart = ({ run }: Mined): boolean => /\b(test|lint|build):/.test(run)
  return [...mined.filter((each) => !isPart(each)), ...mined.filter(isPart)]
}

type Candidate = { text: string; line: number }

/** Lines of fences that a shell would be given, and what stands between backticks elsewhere. */
function candidatesIn(markdown: string): Candidate[] {
  const found: Candidate[] = []
  let fence: { mark: string; isShell: boolean } | null = null
  for (const [index, row] of markdown.split(/\r?\n/).entries()) {
    const line = index + 1
    if (fence) {
      if (row.trim().startsWith(fence.mark)) fence = null
      else if (fence.isShell) found.push({ text: tidied(row), line })
      continue
    }
    const [, mark, language = ''] = FENCE.exec(row) ?? []
    if (mark !== undefined) fence = { mark, isShell: SHELLS.has(language.toLowerCase()) }
    else for (const [, code = ''] of row.matchAll(/`([^`]+)`/g)) found.push({ text: tidied(code), line })
  }
  return found
}

function tidied(row: string): string {
  return row.trim().replace(/^[$>%]\s+/, '').replace(/\s+#.*$/, '').replaceAll(/\s+/g, ' ')
}

function plainWords(text: string): string[] | null {
  if (text === '' || text.length > LONGEST_COMMAND) return null
  const split = commandWords(text)
  if (split.kind !== 'words' || !PROGRAM.test(split.words[0] ?? '')) return null
  return split.words.every((word) => PLAIN_WORD.test(word)) ? split.words : null
}

function kindOf(words: readonly string[]): Kind | null {
  if (words.slice(1).some((word) => OTHER_AIM.test(word) || PARTIAL.test(word))) return null
  // Of `uv run pytest` and `.venv/bin/pytest` alike the last name counts.
  const names = words.map((word) => word.replace(/^.*\/(?=[\w-]+$)/, '')).filter((word) => !word.startsWith('-'))
  return KINDS.find(([, pattern]) => names.some((name) => pattern.test(name)))?.[0] ?? null
}
