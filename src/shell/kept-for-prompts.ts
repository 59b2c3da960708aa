// What a check keeps for later prompts: the output of the gate that stopped it, and what was changed so far.
import type { Ref, Report, Session } from '../core/types.js'
import type { CheckPorts, Heard } from './live.js'
import type { Check } from './trials.js'

/** More than this is not read in a prompt; the files themselves are there. */
const MOST_SHOWN = { lines: 20_000, chars: 400_000 }

/** A baseline keeps nothing: what failed before is nobody's doing. */
export async function keptForPrompts(
  ports: CheckPorts, session: Session, effect: Check, { heard, diffLines }: { heard: readonly Heard[]; diffLines: number },
): Promise<Report['keeps']> {
  if (effect.baseline) return {}
  const changes = showsChanges(session) && !effect.sealed ? { changes: await changesOf(ports, session, effect, diffLines) } : {}
  return { ...logOf(ports, session, heard), ...changes }
}

/** Nothing of a gate that is kept back. */
function logOf({ folder }: CheckPorts, { when, kept }: Session, heard: readonly Heard[]): Report['keeps'] {
  const last = heard.findLast(({ result: { exit, missing } }) => exit !== 'not run' && (exit !== 'pass' || missing > 0))
  const log = last && when[last.result.gate] !== 'sealed' ? last.files.flatMap((file) => folder.refer(file) ?? [])[0] : undefined
  return log ? { log } : kept['log'] ? { log: null } : {}
}

function showsChanges({ procedure: { phases } }: Session): boolean {
  const parts = Object.values(phases).flatMap((phase) => (phase.kind === 'ask' ? phase.prompt : []))
  return parts.some(({ fragments }) => fragments.some((fragment) => 'section' in fragment && fragment.section === 'changes'))
}

async function changesOf({ folder, workspace }: CheckPorts, { start }: Session, { base, tree }: Check, lines: number): Promise<Ref | null> {
  const patch = lines > MOST_SHOWN.lines ? '' : await workspace.patch(start, tree)
  return patch === '' || patch.length > MOST_SHOWN.chars ? null : folder.write(`${base}-changes.diff`, patch)
}
