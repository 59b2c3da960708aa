// The order in which files are worth showing: sources before tests before what was generated, and what others build on first.
import { countImporters } from './links.js'
import type { Survey, SurveyFile } from './survey.js'

const FOREIGN_FOLDER = /(^|\/)(vendor|vendored|third_party|node_modules|bower_components|site-packages|\.?venv)\//i
const GENERATED_FOLDER = /(^|\/)(dist|build|out|target|gen|generated|__generated__)\//i
const GENERATED_NAME = /(\.min\.\w+|\.(generated|g)\.\w+|\.pb\.go|_pb2(_grpc)?\.pyi?|\.lock|[-.]lock\.\w+|go\.sum|\.snap|\.map)$/i
const TEST_FOLDER = /(^|\/)(tests?|__tests__|specs?|e2e|testdata|fixtures?|__golden__|__snapshots__|__mocks__)\//i
const TEST_NAME = /(^|\/)(test_[^/]*\.py|conftest\.py|[^/]*([._-](test|spec)\.\w+|_test\.(py|go|rs)|Tests?\.java))$/
/** Longer lines than people write on the whole of a file are made by a tool. */
const LONGEST_AVERAGE_LINE = 300

type Ranked = { file: SurveyFile; group: number; importers: number; depth: number; lines: number }

export function rankFiles(survey: Survey): SurveyFile[] {
  const importers = countImporters(survey.files)
  const ranked = survey.files.map((file): Ranked => ({
    file,
    group: groupOf(file),
    importers: importers.get(file.path) ?? 0,
    depth: file.path.split('/').length,
    lines: linesOf(file) ?? 0,
  }))
  return ranked.toSorted(compare).map(({ file }) => file)
}

export function linesOf({ content }: SurveyFile): number | undefined {
  return 'lines' in content ? content.lines : undefined
}

function compare(one: Ranked, other: Ranked): number {
  return (
    one.group - other.group ||
    other.importers - one.importers ||
    one.depth - other.depth ||
    other.lines - one.lines ||
    (one.file.path < other.file.path ? -1 : 1)
  )
}

/** 0 sources, 1 other text, 2 tests, 3 what cannot be read as text, 4 what was generated or comes from others. */
function groupOf(file: SurveyFile): number {
  const { path, content } = file
  if ([FOREIGN_FOLDER, GENERATED_FOLDER, GENERATED_NAME].some((sign) => sign.test(path)) || isMachineMade(file)) return 4
  if (!('lines' in content)) return 3
  if (TEST_FOLDER.test(path) || TEST_NAME.test(path)) return 2
  return content.kind === 'text' ? 1 : 0
}

function isMachineMade(file: SurveyFile): boolean {
  const lines = linesOf(file)
  return lines !== undefined && file.bytes > LONGEST_AVERAGE_LINE * Math.max(1, lines)
}
