// Makes the proved result of a session smaller: leaves out what its deciding check does not need, and proves what is left anew.
import { changes } from '../adapters/workspace/changes.js'
import { measureIntegrity } from '../adapters/workspace/integrity.js'
import { gateFilesIn } from '../adapters/workspace/integrity-files.js'
import { piecesOf, treeMaker, type Piece } from '../adapters/workspace/pieces.js'
import { commitAt, keep, refOf } from '../adapters/workspace/salvage.js'
import type { Site } from '../adapters/workspace/snapshot.js'
import type { Procedure, Session, Tree } from '../core/index.js'
import { shownPath } from '../files/byte-path.js'
import type { Gate, Workspace } from '../ports.js'
import type { CheckPorts } from '../shell/live.js'
import { counted, duration } from '../text/amounts.js'
import { matcherOf } from '../text/glob.js'
import { createPins } from '../text/pins/pins.js'
import { withoutPlace } from '../text/silences/silences.js'
import type { AtRest } from './at-rest.js'
import { judgeAgain, type Again } from './check-again.js'
import { gateCommands } from './gate-files.js'
import { siteOf } from './ground.js'
import { deliveredTree, nameOf, readPlaces, wordOf } from './places.js'
import { searchPieces, type Bounds, type Less, type Searched } from './search-pieces.js'
import { moveFolder } from './stand-elsewhere.js'
import { setupOf } from './recorded.js'

export type Asked = { bounds: Bounds; keep: readonly string[]; say: (text: string) => void }

type Size = { files: number; lines: number }

export type Minimised =
  | { kind: 'smaller'; from: string; tree: Tree; before: Size; after: Size; pieces: number; kept: number; left: string[]; trials: number; whole: boolean }
  | { kind: 'as it was'; why: string }
  | { kind: 'interrupted' }

/** How many of the smallest results are sealed before it is given up: what held once may have held by chance. */
const MOST_SEALED = 3

/** Why results of this procedure cannot be made smaller, in words; null when they can. */
export function obstacleIn({ phases, name }: Pick<Procedure, 'phases' | 'name'>): string | null {
  const all = Object.values(phases)
  if (!all.some((phase) => phase.kind === 'check' && phase.sealed)) return `procedure "${name}" has no deciding check, so nothing can show that less is enough`
  const commits = all.some((phase) => phase.kind === 'workspace' && phase.action === 'commit')
  return commits ? `procedure "${name}" commits its result itself, as it was checked` : null
}

/** The same for a session. */
export function obstacleTo(session: Session): string | null {
  const { procedure, finish, proof, accepted } = session
  const inProcedure = obstacleIn(procedure)
  if (inProcedure !== null) return inProcedure
  if (finish?.outcome !== 'converged') return `it ${finish ? `ended ${finish.outcome}` : 'has not ended'}, and only what is proved can be made smaller`
  if (proof?.tree !== finish.delivers) return 'it stands on files that no deciding check has proved'
  return accepted === finish.delivers ? 'its result was accepted already' : null
}

/** The session must fit, as `obstacleTo` tells. */
export async function minimise(owned: AtRest, ports: CheckPorts, asked: Asked): Promise<Minimised> {
  const { session } = owned
  const site = await siteOf(setupOf(session), session, owned.folder)
  const began = ports.clock.seconds()
  const base = `minimise-${ports.clock.now()}`
  const span = { from: session.start, to: deliveredTree(session) }
  const pieces = await piecesOf(site.store, span, await heldIn(site, session, asked.keep))
  if (pieces.length === 0) return { kind: 'as it was', why: 'nothing was changed but tests and other files that stay' }
  asked.say(`minimising: ${describePieces(pieces)}; ${boundsText(asked.bounds)}`)
  const tryTree = trialOf(ports, session, base)
  const first = await tryTree(span.to, 'whole')
  if (first === null) return { kind: 'interrupted' }
  if (!first) return { kind: 'as it was', why: 'the deciding check does not pass on it any more' }
  const searched = await searchPieces({
    pieces,
    make: treeMaker(site, span, pieces),
    isOut: (tree) => losesTests(site, session, tree),
    holds: (tree, trial) => tryTree(tree, `trial-${trial}`),
    bounds: asked.bounds,
    clock: ports.clock,
    onTrial: ({ number, kept, held, seconds }) => asked.say(`  trial ${number}: ${kept} of ${pieces.length} pieces ${held ? 'are enough' : 'are too few'} (${duration(seconds)})`),
  })
  if (searched.ended === 'interrupted') return { kind: 'interrupted' }
  const sealed = await sealSmallest(ports, session, searched, base)
  if (sealed === null) return { kind: 'interrupted' }
  if (sealed === 'none') return { kind: 'as it was', why: nothingLess(searched) }
  return settle(owned, { site, pieces, searched, sealed, say: asked.say, seconds: ports.clock.seconds() - began })
}

export function describePieces(pieces: readonly Piece[]): string {
  return `${counted(pieces.length, 'piece')} in ${counted(new Set(pieces.map(({ file }) => file)).size, 'file')}`
}

export function boundsText({ trials, seconds }: Bounds): string {
  const most = [...(trials === Infinity ? [] : [counted(trials, 'trial')]), ...(seconds === Infinity ? [] : [duration(seconds)])]
  return most.length === 0 ? 'without bounds' : `at most ${most.join(' and ')}`
}

function nothingLess({ ended, trials, found }: Searched): string {
  if (found.length > 0) return 'what seemed enough did not pass the deciding check again'
  return ended === 'bounds' ? `${counted(trials, 'trial')} found nothing that could go` : 'every piece of it is needed'
}

// ───────────────────────────── what stays ─────────────────────────────

/** Names that differ in case alone are taken for one, so that rather too much stays than too little. */
async function heldIn({ store }: Site, session: Session, keep: readonly string[]): Promise<(path: string) => boolean> {
  const { gateFiles } = await gateFilesIn(store, session.start, gateCommands(setupOf(session)))
  const pinOf = createPins({ gateFiles, caseInsensitive: true })
  const kept = keep.map(matcherOf)
  return (path) => pinOf(path) !== null || kept.some((matches) => matches(path))
}

/** Tests may stand in the files they test: measured by what is delivered, none may be gone. */
async function losesTests({ store }: Site, session: Session, tree: Tree): Promise<boolean> {
  const plan = { store, start: deliveredTree(session), permit: [], ...gateCommands(setupOf(session)), caseInsensitive: true }
  return (await measureIntegrity(plan, tree)).failures.length > 0
}

// ───────────────────────────── trials and seal ─────────────────────────────

/**
 * The deciding check without its confirmations, and without trying old and new tests apart: they are the same each time. The first
 * trial is that of the whole result; no test that it ran may be missing from a later one.
 */
function trialOf(ports: CheckPorts, session: Session, base: string): (tree: Tree, name: string) => Promise<boolean | null> {
  const { workspace } = ports
  let wanted: readonly string[] | null = null
  return async (tree, name) => {
    const { gates, seen } = listening(ports.gates)
    const seal: Workspace['seal'] = async (...of) => ({ ...(await workspace.seal(...of)), withTests: null, withoutTests: null })
    const quiet = { ...ports, gates, reporter: { notice: () => {} }, workspace: { ...workspace, seal } }
    const again = await judgeAgain(quiet, session, { kind: 'sealed', tree, how: { base: `${base}/${name}`, confirm: 0, reruns: 0 } })
    wanted ??= [...seen]
    return again && again.judgement.verdict === 'pass' && addsNoException(session, again) && wanted.every((test) => seen.has(test))
  }
}

/** The same gates, with note taken of the tests that they ran. */
function listening(gates: CheckPorts['gates']): { gates: CheckPorts['gates']; seen: ReadonlySet<string> } {
  const seen = new Set<string>()
  const hear = (gate: Gate): Gate => ({
    name: gate.name,
    describe: gate.describe,
    async run(request, signal) {
      const outcome = await gate.run(request, signal)
      const skipped = new Set(outcome === 'aborted' ? [] : outcome.skipped)
      if (outcome !== 'aborted') for (const id of outcome.ids ?? []) if (!skipped.has(id)) seen.add(`${gate.name}: ${id}`)
      return outcome
    },
  })
  return { gates: Object.fromEntries(Object.entries(gates).map(([name, gate]) => [name, hear(gate)])), seen }
}

function addsNoException({ proof }: Session, { report }: Again): boolean {
  const known = new Set(proof?.exceptions.map(withoutPlace))
  return report.exceptions.every((text) => known.has(withoutPlace(text)))
}

type Sealed = { less: Less; again: Again }

/** In full, from the smallest up. */
async function sealSmallest(ports: CheckPorts, session: Session, { found }: Searched, base: string): Promise<Sealed | 'none' | null> {
  for (const [at, less] of found.toReversed().slice(0, MOST_SEALED).entries()) {
    const again = await judgeAgain(ports, session, { kind: 'sealed', tree: less.tree, how: { base: `${base}/seal-${at + 1}` } })
    if (again === null) return null
    if (again.judgement.proof !== null && addsNoException(session, again)) return { less, again }
  }
  return 'none'
}

// ───────────────────────────── the result ─────────────────────────────

type Result = { site: Site; pieces: readonly Piece[]; searched: Searched; sealed: Sealed; say: Asked['say']; seconds: number }

/** The store first, then the folder, then the journal: what is typed again after a crash finds nothing lost. */
async function settle(owned: AtRest, { site, pieces, searched, sealed: { less, again }, say, seconds }: Result): Promise<Minimised> {
  const { id, session } = owned
  const { store } = site
  const sizeOf = async (tree: Tree): Promise<Size> => {
    const { changes: found, lines } = await changes(store, session.start, tree, 'followed')
    return { files: found.length, lines }
  }
  const [before, after] = [await sizeOf(deliveredTree(session)), await sizeOf(less.tree)]
  const note = `${less.kept.length} of ${pieces.length} pieces, ${sizeText(after)} instead of ${sizeText(before)}`
  const from = wordOf(nameOf(await readPlaces(owned), { tree: deliveredTree(session), iteration: session.iteration }))
  const parent = await commitAt(store, refOf(id, 'start'))
  await keep(store, { session: id, name: 'minimised', tree: less.tree, parents: parent === null ? [] : [parent], message: `minimised: ${note}`, at: session.openedAt })
  await moveFolder(say, owned, less.tree, 'minimised')
  const { report, judgement } = again
  owned.write([{ type: 'minimised', report: { ...report, note, spent: { ...report.spent, seconds } }, judgement }])
  return {
    kind: 'smaller',
    from,
    tree: less.tree,
    before,
    after,
    pieces: pieces.length,
    kept: less.kept.length,
    left: leftOut(pieces, less.kept),
    trials: searched.trials,
    whole: searched.ended === 'no piece can go',
  }
}

export function sizeText({ files, lines }: Size): string {
  return `${counted(lines, 'line')} in ${counted(files, 'file')}`
}

/** By file, with how much of it went where some of it stays. */
function leftOut(pieces: readonly Piece[], kept: readonly Piece[]): string[] {
  const stays = new Set(kept)
  return [...new Set(pieces.map(({ file }) => file))].flatMap((file) => {
    const mine = pieces.filter((piece) => piece.file === file)
    const gone = mine.filter((piece) => !stays.has(piece)).length
    const name = shownPath(file).slice(1, -1)
    return gone === 0 ? [] : gone === mine.length ? [name] : [`${name} (${gone} of ${mine.length} pieces)`]
  })
}
