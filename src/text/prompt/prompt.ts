// Puts a prompt together from the parts of a phase, and keeps it within its token budget.
import type { Fragment, Part, SectionName } from '../../core/types.js'
import { countTokens } from './tokens.js'

export { sectionTexts, type SectionExtras } from './sections.js'

export type PromptInput = {
  title: string
  parts: readonly Part[]
  /** Texts of the sections that are made from the session; one that is missing or empty is left out. */
  sections: Partial<Record<SectionName, string>>
  /** Called afresh for every prompt, so that an edited file takes effect with the next iteration. */
  load: (fragment: { file: string } | { builtin: string }) => string
  /** 0 is no limit. */
  budgetTokens: number
  /** `ranked`: parts of the lowest rank are left out first, of equal ranks the later one; the last part is always kept. */
  trim: 'never' | 'ranked'
  /** Sections that nothing is known of yet, as in a dry run. */
  notRun?: readonly SectionName[]
}

export type Prompt = { text: string; tokens: number; leftOut: { title: string; tokens: number }[]; over: boolean }

type Written = { title: string; rank: number; text: string; tokens: number }

const DEFAULT_RANK = 5

const SECTION_HEADING: Record<SectionName, string> = {
  task: 'Task',
  context: 'Context',
  hints: 'Hints',
  failures: 'Failing now',
  refuted: 'Tried before',
  stance: 'Stance',
  gates: 'Checks',
  words: 'How to end',
  philosophy: 'Philosophy',
  survey: 'Files',
  plan: 'Plan',
  files: 'Files of the plan, as they are now',
  diagnosis: 'Diagnosis',
  code: 'Suggested code',
  commands: 'Commands of your last answer',
  changes: 'Changes so far',
  fault: 'What was wrong with the last answer',
  form: 'How to answer',
  profile: 'Instructions',
  report: 'Report',
  scope: 'What may be changed',
}

/** What would have to run before a section can be written. */
const COMES_FROM: Partial<Record<SectionName, string>> = { failures: 'baseline', refuted: 'iterations' }

export function composePrompt(input: PromptInput): Prompt {
  const wanted = input.parts.filter((part) => isWanted(part, input))
  let kept = wanted.map((part) => written(part, input)).filter((part) => part.text !== '')
  const leftOut: Prompt['leftOut'] = []
  let text = pageOf(input.title, kept, leftOut)
  while (input.trim === 'ranked' && isOver(text, input.budgetTokens) && kept.length > 1) {
    const least = kept.findLast((part) => part.rank === Math.min(...kept.map((each) => each.rank)))
    kept = kept.filter((part) => part !== least)
    if (least) leftOut.push({ title: least.title, tokens: least.tokens })
    text = pageOf(input.title, kept, leftOut)
  }
  return { text, tokens: countTokens(text), leftOut, over: isOver(text, input.budgetTokens) }
}

function isWanted({ when, unless }: Part, input: PromptInput): boolean {
  const says = (section: SectionName): boolean => tidied(textOf({ section }, input)) !== ''
  return (when === undefined || says(when)) && (unless === undefined || !says(unless))
}

function isOver(text: string, budgetTokens: number): boolean {
  return budgetTokens > 0 && countTokens(text) > budgetTokens
}

function pageOf(title: string, parts: readonly Written[], leftOut: Prompt['leftOut']): string {
  const left = leftOut.map((part) => `- ${part.title} (about ${part.tokens} tokens)`)
  const note = left.length === 0 ? [] : [`## LEFT OUT\n\nThese parts would have made this prompt too long:\n\n${left.join('\n')}`]
  return `${[...(title === '' ? [] : [`# ${title}`]), ...parts.map((part) => part.text), ...note].join('\n\n')}\n`
}

function written(part: Part, input: PromptInput): Written {
  const pieces = part.fragments
    .map((fragment) => ({ fragment, text: tidied(textOf(fragment, input)) }))
    .filter((piece) => piece.text !== '')
  const texts = pieces.map(({ fragment, text }) => (pieces.length > 1 ? headed(fragment, text, part.title) : text))
  const text = texts.length === 0 ? '' : [...(part.title === '' ? [] : [`## ${part.title}`]), ...texts].join('\n\n')
  return { title: part.title, rank: part.rank ?? DEFAULT_RANK, text, tokens: countTokens(text) }
}

function textOf(fragment: Fragment, input: PromptInput): string {
  if ('text' in fragment) return fragment.text
  if (!('section' in fragment)) return input.load(fragment)
  const name = fragment.section
  return input.notRun?.includes(name) ? `[not run: ${COMES_FROM[name] ?? name}]` : (input.sections[name] ?? '')
}

/** A section that shares its part with other text needs a heading of its own, unless the part is called the same. */
function headed(fragment: Fragment, text: string, partTitle: string): string {
  if (!('section' in fragment)) return text
  const heading = SECTION_HEADING[fragment.section]
  return heading.toLowerCase() === partTitle.toLowerCase() ? text : `### ${heading}\n\n${text}`
}

function tidied(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/^(?:[ \t]*\n)+/, '').trimEnd()
}
