// Which pieces of a change make a test fail that passed before it: the same search as for less, asked the other way round.
import { piecesOf, treeMaker, type Span } from '../adapters/workspace/pieces.js'
import type { Session, Tree } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import type { CheckPorts } from '../shell/live.js'
import { counted, duration } from '../text/amounts.js'
import type { AtRest } from './at-rest.js'
import { judgeAgain } from './check-again.js'
import { siteOf } from './ground.js'
import { boundsText, describePieces } from './minimise.js'
import { searchPieces, USUAL_BOUNDS } from './search-pieces.js'
import { setupOf } from './recorded.js'

type Standing = Pick<AtRest, 'id' | 'session' | 'folder'>

export type Suspect = Span & { subject: string; say: (text: string) => void }

/** The tree `from` with only what makes the test fail; null when it was interrupted. Throws Refusal where there is nothing to find. */
export async function culprit({ id, session, folder }: Standing, ports: CheckPorts, { from, to, subject, say }: Suspect): Promise<Tree | null> {
  const { store, index } = await siteOf(setupOf(session), session, folder)
  const base = `culprit-${ports.clock.now()}`
  const fails = failingIn(ports, session, subject, base)
  const [before, after] = [await fails(from, 'before'), await fails(to, 'after')]
  if (before === null || after === null) return null
  if (before || !after) {
    const why = before ? 'fails before the change already' : 'does not fail after the change'
    throw new Refusal(EXIT.usage, `"${subject}" ${why}, so there is no culprit to be found in it`, `greenlatch report ${id}`)
  }
  const pieces = await piecesOf(store, { from, to }, () => false)
  say(`looking for what makes ${subject} fail: ${describePieces(pieces)}; ${boundsText(USUAL_BOUNDS)}`)
  const { found, trials, ended } = await searchPieces({
    pieces,
    make: treeMaker({ store, index }, { from, to }, pieces),
    isOut: () => Promise.resolve(false),
    holds: (tree, trial) => fails(tree, `trial-${trial}`),
    bounds: USUAL_BOUNDS,
    clock: ports.clock,
    onTrial: ({ number, kept, held, seconds }) => say(`  trial ${number}: with ${kept} of ${pieces.length} pieces it ${held ? 'fails' : 'does not fail'} (${duration(seconds)})`),
  })
  if (ended === 'interrupted') return null
  const { kept, tree } = found.at(-1) ?? { kept: pieces, tree: to }
  say(`${counted(kept.length, 'piece')} of ${pieces.length} ${kept.length === 1 ? 'makes' : 'make'} it fail (${counted(trials, 'trial')}${ended === 'bounds' ? ', where the bounds were reached' : ''})`)
  return tree
}

/** All gates are run, as for a baseline where there is one: another test that fails first must not hide this one. */
function failingIn(ports: CheckPorts, session: Session, subject: string, base: string): (tree: Tree, name: string) => Promise<boolean | null> {
  const hasBaseline = Object.values(session.procedure.phases).some((phase) => phase.kind === 'check' && phase.baseline)
  const quiet = { ...ports, reporter: { notice: () => {} } }
  return async (tree, name) => {
    const how = { base: `${base}/${name}`, confirm: 0, reruns: 0 }
    const again = await judgeAgain(quiet, session, { kind: hasBaseline ? 'baseline' : 'sealed', tree, how })
    return again && again.report.failures.some((failure) => failure.subject === subject)
  }
}
