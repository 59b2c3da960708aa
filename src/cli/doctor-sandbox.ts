// What `doctor` says of sandboxes: which this machine can make, and what follows for a run.
import { findBubblewrap, findContainer } from '../adapters/sandbox/find.js'
import { limitWords } from '../adapters/sandbox/limits.js'
import type { SandboxSettings } from '../config/types.js'
import { EXIT } from '../errors.js'
import type { Finding } from './doctor-findings.js'

export async function sandboxFindings(settings: SandboxSettings): Promise<Finding[]> {
  const { use, image } = settings
  if (use === 'none') return [{ state: 'warn', what: 'sandbox', text: 'none: what agents and gates run has all your rights' }]
  const first = use === 'container' ? null : await findBubblewrap()
  if (first?.here) return [{ state: 'ok', what: 'sandbox', text: `bubblewrap works here (${first.program})` }, ...limitFindings()]
  if (first && use === 'bubblewrap') return [{ state: 'fail', what: 'sandbox', text: first.why, next: first.next, code: EXIT.guard }]
  const second = image === undefined ? null : await findContainer()
  if (second?.here) return [{ state: 'ok', what: 'sandbox', text: `containers of ${image} by ${second.program}` }]
  const why = [first?.why, second?.why ?? (use === 'container' ? 'a container is made of an image, and sandbox.image names none' : undefined)].filter(Boolean).join('; ')
  const text = `${why}: a model's commands are refused (exit 6) unless --sandbox none lets them run with all your rights`
  return [{ state: use === 'container' ? 'fail' : 'warn', what: 'sandbox', text, next: (first ?? second)?.next ?? 'greenlatch config', ...(use === 'container' && { code: EXIT.guard }) }]
}

/** What cannot be limited here. */
function limitFindings(): Finding[] {
  if (limitWords({ processes: 1, memoryMegabytes: 1, fileMegabytes: 1 }).length > 0) return []
  return [{ state: 'warn', what: 'sandbox limits', text: 'processes, memory and file sizes are not limited: there is no prlimit (package util-linux)' }]
}
