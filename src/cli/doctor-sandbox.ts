// What `doctor` says of sandboxes: which this machine can make, and what follows for a run.
import { limitWords } from '../adapters/sandbox/limits.js'
import type { SandboxSettings } from '../config/types.js'
import { EXIT } from '../errors.js'
import type { Finding } from './doctor-findings.js'
import { findSandbox, type Confinement } from './sandbox.js'

export async function sandboxFindings(settings: SandboxSettings): Promise<Finding[]> {
  const found = await findSandbox(settings)
  if (found.here) return findingsOf(found.confinement, settings)
  const { why, next } = found
  if (settings.use !== 'auto') return [{ state: 'fail', what: 'sandbox', text: why, next, code: EXIT.guard }]
  const text = `${why}: a model's commands are refused (exit 6) unless --sandbox none lets them run with all your rights`
  return [{ state: 'warn', what: 'sandbox', text, next }]
}

function findingsOf({ name, program = '' }: Confinement, { image = '' }: SandboxSettings): Finding[] {
  switch (name) {
    case 'none':
      return [{ state: 'warn', what: 'sandbox', text: 'none: what agents and gates run has all your rights' }]
    case 'bubblewrap':
      return [{ state: 'ok', what: 'sandbox', text: `bubblewrap works here (${program})` }, ...limitFindings()]
    case 'container':
      return [{ state: 'ok', what: 'sandbox', text: `containers of ${image} by ${program}` }]
  }
}

/** What cannot be limited here. */
function limitFindings(): Finding[] {
  if (limitWords({ processes: 1, memoryMegabytes: 1, fileMegabytes: 1 }).length > 0) return []
  return [{ state: 'warn', what: 'sandbox limits', text: 'processes, memory and file sizes are not limited: there is no prlimit (package util-linux)' }]
}
