// A diagnosis as a page for terminals and as Markdown. What comes from outside is indented, where no Markdown is obeyed.
import { counted } from '../amounts.js'
import type { BestReached, RungTried } from './facts.js'
import type { Seen } from './turns.js'
import type { Diagnosis, Pattern } from './diagnosis.js'
import { sanitise } from '../sanitise.js'

const MEANINGS: Record<Pattern, string> = {
  'nothing fails': 'Every check passes already, and nothing was changed. Either nothing is left to do, or no check asks for what the task says: add one that fails until it is done.',
  'search out of time': 'The search was over before everything was tried. What is refuted is remembered: a resume goes on where it stopped. More time (`seconds:` of the agent, taken by `greenlatch resume --agent <its name>`) or a quicker gate gets further each time.',
  'search out of candidates': 'As many changes were tried as may be, and more are left. `candidates:` of the agent allows more, and is taken by `greenlatch resume --agent <its name>`; what is refuted is remembered. Or ask somebody else: an agent that you install, a model behind an address (--url), or yourself (--agent paste).',
  'nothing left to try': 'Whoever was asked has nothing more to try: what still fails needs more than that, or cannot pass at all. Ask somebody else: an agent that you install, a model behind an address (--url), or yourself (--agent paste).',
  'agent failed': 'The agent starts, and its command ends with a failure of its own. Asked again it would most likely fail again: read what it put out and put its command right, or ask somebody else. Nothing is said about the task.',
  'agent unavailable': 'The agent could not be reached, or a limit ended it again and again. Nothing is said about the task.',
  'unusable answer': 'The agent answers, and not as its prompt asks for. Nothing is said about the task.',
  'gate cannot run': 'The command of a check cannot be run at all, so nothing can be judged. Put the command right, or install what it needs.',
  'unknown test': 'A test was named, to be proved or to be excused, that no check has reported. Name one that is there; `*` stands for anything.',
  cheating: 'The agent keeps changing what decides about its work: tests, their configuration or the commands of the checks.',
  'scope fight': 'The agent keeps changing files that it may not change, or more than it may. Either the task needs them, or it sprawls.',
  'flaky gate': 'A check says different things of the same files. Nothing can be proved with it until it is steady.',
  'reviewer ping-pong': 'Nothing but the review does not pass: two opinions, and no evidence between them.',
  'same patch': 'The agent makes the same change again and again, whatever it is told.',
  'no edits': 'The agent ends without having changed anything.',
  'contradictory tests': 'Two tests were never green together. Each can pass, so most likely they ask for opposite things.',
  oscillation: 'The work goes round in a circle: each state undoes the one before.',
  regression: 'Tries break what had passed and fix nothing.',
  'whack-a-mole': 'Each try fixes one thing and breaks another: the failures have a common cause that no try touches.',
  'impossible target': 'What is left has never passed, whatever was changed, while the rest can be made to pass.',
  'new patch same failures': 'The changes differ, the failures do not: the cause lies where nobody has looked.',
  'budget too small': 'It was still getting better when its budget was spent.',
  'none of these': 'What happened fits none of the known patterns.',
}

/** The name of the pattern with its period, where it has one. */
export function patternText({ pattern, period }: Pick<Diagnosis, 'pattern' | 'period'>): string {
  return pattern === 'oscillation' && period !== null ? `oscillation, back after ${counted(period, 'iteration')}` : (pattern ?? '')
}

export function diagnosisText(diagnosis: Diagnosis): string {
  const { pattern, evidence, failing, rungs, best, next } = diagnosis
  const head = `# Session ${diagnosis.session}: ${diagnosis.state}\n\n${indented([diagnosis.outcome, ...diagnosis.exceptions.map((text) => `except: ${text}`)])}`
  const shown = evidence.length === 0 ? '' : `\n\n${indented(evidence)}`
  const named = pattern === null ? [] : [`## Pattern: ${patternText(diagnosis)}\n\n${MEANINGS[pattern]}${takenText(diagnosis)}${shown}`]
  const blocks = [
    ...section('Failing', failing.length === 0 ? [] : [...failing.map(failingLine), fingerprintLine(diagnosis.session)]),
    ...section('Tried', rungs.map(rungLine)),
    ...section('Best state', best === null ? [] : bestLines(best)),
    ...section('Noticed', diagnosis.noticed),
    ...section('Next', next),
  ]
  return `${[head, ...named, ...blocks].join('\n\n')}\n`
}

function takenText({ pattern, best }: Diagnosis): string {
  return pattern === 'nothing left to try' && best?.delivered && best.iteration > 0 ? ' What was mended can be taken.' : ''
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}\n\n${indented(lines)}`]
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `    ${sanitise(line).replace(/\s+/g, ' ').trim()}`).join('\n')
}

function failingLine({ gate, subject, fingerprint, first, last, seen }: Seen): string {
  const when = seen === 0 ? 'since the start' : `in ${seen} iterations, ${first} to ${last}`
  return `${gate}: ${subject} · ${seen === 1 ? `in iteration ${first} alone` : when} · ${fingerprint}`
}

function fingerprintLine(session: string): string {
  return `(a line ends with its fingerprint: greenlatch explain ${session} --fingerprint <it> tells its story)`
}

function rungLine({ rung, iteration, name, effect }: RungTried): string {
  return `after iteration ${iteration}, rung ${rung} (${name}): ${effect}`
}

function bestLines({ iteration, failing, subjects, delivered }: BestReached): string[] {
  const where = iteration === 0 ? 'the start' : `iteration ${iteration}`
  const more = failing > 3 ? ` and ${failing - 3} more` : ''
  const what = failing === 0 ? 'nothing failing' : `${failing} failing: ${subjects.slice(0, 3).join(', ')}${more}`
  return [`${where}, ${what}${delivered ? '; this is what you get' : ''}`]
}
