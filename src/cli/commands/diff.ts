// `diff`: what changed, from the start to what would be handed over, or between two places of a session.
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { changes, patch, type Change } from '../../adapters/workspace/changes.js'
import { bare, type Store } from '../../adapters/workspace/store.js'
import type { Tree } from '../../core/index.js'
import { EXIT, Refusal } from '../../errors.js'
import { bytePath, rawPath, type BytePath } from '../../files/byte-path.js'
import { git } from '../../git/git.js'
import { counted } from '../../text/amounts.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { sanitise } from '../../text/sanitise.js'
import { refuseAgents, whileOwned } from '../at-rest.js'
import { readEntry, type Entry } from '../catalogue.js'
import { changeLine, textOf } from '../change-lines.js'
import { openSessions, type Context } from '../context.js'
import { findSession, mayName } from '../find-session.js'
import { deliveredTree, nameOf, placeNamed, readPlaces, spanNamed, storeOf, type Named } from '../places.js'
import type { Call } from '../program.js'
import { requireTrustOfSessions, type TrustFlags } from '../trust.js'
import { setupOf } from '../recorded.js'

type DiffFlags = TrustFlags & { iter?: string; stat?: boolean; culprit?: string }

type Span = { from: Named; to: Named }

export default async function diff({ args, flags }: Call<DiffFlags>): Promise<number> {
  const { named, paths } = readWords(args, process.argv)
  const context = await openSessions(flags)
  if (named !== undefined && !mayName(context, named)) throw noSessionBut(named, context.cwd)
  if (flags.culprit !== undefined) await requireTrustOfSessions(context, flags)
  const entry = await readEntry(context.store, await findSession(context, named))
  const { session, id } = entry
  const limits = paths.map((path) => withinTop(path, context.cwd, setupOf(session).source.top))
  const places = await readPlaces(entry)
  const delivered = { tree: deliveredTree(session), iteration: session.iteration }
  const whole = (): Span => ({ from: placeNamed(places, 'start'), to: nameOf(places, delivered) })
  const span = flags.iter === undefined ? whole() : spanNamed(places, flags.iter)
  const shown = flags.culprit === undefined ? span : await culpritIn(context, entry, span, flags.culprit)
  if (shown === null) return 130
  await show(context, { id, store: await storeOf(entry), span: shown, limits }, flags)
  return 0
}

/** Only what makes a test fail; null when the search for it was interrupted. */
async function culpritIn({ output }: Context, entry: Entry, { from, to }: Span, subject: string): Promise<Span | null> {
  refuseAgents('run the checks of a session')
  const suspect = { from: from.tree, to: to.tree, subject, say: output.say }
  const [{ withCheckPorts }, { culprit }] = await Promise.all([import('../check-again.js'), import('../culprit.js')])
  const tree = await whileOwned(entry, output, (owned) => withCheckPorts(owned, output, (ports) => culprit(owned, ports, suspect)))
  return tree === null ? null : { from, to: { ...to, tree, name: `what makes ${subject} fail` } }
}

/** What follows `--` are paths; before it stands a session, or nothing. */
function readWords(args: readonly string[], argv: readonly string[]): { named: string | undefined; paths: string[] } {
  const end = argv.indexOf('--')
  const count = end < 0 ? 0 : argv.length - end - 1
  const words = args.slice(0, args.length - count)
  if (words.length > 1) throw new Refusal(EXIT.usage, `"${words[1]}": paths come after --`, 'greenlatch diff [session] -- <path>…')
  return { named: words[0], paths: args.slice(args.length - count) }
}

/** Whoever names no session most likely means a path, which may be gone by now. */
function noSessionBut(word: string, cwd: string): Refusal {
  const what = existsSync(resolve(cwd, word)) ? 'a path and no session' : 'neither a session nor a file that is here'
  return new Refusal(EXIT.usage, `"${word}" is ${what}: paths, also of files that are gone, come after --`, `greenlatch diff -- ${quoteWord(word)}`)
}

/** Of the repository, as it would be typed where one stands. */
function withinTop(path: string, cwd: string, top: string): BytePath {
  const full = resolve(cwd, path)
  const real = join(realFolder(dirname(full)), basename(full))
  const within = relative(top, full === top ? top : real)
  const isOutside = path === '' || within === '..' || within.startsWith('../')
  if (isOutside) throw new Refusal(EXIT.usage, `the path "${path}" is not inside ${top}`, 'greenlatch diff -- <path>…')
  return bytePath(within)
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

type Shown = { id: string; store: Store; span: Span; limits: readonly BytePath[] }

async function show({ output }: Context, { id, store, span: { from, to }, limits }: Shown, { stat }: DiffFlags): Promise<void> {
  if (output.format === 'text' && !stat) await showPatch(await patch(store, from.tree, to.tree, limits))
  const found = (await changes(store, from.tree, to.tree, 'followed')).changes.filter((change) => isWithin(change, limits))
  const total = totalOf(found)
  if (output.format === 'jsonl') for (const change of found) output.json(fieldsOf(change))
  if (output.format === 'json') output.json({ session: id, from, to, changes: found.map(fieldsOf), ...total })
  if (output.format !== 'text') return
  if (stat) for (const change of found) output.data(changeLine(change))
  const sum = `${counted(found.length, 'file')}, +${total.added} −${total.removed}`
  if (found.length > 0) return output.say(`${from.name} → ${to.name}: ${sum}`)
  const strange: BytePath[] = []
  for (const path of limits) if (!(await isIn(store, [from.tree, to.tree], path))) strange.push(path)
  for (const path of strange) output.say(notThere(path, from, to))
  if (strange.length === 0 || strange.length < limits.length) output.say(unchanged(from, to))
}

/** A session that stands where it began is not a way from there to there. */
function unchanged(from: Named, to: Named): string {
  return from.name === 'start' && to.name === 'start' ? 'nothing was changed: the session stands on what it began with' : `nothing changed from ${from.name} to ${to.name}`
}

/** A name that is no text cannot be asked for, and is taken to be there. */
async function isIn(store: Store, trees: readonly Tree[], path: BytePath): Promise<boolean> {
  const text = textOf(path)
  if (path === '' || bytePath(text) !== path) return true
  const found = await Promise.all(trees.map((tree) => git(bare(store), ['cat-file', '-e', `${tree}:${text}`], { accepts: [1, 128] })))
  return found.some(({ code }) => code === 0)
}

function notThere(path: BytePath, from: Named, to: Named): string {
  const where = from.name === to.name ? from.name : `${from.name} or ${to.name}`
  return `there is no "${sanitise(textOf(path))}" in ${where} (paths are taken from the folder you are in)`
}

/** As it is for a program; a terminal would obey what is in it. Waited for, since a pipe may take it slowly. */
async function showPatch(bytes: Buffer): Promise<void> {
  const shown = process.stdout.isTTY ? sanitise(bytes.toString('utf8')) : bytes
  await new Promise<void>((resolve) => void process.stdout.write(shown, () => resolve()))
}

function isWithin({ path, from }: Change, limits: readonly BytePath[]): boolean {
  const paths = from === undefined ? [path] : [path, from]
  return limits.length === 0 || limits.some((limit) => paths.some((one) => limit === '' || one === limit || one.startsWith(`${limit}/`)))
}

function totalOf(found: readonly Change[]): { added: number; removed: number } {
  const lines = found.map((change) => (change.lines === 'binary' ? { added: 0, removed: 0 } : change.lines))
  return { added: lines.reduce((sum, { added }) => sum + added, 0), removed: lines.reduce((sum, { removed }) => sum + removed, 0) }
}

function fieldsOf({ status, path, from, oldMode, newMode, lines }: Change): object {
  return {
    status,
    ...nameFields(path),
    ...(from !== undefined && { from: textOf(from) }),
    old_mode: oldMode,
    new_mode: newMode,
    ...(lines === 'binary' ? { binary: true } : lines),
  }
}

/** A name that is no text cannot stand in JSON, so its bytes stand beside it. */
function nameFields(path: BytePath): object {
  const text = textOf(path)
  return bytePath(text) === path ? { path: text } : { path: text, path_base64: rawPath(path).toString('base64') }
}
