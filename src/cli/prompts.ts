// The prompt of an ask, from the session as it stands and the setup it was opened with.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { promptRoomFor } from '../adapters/agents/chat/settings.js'
import { answersInText, type AgentEntry } from '../agent-entry.js'
import type { AskPhase, Effect, Fragment, SectionName, Session } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import type { Folder, Gate, TextFile } from '../ports.js'
import { fragments } from '../procedures/index.js'
import type { ComposedPrompt } from '../shell/live.js'
import { grouped } from '../text/amounts.js'
import { composePrompt, sectionTexts, type Prompt, type SectionExtras } from '../text/prompt/prompt.js'
import { formFor } from '../text/reply/forms.js'
import { scopeText } from '../text/scope.js'
import { planFiles } from './plan-files.js'
import { scopeFiles } from './scope-files.js'
import type { Plan } from './setup.js'

type Reads = Pick<Folder, 'read' | 'resolve'>
type Besides = Pick<SectionExtras, 'profile' | 'form'> & { cwd?: string }

/** Files are read afresh each time. */
export function compose(
  session: Session,
  effect: Effect,
  setup: Plan['setup'],
  gates: Readonly<Record<string, Gate>>,
  folder: Reads,
  notRun: SectionName[] = [],
  besides: Besides = {},
): ComposedPrompt {
  const phase = session.procedure.phases[effect.phase]
  if (effect.kind !== 'ask' || phase?.kind !== 'ask') throw new Error(`${effect.phase} is not an ask`)
  const agent = setup.agents[session.roles[effect.answers] ?? '']
  const promptTokens = promptRoom(agent, effect.answers, setup.promptTokens)
  const extras = { ...extrasFor({ session, effect, phase, setup, gates, folder }, agent, promptTokens, besides.cwd), ...besides }
  const written = (report: Pick<SectionExtras, 'report' | 'logs'>): Prompt =>
    composePrompt({
      title: phase.title ?? `One iteration of ${session.procedure.name}`,
      parts: phase.prompt,
      sections: sectionTexts(session, { ...extras, ...report }),
      load: loadFragment,
      budgetTokens: promptTokens,
      trim: phase.trim === 'never' ? 'never' : 'ranked',
      notRun,
    })
  const whole = extras.kept?.['log'] === TOO_LONG ? null : written({ report: 'whole' })
  const fits = whole !== null && !whole.over && whole.leftOut.length === 0
  const prompt = fits ? whole : written({ report: 'brief', logs: reportPaths(session, folder) })
  const over = prompt.over ? [`the prompt is over its budget: ${grouped(prompt.tokens)} of ${grouped(promptTokens)} tokens`] : []
  const left = prompt.leftOut.map((part) => `left out of the prompt to keep it within ${grouped(promptTokens)} tokens: ${part.title}`)
  return { text: prompt.text, tokens: prompt.tokens, warnings: [...over, ...left] }
}

type Asked = { session: Session; effect: SectionExtras['effect']; phase: AskPhase; setup: Plan['setup']; gates: Readonly<Record<string, Gate>>; folder: Reads }

/** What sections are made from besides the session. Without `cwd`, no file of the work is shown. */
function extrasFor({ session, effect, phase, setup, gates, folder }: Asked, agent: AgentEntry | undefined, promptTokens: number, cwd: string | undefined): SectionExtras {
  const inText = phase.replies === 'text' || (agent !== undefined && answersInText(agent))
  return {
    effect,
    kept: keptTexts(session, promptTokens, folder),
    context: setup.context.map((piece) => ('text' in piece ? piece.text : 'section' in piece ? '' : loadFragment(piece))),
    scope: scopeText(setup.scope),
    philosophy: setup.philosophy ?? '',
    form: formFor({ ...phase, inText, edits: agent !== undefined && 'paste' in agent, commands: setup.commands?.allow }),
    gates: session.gates.filter((name) => session.when[name] !== 'sealed').map((name) => ({ name, describe: gates[name]?.describe ?? '' })),
    ...(cwd !== undefined && { files: filesFor(session, setup, folder, { cwd, promptTokens, inText }) }),
  }
}

type Reading = { cwd: string; promptTokens: number; inText: boolean }

/** Those of the plan; without one, whoever cannot look for itself is shown what it may change. The user's own folder holds more than their work. */
function filesFor(session: Session, { root, cwd: from, scope, place }: Plan['setup'], folder: Pick<Folder, 'read'>, { cwd, promptTokens, inText }: Reading): TextFile[] {
  const planned = planFiles(session, folder, cwd, promptTokens)
  if (planned.length > 0 || !inText || place.inPlace) return planned
  return scopeFiles(session, folder, { cwd, below: relative(root, from), rules: scope, promptTokens })
}

/** What a model can take in bounds the prompt as well, whatever is asked for otherwise. */
function promptRoom(agent: AgentEntry | undefined, role: string, general: number): number {
  const wanted = agent?.promptTokens ?? general
  const room = agent && 'chat' in agent ? promptRoomFor(agent, role) : undefined
  return room === undefined ? wanted : Math.min(wanted, room)
}

const TOO_LONG = ''

/** A log of many more bytes than a prompt may have is not even read. */
function keptTexts({ kept }: Session, promptTokens: number, folder: Pick<Folder, 'read'>): Record<string, string> {
  const most = promptTokens > 0 ? promptTokens * 16 : Infinity
  return Object.fromEntries(
    Object.entries(kept).map(([name, { path, bytes }]) => [name, name === 'log' && bytes > most ? TOO_LONG : (folder.read(path) ?? '')]),
  )
}

/** Where the reports stand whole that `report` is made from. */
function reportPaths({ kept }: Session, folder: Pick<Folder, 'resolve'>): string[] {
  return ['log', 'findings'].flatMap((name) => (kept[name] ? [folder.resolve(kept[name].path)] : []))
}

function loadFragment(fragment: Exclude<Fragment, { text: string } | { section: unknown }>): string {
  if ('builtin' in fragment) return fragments[fragment.builtin] ?? ''
  try {
    return readFileSync(fragment.file, 'utf8')
  } catch {
    throw new Refusal(EXIT.usage, `the prompt needs ${fragment.file}, which cannot be read; put it back`, 'greenlatch resume')
  }
}
