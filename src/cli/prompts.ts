// The prompt of an ask, from the session as it stands and the setup it was opened with.
import { readFileSync } from 'node:fs'
import type { Effect, Fragment, Session } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import type { Gate } from '../ports.js'
import { fragments } from '../procedures/index.js'
import type { ComposedPrompt } from '../shell/live.js'
import { grouped } from '../text/amounts.js'
import { composePrompt, sectionTexts } from '../text/prompt.js'
import type { Plan } from './setup.js'

export const TASK_FILE = 'task.md'

/** The prompt of an ask, from the session as it stands. Files are read afresh each time. */
export function compose(
  session: Session,
  effect: Effect,
  setup: Plan['setup'],
  gates: Readonly<Record<string, Gate>>,
  read: (path: string) => string | undefined,
  notRun: ('failures' | 'refuted')[] = [],
): ComposedPrompt {
  const phase = session.procedure.phases[effect.phase]
  if (effect.kind !== 'ask' || phase?.kind !== 'ask') throw new Error(`${effect.phase} is not an ask`)
  const context = setup.context.map((piece) => ('text' in piece ? piece.text : 'section' in piece ? '' : loadFragment(piece)))
  const sections = sectionTexts(session, {
    effect,
    kept: Object.fromEntries(Object.entries(session.kept).map(([name, { path }]) => [name, read(path) ?? ''])),
    context,
    gates: session.gates.filter((name) => session.when[name] !== 'sealed').map((name) => ({ name, describe: gates[name]?.describe ?? '' })),
  })
  const prompt = composePrompt({
    title: phase.title ?? `One iteration of ${session.procedure.name}`,
    parts: phase.prompt,
    sections,
    load: loadFragment,
    budgetTokens: setup.promptTokens,
    trim: phase.trim === 'never' ? 'never' : 'ranked',
    notRun,
  })
  const over = prompt.over ? [`the prompt is over its budget: ${grouped(prompt.tokens)} of ${grouped(setup.promptTokens)} tokens`] : []
  const left = prompt.leftOut.map((part) => `left out of the prompt to keep it within ${grouped(setup.promptTokens)} tokens: ${part.title}`)
  return { text: prompt.text, tokens: prompt.tokens, warnings: [...over, ...left] }
}

function loadFragment(fragment: Exclude<Fragment, { text: string } | { section: unknown }>): string {
  if ('builtin' in fragment) return fragments[fragment.builtin] ?? ''
  try {
    return readFileSync(fragment.file, 'utf8')
  } catch {
    throw new Refusal(EXIT.usage, `the prompt needs ${fragment.file}, which cannot be read; put it back`, 'greenlatch resume')
  }
}
