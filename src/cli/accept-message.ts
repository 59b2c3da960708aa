// The message of the commit that a result is accepted as: a conventional first line made from the task, and what the session was.
import { failingText } from '../adapters/reporters/known-failures.js'
import { trailerOf } from '../adapters/workspace/accept-trailer.js'
import type { Label, Session } from '../core/index.js'
import { counted } from '../text/amounts.js'
import { sanitise } from '../text/sanitise.js'
import type { Stand } from './stand.js'

const LONGEST_SUBJECT = 72
const CONVENTIONAL = /^[a-z]+(\([^()]*\))?!?: (?=\S)/
/** The first that fits the task gives its kind; what fits none is a chore. */
const KINDS: readonly [kind: string, words: RegExp][] = [
  ['docs', /^(document|describe)\b/i],
  ['refactor', /^(refactor|tidy|rename|clean up|simplify|move)\b/i],
  ['fix', /\b(fix(es)?|bugs?|repair|correct|broken|fail(s|ing|ures?)?|crash(es)?|pass(es)?|green)\b/i],
  ['feat', /^(add|implement|support|create|introduce|allow|make|write|build)\b/i],
]

/** How the session ended; which of its states this is, where a person may have chosen it; what a task is whose words do not tell. */
export type Account = { state: string; stand?: Stand; kind?: 'feat' | 'chore'; label?: Label; iterations?: number }

/** `given` takes the place of the first line, and of all that would stand below it but the account of the session. */
export function commitMessage(session: Session, account: Account, task: string | null, given?: string): string {
  return `${given?.trim() ?? subjectOf(session, account, task)}\n\n${accountOf(session, account)}\n`
}

function subjectOf({ id, procedure }: Session, { kind: otherwise = 'chore', stand }: Account, task: string | null): string {
  const line = sanitise(task ?? '').split('\n').map((text) => text.replace(/^[#>*\s-]+/, '').trim()).find((text) => text !== '')
  if (line === undefined) return `${otherwise}: result of ${procedure.name} session ${id}`
  // A state that fails has mended nothing yet, whatever it was asked for.
  if (stand?.failing?.length) return clipped(`chore: towards ${withoutCapital(line.replace(CONVENTIONAL, '')).replace(/\.$/, '')}`, ` (${failingText(stand.failing)})`)
  if (CONVENTIONAL.test(line)) return clipped(line)
  const kind = KINDS.find(([, words]) => words.test(line))?.[0] ?? otherwise
  return clipped(`${kind}: ${withoutCapital(line).replace(/\.$/, '')}`)
}

/** `Make it` begins small, `README` and `I` stay as they are. */
function withoutCapital(line: string): string {
  return /^(?!I\b)\p{Lu}(\p{Ll}|\s)/u.test(line) ? line.charAt(0).toLowerCase() + line.slice(1) : line
}

/** `end` is never cut. */
function clipped(line: string, end: string = ''): string {
  const most = LONGEST_SUBJECT - end.length
  if (line.length <= most) return line + end
  const cut = line.slice(0, most - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most / 2)).trimEnd()}…${end}`
}

/** As trailers, so that programs can read them. */
function accountOf({ id, finish, finished, gates }: Session, { state, stand, label = finish?.label ?? 'unverified', iterations = finished }: Account): string {
  return [
    `Greenlatch-Outcome: ${state}, ${label}, ${counted(iterations, 'iteration')}`,
    ...(stand ? [`Greenlatch-Result: ${stand.name}, ${failingText(stand.failing)}`] : []),
    `Greenlatch-Gates: ${gates.length > 0 ? gates.join(', ') : 'none'}`,
    trailerOf(id),
  ].join('\n')
}
