// What to call next with a session that has not ended, in the words of the tools: our own commands name it in those of a shell.
import type { State } from '../catalogue.js'

type Next = { tool: 'wait' | 'reply' | 'resume'; why: string }

const GOES_ON: Next = { tool: 'resume', why: 'nobody runs the session; resume goes on with it' }

const NEXT: Partial<Record<State, Next>> = {
  running: { tool: 'wait', why: 'the session is at work' },
  waiting: { tool: 'reply', why: 'a person has to answer the prompt; when reply has handed that in, resume goes on' },
  answered: { tool: 'resume', why: 'the answer is handed in, and is taken when the session goes on' },
  paused: GOES_ON,
  stopped: GOES_ON,
  interrupted: GOES_ON,
  idle: GOES_ON,
}

/** Guidance can be left for a session that has ended: it begins again by being resumed. */
const HINTED: Next = { tool: 'resume', why: 'the guidance is taken when the session goes on; where a budget is spent, with more of it' }

/** The answer of a command with the tool that goes on from there; as it is where it tells of no one session, or of one that has ended. */
export function withNext(command: string, text: string): string {
  const answer = objectIn(text)
  if (typeof answer?.['session'] !== 'string' || typeof answer['state'] !== 'string') return text
  const { session, state } = answer
  const next = NEXT[state as State] ?? (command === 'hint' ? HINTED : undefined)
  return next ? JSON.stringify({ ...answer, next: { tool: next.tool, arguments: { session }, why: next.why } }, null, 2) : text
}

/** The session that an answer tells of; null where it tells of none. */
export function sessionIn(text: string): string | null {
  const session = objectIn(text)?.['session']
  return typeof session === 'string' ? session : null
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
