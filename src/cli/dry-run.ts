// Shows what a run would do: the same plan, the same first effect and the same prompt, with nothing started.
import { createMemoryJournal } from '../adapters/journal/memory.js'
import { emptyReport, issue, rebuild, step, type Effect, type GateResult, type Opened, type Session } from '../core/index.js'
import { FORMAT } from '../adapters/journal/files.js'
import { counted, grouped } from '../text/amounts.js'
import { fold } from './catalogue.js'
import { systemClock } from './clock.js'
import type { Output } from './output.js'
import type { Plan } from './setup.js'
import { compose, describeAgents, gatesOf, TASK_FILE } from './wire.js'

type Ask = Extract<Effect, { kind: 'ask' }>

export async function dryRun(plan: Plan, output: Output): Promise<number> {
  const { session, notRun } = firstAsk(openedFrom(plan))
  const effect = session.outstanding as Ask
  const agents = await describeAgents(plan.setup)
  const prompt = compose(session, effect, plan.setup, gatesOf(plan.setup), (path) => (path === TASK_FILE ? (plan.task ?? undefined) : undefined), notRun)
  const command = agents[session.roles[effect.answers] ?? ''] ?? 'nobody'
  if (output.format !== 'text') {
    output.json({ dry_run: true, procedure: plan.procedure.name, command, tokens: prompt.tokens, token_budget: plan.setup.promptTokens, warnings: prompt.warnings, prompt: prompt.text })
    return 0
  }
  const head = [
    `Procedure: ${plan.procedure.name}`,
    `Would execute with: ${command} (from ${plan.setup.origins['agent']})`,
    `Gates: ${plan.setup.gates.length > 0 ? plan.setup.gates.map((gate) => gate.name).join(', ') : 'none'}`,
    `Iterations: ${plan.procedure.budget.iterations ? counted(plan.procedure.budget.iterations, 'iteration') : 'unlimited'}`,
    `Token count: ${grouped(prompt.tokens)} / ${grouped(plan.setup.promptTokens)} budget`,
    ...prompt.warnings.map((text) => `WARNING: ${text}`),
  ]
  output.data(`${head.map((line) => `[DRY RUN] ${line}`).join('\n')}\n\n${prompt.text}`)
  return 0
}

function openedFrom(plan: Plan): Opened {
  return {
    type: 'opened', format: FORMAT, id: 'dry-run', procedure: plan.procedure, tree: '', gates: plan.setup.gates.map((gate) => gate.name),
    roles: plan.roles, fingerprints: 1, task: null, openedAt: systemClock.now(), setup: plan.setup,
  }
}

/** Walks to the first ask as a run would; what would run before it is taken to have passed and named as not run. */
function firstAsk(opened: Opened): { session: Session; notRun: ('failures' | 'refuted')[] } {
  const { loaded } = createMemoryJournal({ fold, clock: systemClock }, opened)
  let session = loaded.session
  const notRun: ('failures' | 'refuted')[] = []
  for (;;) {
    const effect = issue(session)
    if (!effect) return { session, notRun }
    session = rebuild([{ type: 'asked', effect, prompt: null }], session)
    if (effect.kind === 'ask') return { session, notRun }
    if (effect.kind === 'check') notRun.push('failures')
    session = rebuild(step(session, { ...emptyReport(effect), gates: effect.kind === 'check' ? effect.gates.map(passed) : [] }), session)
  }
}

function passed(gate: string): GateResult {
  return { gate, exit: 'pass', complete: true, known: false, missing: 0, seconds: 0, note: '' }
}
