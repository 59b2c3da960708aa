// Finds a way to try candidates: a warm runner where the gate's command is plain, else the command itself.
import type { Failure } from '../../../../core/types.js'
import { aimedAt } from '../aims.js'
import type { Copies } from '../copy.js'
import type { Reader } from '../parse.js'
import { boundedSources } from '../turns.js'
import type { Run } from '../localise.js'
import type { Task } from '../repair.js'
import type { Checked } from '../agent.js'
import { gateChecker } from './by-gate.js'
import { recognise } from './recognise.js'
import type { Checker } from './types.js'
import { warmChecker } from './warm.js'

export type Opened = { checker: Checker; run: Run; targets: readonly string[] }

/** The first gate that fails in a way that can be tried against; null when there is none. */
export async function openChecker(task: Task, copies: Copies, reader: Reader): Promise<Opened | null> {
  const { request, gates } = task
  const named = gates.filter(({ gate }) => (request.failing ?? []).some((failure) => failure.gate === gate.name))
  for (const checked of named.length > 0 ? named : gates) {
    const failing = (request.failing ?? []).filter((failure) => failure.gate === checked.gate.name)
    const opened = (await openWarm(task, copies, reader, checked, failing)) ?? (await openPlain(task, copies, checked, failing))
    if (opened) return opened
    if (task.signal.aborted) return null
  }
  return null
}

async function openWarm(
  { request, signal, entry, sandbox }: Task,
  copies: Copies,
  reader: Reader,
  { entry: gate }: Checked,
  failing: readonly Failure[],
): Promise<Opened | null> {
  const warm = gate.report || entry.warm === false ? null : recognise(gate.run, { top: request.top, folder: gate.cwd ?? '', environment: process.env })
  if (!warm) return null
  const checker = warmChecker({ warm, gate, copies, signal, wallSeconds: request.limits.wallSeconds, sandbox })
  const run = await checker.first(() => boundedSources(request.top, reader))
  const ids = run?.tests.filter(({ passed }) => !passed).map(({ id }) => id) ?? []
  // A failure that no test of ours shows, or that goes through no line of ours, is one that only the command itself can show.
  const targets = aimedAt(ids, failing)
  const isSeen = run?.tests.some(({ id, lines }) => targets.includes(id) && Object.keys(lines).length > 0) ?? false
  if (run && targets.length > 0 && (isSeen || Object.keys(run.loaded).length > 0)) return { checker, run, targets }
  await checker.close()
  return null
}

async function openPlain(
  { request, signal }: Task,
  copies: Copies,
  { gate }: Checked,
  failing: readonly Failure[],
): Promise<Opened | null> {
  const isTarget = (subject: string): boolean => failing.some((failure) => failure.subject === subject)
  const checker = gateChecker({ gate, request, copies, signal })
  const run = await checker.first(async () => [])
  if (!run) return null
  // A run without tests is nothing that a change of the sources could mend.
  const ids = run.tests.map(({ id }) => id).filter((id) => !id.startsWith('test run'))
  if (ids.length === 0) return null
  const known = ids.filter(isTarget)
  return { checker, run, targets: known.length > 0 ? known : ids }
}
