// Whether what lies on a remote is the session of a task: whoever may push there could have written anything into its journal.
import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { openFolder } from '../../adapters/journal/folder.js'
import type { Session } from '../../core/index.js'
import { EXIT, Refusal } from '../../errors.js'
import { redact } from '../../process/secrets.js'
import { gateNames } from '../agents-and-gates.js'
import type { Plan } from '../setup.js'

/** `start`: the tree of the task's commit. */
type Here = { folder: string; id: string; start: string }

/** Compares what its records fix for good with what the task says here; agents, gates and sandbox are made anew anyway. Throws Refusal. */
export function refuseOther(session: Session, plan: Plan, here: Here): void {
  const other = otherIn(session, plan, here)
  if (other === null) return
  const what = `what the remote holds of session ${here.id} was begun with ${other} than the task has on this worker: by a worker with other settings, or not by a worker at all`
  throw new Refusal(EXIT.state, what, `greenlatch fleet logs ${here.id}`)
}

function otherIn(session: Session, { procedure, setup, task }: Plan, { folder, id, start }: Here): string | null {
  const { gates, when } = gateNames(setup)
  const given = session.kept['task']
  if (session.id !== id) return 'another name'
  if (session.start !== start) return 'another commit'
  if (!isSame(session.procedure, procedure)) return 'another procedure'
  if (!isSame(session.budget, procedure.budget)) return 'other bounds'
  if (!isSame([session.gates, session.when], [gates, when])) return 'other gates'
  if ((given ? openFolder(folder).read(given.path) : undefined) !== (task === null ? undefined : redact(task))) return 'another task'
  return null
}

/** Files of prompts lie elsewhere on every machine; which ones are read is said by the plan. */
function isSame(recorded: unknown, planned: unknown): boolean {
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'file' && typeof inner === 'string' ? basename(inner) : inner)))
  return isDeepStrictEqual(plain(recorded), plain(planned))
}
