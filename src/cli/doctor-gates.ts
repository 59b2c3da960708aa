// What `doctor --gates` does: runs the gates twice on a clean copy of the start tree, in a session of its own that is thrown away.
import { join } from 'node:path'
import { openOwnedFolder } from '../files/owned-folder.js'
import type { ProcedureEntry } from '../config/types.js'
import type { GateResult, Session } from '../core/index.js'
import { EXIT } from '../errors.js'
import type { Notice } from '../ports.js'
import { run } from '../shell/run.js'
import { counted } from '../text/amounts.js'
import { hidingText } from '../text/confinement.js'
import { NO_TESTS } from '../text/failures/test-run.js'
import type { Context } from './context.js'
import type { Finding } from './doctor-findings.js'
import { makePlan } from './setup.js'
import { createSession } from './wire.js'

const NAME = 'gates-twice'

/** Green gates are run again, and so is whatever fails. */
const TWICE: ProcedureEntry = {
  summary: 'runs all gates twice',
  start: 'baseline',
  phases: { baseline: { kind: 'check', gates: ['@configured'], baseline: true, reruns: 1, confirm: 1, on: { pass: '@completed', fail: '@completed' } } },
}

export async function gateFindings({ config, cwd, output }: Context, version: string): Promise<Finding[]> {
  if (config.values.gates.length === 0) return [{ state: 'fail', what: 'gates', text: 'none was run, as none is configured; init writes down those that it finds', next: 'greenlatch init', code: EXIT.usage }]
  const procedures = { ...config.values.procedures, [NAME]: TWICE }
  const plan = makePlan([NAME, 'run the gates'], { dirty: 'ignore' }, { ...config, values: { ...config.values, procedures } }, { cwd, version, drive: 'run' })
  const { folder: place, remove } = openOwnedFolder('doctor')
  const heard = new Map<string, Finding>()
  try {
    const owned = await createSession(plan, join(place, 'sessions'), { notice: (notice) => hear(notice, heard, output.say) })
    output.say('running the gates twice')
    try {
      await run(owned, { resumed: false })
      return findingsOf(owned.session, [...heard.values()])
    } finally {
      await owned.close()
    }
  } finally {
    remove()
  }
}

function hear(notice: Notice, heard: Map<string, Finding>, say: (text: string) => void): void {
  if (notice.kind === 'warning') say(`warning: ${notice.text}`)
  if (notice.kind !== 'record') return
  for (const event of notice.record.events) {
    if (event.type !== 'observed') continue
    for (const gate of event.report.gates) heard.set(gate.gate, gateFinding(gate))
  }
}

/** What fails may be what is to be mended; what does not run, or not to its end, can judge nothing. */
function gateFinding({ gate, exit, seconds, known, note }: GateResult): Finding {
  const told = `${exit} in ${seconds.toFixed(1)} s`
  const what = `gate ${gate}`
  if (exit === 'error' || exit === 'timeout') return { state: 'fail', what, text: `${told} (${note})`, next: 'greenlatch config', code: EXIT.gate }
  // The report is there and names nothing: that the command itself has passed says nothing either.
  if (known && note.includes(NO_TESTS)) return { state: 'warn', what, text: `${told}: ${note}`, next: 'greenlatch config' }
  return { state: 'ok', what, text: `${told}, ${known ? 'names its tests' : 'names no tests: at most partly verified'}${exit === 'pass' ? '' : ` (${note})`}` }
}

function findingsOf(session: Session, gates: readonly Finding[]): Finding[] {
  const unusable = session.finish?.outcome !== 'completed'
  const flaky: Finding[] = session.flaky.length === 0 ? [] : [{ state: 'warn', what: 'flaky', text: `${counted(session.flaky.length, 'test')}: ${session.flaky.slice(0, 10).join(', ')}` }]
  const failing = session.baseline?.length ?? 0
  const before: Finding = { state: 'ok', what: 'baseline', text: failing === 0 ? 'nothing fails' : `${counted(failing, 'failure')} to be gone` }
  const hiding = hidingText(session.setup)
  if (gates.some(({ state }) => state === 'fail')) return [...gates, ...(hiding === null ? [] : [{ state: 'warn' as const, what: 'sandbox', text: hiding, next: 'greenlatch config' }])]
  if (unusable) return [...gates, { state: 'fail', what: 'gates', text: session.finish?.why ?? 'they could not be run', next: 'greenlatch config', code: EXIT.gate }]
  return [...gates, before, ...flaky]
}
