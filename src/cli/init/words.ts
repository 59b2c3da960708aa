// What `init` tells of what it found, and what to type after it.
import type { Found } from '../../text/project/folder.js'
import type { Proposal } from '../../text/project/proposal.js'
import type { Choice } from '../../text/project/settings-text.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { MENDED } from '../known-agents.js'
import { isReady, type Detected } from '../detect-agents.js'

export function foundText({ languages, managers, tests, others, lint, types, build }: Proposal, detected: readonly Detected[], branch: string | null): string {
  const what = languages.filter((language) => language !== '').join(', ') || 'no language that is known'
  const here = detected.filter(({ program }) => program !== null)
  const agents = here.map((agent) => (isReady(agent) ? agent.name : `${agent.name} (no login)`)).join(', ') || 'none of the known ones'
  const instead = here.some(isReady) ? '' : `; ${withoutAgent(languages)}`
  const lines = [
    ['found', `${what}${managers.length > 0 ? ` (${managers.join(', ')})` : ''}, ${branch === null ? 'no git' : `branch ${branch}`}`],
    ['tests', tests.length > 0 ? tests.map(commandText).join('; ') : 'none'],
    ...(others.length > 0 ? [['or', others.slice(0, 3).map(commandText).join('; ')]] : []),
    ...Object.entries({ lint, types, build }).flatMap(([name, all]) => (all.length > 0 ? [[name, all.map(commandText).join('; ')]] : [])),
    ['agents', `${agents}${instead}`],
  ]
  return lines.map(([name = '', text = '']) => `${name.padEnd(7)} ${text}`).join('\n')
}

/** The one who is always there can mend little, and in some languages nothing. */
function withoutAgent(languages: readonly string[]): string {
  const can = languages.filter((language) => MENDED.includes(language))
  if (can.length > 0) return `repair, which is built in, mends small faults in ${can.join(' and ')}`
  return `repair, which is built in, mends only ${MENDED.join(', ')}: name another by --agent, or run with --url or --ai-cmd`
}

function commandText({ run, from, cwd }: Found): string {
  return `${run}${cwd === undefined ? '' : ` in ${cwd}`} (${from})`
}

/** Each with what it does. */
export function nextText({ template, files, gates }: Choice, folder: string): [command: string, why: string][] {
  const into: [string, string][] = folder === '' ? [] : [[`cd ${quoteWord(folder)}`, '']]
  if (files) return [...into, [`edit ${files.task}`, 'say what is to be made'], [`git commit -am "docs: the task"`, ''], ['greenlatch run', 'begin']]
  const runs: Record<Choice['template'], string> = {
    converge: 'greenlatch run "make the tests pass"', ooda: 'greenlatch run "<the task>"', tdd: 'greenlatch run "<what is to be made>"',
    cycle: 'greenlatch run --id 01 --spec SPEC.md', artifact: 'greenlatch run "<what is to be made>"',
  }
  const doctor = gates.length > 0 ? 'greenlatch doctor --gates' : 'greenlatch doctor'
  return [[doctor, gates.length > 0 ? 'try the checks, twice' : 'see whether all is there'], [runs[template], 'begin']]
}
