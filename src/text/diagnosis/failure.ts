// The story of one failure: what it said, which iterations had it, and what was changed when it came and went.
import type { Effect, Event, Failure, Judgement, Report } from '../../core/types.js'
import { dropOldest } from '../drop-oldest.js'
import { countingIn } from '../failures/failing-words.js'
import { sanitise } from '../sanitise.js'

const MOST_KNOWN = 2000
const MOST_TURNS = 200

/** `iteration` 0 is the baseline. A gate that did not come so far says nothing: such an iteration is not listed. */
export type StoryTurn = { iteration: number; failing: boolean; changed: string }

export type FailureStory = Pick<Failure, 'gate' | 'subject' | 'class' | 'fingerprint' | 'message'> & { turns: StoryTurn[] }

type Place = { effect: Effect | null; changed: string }

/** Every fingerprint of a session, the newest last; bounded. */
export function knownFingerprints(known: Map<string, string>, event: Event): void {
  if (event.type !== 'observed' && event.type !== 'baselined') return
  for (const { fingerprint, subject } of countingIn(event.report, event.judgement)) {
    known.delete(fingerprint)
    known.set(fingerprint, subject)
  }
  dropOldest(known, MOST_KNOWN)
}

/** By whole name or by a part of it, with or without the version before it. */
export function matchingFingerprints(known: ReadonlyMap<string, string>, named: string): string[] {
  if (known.has(named)) return [named]
  const all = [...known.keys()]
  return all.filter((fingerprint) => fingerprint.startsWith(named) || fingerprint.slice(fingerprint.indexOf(':') + 1).startsWith(named))
}

export function startStory(fingerprint: string): { take(event: Event): void; story(): FailureStory | null } {
  const place: Place = { effect: null, changed: '' }
  let story: FailureStory | null = null
  let turns: StoryTurn[] = []
  const takeReport = (report: Report, judgement: Judgement, iteration: number): void => {
    const failure = countingIn(report, judgement).find((each) => each.fingerprint === fingerprint)
    if (failure) story = told(failure)
    if (!failure && (story === null || !isHeard(report, story.gate))) return
    const turn = { iteration, failing: failure !== undefined, changed: place.changed }
    turns = [...turns.filter((each) => each.iteration !== iteration), turn].slice(-MOST_TURNS)
  }
  return {
    take(event) {
      if (event.type === 'asked') place.effect = event.effect
      if (event.type === 'asked' && event.effect.opensIteration) place.changed = ''
      if (event.type === 'baselined') takeReport(event.report, event.judgement, 0)
      if (event.type !== 'observed' || !place.effect) return
      if (event.report.changed !== '') place.changed = event.report.changed
      const isVerdict = event.judgement.verdict === 'pass' || event.judgement.verdict === 'fail'
      const isCheck = place.effect.kind === 'check' || event.judgement.judged
      if (isVerdict && isCheck) takeReport(event.report, event.judgement, place.effect.iteration)
    },
    story: () => (story === null ? null : { ...story, turns }),
  }
}

function told({ gate, subject, class: kind, fingerprint, message }: Failure): FailureStory {
  return { gate, subject, class: kind, fingerprint, message, turns: [] }
}

function isHeard({ gates }: Report, gate: string): boolean {
  const said = gates.find((each) => each.gate === gate)
  return said === undefined ? gates.length === 0 : said.complete && (said.exit === 'pass' || said.exit === 'fail')
}

export function storyText({ fingerprint, gate, subject, class: kind, message, turns }: FailureStory): string {
  const failing = turns.filter((turn) => turn.failing).length
  const lines = turns.map((turn) => {
    const where = turn.iteration === 0 ? 'the start' : `iteration ${turn.iteration}`
    return `${where}: ${turn.failing ? 'fails' : 'gone'}${turn.changed === '' ? '' : ` (changed ${turn.changed})`}`
  })
  const body = message.trim().split('\n')
  const breach = kind === 'behaviour' ? [] : [`a breach of ${kind}`]
  return [
    `# Failure ${fingerprint}`,
    indented([`${gate}: ${subject}`, ...breach, `failing in ${failing} of the ${turns.length} checks that came so far`]),
    `## What it last said\n\n${indented(body)}`,
    `## When\n\n${indented(lines)}`,
  ].join('\n\n')
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `    ${sanitise(line).replaceAll('\n', ' ').trimEnd()}`).join('\n')
}
