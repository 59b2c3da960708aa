// Takes in the tests of a plan or an audit, or turns all of them down: only tests, inside the folder, and none may get lost.
import type { Report, Session } from '../core/types.js'
import type { Activity, Kept, TextFile } from '../ports.js'
import { collectTests } from './collect.js'
import { plannedTests } from './expected.js'
import type { Ask, CheckPorts } from './live.js'
import { asItStands } from './put-back.js'

/** `turnedDown` says why nothing was taken; empty when it was. */
export type Corrected = { kept: Kept; turnedDown: string[]; ids: Report['ids']; tests: TextFile | null }

export function isCorrection({ yields }: Ask): boolean {
  return yields === 'plan' || yields === 'tests'
}

export async function takeTests(
  ports: CheckPorts, session: Session, effect: Ask, files: readonly TextFile[], onActivity: (activity: Activity) => void,
): Promise<Corrected | 'aborted'> {
  const { refused } = await ports.workspace.write(files)
  if (refused.length > 0) return back(ports, effect, refused)
  const kept = await ports.workspace.keep(effect)
  if (kept.failures.length > 0) return { ...NOTHING, kept: { ...kept, failures: [] }, turnedDown: kept.failures.map(({ message }) => message) }
  if (kept.pins === null) return { ...NOTHING, kept, turnedDown: [] }
  const tests = [...new Set([...plannedTests(ports.folder, session), ...files.map(({ path }) => path)])].toSorted()
  const collected = await collectTests(ports, session, effect, { tree: kept.tree, tests, onActivity })
  if (collected === 'aborted') return 'aborted'
  if (collected.lost.length > 0) return back(ports, effect, collected.lost)
  return { kept, turnedDown: [], ids: collected.ids, tests: { path: `${effect.base}-tests.json`, text: `${JSON.stringify(tests, null, 2)}\n` } }
}

const NOTHING = { ids: {}, tests: null }

async function back(ports: CheckPorts, effect: Ask, turnedDown: string[]): Promise<Corrected> {
  const { tree, iteration } = effect
  const { notices } = await ports.workspace.stand({ tree, iteration }, 'tests that were turned down')
  return { ...NOTHING, kept: asItStands(effect, notices), turnedDown }
}
