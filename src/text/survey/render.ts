// Writes a survey for a prompt within a budget of tokens: what is worth most is told in full, what is left out is counted.
import { counted, grouped } from '../amounts.js'
import { allot, costOf, linesAt, type Allotment } from './allot.js'
import { countLines, folderAt } from './counts.js'
import { fileLines, type FileLines } from './lines.js'
import { linesOf, rankFiles } from './rank.js'
import type { Survey } from './survey.js'

/** A budget that is too small for anything else is still told how many files there are, in about eight tokens. */
export function renderSurvey(survey: Survey, tokenBudget: number): string {
  const total = survey.files.length
  if (total === 0) return '(empty workspace)'
  const summary = summaryOf(survey)
  const files = rankFiles(survey).map(fileLines)
  const fixed = costOf([summary, '', '', shares({ full: total, names: total, path: total })])
  const allotment = allot(files, tokenBudget - fixed)
  if (!allotment) return `(${counted(total, 'file')}, none listed)`
  return [summary, ...listing(files, allotment), ...leftOut(files, allotment)].join('\n')
}

/** `12 files, 1,234 lines: TypeScript 8, Python 2, other 2`. */
function summaryOf({ files }: Survey): string {
  const languages = new Map<string, number>()
  for (const { content } of files) {
    const language = 'language' in content ? content.language : 'other'
    languages.set(language, (languages.get(language) ?? 0) + 1)
  }
  const parts = [...languages].toSorted(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
  const lines = files.reduce((sum, file) => sum + (linesOf(file) ?? 0), 0)
  const shown = parts.map(([language, count]) => `${language} ${grouped(count)}`).join(', ')
  return `${counted(files.length, 'file')}, ${counted(lines, 'line')}: ${shown}`
}

function listing(files: readonly FileLines[], { levels }: Allotment): string[] {
  const folders = new Map<string, { path: string; lines: readonly string[] }[]>()
  levels.forEach((level, at) => {
    const file = files[at]
    if (!file) return
    const others = folders.get(file.folder) ?? []
    others.push({ path: file.path, lines: linesAt(file, level) })
    folders.set(file.folder, others)
  })
  const sorted = [...folders].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const lines = sorted.flatMap(([folder, shown]) => [
    folder,
    ...shown.toSorted((one, other) => (one.path < other.path ? -1 : 1)).flatMap((file) => file.lines),
  ])
  return lines.length === 0 ? [] : ['', ...lines]
}

function leftOut(files: readonly FileLines[], { levels, depth }: Allotment): string[] {
  const counts = countLines(files.slice(levels.length).map((file) => folderAt(file.folder, depth)), depth)
  const amounts = { full: 0, names: 0, path: 0 }
  levels.forEach((level, at) => {
    if (files[at]?.detail) amounts[level]++
  })
  const isReduced = amounts.names + amounts.path > 0
  return [...(counts.length === 0 ? [] : ['', ...counts]), ...(isReduced ? ['', shares(amounts)] : [])]
}

function shares({ full, names, path }: Record<'full' | 'names' | 'path', number>): string {
  const all = counted(full + names + path, 'listed file')
  return `To save room, of ${all} with declarations ${grouped(full)} in full, ${grouped(names)} by names, ${grouped(path)} by path (…).`
}
