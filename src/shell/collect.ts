// The tests that a plan or an audit brings, as the gates themselves collect them: which are new, and whether one got lost.
import type { Ref, Session, Tree } from '../core/types.js'
import type { Activity } from '../ports.js'
import { named } from './bounds.js'
import { expectedOf, isWhole, writeList, type Expected, type Recorded } from './expected.js'
import type { Ask, CheckPorts, Heard } from './live.js'
import { tell } from './meter.js'
import { startTrials, type Check } from './trials.js'

/** `lost` says in a line for each gate why the tests cannot be taken; `ids` are the lists from now on. */
export type Collected = { lost: string[]; ids: Record<string, Ref> }

/** The folder stands on `tree`, which holds the test files of plans and audits. */
export type Brought = { tree: Tree; tests: readonly string[]; onActivity: (activity: Activity) => void }

/** Runs every gate that may be seen once on the tests as they are now. Syntax has been compared before; runners know better. */
export async function collectTests(ports: CheckPorts, session: Session, effect: Ask, brought: Brought): Promise<Collected | 'aborted'> {
  const check = checkOf(session, effect, brought.tree, 'collect')
  const trials = startTrials(ports, session, check, brought.onActivity, brought.tests)
  const collected: Collected = { lost: [], ids: {} }
  for (const gate of check.gates) {
    const now = await trials.run(gate, 'here')
    if (now === 'aborted') return 'aborted'
    const recorded = expectedOf(ports.folder, session, gate)
    const before = isListed(now) && recorded.ids.size > 0 ? recorded : await collectedBefore(ports, session, effect, brought, gate)
    if (before === 'aborted') return 'aborted'
    const lost = lostOf(effect, before, now)
    if (lost !== null) collected.lost.push(`${gate}: ${lost}`)
    const list = isFirst(effect) || recorded.ids.size > 0 ? listOf(before, now) : null
    if (list !== null) collected.ids[gate] = writeList(ports.folder, check.base, gate, list)
    if (list?.planned?.length === 0 && isListed(now)) tell(ports, `${gate} runs none of the tests that were planned`)
  }
  return collected
}

function checkOf({ gates, when }: Session, { id, phase, iteration, plan, pins, base }: Ask, tree: Tree, what: string): Check {
  const seen = gates.filter((gate) => when[gate] !== 'sealed')
  const place = { id, phase, iteration, plan, pins, tree, base: `${base}-${what}`, opensIteration: false, opensPlan: false }
  return { ...place, kind: 'check', gates: seen, baseline: false, sealed: false, reruns: 0, confirm: 0 }
}

/** Whether every test was collected: whatever fails is a test itself, and not a file that could not be loaded. */
function isListed({ result, ids, failures }: Heard): boolean {
  const there = new Set(ids)
  return isWhole(result) && there.size > 0 && failures.every(({ subject }) => there.has(subject))
}

/** Nothing that a first plan brings was there before: it may test what is still to be written, and so cannot be loaded. */
function isFirst({ yields, plan }: Ask): boolean {
  return yields === 'plan' && plan <= 1
}

/** On the tree as it was, in a clean copy. */
async function collectedBefore(ports: CheckPorts, session: Session, effect: Ask, { onActivity }: Brought, gate: string): Promise<Expected | 'aborted'> {
  const trials = startTrials(ports, session, checkOf(session, effect, effect.tree, 'before'), onActivity)
  try {
    const before = await trials.run(gate, effect.tree)
    if (before === 'aborted') return 'aborted'
    const ids = new Set(isListed(before) ? before.ids : [])
    return { ids, skipped: new Set(before.skipped), given: ids }
  } finally {
    await trials.clear()
  }
}

/** A suite that cannot be loaded is held only against tests that broke it. */
function lostOf(effect: Ask, before: Expected, now: Heard): string | null {
  if (!isListed(now)) return isFirst(effect) || before.ids.size === 0 ? null : `its tests can no longer be collected (${now.result.note})`
  const [there, passedOver] = [new Set(now.ids), new Set(now.skipped)]
  const gone = [...before.ids].filter((id) => !there.has(id) || (passedOver.has(id) && !before.skipped.has(id)))
  return gone.length === 0 ? null : `no longer collected: ${named(gone)}`
}

/** Where the new ones cannot be run yet, those that were given are on record at least. */
function listOf({ ids, given, skipped }: Expected, now: Heard): Recorded | null {
  if (!isListed(now)) return ids.size === 0 ? null : { ids: [...ids], skipped: [...skipped], planned: [...ids].filter((id) => !given.has(id)) }
  const there = now.ids ?? []
  return { ids: there, skipped: now.skipped, planned: there.filter((id) => !given.has(id)) }
}
