// What `doctor --agent` does: a real round trip with a trivial edit, in a folder of its own that is thrown away.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openOwnedFolder } from '../files/owned-folder.js'
import type { AgentEntry } from '../agent-entry.js'
import type { Config, ProcedureEntry } from '../config/types.js'
import type { Session } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import type { Notice } from '../ports.js'
import { exitCodeOf } from '../shell/live.js'
import { run } from '../shell/run.js'
import { grouped } from '../text/amounts.js'
import { loginNeeded } from '../adapters/reporters/login-hint.js'
import { isCostKnown } from '../text/who-answers.js'
import type { Context } from './context.js'
import type { Finding } from './doctor-findings.js'
import { watchSignals } from './drive.js'
import { knownAgent } from './known-agents.js'
import { makePlan } from './setup.js'
import { createSession } from './wire.js'

const NAME = 'round-trip'
const FILE = 'greenlatch-check.txt'
const WORD = 'latched'
const TASK = `Write a file named ${FILE} in the folder you work in, with the single word ${WORD} as its content. Do nothing else.`

const ROUND_TRIP: ProcedureEntry = {
  summary: 'asks for one trivial edit and looks whether it is there',
  start: 'edit',
  phases: {
    edit: {
      kind: 'ask',
      role: 'implementer',
      yields: 'candidate',
      opensIteration: true,
      title: 'One small edit',
      prompt: [
        { title: 'Task', fragments: [{ section: 'task' }] },
        { title: 'Form of the answer', fragments: [{ section: 'form' }], when: 'form' },
      ],
      on: { pass: 'look', error: '@refused' },
    },
    look: { kind: 'check', gates: ['look'], judges: true, on: { pass: '@completed', fail: '@stalled' } },
  },
  policies: { infrastructure: { limit: 1 } },
  budget: { iterations: 1 },
}

/** With these a round trip would show nothing. */
const UNTRIED: Readonly<Record<string, string>> = {
  paste: 'a person answers, so that there is nothing to try: a run stops with 8, and greenlatch reply hands in the answer',
  repair: 'built in, so that there is nothing to try: it mends what fails in a check, and needs one that does',
}

/** Uses a little of what the agent costs. */
export async function agentFindings(context: Context, name: string, version: string): Promise<Finding[]> {
  const entry = knownAgent(name, context.config, context.cwd)
  const untried = entry && Object.keys(UNTRIED).find((kind) => kind in entry)
  return untried ? [{ state: 'ok', what: `agent ${name}`, text: UNTRIED[untried] ?? '' }] : roundTrip(context, name, version)
}

async function roundTrip({ config, output }: Context, name: string, version: string): Promise<Finding[]> {
  const { folder: place, remove } = openOwnedFolder('doctor')
  try {
    const cwd = join(place, 'work')
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'README'), 'An empty place to try an agent in.\n')
    const plan = makePlan([NAME, TASK], {}, configFor(config, name, cwd), { cwd, version, drive: 'run' })
    const owned = await createSession(plan, join(place, 'sessions'), { notice: (notice) => hear(notice, output.say) })
    output.say(`asking ${name} for one small edit`)
    const unwatch = watchSignals(owned, output)
    try {
      const ending = await run(owned, { resumed: false })
      if (ending.kind !== 'interrupted') return [findingOf(owned.session, name)]
      return [{ state: 'fail', what: `agent ${name}`, text: 'interrupted; nothing of it goes on', next: `greenlatch doctor --agent ${name}`, code: exitCodeOf(owned.session, ending) }]
    } finally {
      unwatch()
      await owned.close()
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [{ state: 'fail', what: `agent ${name}`, text: error.message, next: 'greenlatch agents', code: error.code }]
  } finally {
    remove()
  }
}

/** The same agents, with nothing else of the repository's: its gates and its setup belong to other files. */
function configFor({ values, ...config }: Config, name: string, root: string): Config {
  const { setup: _, ...others } = values
  const gates = [{ name: 'look', run: ['grep', '-qx', WORD, FILE] as [string, ...string[]] }]
  const scope = { allow: [], deny: [], files: 0, lines: 0, mode: 'block' as const }
  const procedures = { [NAME]: ROUND_TRIP }
  // Who stands in for it would be tried instead.
  const agents = Object.fromEntries(Object.entries(values.agents).map(([each, { fallback: _fallback, ...entry }]) => [each, entry as AgentEntry]))
  return { ...config, root, values: { ...others, agents, agent: { '*': name }, gates, scope, procedures, target: [], excuse: [], context: [], prompts: {} } }
}

function hear(notice: Notice, say: (text: string) => void): void {
  if (notice.kind === 'warning') say(`warning: ${notice.text}`)
}

function findingOf(session: Session, name: string): Finding {
  const { finish, spent, setup } = session
  const versions = (setup as { versions?: Record<string, string> }).versions ?? {}
  const which = versions[`agent ${name}`] ? ` ${versions[`agent ${name}`]}` : ''
  const cost = `${grouped(spent.tokens)} tokens, ${isCostKnown(session) ? `$${spent.usd.toFixed(4)}` : 'cost unknown'}, ${spent.seconds.toFixed(1)} s`
  if (finish?.outcome === 'completed') return { state: 'ok', what: `agent ${name}`, text: `did a small edit (${name}${which}: ${cost})` }
  const why = finish?.outcome === 'stalled' ? 'answered, and the file it was asked for is not there' : (finish?.why ?? 'it did not answer')
  return { state: 'fail', what: `agent ${name}`, text: `${why} (${cost})`, next: loginNeeded(session) ?? 'greenlatch agents', code: EXIT.agent }
}
