// What `init` writes down: from flags, from what was found, and from two questions at most.
import { EXIT, Refusal } from '../../errors.js'
import type { Found } from '../../text/project/folder.js'
import type { Proposal } from '../../text/project/proposal.js'
import { NEED_A_GATE, TEMPLATES, type Template } from '../../text/project/settings-text.js'
import { ask } from '../ask.js'
import type { Context } from '../context.js'
import { isReady, type Detected } from '../detect-agents.js'
import { agentNames, BUILT_IN } from '../known-agents.js'
import { didYouMean } from '../meant.js'
import { nearest } from '../../text/nearest.js'

export type InitFlags = { template?: string; agent?: string; test?: string; dryRun?: boolean }

/** `again`: the command up to here, to be typed with a flag more. */
type Asking = Pick<Context, 'mayAsk' | 'yes'> & { again: string }

export function templateOf(named: string | undefined, otherwise: Template, again: string): Template {
  const template = TEMPLATES.find((known) => known === (named ?? otherwise))
  if (template) return template
  const meant = nearest(named ?? '', TEMPLATES)
  throw new Refusal(EXIT.usage, `--template: there is no "${named}"${didYouMean(named ?? '', TEMPLATES)}; there are ${TEMPLATES.join(', ')}`, `${again} --template ${meant ?? TEMPLATES[0]}`)
}

// ───────────────────────────── the checks ─────────────────────────────

export async function gatesBy(flags: InitFlags, template: Template, { tests }: Proposal, { mayAsk, yes, again }: Asking): Promise<readonly Found[]> {
  if (flags.test !== undefined) return [commandOf(flags.test, '--test', again)]
  const needs = NEED_A_GATE.has(template)
  if (mayAsk && !yes && (needs || tests.length > 0)) {
    const answer = await answerTo(`Which command tests it?${offered(tests.map(({ run }) => run).join(', and ') || null)} `, again)
    if (answer !== '') return [commandOf(answer, 'the test command', again)]
  }
  if (tests.length > 0 || !needs) return tests
  throw new Refusal(EXIT.usage, `no test command was found, and procedure "${template}" proves its work by one`, `${again} --test "<your test command>"`)
}

function commandOf(text: string, what: string, again: string): Found {
  if (text.trim() !== '') return { run: text.trim(), from: 'your choice' }
  throw new Refusal(EXIT.usage, `${what}: the command is empty`, `${again} --test "<your test command>"`)
}

// ───────────────────────────── the agent ─────────────────────────────

/** Null leaves it to every run to see who is there. */
export async function agentBy(flags: InitFlags, { config }: Context, detected: readonly Detected[], { mayAsk, yes, again }: Asking): Promise<string | null> {
  const known = agentNames(config)
  if (flags.agent !== undefined) return agentOf(flags.agent, known, again)
  const ready = detected.filter(isReady).map(({ name }) => name)
  const first = ready[0] ?? null
  if (!mayAsk || yes) return first
  const choice = [...ready, ...Object.keys(BUILT_IN)].join(', ')
  const answer = await answerTo(`Who answers: ${choice}?${offered(first ?? 'whoever is there at each run, now repair')} `, again)
  return answer === '' ? first : agentOf(answer, known, again)
}

function agentOf(name: string, known: readonly string[], again: string): string {
  if (known.includes(name)) return name
  const ways = 'other programs, models and addresses are set up in greenlatch.yaml, or named by flags of run'
  throw new Refusal(EXIT.usage, `there is no agent "${name}"${didYouMean(name, known)}; ${ways}`, `${again} --agent ${nearest(name, known) ?? 'paste'}`)
}

function offered(answer: string | null): string {
  return answer === null ? '' : ` [${answer}]`
}

async function answerTo(question: string, again: string): Promise<string> {
  const answer = await ask(question)
  if (answer === null) throw new Refusal(EXIT.cancelled, 'no answer was given, so nothing was written', `${again} --yes`)
  return answer
}
