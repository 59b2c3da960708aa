// Shows what a run would do: the same plan, the same first effect and the same prompt, with nothing started.
import { FORMAT } from '../adapters/journal/files.js'
import { memoryFolder } from '../adapters/journal/folder.js'
import { createMemoryJournal } from '../adapters/journal/memory.js'
import { noSandbox } from '../adapters/sandbox/none.js'
import { emptyReport, issue, rebuild, step, type Effect, type GateResult, type Opened, type SectionName, type Session } from '../core/index.js'
import { chainFor } from '../shell/asking.js'
import { counted, grouped } from '../text/amounts.js'
import { FINGERPRINT_VERSION } from '../text/failures/fingerprint.js'
import { skippedRungs } from '../text/ladder.js'
import { scopeText } from '../text/scope.js'
import { originOf, whoAnswers } from '../text/who-answers.js'
import { fold } from './catalogue.js'
import { systemClock } from './clock.js'
import type { Output } from './output.js'
import type { Plan } from './setup.js'
import { gateNames, makeAgentsAndGates, unpricedIn } from './agents-and-gates.js'
import { sectionsBy } from './profile-ports.js'
import { thawProfile } from './profiles.js'
import { compose } from './prompts.js'
import { TASK_FILE } from './recorded.js'

type Ask = Extract<Effect, { kind: 'ask' }>

export async function dryRun(plan: Plan, output: Output): Promise<number> {
  const { session, notRun } = firstAsk(openedFrom(plan))
  const effect = session.outstanding as Ask
  const { name } = plan.procedure
  const made = await makeAgentsAndGates(plan.setup, { roles: plan.roles, budget: plan.procedure.budget, command: `greenlatch run ${name}`, sandbox: noSandbox(), missing: (agent) => agent.ready() })
  const cast = { roles: plan.roles, setup: { ...plan.setup, unpriced: unpricedIn(made.ports.agents) } }
  const folder = { read: (path: string) => (path === TASK_FILE ? (plan.task ?? undefined) : undefined), resolve: (path: string) => path }
  const prompt = compose(session, effect, plan.setup, made.ports.gates, folder, notRun, await profileSections(plan, session, effect))
  const command = chainFor(made.ports, session.roles[effect.answers] ?? '')[0]?.describe ?? 'nobody'
  const warnings = [...made.notices, ...skippedRungs(plan.procedure, plan.roles), ...prompt.warnings]
  if (output.format === 'text') output.data(`${headOf(plan, command, prompt.tokens, warnings)}\n\n${prompt.text}`)
  else {
    const { scope, place, promptTokens: token_budget } = plan.setup
    const { tokens, text } = prompt
    output.json({ dry_run: true, procedure: name, command, agents: whoAnswers(cast), agents_from: originOf(cast), scope, place, tokens, token_budget, warnings, prompt: text })
  }
  return 0
}

/** From the same profile, with nothing there yet but the task. */
async function profileSections({ setup, task }: Plan, session: Session, effect: Effect): Promise<ReturnType<typeof sectionsBy>> {
  if (!setup.profile) return {}
  const { profile } = await thawProfile(setup.profile)
  const folder = memoryFolder('/')
  if (task !== null) folder.write(TASK_FILE, task)
  return sectionsBy({ profile, parameters: setup.profile.parameters, folder }, session, effect)
}

function headOf({ procedure, setup }: Plan, command: string, tokens: number, warnings: readonly string[]): string {
  const { gates, origins, promptTokens } = setup
  const scope = scopeText(setup.scope)
  const head = [
    `Procedure: ${procedure.name}`,
    `Would execute with: ${command} (from ${origins['agent']})`,
    `Gates: ${gates.length > 0 ? gates.map((gate) => gate.name).join(', ') : 'none'}`,
    ...(scope === '' ? [] : [`Scope: ${scope}`]),
    `Iterations: ${procedure.budget.iterations ? counted(procedure.budget.iterations, 'iteration') : 'unlimited'}`,
    `Token count: ${grouped(tokens)} / ${grouped(promptTokens)} budget`,
    ...warnings.map((text) => `WARNING: ${text}`),
  ]
  return head.map((line) => `[DRY RUN] ${line}`).join('\n')
}

function openedFrom(plan: Plan): Opened {
  const task = plan.task === null ? null : { path: TASK_FILE, sha: '', bytes: Buffer.byteLength(plan.task) }
  return {
    type: 'opened', format: FORMAT, id: 'dry-run', procedure: plan.procedure, tree: '', ...gateNames(plan.setup),
    roles: plan.roles, fingerprints: FINGERPRINT_VERSION, task, openedAt: systemClock.now(), setup: plan.setup,
  }
}

/** Walks to the first ask as a run would; what would run before it is taken to have passed and named as not run. */
function firstAsk(opened: Opened): { session: Session; notRun: SectionName[] } {
  const { loaded } = createMemoryJournal({ fold, clock: systemClock }, opened)
  let session = loaded.session
  const notRun: SectionName[] = []
  for (;;) {
    const effect = issue(session)
    if (!effect) return { session, notRun }
    session = rebuild([{ type: 'asked', effect, prompt: null }], session)
    if (effect.kind === 'ask') return { session, notRun }
    if (effect.kind === 'check') notRun.push('failures')
    if (effect.kind === 'workspace' && effect.action === 'survey') notRun.push('survey')
    session = rebuild(step(session, { ...emptyReport(effect), gates: effect.kind === 'check' ? effect.gates.map(passed) : [] }), session)
  }
}

function passed(gate: string): GateResult {
  return { gate, exit: 'pass', complete: true, known: false, missing: 0, seconds: 0, note: '' }
}
