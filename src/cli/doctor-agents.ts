// What `doctor` finds out about agents without asking any of them: who is there, and who is logged in.
import { EXIT } from '../errors.js'
import { configuredRows, unknownRows, type AgentRow } from './agent-rows.js'
import type { Context } from './context.js'
import { detectAgents, isReady, type Detected } from './detect-agents.js'
import type { Finding } from './doctor-findings.js'

export async function agentsFindings(context: Context): Promise<Finding[]> {
  const { config, cwd } = context
  const needed = Object.values(config.values.agent)
  const names = [...Object.keys(config.values.agents), ...needed]
  const here = (await detectAgents(config.values.sandbox)).filter(({ program }) => program !== null)
  const found = here.filter(({ name }) => !names.includes(name)).map(detectedFinding)
  const unknown = unknownRows({ config, cwd }).map(({ name, missing }): Finding => ({ state: 'fail', what: `agent ${name}`, text: missing ?? '', next: 'greenlatch agents' }))
  if (unknown.length > 0) return [...unknown, ...found]
  if (names.length + found.length === 0) return [{ state: 'warn', what: 'agents', text: 'none configured, and none that is known is installed', next: 'greenlatch agents' }]
  return [...(await configuredRows(context)).map((row) => configuredFinding(row, needed.includes(row.name))), ...found]
}

function detectedFinding(detected: Detected): Finding {
  const { name, login, logsIn, obstacle } = detected
  const what = `agent ${name}`
  if (isReady(detected)) return { state: 'ok', what, text: `installed, logged in by ${login}` }
  return obstacle === null ? { state: 'warn', what, text: 'installed; no login was found', next: logsIn } : { state: 'warn', what, text: obstacle, next: 'greenlatch agents' }
}

/** Nothing could begin without somebody who is needed, unless another one stands in. */
function configuredFinding({ name, state, missing, runs, fallback }: AgentRow, isNeeded: boolean): Finding {
  const what = `agent ${name}`
  if (state === 'ready') return { state: 'ok', what, text: `ready: ${runs}` }
  if (state === 'not tried') return { state: 'ok', what, text: `not tried: ${runs}`, next: `greenlatch doctor --agent ${name}` }
  const text = `${state}: ${missing ?? ''}`
  const isLost = isNeeded && fallback === null && state !== 'no login'
  return isLost ? { state: 'fail', what, text, next: 'greenlatch agents', code: EXIT.agent } : { state: 'warn', what, text, next: 'greenlatch agents' }
}
