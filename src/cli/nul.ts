// Texts with a NUL: no program can be handed one, and whoever starts it would only say so when a session is under way.
import { EXIT, Refusal } from '../errors.js'
import type { Plan } from './setup.js'

/** Throws Refusal naming what holds one. A file of settings is refused by line before; a task has a file too, and programs bring plain data. */
export function refuseNul({ task, setup: { gates, agents, prepare, passes } }: Pick<Plan, 'task' | 'setup'>): void {
  refuseNulIn({
    'the task': task,
    ...Object.fromEntries(gates.map((gate) => [`gate ${JSON.stringify(gate.name)}`, gate])),
    ...Object.fromEntries(Object.entries(agents).map(([name, entry]) => [`agent ${JSON.stringify(name)}`, entry])),
    'the command of setup': prepare,
    'pass_env': passes,
  })
}

export function refuseNulIn(named: Readonly<Record<string, unknown>>): void {
  const found = Object.entries(named).find(([, value]) => holdsNul(value))
  if (found) throw new Refusal(EXIT.usage, `${found[0]} holds a NUL character, which can be handed to no program`, 'greenlatch run --help')
}

/** Of plain data. */
export function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  return typeof value === 'object' && value !== null && Object.entries(value).some((entry) => entry.some(holdsNul))
}
