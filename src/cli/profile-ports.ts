// A session that works with a profile: its prompts, how its responses are read, and where its candidates are laid out.
import { readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { promptBy, replyFormOf } from '../adapters/profiles/compose.js'
import { formText } from '../adapters/profiles/forms.js'
import { readByProfile } from '../adapters/profiles/read.js'
import type { Profile, ProfileContext, ProfileFile } from '../adapters/profiles/types.js'
import { changedEntries } from '../adapters/workspace/changes.js'
import type { Site } from '../adapters/workspace/snapshot.js'
import type { Effect, Session, Tree } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { rawPath } from '../files/byte-path.js'
import { inside } from '../files/guard.js'
import type { Acted, Folder, ReadReply, Reading, Workspace } from '../ports.js'
import type { Ports } from '../shell/live.js'
import { quoteCommand } from '../text/prompt/quote.js'
import { readReply } from '../text/reply/read-reply.js'
import { sanitise } from '../text/sanitise.js'
import { countTokens } from '../text/prompt/tokens.js'
import { awaitedPath, promptPath } from '../shell/ask-files.js'
import { codePlace, isByProfile, profilePhase } from './profile-phases.js'

type Ask = Extract<Effect, { kind: 'ask' }>
type Act = Extract<Effect, { kind: 'workspace' }>

export type InUse = { profile: Profile; parameters: Readonly<Record<string, string>>; folder: Folder }

// ───────────────────────────── prompts and responses ─────────────────────────────

function contextOf({ parameters, folder }: InUse, session: Session, effect: Effect): ProfileContext {
  const kept = (name: string): string => {
    const ref = session.kept[name]
    return (ref && folder.read(ref.path)) ?? ''
  }
  return {
    phase: profilePhase(effect.phase, session.procedure.phases[effect.phase]),
    iteration: effect.iteration,
    parameters,
    task: parameters['task'] ?? kept('task'),
    plan: kept('plan'),
    review: kept('review'),
    code: effect.tree === session.start ? [] : codeOf(folder, effect),
  }
}

/** The sections of a prompt that the profile writes; nothing where the phase is none of its. */
export function sectionsBy(inUse: InUse, session: Session, effect: Effect): { profile?: string; form?: string } {
  const phase = session.procedure.phases[effect.phase]
  if (effect.kind !== 'ask' || !isByProfile(phase)) return {}
  refuseChangedPlan(session, inUse.folder)
  const context = contextOf(inUse, session, effect)
  return { profile: promptBy(inUse.profile, context), form: formText(replyFormOf(inUse.profile, context.phase, effect.yields)) }
}

/** A prompt that lies there already is the prompt. */
export function composer(inUse: InUse | null, compose: Ports['compose']): Ports['compose'] {
  return (session, effect) => {
    const there = inUse && isByProfile(session.procedure.phases[effect.phase]) ? inUse.folder.read(promptPath(effect)) : undefined
    return there === undefined ? compose(session, effect) : { text: there, tokens: countTokens(there), warnings: [] }
  }
}

export function readBy(inUse: InUse): ReadReply {
  return (session, effect, text, ...rest) => {
    const isOurs = isByProfile(session.procedure.phases[effect.phase]) && effect.yields !== 'response'
    return isOurs ? readByProfile(inUse.profile, text, { session, effect, context: contextOf(inUse, session, effect) }) : readReply(session, effect, text, ...rest)
  }
}

// ───────────────────────────── the plan ─────────────────────────────

/** The plan of a session is fixed by its hash. Throws Refusal when it is another one now. */
function refuseChangedPlan({ kept: { plan } }: Session, folder: Folder): void {
  if (!plan) return
  const path = folder.resolve(plan.path)
  if (folder.refer(path)?.sha === plan.sha) return
  const what = folder.has(plan.path) ? `the plan ${path} was changed` : `the plan ${path} is gone`
  const response = folder.resolve('planning-response.md')
  const next = folder.refer(response)?.sha === plan.sha ? quoteCommand(['cp', response, path]) : 'put it back as it was, or: greenlatch open artifact'
  throw new Refusal(EXIT.state, `${what}, and a session has one plan that stays as it is`, next)
}

/** What a person took away between two steps is awaited again, and nothing is written. */
export function refuseUnready(session: Session, folder: Folder): void {
  refuseChangedPlan(session, folder)
  const effect = session.outstanding
  if (effect?.kind !== 'workspace' || effect.action !== 'materialise') return
  const path = responseOf(session, effect)
  if (path === null || folder.read(path) !== undefined) return
  throw new Refusal(EXIT.waiting, `the revision is awaited in ${folder.resolve(path)}`, `put it there, then: greenlatch step ${session.id}`)
}

// ───────────────────────────── candidates ─────────────────────────────

/** The same workspace, which can also take in a response, and lays every candidate out beside its prompt and response. */
export function withProfile(workspace: Workspace, inUse: InUse, site: Site, start: Tree): Workspace {
  const keep: Workspace['keep'] = async (effect) => {
    const kept = await workspace.keep(effect)
    if (effect.yields === 'candidate') layOut(inUse.folder, effect.iteration, kept.tree, await changedFiles(site, start, kept.tree, workspace.cwd))
    return kept
  }
  return {
    ...workspace,
    get cwd() {
      return workspace.cwd
    },
    actions: [...workspace.actions, 'materialise'],
    keep,
    act: (session, effect, signal) => (effect.action === 'materialise' ? materialise({ ...workspace, keep }, inUse, session, effect) : workspace.act(session, effect, signal)),
  }
}

type Taking = Pick<Workspace, 'write' | 'keep'>

/** Takes in the response that the phase before has brought. */
async function materialise(workspace: Taking, inUse: InUse, session: Session, effect: Act): Promise<Acted> {
  const path = responseOf(session, effect)
  const text = path === null ? undefined : inUse.folder.read(path)
  if (text === undefined) return { verdict: 'error', cause: 'agent', note: `there is no response${path === null ? '' : ` in ${path}`}`, files: [] }
  const asked = askFor(session, effect)
  const reading: Reading = readByProfile(inUse.profile, sanitise(text), { session, effect: asked, context: contextOf(inUse, session, asked) })
  const { verdict, note } = reading
  if (verdict !== 'pass') return { verdict, cause: verdict === 'error' ? 'agent' : null, note, files: [] }
  const { refused } = await workspace.write(reading.files, reading.deletes)
  const { tree, changed, failures, notices } = await workspace.keep({ ...asked, yields: 'candidate' })
  const said = [note, ...reading.warnings, ...refused.map((why) => `not written: ${why}`), ...notices]
  return { verdict, cause: null, note: [...new Set(said)].filter((line) => line !== '').join('; '), tree, changed, failures, files: [] }
}

/** The ask whose response is taken in here, as the session asked it last. */
function asking({ procedure }: Session, { phase: taken }: Act): string | null {
  const found = Object.entries(procedure.phases).find(([, phase]) => phase.kind === 'ask' && phase.yields === 'response' && phase.on.pass === taken)
  return found?.[0] ?? null
}

function askFor(session: Session, effect: Act): Ask {
  const name = asking(session, effect) ?? effect.phase
  const { id, iteration, plan, tree, pins, base } = effect
  return {
    kind: 'ask', id, phase: name, iteration, plan, tree, pins, base, opensIteration: false, opensPlan: false, role: '', answers: '', yields: 'response',
    turn: 0, posture: session.posture, hints: [], nonce: '', decides: false,
  }
}

/** Where that response lies: a second ask within the iteration is numbered. */
function responseOf(session: Session, effect: Act): string | null {
  const name = asking(session, effect)
  if (name === null) return null
  const stem = profilePhase(name, session.procedure.phases[name])
  const visit = session.visits[name] ?? 1
  return awaitedPath({ ...effect, base: `iteration-${effect.iteration}/${visit === 1 ? stem : `${stem}-${visit}`}` })
}

/** Everything that is not as it was at the start. The folder agents work in stands on `tree`. */
async function changedFiles({ store, folder }: Site, start: Tree, tree: Tree, cwd: string): Promise<ProfileFile[]> {
  const entries = await changedEntries(store, start, tree)
  const below = relative(folder, cwd)
  return entries.flatMap(({ path, status, submodule, symlink }) => {
    const name = rawPath(path).toString('utf8')
    if (status === 'deleted' || submodule || symlink || (below !== '' && !name.startsWith(`${below}/`))) return []
    const inCwd = below === '' ? name : name.slice(below.length + 1)
    return [{ path: inCwd, text: readFileSync(inside(cwd, inCwd), 'utf8') }]
  })
}

/** Which tree it is stands beside it: a person may go back to an earlier one. */
function layOut(folder: Folder, iteration: number, tree: Tree, files: readonly ProfileFile[]): void {
  const place = codePlace(iteration)
  rmSync(folder.resolve(place), { recursive: true, force: true })
  for (const { path, text } of files) folder.write(`${place}/${path}`, text)
  const list: LaidOut = { tree, paths: files.map(({ path }) => path) }
  folder.write(`${place}.json`, `${JSON.stringify(list, null, 2)}\n`)
}

type LaidOut = { tree: Tree; paths: string[] }

/** The candidate that the effect stands on; the newest that is there where none is known to be it. */
function codeOf(folder: Folder, { iteration, tree }: Effect): ProfileFile[] {
  let newest: { at: number; paths: string[] } | null = null
  for (let at = iteration; at > 0; at -= 1) {
    const list = listAt(folder, at)
    if (list === null) continue
    newest ??= { at, paths: list.paths }
    if (list.tree === tree) return filesAt(folder, at, list.paths)
  }
  return newest ? filesAt(folder, newest.at, newest.paths) : []
}

function listAt(folder: Folder, iteration: number): LaidOut | null {
  try {
    return JSON.parse(folder.read(`${codePlace(iteration)}.json`) ?? 'null') as LaidOut | null
  } catch {
    return null
  }
}

function filesAt(folder: Folder, iteration: number, paths: readonly string[]): ProfileFile[] {
  return paths.map((path) => ({ path, text: folder.read(`${codePlace(iteration)}/${path}`) ?? '' }))
}
