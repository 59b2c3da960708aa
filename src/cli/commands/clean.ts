// `clean`: takes away checkouts and copies that can be made again; journals, kept trees and salvage stay.
import { lstatSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CheckoutState } from '../../adapters/workspace/checkout-mark.js'
import { removeCheckout, removeTree } from '../../adapters/workspace/checkout-remove.js'
import { commitAt, refOf, salvage } from '../../adapters/workspace/salvage.js'
import { snapshot, type Site } from '../../adapters/workspace/snapshot.js'
import { emptyTree, openStore, type Store } from '../../adapters/workspace/store.js'
import { EXIT, Refusal } from '../../errors.js'
import { printable } from '../../files/durable.js'
import { inBytes } from '../../process/notes.js'
import { counted } from '../../text/amounts.js'
import { ask } from '../ask.js'
import { beingRun, refuseAgents, whileOwned, type AtRest } from '../at-rest.js'
import { readEntry } from '../catalogue.js'
import { cleanList, type CleanList, type Item } from '../clean-list.js'
import { openSessions, type Context } from '../context.js'
import { findSession } from '../find-session.js'
import { siteOf } from '../ground.js'
import { deliveredTree, salvageName } from '../places.js'
import type { Call } from '../program.js'
import { roomsOf, setupOf } from '../recorded.js'

/** What was kept of it is named by `salvage`; `failed` says why it is still there. */
type Outcome = { item: Item; salvage: string | null; failed: Refusal | null }

export default async function clean({ args, flags }: Call<{ dryRun?: boolean }>): Promise<number> {
  refuseAgents('clean up after its session')
  const context = await openSessions(flags)
  const ids = [...new Set(await Promise.all(args.map((named) => findSession(context, named))))]
  for (const id of ids) await refuseRunning(context, id)
  const list = await cleanList(context.store, ids)
  show(context, list)
  if (flags.dryRun || list.items.length === 0) return report(context, list, null)
  await confirm(context, list, ids)
  const outcomes: Outcome[] = []
  for (const item of list.items) outcomes.push(await take(context, item))
  return report(context, list, outcomes)
}

async function refuseRunning({ store }: Context, id: string): Promise<void> {
  const { standing, pid } = await readEntry(store, id)
  if (standing === 'running') throw beingRun(id, pid)
}

function show({ output }: Context, { items, kept }: CleanList): void {
  if (output.format !== 'text') return
  for (const item of items) output.data(`${inBytes(item.bytes).padStart(10)}  ${item.kind.padEnd(12)}  ${printable(item.path)}`)
  for (const { path, why } of kept) output.say(`stays: ${printable(path)} (${why})`)
}

async function confirm({ yes, mayAsk }: Context, { items }: CleanList, ids: readonly string[]): Promise<void> {
  if (yes) return
  const total = totalOf(items)
  const next = `greenlatch clean ${[...ids, '--yes'].join(' ')}`
  if (!mayAsk) throw new Refusal(EXIT.usage, `${total} would be taken away; nothing was, since nobody can be asked`, next)
  const answer = await ask(`Take away ${total}? Everything in them can be made again. [y/N] `)
  if (!/^y/i.test(answer ?? '')) throw new Refusal(EXIT.cancelled, 'nothing was taken away', next)
}

function totalOf(items: readonly Item[]): string {
  return `${counted(items.length, 'folder')}, ${inBytes(items.reduce((sum, { bytes }) => sum + bytes, 0))}`
}

/** One that cannot be taken away does not keep the others. */
async function take(context: Context, item: Item): Promise<Outcome> {
  try {
    return { item, salvage: await takeKind(context, item), failed: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { item, salvage: null, failed: error }
  }
}

async function takeKind(context: Context, item: Item): Promise<string | null> {
  switch (item.kind) {
    case 'checkout':
      return whileOwned(item.entry, context.output, (owned) => takeCheckout(context, owned, item))
    case 'orphan':
      return takeOrphan(context, item)
    case 'dependencies':
    case 'leftover':
      removeTree(item.path)
      return null
  }
}

type Checkout = Item & { state: CheckoutState }

async function takeCheckout({ output }: Context, { session, folder, id }: AtRest, item: Checkout): Promise<string | null> {
  const site: Site = { ...(await siteOf(setupOf(session), session, folder)), folder: item.path }
  const known = [session.tree, deliveredTree(session)]
  const kept = isWhole(item) ? await keepDifferent(site, { session: id, known, at: session.openedAt, say: output.say }) : null
  removeCheckout(item.path)
  return kept
}

/** One that was being made or taken away holds nothing new. */
function isWhole({ state, path }: Checkout): boolean {
  return state === 'whole' && lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Nothing is known of its session but what the store has. */
async function takeOrphan({ store: sessions, output }: Context, item: Extract<Item, { kind: 'orphan' }>): Promise<string | null> {
  const { path, session } = item
  const store = await storeOfAnyFormat(roomsOf(sessions).store)
  const index = `${path}.clean-index`
  const known = await commitAt(store, `${refOf(session, 'start')}^{tree}`)
  const places = { folder: path, index, aside: `${dirname(path)}/${session}.aside`, excludes: `${path}.excludes` }
  const site: Site = { ...places, store, base: emptyTree(store), strays: 'aside' }
  const kept = isWhole(item) ? await keepDifferent(site, { session, known: known === null ? [] : [known], at: 0, say: output.say }) : null
  removeCheckout(path)
  rmSync(index, { force: true })
  return kept
}

async function storeOfAnyFormat(path: string): Promise<Store> {
  return openStore(path, 'sha1').catch(() => openStore(path, 'sha256'))
}

type Keeping = { session: string; known: readonly string[]; at: number; say: (text: string) => void }

/** The name of what stands there and is in none of the known trees. */
async function keepDifferent(site: Site, { session, known, at, say }: Keeping): Promise<string | null> {
  const { tree, notices } = await snapshot(site)
  for (const notice of notices) say(notice)
  if (known.includes(tree)) return null
  return salvageName(await salvage(site.store, { session, tree, message: 'before clean', at }))
}

function report({ output }: Context, { items, kept }: CleanList, outcomes: readonly Outcome[] | null): number {
  const failed = outcomes?.filter((outcome) => outcome.failed !== null) ?? []
  if (output.format !== 'text') output.json(fieldsOf(items, kept, outcomes))
  else if (items.length === 0) output.say('there is nothing to take away')
  else if (outcomes === null) output.say(`${totalOf(items)} could be taken away\n  do it:  greenlatch clean --yes`)
  else sayOutcomes(output, outcomes)
  return failed[0]?.failed?.code ?? 0
}

function sayOutcomes(output: Context['output'], outcomes: readonly Outcome[]): void {
  for (const { item, failed } of outcomes) if (failed) output.say(`stays: ${printable(item.path)} (${failed.message})`)
  for (const { item, salvage } of outcomes) {
    if (salvage === null || !('session' in item)) continue
    output.say(`what stood in ${printable(item.path)} is kept: greenlatch diff ${item.session} --iter ${salvage}`)
  }
  const gone = outcomes.filter(({ failed }) => failed === null).map(({ item }) => item)
  output.say(`took away ${totalOf(gone)}; sessions, kept trees and salvage are all there`)
}

function fieldsOf(items: readonly Item[], kept: CleanList['kept'], outcomes: readonly Outcome[] | null): object {
  const fields = (item: Item): object => {
    const { kind, path, bytes } = item
    return { kind, path, bytes, ...('session' in item && { session: item.session }) }
  }
  if (outcomes === null) return { would_remove: items.map(fields), kept }
  const gone = outcomes.filter(({ failed }) => failed === null)
  const failed = outcomes.flatMap(({ item, failed }) => (failed ? [{ path: item.path, why: failed.message }] : []))
  return { removed: gone.map(({ item, salvage }) => ({ ...fields(item), salvage })), kept: [...kept, ...failed] }
}
