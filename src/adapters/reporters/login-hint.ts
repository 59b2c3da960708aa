// What to do about an agent that has no login: the command or the setting that gives it one.
import { CLI_NAMES, LOGIN_COMMANDS, type AgentEntry } from '../../agent-entry.js'
import type { Session } from '../../core/types.js'
import { faultIn } from '../../text/agent-faults/agent-faults.js'
import { chainAfter } from '../../text/who-answers.js'

/** Null where only the agent itself could tell. */
function loginHint(entry: AgentEntry | undefined): string | null {
  if (entry === undefined) return null
  if ('chat' in entry) {
    return entry.key === undefined
      ? `agents: { keyed: { chat: '${entry.chat}', key: MODEL_KEY } } in greenlatch.yaml, export MODEL_KEY=<key>, and take --agent keyed`
      : `export ${entry.key}=<key>`
  }
  const known = CLI_NAMES.find((name) => ('cli' in entry && entry.cli === name) || ('acp' in entry && entry.acp === name))
  return known === undefined ? null : LOGIN_COMMANDS[known]
}

/** Of a session that ended because its agent, or whoever was asked last instead of it, is not let in; null for any other end. */
export function loginNeeded({ finish, fault, procedure, roles, setup }: Session): string | null {
  if (!finish || finish.code === 0 || faultIn(fault, 0)?.kind !== 'login') return null
  const phase = procedure.phases[finish.resumesAt ?? '']
  const agents = (setup['agents'] ?? {}) as Record<string, AgentEntry>
  const first = phase?.kind === 'ask' ? (roles[phase.role] ?? '') : ''
  return loginHint(agents[chainAfter(first, agents).at(-1) ?? first])
}
