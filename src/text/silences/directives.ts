// The words that tell a check to look away, by kind of source: in comments, or in code where a language has marks for it.
import type { Family } from './comments.js'

/** Heard wherever they stand in a comment. */
const ANYWHERE = [String.raw`NOSONAR\b`, String.raw`nosemgrep\b`, String.raw`gitleaks:allow\b`, String.raw`(?:codeql|lgtm)\s?\[`, String.raw`\$Flow(?:FixMe|Issue|IgnoreMe)\b`]

const SCRIPTS = [
  String.raw`@ts-(?:nocheck|ignore|expect-error)\b`,
  String.raw`(?:eslint|oxlint|stylelint)-disable(?:-next-line|-line)?\b`,
  // `/* eslint no-undef: off */` sets a rule for the file.
  String.raw`eslint\s[^\n]{0,300}?:\s?["'\[]{0,2}(?:off|0)\b`,
  String.raw`(?:biome|rome|deno-lint|deno-coverage|prettier|dprint)-ignore\b`,
  String.raw`(?:tslint|jscs):\s?disable\b`,
  String.raw`(?:istanbul|c8|v8)\s+ignore\b(?!\s+(?:stop|end)\b)`,
  String.raw`node:coverage\s+(?:disable|ignore)\b`,
  String.raw`jshint\s+ignore\b`,
  String.raw`Stryker\s+disable\b`,
  String.raw`@noflow\b`,
]

const IN_STYLES = [String.raw`stylelint-disable(?:-next-line|-line)?\b`, String.raw`(?:biome|prettier)-ignore\b`, String.raw`csslint\s+(?:allow|ignore)\b`]

const IN_C = [
  String.raw`NOLINT(?:NEXTLINE|BEGIN)?\b`,
  String.raw`cppcheck-suppress(?:-\w+)?\b`,
  String.raw`(?:LCOV|GCOVR?)_EXCL_(?:LINE|START|BR_LINE|BR_START)\b`,
  String.raw`clang-format\s+off\b`,
  String.raw`coverity\s?\[`,
]

/** Heard at the beginning of a comment or of one of its lines, or right behind another `#` or `//`. */
const IN_COMMENTS: Record<Family, readonly string[]> = {
  javascript: SCRIPTS,
  markup: [...SCRIPTS, ...IN_STYLES, String.raw`markuplint-disable\b`],
  styles: IN_STYLES,
  python: [
    String.raw`type:\s*ignore\b`,
    String.raw`mypy:\s*(?:ignore|disable|allow|follow|implicit|no)[-_]`,
    String.raw`pyright:[^\n]{0,200}?\b(?:ignore|basic|standard|off|false|none|information|warning)\b`,
    String.raw`(?:(?:ruff|flake8)\s?[:=]\s*)?noqa\b`,
    String.raw`pylint:\s*(?:disable|skip-file)\b`,
    String.raw`pragma[:\s]?\s*no\s*(?:cover|branch|mutate)\b`,
    String.raw`nosec\b`,
    String.raw`pyre-(?:ignore|fixme|unsafe)\b`,
    String.raw`(?:pyrefly|ty):\s*ignore\b`,
    String.raw`pytype:\s*(?:disable|skip-file)\b`,
    String.raw`fmt:\s*(?:off|skip)\b`,
    String.raw`(?:ruff:\s*)?isort:\s*(?:skip|off)\b`,
  ],
  go: [String.raw`nolint\b`, String.raw`lint:(?:file-)?ignore\b`, String.raw`nosec\b`, String.raw`revive:disable\b`, String.raw`(?:exhaustive|coverage|gocover):ignore\b`],
  rust: [String.raw`(?:LCOV|GRCOV)_EXCL_(?:LINE|START)\b`],
  java: [
    String.raw`CHECKSTYLE[:.\s]?\s?(?:OFF|SUPPRESS)\b`,
    String.raw`NOPMD\b`,
    String.raw`(?:scalastyle|scalafix|spotless):\s?off\b`,
    String.raw`scalafmt:`,
    String.raw`ktlint-disable\b`,
    String.raw`\$COVERAGE-OFF\$`,
    String.raw`@formatter:off\b`,
  ],
  c: IN_C,
  csharp: [String.raw`ReSharper\s+disable\b`, String.raw`csharpier-ignore\b`, String.raw`Stryker\s+disable\b`],
  swift: [String.raw`(?:swiftlint|swiftformat):disable\b`, String.raw`swift-format-ignore\b`, String.raw`periphery:ignore\b`],
  dart: [String.raw`ignore(?:_for_file)?:\s?\w`, String.raw`coverage:ignore\b`],
  php: [
    String.raw`@?phpstan-ignore\b`,
    String.raw`@(?:psalm|phan)-suppress\b`,
    String.raw`@?phpcs:(?:ignore|disable)\w*`,
    String.raw`@codeCoverageIgnore(?:Start)?\b`,
    String.raw`@codingStandardsIgnore\w*`,
    String.raw`@SuppressWarnings\b`,
    String.raw`@infection-ignore-all\b`,
  ],
  ruby: [String.raw`rubocop:(?:disable|todo)\b`, String.raw`:nocov:`, String.raw`steep:ignore\b`, String.raw`typed:\s?(?:ignore|false)\b`, String.raw`erb_?lint:disable\b`],
  script: [
    String.raw`(?:shellcheck|yamllint)\s+disable\b`,
    String.raw`hadolint\s+(?:global\s+)?ignore\b`,
    String.raw`(?:checkov|kics-scan|terrascan):?\s?(?:skip|ignore)\b`,
    String.raw`(?:tfsec|trivy):ignore\b`,
    String.raw`tflint-ignore\b`,
    String.raw`no(?:qa|sec|lint|cov)\b`,
    String.raw`credo:disable\b`,
    String.raw`coveralls-ignore\b`,
    String.raw`no\s+critic\b`,
  ],
  sql: [String.raw`noqa\b`],
  lua: [String.raw`luacheck:\s?(?:ignore|no)\b`, String.raw`-?@diagnostic\s+disable\b`, String.raw`selene:\s?allow\b`],
}

const QUALIFIED = String.raw`(?:\w{1,60}\.){0,8}`
const ARGUMENTS = String.raw`(?:\s?\([^)\n]{0,200}\)?)?`
const ATTRIBUTE = String.raw`#\s?!?\[\s*`

/** Marks of the language itself. */
const IN_CODE: Partial<Record<Family, readonly string[]>> = {
  python: [String.raw`@${QUALIFIED}no_type_check\b`],
  rust: [
    String.raw`${ATTRIBUTE}(?:allow|expect)\s*\([^\]]{0,200}\]?`,
    String.raw`${ATTRIBUTE}cfg_attr\s*\([^\]]{0,300}?\b(?:allow|expect|ignore|coverage|no_coverage|rustfmt::skip)\b[^\]]{0,200}\]?`,
    String.raw`${ATTRIBUTE}(?:coverage\s*\(\s*off|no_coverage|rustfmt::skip)\b[^\]]{0,20}\]?`,
    String.raw`${ATTRIBUTE}cfg\s*\(\s*not\s*\(\s*(?:tarpaulin|coverage)\w*[^\]]{0,40}\]?`,
  ],
  java: [String.raw`@(?:\w{1,20}:)?${QUALIFIED}(?:Suppress(?:Warnings|Lint|FBWarnings)?|nowarn)\b${ARGUMENTS}`],
  csharp: [
    String.raw`#[ \t]{0,20}pragma[ \t]+warning[ \t]+disable\b[^\n]{0,200}`,
    String.raw`#[ \t]{0,20}nullable[ \t]+disable\b`,
    String.raw`\[(?:\w{1,20}\s?:\s?)?${QUALIFIED}(?:SuppressMessage|UnconditionalSuppressMessage|ExcludeFromCodeCoverage)\b${ARGUMENTS}`,
  ],
  c: [
    String.raw`#[ \t]{0,20}pragma[ \t]+(?:GCC|clang)[ \t]+diagnostic[ \t]+ignored\b[^\n]{0,200}`,
    String.raw`#[ \t]{0,20}pragma[ \t]+warning\s?\(\s?(?:disable|suppress)\b[^\n]{0,200}`,
  ],
}

/** With the group `any` for what is heard wherever it stands. */
export const WORDS = new Map(Object.entries(IN_COMMENTS).map(([family, words]) => {
  const anywhere = [...ANYWHERE, ...(family === 'python' ? [String.raw`\bpylint:\s*(?:disable|skip-file)\b`] : []), ...(family === 'c' ? IN_C : [])]
  return [family as Family, new RegExp(`(?<any>${anywhere.join('|')})|(?:${words.join('|')})`, 'gi')] as const
}))

export const MARKS = new Map(Object.entries(IN_CODE).map(([family, marks]) => [family as Family, new RegExp(marks.join('|'), 'g')] as const))
