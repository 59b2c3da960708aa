// A session in a few lines for people: how it ended, why, and what shows it.
import { openFolder } from '../../adapters/journal/folder.js'
import type { Session } from '../../core/index.js'
import { counted } from '../../text/amounts.js'
import { iterationsText } from '../../text/iterations.js'
import type { CompletionReasons } from '../../text/artifacts/artifacts.js'
import { stateOf, type Entry } from '../catalogue.js'
import { diagnosisOf } from '../diagnosis-of.js'
import { endText, standText, whyText, type Stand } from '../stand.js'
import { TASK_FILE } from '../recorded.js'
import type { Diagnosis } from '../../text/diagnosis/diagnosis.js'
import { patternText } from '../../text/diagnosis/text.js'
import { sandboxText } from '../../text/confinement.js'

const MOST_LISTED = 30

export async function summary(entry: Entry, reasons: CompletionReasons, stand: Stand): Promise<string> {
  const { session, standing, folder } = entry
  const { why, stall } = reasons
  const diagnosis = await diagnosisOf(entry)
  const rows: [string, string][] = [
    ['session', `${session.id} · ${session.procedure.name} · ${iterationsText(session)}`],
    ['outcome', session.finish === null ? `not ended: ${stateOf(session, standing)}` : endText(session.finish, stand)],
    ['why', why === '' ? 'nothing has been decided yet' : whyText(why, stand)],
    ...patternRow(diagnosis),
    ['stands on', standText(stand)],
    ['proved', provedText(reasons)],
    ...(stall.level > 1 ? [['stall', stallText(stall, session)] as [string, string]] : []),
    ['sandbox', sandboxText(session.setup) ?? 'none'],
    ['files', folder],
  ]
  const lists = [
    ...listed('evidence', reasons.evidence),
    ...listed('exceptions', reasons.exceptions),
    ...listed('added to the task', addedToTask(entry)),
    ...listed('excused', reasons.excused),
    ...listed('flaky, set aside', reasons.flaky),
    ...listed('fixed', reasons.fixed),
    ...listed('new', reasons.fresh),
    ...listed('failing', reasons.reasons.filter((reason) => reason !== why)),
  ]
  return [...rows.map(([name, value]) => `${name.padEnd(10)} ${value}`), ...lists].join('\n')
}

/** With the first that shows it: `explain` tells the rest. */
function patternRow(diagnosis: Diagnosis): [string, string][] {
  const { pattern, evidence } = diagnosis
  return pattern === null || pattern === 'none of these' ? [] : [['pattern', [patternText(diagnosis), ...evidence.slice(0, 1)].join(' · ')]]
}

/** In the words of the label: what is proved with exceptions is not proved outright. */
function provedText({ proved, exceptions }: CompletionReasons): string {
  if (!proved) return 'no'
  return exceptions.length === 0 ? 'yes' : 'in part: all but the exceptions below'
}

/** Additions only ever add lines. */
function addedToTask({ session: { kept }, folder }: Entry): string[] {
  const [before, now] = ['task-original', 'task'].map((name) => openFolder(folder).read(kept[name]?.path ?? TASK_FILE)?.split('\n') ?? [])
  return (now ?? []).filter((line) => line.trim() !== '' && !before?.includes(line)).map((line) => `+ ${line}`)
}

/** An addition to the task lets the ladder begin again, and these with it; `explain` counts over the whole session. */
function stallText({ repeats, revisits, plateau }: CompletionReasons['stall'], { procedure, uses }: Session): string {
  const isAfresh = (procedure.policies.ladder?.rungs ?? []).some(({ resets }, rung) => resets === true && (uses[rung] ?? 0) > 0)
  const row = `the same failures in ${counted(repeats, 'iteration')} in a row, a state seen before ${counted(revisits, 'time')}, no better for ${counted(plateau, 'iteration')}`
  return isAfresh ? `${row}, since the ladder began again` : row
}

function listed(title: string, lines: readonly string[]): string[] {
  const rest = lines.length - MOST_LISTED
  const shown = lines.slice(0, MOST_LISTED).map((line) => `  ${line.replaceAll('\n', ' ')}`)
  return lines.length === 0 ? [] : [`${title}:`, ...shown, ...(rest > 0 ? [`  and ${rest} more`] : [])]
}
