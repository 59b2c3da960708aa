// The shape of the settings file, and its JSON Schema. Slow to load: import it only to check a file or to print the schema.
import * as z from 'zod'
import { OUTCOMES, VERDICTS, type Fragment, type SectionName, type Signal, type Verdict } from '../core/index.js'
import { ALLOWANCES } from '../text/pins/pins.js'
import { faultsOf, type Issue, type LocatedFault } from './faults.js'
import type { ProcedureEntry } from './resolve.js'
import { NAME_EXPECTED, type NumberRule, SCALARS } from './scalars.js'
import {
  commandLine, commandPattern, exactlyOne, globs, list, map, name, number, oneOf, only, optional, patch, record, required, shaped, shortName, text, truth,
  variable, webAddress,
} from './schema-blocks.js'
import { hook, notify } from './schema-told.js'
import { CLI_NAMES, TOOL_KINDS } from '../agent-entry.js'
import type { Layer } from './types.js'

const SIGNALS = ['repeats', 'subjects', 'revisits', 'plateau'] as const satisfies readonly Signal[]
const SECTIONS: readonly SectionName[] = [
  'task', 'context', 'hints', 'failures', 'refuted', 'stance', 'gates', 'words', 'philosophy', 'survey', 'plan', 'files',
  'diagnosis', 'code', 'commands', 'changes', 'fault', 'form', 'profile', 'report', 'scope',
]
const COUNT: NumberRule = { kind: 'integer', least: 0 }
const POSITIVE: NumberRule = { kind: 'integer', least: 1 }
/** No budget cuts a check short, so what is done again within one has to end by itself. */
const AGAIN: NumberRule = { kind: 'integer', least: 0, most: 100 }
const TARGET = new RegExp(`^(@(${OUTCOMES.join('|')})|[a-z][a-z0-9-]{0,39})$`)
const ROLE = /^(\*|[A-Za-z0-9][A-Za-z0-9._-]{0,63})$/

const target = shaped(TARGET, `expected a phase, or one of ${OUTCOMES.map((outcome) => `@${outcome}`).join(', ')}`)

// ───────────────────────────── prompts ─────────────────────────────

const FRAGMENT_KINDS = ['text', 'file', 'builtin'] as const
const FRAGMENT_EXPECTED = 'expected text, or a map with text, file or builtin'
const shippedText = shaped(/^[a-z0-9-]{1,40}(\/[a-z0-9-]{1,40})?$/, 'expected the name of a shipped text, such as ooda/observe')
const fragmentShape = {
  text: text.describe('The text itself.'),
  file: text.describe('A file, read afresh for every prompt; relative to the folder of the settings file.'),
  builtin: shippedText.describe('A text that is shipped with Greenlatch.'),
}
const fragmentMap = optional(fragmentShape).superRefine(exactlyOne(FRAGMENT_KINDS)).meta(required(FRAGMENT_KINDS))
const inlineText = text.transform((inline): Fragment => ({ text: inline }))
const fragment = z.union([inlineText, fragmentMap], { error: FRAGMENT_EXPECTED })
const fragments = z.union(
  [inlineText.transform((only) => [only]), fragmentMap.transform((only) => [only]), list(fragment)],
  { error: `${FRAGMENT_EXPECTED}, or a list of these` },
)
const prompts = optional({
  observe: fragments.describe('What to look at.'),
  orient: fragments.describe('How to understand it.'),
  decide: fragments.describe('How to choose what to do.'),
  act: fragments.describe('How to do it.'),
})
const PART_KINDS = [...FRAGMENT_KINDS, 'section'] as const
const partFragment = optional({ ...fragmentShape, section: oneOf(SECTIONS).describe('A section made from the session.') })
  .superRefine(exactlyOne(PART_KINDS))
  .meta(required(PART_KINDS))
const part = map({
  title: text.describe('The heading.'),
  fragments: list(z.union([inlineText, partFragment], { error: `${FRAGMENT_EXPECTED}, or section` })).describe('What stands under it.'),
  rank: number(COUNT).exactOptional().describe('Parts of the lowest rank are left out first when a prompt is too long.'),
  when: oneOf(SECTIONS).exactOptional().describe('Left out where this section has nothing to say.'),
  unless: oneOf(SECTIONS).exactOptional().describe('Left out where this section has something to say.'),
})

// ───────────────────────────── procedures ─────────────────────────────

const gateReference = shaped(/^(@configured|[a-z0-9-]{1,64})$/, 'expected the name of a gate, or "@configured"')

const PHASE_KEYS = {
  ask: {
    role: name.describe('Who is asked.'),
    yields: oneOf(['plan', 'candidate', 'review', 'tests', 'amendment', 'response']).describe('What the answer is.'),
    title: text.describe('The first line of its prompt.'),
    prompt: list(part).describe('The headings of the prompt and what stands under them.'),
    prompts: oneOf(['late']).describe('The prompt is written by the step after the one that enters the phase.'),
    status: oneOf(['decides']).describe("The agent's own ending is the verdict."),
    wants: oneOf(['tests', 'diagnosis']).describe('`tests`: a plan has to bring tests with it. `diagnosis`: a review may be plain prose.'),
    replies: oneOf(['text']).describe('Files of the reply are written for whoever answers.'),
    reuse: oneOf(['tree']).describe('What was said of a tree is not asked again while it stays the same.'),
    trim: oneOf(['never']).describe('The prompt is sent whole, however long.'),
    words: patch({
      done: target.describe('Where it leads when the agent says that it is done.'),
      failed: target.describe('Where it leads when the agent says that it has failed.'),
    }).describe('Where completion words lead.'),
  },
  check: {
    gates: list(gateReference).describe('In the order they run.'),
    baseline: only.describe('What fails here was there before.'),
    sealed: only.describe('The deciding check, on a clean copy with pinned files.'),
    reruns: number(AGAIN).describe('How often a failing test is run again on its own.'),
    confirm: number(AGAIN).describe('How often a green result is confirmed.'),
  },
  workspace: {
    action: oneOf(['setup', 'survey', 'branch', 'commit', 'materialise']).describe(
      'What is done: the checkout made ready, its files listed, a branch made, the result committed there, or a response taken in as a candidate.',
    ),
  },
} as const
const KINDS = ['ask', 'check', 'workspace'] as const
const ON_MEANS: Record<Verdict, string> = {
  pass: 'Where a pass leads; @completed where nothing is said.',
  fail: 'Where a failure leads; @failed where nothing is said.',
  error: 'Where it leads when nothing can be judged; @failed where nothing is said, for a check @refused.',
  cancelled: 'Where it leads when whoever answers gives up; @cancelled where nothing is said.',
}

const phase = patch({
  kind: oneOf(KINDS).describe('What the phase does.'),
  on: patch(Object.fromEntries(VERDICTS.map((verdict) => [verdict, target.describe(ON_MEANS[verdict])]))).describe('Verdict → next phase, or @ and an outcome.'),
  opensIteration: only.describe('Asking this phase begins a new iteration.'),
  opensPlan: only.describe('Asking this phase begins a new plan.'),
  judges: truth.describe('Whether its verdict judges the iteration.'),
  retries: number(AGAIN).describe('How often an error is tried again before it is routed.'),
  file: shortName.describe('What its files are called instead of its own name.'),
  label: text.describe('What the session is called while this phase is open.'),
  rests: text.describe('What the session is called when this phase is over; the next phase then takes a step of its own.'),
  ...PHASE_KEYS.ask,
  ...PHASE_KEYS.check,
  ...PHASE_KEYS.workspace,
}).superRefine((value, context) => {
  const kind = KINDS.find((known) => known === value.kind)
  if (kind === undefined) return
  const foreign = KINDS.filter((other) => other !== kind).flatMap((other) => Object.keys(PHASE_KEYS[other]))
  for (const key of foreign.filter((key) => key in value)) {
    context.addIssue({ code: 'custom', path: [key], message: `does not belong to a phase of kind "${kind}"` })
  }
})

const rung = map({
  at: number(POSITIVE).describe('The level of stall from which it counts.'),
  ...optional({
    stance: name.describe('The stance text that goes into the prompt.'),
    focus: oneOf(['one']).describe('One failing subject at a time.'),
    scope: map({
      files: number(COUNT).describe('Most files; 0 is no limit.'),
      lines: number(COUNT).describe('Most lines added and removed; 0 is no limit.'),
    }).describe('The most one iteration may change.'),
    roles: record(name).describe('Role → the role that answers instead.'),
    restore: only.describe('Go back to the best state.'),
    to: target.describe('Go here when the rung is reached.'),
    resets: only.describe('Start counting afresh.'),
    times: number(POSITIVE).describe('How often it may be used.'),
    without: name.describe('Only where nobody fills this role.'),
  }).shape,
})

const inRow = (what: string) => number(POSITIVE).describe(`How many in a row ${what}.`)
const policies = patch({
  setbacks: patch({
    limit: inRow('stop the session'),
    counts: list(oneOf(VERDICTS)).describe('The verdicts that make an iteration a bad one.'),
  }).describe('Stop after so many bad iterations in a row.'),
  infrastructure: patch({ limit: inRow('stop the session') }).describe('Stop after so many failures of network or login in a row.'),
  breaches: patch({ limit: inRow('stop the session') }).describe('Stop after so many breaches by the same subject in a row.'),
  floor: patch({
    iterations: number(POSITIVE).describe('The least iterations.'),
    to: target.describe('Where success before that leads instead.'),
  }).describe('Least iterations before success counts.'),
  ratchet: patch({ patience: inRow('send it back') }).describe('Go back to the best state after so many worse iterations.'),
  ladder: patch({
    signals: list(oneOf(SIGNALS)).describe('What is counted as stall; the largest of them is its level.'),
    rungs: list(rung).describe('The answers, by the level from which each counts.'),
  }).describe('Answers to a stall.'),
  amendments: patch({
    each: number(POSITIVE).describe('Most characters of one addition.'),
    all: number(POSITIVE).describe('Most characters of all of them together.'),
  }).describe('Most characters an addition to the task may have, and all together.'),
  disputes: patch({
    limit: number(POSITIVE).describe('How often it is raised before that.'),
  }).describe('How often a finding is raised over passing gates before it is set aside.'),
  goal: patch({
    targets: list(text).describe('Tests that have to pass in the end, by id or with *. Without them all that fail at the start.'),
    excuse: list(text).describe('Tests that fail at the start and may go on failing, by id or with *.'),
    gates: list(name).describe('Gates whose pass proves the work; of use for those that are not run on the start tree.'),
    change: truth.describe('true: a candidate that changes nothing has failed.'),
    require: oneOf(SCALARS.require.words).describe('An end with a lesser label exits with 6.'),
  }).describe('What has to be proved.'),
})

const budgetShape = {
  seconds: number(SCALARS['budget.seconds']).describe('Most seconds of active time; 0 is no limit.'),
  tokens: number(SCALARS['budget.tokens']).describe('Most tokens; 0 is no limit.'),
  usd: number(SCALARS['budget.usd']).describe('Most money, in US dollars; 0 is no limit.'),
}
const budgetIterations = number(SCALARS.default_iterations).describe('Most iterations; 0 is no limit.')
const budgetEnd = oneOf(['exhausted', 'completed']).describe('How spent iterations end the session.')

const procedureBudget = patch({ iterations: budgetIterations, ...budgetShape, then: budgetEnd })
const policyFile = optional({ policies, budget: procedureBudget })

const procedure = optional({
  extends: shortName.describe('The procedure this one changes.'),
  summary: text.describe('One line for people.'),
  start: shortName.describe('The first phase.'),
  phases: record(phase.nullable(), shortName).describe('Phases by name.'),
  policies: policies.describe('Rules that may overrule the route of a phase.'),
  budget: procedureBudget.describe('The most a session of it may use.'),
  final: oneOf(['best', 'last']).describe('Which state is handed over at the end.'),
  stances: record(text.nullable()).describe('Stance texts by the names rungs use.'),
  prompts: prompts.describe('The parts of its prompts.'),
  allow: globs.describe('What may be changed where nothing else is said.'),
  progress: oneOf(['iterations']).describe('Progress is told by iteration, not by phase.'),
})

// ───────────────────────────── the whole file ─────────────────────────────

/** Ways of answering, each with the keys that belong to it alone or to a few. */
const ANSWERS = {
  command: ['env', 'pass_env'],
  cli: ['program', 'args', 'model', 'env', 'pass_env'],
  acp: ['model', 'mode', 'tools', 'permissions', 'env', 'pass_env'],
  chat: ['key', 'stream', 'roles', 'model', 'temperature', 'outputTokens', 'contextTokens'],
  repair: ['candidates', 'seconds', 'seed', 'warm'],
  script: [],
  paste: [],
} as const
const ANSWER_KINDS = Object.keys(ANSWERS) as (keyof typeof ANSWERS)[]
const passing = list(shaped(/^[A-Za-z_][A-Za-z0-9_]*\*?$/, 'expected the name of an environment variable, or how it begins and a *'))
const modelShape = {
  model: text.describe('The model to ask for.'),
  temperature: number({ kind: 'number', least: 0, most: 2 }).describe('How freely it chooses its words.'),
  outputTokens: number(POSITIVE).describe('Most tokens of one answer.'),
  contextTokens: number({ kind: 'integer', least: 1024 }).describe('What the model can take in, prompt and answer together.'),
}
const perMillion = number({ kind: 'number', least: 0 })
const agent = optional({
  command: commandLine.describe('Reads the prompt from standard input. Text is split into words as a shell would do it.'),
  cli: oneOf(CLI_NAMES).describe('A command line that is known by name.'),
  acp: commandLine.describe('Speaks the Agent Client Protocol: a known name, or a command.'),
  chat: webAddress.describe('The address of a model that speaks as OpenAI chat does, up to /v1.'),
  script: text.describe('A file of prepared answers.'),
  paste: only.describe('A person answers.'),
  repair: only.describe('Built in, without a model: tries small changes against the tests that fail.'),
  candidates: number(POSITIVE).describe('Most changes it tries on one state of the sources.'),
  seconds: number(POSITIVE).describe('Longest time it looks for a repair.'),
  seed: number({ kind: 'integer', least: 0 }).describe('Decides between changes that are equally likely.'),
  warm: truth.describe('false starts the command of the gate for every candidate.'),
  env: record(z.string({ error: 'expected text (put it in quotes)' }), variable).describe('Environment variables for the command.'),
  pass_env: passing.describe('Variables of your own environment that it is given besides.'),
  program: text.describe('The program to start, instead of the one on PATH.'),
  args: list(text).describe('More arguments for it.'),
  mode: text.describe('The mode to set before the first prompt.'),
  tools: list(oneOf(TOOL_KINDS)).describe('What it is allowed when it asks: kinds of tools.'),
  permissions: oneOf(['ask']).describe('ask: a person decides on what the tools leave open, and nobody within ten minutes is a no.'),
  key: variable.describe('The environment variable that holds the key. The key itself is never written down.'),
  stream: z.literal(false, { error: 'expected false, or leave it out' }).describe('false: the answer comes in one piece, for servers that cannot stream.'),
  roles: record(optional(modelShape)).describe('Other values for single roles.'),
  ...modelShape,
  fallback: name.describe('The agent that is asked while this one cannot be reached.'),
  price: map({
    input: perMillion.describe('US dollars for a million tokens of input.'),
    output: perMillion.describe('US dollars for a million tokens of output.'),
    cachedInput: perMillion.exactOptional().describe('US dollars for a million tokens of input from a cache.'),
  }).describe('What it costs, where it does not say so itself. --max-cost needs it.'),
  replies: oneOf(['files', 'text']).describe('text: it cannot edit files, so those in its reply are written for it.'),
  promptTokens: number(SCALARS.promptTokens).describe('Most tokens of a prompt for it, instead of the general limit.'),
})
  .superRefine(exactlyOne(ANSWER_KINDS))
  .superRefine((value, context) => {
    const kind = ANSWER_KINDS.find((known) => known in value)
    if (kind === undefined) return
    const foreign = Object.values(ANSWERS).flat().filter((key) => !(ANSWERS[kind] as readonly string[]).includes(key))
    for (const key of new Set(foreign.filter((key) => key in value))) {
      const kinds = ANSWER_KINDS.filter((other) => (ANSWERS[other] as readonly string[]).includes(key))
      context.addIssue({ code: 'custom', path: [key], message: `"${key}" needs ${kinds.join(' or ')}` })
    }
  })
  .meta(required(ANSWER_KINDS))

const innerFolder = shaped(/^(?![/~])(?!([\s\S]*\/)?\.\.(\/|$))(?=[\s\S]*\S)/, 'expected a folder inside the repository')

const gate = map({
  name: shaped(/^[a-z0-9-]{1,64}$/, 'expected a name of a-z, 0-9 and "-"').describe('Its name, unique among the gates.'),
  run: commandLine.describe('Text is run by the shell; a list is run as it stands.'),
  ...optional({
    timeoutSeconds: number(SCALARS['limits.gateSeconds']).describe('Instead of limits.gateSeconds.'),
    testTimeoutSeconds: number(SCALARS['limits.gateSeconds']).describe('Longest time for one test, where the runner has such a limit.'),
    cwd: innerFolder.describe('Where it runs, as a path from the root of the repository.'),
    env: record(z.string({ error: 'expected text (put it in quotes)' }), variable).describe('Environment variables for the command.'),
    pass_env: passing.describe('Variables of your own environment that it is given besides.'),
    runner: oneOf(['auto', 'none']).describe('none takes the command as it is; auto has test runners say which tests passed.'),
    report: map({
      path: text.describe('Files the command writes, relative to where it runs; * and ** stand for anything.'),
      format: oneOf(['junit', 'tap', 'sarif']).describe('What is in them.'),
    }).describe('A report that the command itself writes.'),
    decision: only.describe('The command writes what it decides to the file named by GREENLATCH_DECISION_FILE.'),
    network: oneOf(['none', 'host']).describe('host: it may reach what the machine reaches; by itself it has no network in a sandbox.'),
    holdout: only.describe('Only the deciding check runs it, and the agent never sees what it says.'),
    baseline: truth.describe('false leaves it out of the look at the start tree.'),
  }).shape,
})
const gates = list(gate).superRefine((all, context) => {
  for (const [index, { name }] of all.entries()) {
    if (all.findIndex((other) => other.name === name) < index) {
      context.addIssue({ code: 'custom', path: [index, 'name'], message: `"${name}" is the name of another gate` })
    }
  }
})

const HOST = /^(\*\.)?(?=.{1,253}(:|$))([A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\.?)+(:\d{1,5})?$|^\[[\da-fA-F:.]+\](:\d{1,5})?$/
const sandboxUse = oneOf(SCALARS['sandbox.use'].words)
const sandboxMap = optional({
  use: sandboxUse.describe('Which one; auto takes what is there.'),
  allow: list(shaped(HOST, 'expected a host such as api.example.com, *.example.com or example.com:8443')).describe('Hosts that agents may reach besides those of their models.'),
  read: list(text).describe('Files and folders that may be read although they lie in your home folder or elsewhere out of sight.'),
  write: list(text).describe('Files and folders that may be written besides the checkout; none that checks believe, such as the cache of a compiler.'),
  image: text.describe('What a container is made of: an image that has the programs your gates and agents need.'),
  processes: number(SCALARS['sandbox.processes']).describe('Most processes and threads at a time; 0 is no limit.'),
  memoryMegabytes: number(SCALARS['sandbox.memoryMegabytes']).describe('Most memory; 0 is no limit, and without it three quarters of what the machine has.'),
  fileMegabytes: number(SCALARS['sandbox.fileMegabytes']).describe('The largest file; 0 is no limit.'),
})
const sandbox = z.union([sandboxUse.transform((use) => ({ use })), sandboxMap], { error: `expected one of ${SCALARS['sandbox.use'].words.join(', ')}, or a map` })

const config = optional({
  procedure: name.describe('The procedure that runs when none is named.'),
  default_iterations: number(SCALARS.default_iterations).describe('Most iterations where the procedure entry says nothing; 0 is no limit.'),
  agent: z
    .union([name, record(name, shaped(ROLE, NAME_EXPECTED))], { error: 'expected the name of an agent, or a map of role to name' })
    .describe('The agent that answers, or a map of role to agent, "*" being all other roles.'),
  agents: z
    .union([record(agent), list(name)], { error: 'expected a map of agents by name, or a list of names' })
    .describe('Agents by name; or a list of names, who are asked in turn: the first for every role, the next when it cannot be reached or has nothing more to try.'),
  gates: gates.describe('The checks, in the order they run.'),
  pass_env: passing.describe('Variables of your own environment that everything is given that is started, such as DATABASE_URL; a * at the end stands for whatever follows.'),
  setup: commandLine.describe('Makes a checkout ready to work in, such as "npm ci". Without it your dependency folders are copied.'),
  budget: optional(budgetShape).describe('The most a session may use.'),
  setbacks: number(SCALARS.setbacks).describe('Stop after so many bad iterations in a row.'),
  floor: number(SCALARS.floor).describe('Least iterations before success counts.'),
  limits: optional({
    agentSeconds: number(SCALARS['limits.agentSeconds']).describe('Longest time for one answer of an agent.'),
    agentSilenceSeconds: number(SCALARS['limits.agentSilenceSeconds']).describe('Longest time an agent may print nothing.'),
    gateSeconds: number(SCALARS['limits.gateSeconds']).describe('Longest time for one run of a gate.'),
    outputBytes: number(SCALARS['limits.outputBytes']).describe('Most output kept of one run.'),
  }).describe('Limits on one piece of work.'),
  scope: optional({
    allow: globs.describe('What may be changed; without it everything. A folder without a wildcard means all below it.'),
    deny: globs.describe('What may never be changed. It wins over what is allowed, and adds up over all places that say it.'),
    files: number(SCALARS['scope.files']).describe('Most files that may be changed; 0 is no limit.'),
    lines: number(SCALARS['scope.lines']).describe('Most lines added and removed; 0 is no limit.'),
    mode: oneOf(SCALARS['scope.mode'].words).describe('block takes back what is out of scope; warn only says it.'),
  }).describe('What may be changed, and how much of it.'),
  commands: optional({
    allow: list(commandPattern).describe('Commands of replies that are run, such as "npm test *"; without it those that begin as your gates do.'),
    deny: list(commandPattern).describe('Commands that are never run. It wins over what is allowed, and adds up over all places that say it.'),
    timeoutSeconds: number(SCALARS['commands.timeoutSeconds']).describe('Longest time for one of them.'),
  }).describe('Which commands of replies are run. No shell runs them.'),
  sandbox: sandbox.describe('Where agents, gates and commands run, and what they reach from there.'),
  target: list(text).describe('Tests that have to pass in the end, by id or with *, or gate:<name>. Without it all that fail at the start.'),
  excuse: list(text).describe('Tests that fail at the start and may go on failing, by id or with *.'),
  require: oneOf(SCALARS.require.words).describe('An end with a lesser label exits with 6.'),
  permit: list(oneOf(ALLOWANCES)).describe('What may be changed though checks depend on it; the result is then at most partly verified.'),
  promptTokens: number(SCALARS.promptTokens).describe('Most tokens of a prompt.'),
  notify: notify.describe('Who is told outside the terminal when somebody should look.'),
  hooks: record(hook).describe('Commands that are run when something happens, by name.'),
  persistence: oneOf(SCALARS.persistence.words).describe('`durable`: a full disk stops the session. `best-effort`: it goes on, and what cannot be written is held in memory.'),
  stateDir: text.describe('The folder sessions are kept in.'),
  task: text.describe('The file with the task, where no words or flags give one.'),
  philosophy: text.describe('The file that says how work is done here; a section of the prompts.'),
  prompts: prompts.describe('The parts of the prompts.'),
  context: fragments.describe('Text that goes into every prompt.'),
  procedures: record(procedure, shortName).describe('Your own procedures by name.'),
})

/** The value as a layer of settings, or what is wrong with it. */
export function checkSettings(value: unknown): { layer: Layer } | { faults: LocatedFault[] } {
  const result = config.safeParse(value)
  // The library's types cannot follow shapes that are built from lists of keys; the tests hold the two together.
  return result.success ? { layer: result.data as Layer } : { faults: faultsOf(result.error.issues as Issue[], value) }
}

/** The part of a procedure that a policy file may change, as a patch, or what is wrong with it. */
export function checkPolicy(value: unknown): { entry: ProcedureEntry } | { faults: LocatedFault[] } {
  const result = policyFile.safeParse(value)
  return result.success ? { entry: result.data } : { faults: faultsOf(result.error.issues as Issue[], value) }
}

export function jsonSchemas(): Record<'config' | 'procedure', object> {
  return {
    config: { ...z.toJSONSchema(config, { io: 'input' }), title: 'Greenlatch settings' },
    procedure: { ...z.toJSONSchema(procedure, { io: 'input' }), title: 'Greenlatch procedure' },
  }
}
