// The named ways in which a loop gets nowhere, each with the evidence it needs. The first in `RULES` whose evidence is there is the name.
import type { Session } from '../../core/types.js'
import { counted } from '../amounts.js'
import { contradiction, cycleOfFailures, cycleOfFiles, type Cycle } from './cycles.js'
import { agentFailed, agentUnavailable, breachRule, cutShort, flakyGate, gateCannotRun, nothingFails, nothingLeft, unknownTest, unusableAnswer } from './outside.js'
import { OUT_OF_CANDIDATES, OUT_OF_TIME } from './search-limits.js'
import { distinct, isMost, listed, RECENT, type Case, type Match, type Rule } from './rules.js'
import type { Pattern } from './diagnosis.js'
import type { Turn, Turns, Wrong } from './turns.js'

export function matchPattern(turns: Turns, session: Session): Match | null {
  const { finish } = session
  // A procedure that only goes on until its limit ends well also where nobody did any work.
  const rules = finish?.code !== 0 ? RULES : finish.outcome === 'completed' ? ALSO_AT_A_GOOD_END : []
  const judged = turns.turns.filter((turn) => turn.judged !== null)
  const window = judged.slice(Math.max(0, judged.findLastIndex(({ better }) => better)))
  const tries = window[0]?.better ? window.slice(1) : window
  const facts: Case = { turns, session, finish, judged, window, tries }
  for (const [pattern, rule] of rules) {
    const match = rule(facts)
    if (match) return { pattern, ...match }
  }
  // A person who cancels knows why.
  return finish === null || finish.code === 0 || finish.outcome === 'cancelled' ? null : { pattern: 'none of these', evidence: [] }
}

// ───────────────────────────── two opinions ─────────────────────────────

/** Gates pass and a review does not, in half of the tries and three times; twice where there were no more. */
const reviewerPingPong: Rule = ({ judged, session }) => {
  const recent = judged.slice(-RECENT)
  const reviewed = recent.filter(({ by, judged: verdict }) => by === 'ask' && verdict === 'fail')
  if (!isMost(reviewed.length, recent.length, Math.min(3, Math.max(2, recent.length)))) return null
  const subjects = reviewed.flatMap(({ failing }) => failing.map(({ subject }) => subject))
  const again = [...new Set(subjects.filter((subject, place) => subjects.indexOf(subject) < place))]
  const said = again.length > 0 ? `raised more than once: ${listed(again)}` : `new findings each time: ${listed([...new Set(subjects)])}`
  const lead = session.gates.length === 0 ? 'the review did not pass' : 'every check passed and the review did not'
  return { evidence: [`${lead}, in ${reviewed.length} of ${counted(recent.length, 'iteration')}`, said] }
}

// ───────────────────────────── the same again ─────────────────────────────

/** The last three candidates or more, and half of the tries, are the same files, and it was really made again, not just left. */
const samePatch: Rule = ({ window }) => {
  const last = window.at(-1)?.tree
  const from = window.findLastIndex(({ tree }) => tree !== last) + 1
  const same = window.slice(from)
  if (same.filter(({ edited }) => edited).length < 2 || !isMost(same.length, window.length, 3)) return null
  const changed = same.find(({ changed: text }) => text !== '')?.changed
  const each = changed === undefined ? [] : [`each time: ${changed}`]
  return { evidence: [`the same files came out ${same.length} times in a row`, ...each] }
}

/** Two thirds of the tries, and more than one, left the files as they were. */
const noEdits: Rule = ({ window, tries, turns }) => {
  const tried = tries.length > 0 && window[0]?.edited === true ? tries : window
  const idle = tried.filter(({ edited }) => !edited)
  if (idle.length < 2 || idle.length * 3 < tried.length * 2) return null
  const green = turns.baseline?.length === 0 ? ['every check passed at the start already: nothing may be left to do'] : []
  return { evidence: [`${idle.length} of ${counted(tried.length, 'iteration')} changed nothing at all`, ...green] }
}

/** Two subjects of which one always fails, each of them green on two different trees while the other was red. */
const contradictoryTests: Rule = ({ judged }) => {
  const found = contradiction(judged)
  if (!found) return null
  const { one, other, oneGreen, otherGreen } = found
  return {
    evidence: [
      `never green together: ${one} and ${other}`,
      `${one} passed ${oneGreen} times while ${other} failed; the other way round ${otherGreen} times`,
    ],
  }
}

/** States come back in the same order: by their files, or, where trying regressions first explains nothing, by what fails. */
function oscillationBy(find: (judged: readonly Turn[]) => Cycle | null): Rule {
  return ({ judged }) => {
    const cycle = find(judged)
    const last = judged.at(-1)
    if (!cycle || !last) return null
    const isAgain = ({ tree, key }: Turn): boolean => (cycle.by === 'files' ? tree === last.tree : key === last.key)
    const first = judged.slice(0, -1).findLast(isAgain)
    const what = cycle.by === 'files' ? 'the same files' : 'the same failures'
    return {
      period: cycle.period,
      evidence: [
        `${what} came back after ${cycle.period} iterations, ${cycle.matches} times`,
        ...(first ? [`iteration ${last.iteration} is iteration ${first.iteration} again`] : []),
      ],
    }
  }
}

// ───────────────────────────── two steps forward, two back ─────────────────────────────

type Shift = { turn: Turn; fixed: string[]; broken: string[] }

/** What each try fixed and broke, against the tree it began on; a gate that was not heard says neither. */
function shiftsOf({ tries, judged, turns, session }: Case): Shift[] {
  const known = new Map(judged.map((turn) => [turn.tree, { subjects: namesOf(turn.failing), heard: turn.heard }]))
  if (turns.baseline && !known.has(session.start)) known.set(session.start, { subjects: namesOf(turns.baseline), heard: session.gates })
  return tries.flatMap((turn) => {
    const base = known.get(turn.base)
    if (!base || turn.base === turn.tree) return []
    const now = namesOf(turn.failing)
    const fixed = [...base.subjects].filter(([subject, gate]) => !now.has(subject) && isHeard(turn.heard, gate))
    const broken = [...now].filter(([subject, gate]) => !base.subjects.has(subject) && isHeard(base.heard, gate))
    return [{ turn, fixed: fixed.map(([subject]) => subject), broken: broken.map(([subject]) => subject) }]
  })
}

function namesOf(failing: readonly Wrong[]): Map<string, string> {
  return new Map(failing.map(({ subject, gate }) => [subject, gate]))
}

/** What no gate of the session says, such as a review, is heard each time. */
function isHeard(heard: readonly string[], gate: string): boolean {
  return heard.length === 0 || heard.includes(gate)
}

/** Half of the tries, and three (two where there were no more), broke something and fixed nothing. */
const regression: Rule = (facts) => {
  const shifts = shiftsOf(facts)
  const worse = shifts.filter(({ fixed, broken }) => broken.length > 0 && fixed.length === 0)
  if (!isMost(worse.length, shifts.length, Math.min(3, Math.max(2, shifts.length)))) return null
  const broken = [...new Set(worse.flatMap((shift) => shift.broken))]
  const lead = `${worse.length} of ${counted(shifts.length, 'try', 'tries')} broke what had passed and fixed nothing`
  return { evidence: [lead, `broken: ${listed(broken)}`] }
}

/** Half of the tries, and three (two where there were no more), fixed something and broke something else. */
const whackAMole: Rule = (facts) => {
  const shifts = shiftsOf(facts)
  const moved = shifts.filter(({ fixed, broken }) => broken.length > 0 && fixed.length > 0)
  if (!isMost(moved.length, shifts.length, Math.min(3, Math.max(2, shifts.length)))) return null
  const told = moved.slice(-3).map(({ turn, fixed, broken }) => {
    return `iteration ${turn.iteration} fixed ${listed(fixed)} and broke ${listed(broken)}`
  })
  return { evidence: [`${moved.length} of ${counted(shifts.length, 'try', 'tries')} fixed one thing and broke another`, ...told] }
}

// ───────────────────────────── the wall ─────────────────────────────

/** What is left never passed, on three trees or more and four tries, while other things were fixed or its error kept changing. */
const impossibleTarget: Rule = ({ tries, judged, turns }) => {
  const left = namesOf(judged.at(-1)?.failing ?? [])
  if (tries.length < 4 || distinct(tries.map(({ tree }) => tree)) < 3 || left.size === 0) return null
  const isNeverGreen = (subject: string, gate: string): boolean => {
    return judged.every(({ failing, heard }) => !isHeard(heard, gate) || failing.some((wrong) => wrong.subject === subject))
  }
  if (![...left].every(([subject, gate]) => isNeverGreen(subject, gate))) return null
  const before = new Set([...(turns.baseline ?? []), ...judged.flatMap(({ failing }) => failing)].map(({ subject }) => subject))
  const fixed = [...before].filter((subject) => !left.has(subject))
  const faults = tries.flatMap(({ failing }) => failing.filter(({ subject }) => left.has(subject)))
  const errors = distinct(faults.map(({ fingerprint }) => fingerprint))
  if (fixed.length === 0 && errors < left.size + 2) return null
  return {
    evidence: [
      `never green in ${counted(judged.length, 'iteration')}, whatever was changed: ${listed([...left.keys()])}`,
      ...(fixed.length > 0 ? [`passed at some time: ${listed(fixed)}`] : []),
      ...(errors >= left.size + 2 ? [`it failed in ${errors} different ways`] : []),
    ],
  }
}

/** Three tries or more (two where it ended with no more), two thirds of them new files, and two thirds failing in the same way. */
const newPatchSameFailures: Rule = ({ tries, window, finish }) => {
  const least = finish === null ? 3 : 2
  const files = distinct(tries.map(({ tree }) => tree))
  const last = window.at(-1)
  const same = window.filter((turn) => turn.key === last?.key || subjectsOf(turn) === subjectsOf(last))
  if (tries.length < least || files * 3 < tries.length * 2 || same.length < least || same.length * 3 < window.length * 2) return null
  return { evidence: [`${files} different changes, and ${same.length} of ${counted(window.length, 'iteration')} failed in the same way`] }
}

function subjectsOf(turn: Turn | undefined): string {
  return [...namesOf(turn?.failing ?? []).keys()].toSorted().join('\n')
}

/** A budget ended it, and one of the last three iterations was better than all before. */
const budgetTooSmall: Rule = ({ turns, judged, finish }) => {
  const better = judged.filter((turn) => turn.better)
  const isFresh = judged.slice(-3).some((turn) => turn.better)
  if (finish === null || turns.last?.cause !== 'budget' || !isFresh || (better.length < 2 && turns.baseline === null)) return null
  const [first, last] = [turns.baseline?.length ?? better[0]?.total ?? 0, better.at(-1)]
  // Findings of a review are no failures of a check: to count the one against the other would say nothing.
  const reached = last?.by === 'ask' ? `only a review does not pass, with ${counted(last.total, 'finding')},` : `${last?.total ?? 0}`
  return { evidence: [`still getting better: ${first} failing at first, ${reached} after iteration ${last?.iteration ?? 0}`] }
}

const RULES: readonly (readonly [Pattern, Rule])[] = [
  ['nothing fails', nothingFails],
  ['search out of time', cutShort(OUT_OF_TIME)],
  ['search out of candidates', cutShort(OUT_OF_CANDIDATES)],
  ['nothing left to try', nothingLeft],
  ['agent failed', agentFailed],
  ['agent unavailable', agentUnavailable],
  ['unusable answer', unusableAnswer],
  ['gate cannot run', gateCannotRun],
  ['unknown test', unknownTest],
  ['cheating', breachRule('integrity', 'touched what the checks depend on')],
  ['scope fight', breachRule('scope', 'changed what may not be changed')],
  ['flaky gate', flakyGate],
  ['reviewer ping-pong', reviewerPingPong],
  ['same patch', samePatch],
  ['no edits', noEdits],
  ['oscillation', oscillationBy(cycleOfFiles)],
  ['contradictory tests', contradictoryTests],
  ['regression', regression],
  ['oscillation', oscillationBy(cycleOfFailures)],
  ['whack-a-mole', whackAMole],
  ['impossible target', impossibleTarget],
  ['new patch same failures', newPatchSameFailures],
  ['budget too small', budgetTooSmall],
]

const ALSO_AT_A_GOOD_END: typeof RULES = [['agent failed', agentFailed]]
