// One transition: at most one record is written, and a session that waits for a person writes nothing (I4).
import { issue, rebuild, reissue, rests, step, type Effect, type Event, type Ref, type Report, type Session, type Spend } from '../core/index.js'
import type { Ending, Folder, Message } from '../ports.js'
import { requireRoom } from '../files/durable.js'
import { commit, warn, type Live } from './live.js'
import { markBegun } from './meter.js'
import { perform } from './perform.js'
import { saidOf } from './put-back.js'
import { askText } from '../text/waiting.js'
import { awaitedPath, promptPath } from './ask-files.js'

/** Null when the session moved and can go on; else why it came to rest. */
export async function turn(live: Live): Promise<Ending | null> {
  const { session, ports } = live
  if (session.finish) return finished(live)
  if (ports.control.now.aborted) return interrupt(live, { seconds: 0, tokens: 0, usd: 0 })
  const effect = session.outstanding
  if (!effect) return move(live, [])
  const person = isPerson(live, effect)
  if (writeMissingPrompt(live, effect) === 'late') return person ? waiting(live, effect) : null
  const given = reissue(session)
  if (given) return observe(live, { ...given, endedAt: ports.clock.now() })
  answerFromInbox(live)
  // A person may be at work in the folder since they were asked; nobody else is.
  if (!person) await standOn(live, effect)
  live.standing = null
  if (!person && ports.onFullDisk === undefined) requireRoom(ports.folder.path, `greenlatch resume ${session.id}`)
  const done = await perform(ports, session, effect)
  switch (done.kind) {
    case 'not yet':
      return waiting(live, effect)
    case 'aborted':
      return ports.control.interruptedBy() === null ? brokenOff(live, done.spent) : interrupt(live, done.spent)
    case 'report':
      live.standing = done.report.tree
      return observe(live, done.report)
  }
}

function observe(live: Live, report: Report): Promise<Ending | null> {
  return move(live, step(live.session, report))
}

function isPerson({ ports, session }: Live, effect: Effect): boolean {
  return effect.kind === 'ask' && ports.agents[session.roles[effect.answers] ?? '']?.person === true
}

/** The folder is made equal to the tree of an effect before it begins; what a cut-off attempt or somebody else left is kept. */
async function standOn(live: Live, { tree, iteration }: Effect): Promise<void> {
  if (live.standing === tree) return
  const stood = await live.ports.workspace.stand({ tree, iteration }, 'left behind')
  live.standing = tree
  for (const notice of stood.notices) warn(live, notice)
  const told = stood.salvage === null ? null : saidOf(stood)
  const back = `greenlatch undo ${live.session.id} --to ${stood.salvage}`
  if (told) warn(live, `put back: ${told}, since an attempt that was cut off, or somebody else, had changed it; to have that again: ${back}`)
}

/** Writes what happened together with what comes next, unless someone asked us to stop here or the phase rests. */
async function move(live: Live, happened: readonly Event[]): Promise<Ending | null> {
  const left = live.session.outstanding?.phase ?? ''
  const boundary = readBoundary(live)
  const events = [...boundary.hints, ...happened]
  const after = rebuild(events, live.session)
  if (!after.finish) {
    if (boundary.ending) events.push({ type: boundary.ending.kind })
    else if (happened.length === 0 || !rests(after, left)) {
      await askOrKeep(live, events, after, boundary)
      if (live.session.outstanding && isPerson(live, live.session.outstanding)) await standOn(live, live.session.outstanding)
      return null
    }
  }
  commit(live, events)
  boundary.done()
  return after.finish ? finished(live) : boundary.ending
}

/** At the end the folder stands on what is delivered, for whoever comes to look. */
async function finished(live: Live): Promise<Ending> {
  const { finish, iteration } = live.session
  const tree = finish?.delivers ?? null
  if (tree !== null && live.standing !== tree) await live.ports.workspace.stand({ tree, iteration }, 'the session is over')
  live.standing = tree
  return { kind: 'finished' }
}

/** What happened is kept even when the next prompt cannot be made: nobody is asked twice for want of a file or of space. */
async function askOrKeep(live: Live, events: Event[], after: Session, boundary: Boundary): Promise<void> {
  let asked: Event[] = []
  try {
    const next = issue(after)
    // A prompt may show files: those of the tree that will be worked on.
    if (next?.kind === 'ask') await standOn(live, next)
    asked = next ? [asking(live, after, next)] : []
  } finally {
    if (events.length + asked.length > 0) commit(live, [...events, ...asked], rebuild(asked, after))
    boundary.done()
  }
}

function asking(live: Live, session: Session, effect: Effect): Event {
  const prompt = effect.kind === 'ask' && !isLate(session, effect) ? writePrompt(live, session, effect) : null
  return { type: 'asked', effect, prompt }
}

/** Whether the phase is entered without its prompt. */
function isLate({ procedure }: Session, { phase: name }: Effect): boolean {
  const phase = procedure.phases[name]
  return phase?.kind === 'ask' && phase.prompts === 'late'
}

function writePrompt(live: Live, session: Session, effect: Effect): Ref {
  const { compose, folder } = live.ports
  const prompt = compose(session, effect)
  for (const text of prompt.warnings) warn(live, text)
  return folder.write(promptPath(effect), prompt.text)
}

/** `late` when the prompt was due only now; a prompt lost with the power is made again without a word. */
function writeMissingPrompt(live: Live, effect: Effect): 'there' | 'late' {
  if (effect.kind !== 'ask' || live.ports.folder.has(promptPath(effect))) return 'there'
  writePrompt(live, live.session, effect)
  return isLate(live.session, effect) ? 'late' : 'there'
}

function waiting({ ports }: Live, effect: Effect): Ending {
  return waitingFor(ports.folder, effect, ports.workspace.cwd)
}

/** What is waited for, and where its question and its answer belong. Only a candidate may be made in the folder itself. */
export function waitingFor({ resolve }: Pick<Folder, 'resolve'>, effect: Effect, cwd: string): Extract<Ending, { kind: 'waiting' }> {
  const isCandidate = effect.kind === 'ask' && effect.yields === 'candidate'
  return { kind: 'waiting', awaits: askText(effect), prompt: resolve(promptPath(effect)), path: resolve(awaitedPath(effect)), cwd: isCandidate ? cwd : null }
}

/** Nothing was under way but a wait, and somebody wants the session to rest: a pause is one, and a stop an interruption. */
function brokenOff(live: Live, spent: Spend): Ending {
  const { inbox } = live.ports
  const pauses = inbox.peek().filter(({ kind }) => kind === 'pause')
  if (pauses.length === 0 || inbox.peek().some(({ kind }) => kind === 'stop')) return interrupt(live, spent)
  commit(live, [{ type: 'interrupted', cause: 'stop', note: 'pause', spent }, { type: 'paused' }])
  for (const message of pauses) inbox.done(message)
  return { kind: 'paused' }
}

function interrupt(live: Live, spent: Spend): Ending {
  const signal = live.ports.control.interruptedBy() ?? 'stop'
  const { messages } = live.ports.control.collect()
  commit(live, [{ type: 'interrupted', cause: signal === 'stop' ? 'stop' : 'signal', note: signal, spent }])
  for (const message of messages) if (message.kind === 'stop' || message.kind === 'pause') live.ports.inbox.done(message)
  return { kind: 'interrupted', signal }
}

// ───────────────────────────── the inbox, at a boundary ─────────────────────────────

type Boundary = { hints: Event[]; ending: { kind: 'paused' | 'stopped' } | null; done: () => void }

function readBoundary(live: Live): Boundary {
  const { messages, notices } = live.ports.control.collect()
  for (const notice of notices) warn(live, notice)
  const hints = messages.flatMap((message) => hintOf(live, message))
  const stop = messages.some((message) => message.kind === 'stop')
  const pause = messages.some((message) => message.kind === 'pause')
  const ending = stop ? ({ kind: 'stopped' } as const) : pause ? ({ kind: 'paused' } as const) : null
  for (const message of messages) if (message.kind === 'reply') rejectReply(live, message)
  return { hints, ending, done: () => messages.forEach((message) => live.ports.inbox.done(message)) }
}

function hintOf(live: Live, message: Message): Event[] {
  if (message.kind !== 'hint') return []
  if (!live.session.taken.includes(message.id)) return [{ type: 'hinted', hint: { id: message.id, text: message.text } }]
  warn(live, `hint ${message.id} was taken before and is not taken twice`)
  return []
}

function rejectReply(live: Live, message: Extract<Message, { kind: 'reply' }>): void {
  warn(live, `a reply to ${message.effect} came, but nobody is waiting for it`)
}

/** Puts a person's reply where its agent looks for it. Only a reply to the outstanding ask counts, and only the first. */
function answerFromInbox(live: Live): void {
  const effect = live.session.outstanding
  const reply = live.ports.inbox.peek().find((message) => message.kind === 'reply' && message.effect === effect?.id)
  if (!effect || reply?.kind !== 'reply' || live.ports.folder.read(awaitedPath(effect))) return
  live.ports.folder.write(awaitedPath(effect), reply.text)
  live.ports.inbox.done(reply)
}

/** A pause or stop that an owner before us did not live to obey is not meant for us. */
export function dropStale(live: Live): void {
  for (const message of live.ports.inbox.peek()) {
    if ((message.kind !== 'pause' && message.kind !== 'stop') || message.at >= live.ownedSince) continue
    live.ports.inbox.done(message)
    warn(live, `a ${message.kind} for an earlier run of this session was left over and is dropped`)
  }
}

// ───────────────────────────── after a crash ─────────────────────────────

/** An effect that was begun and never observed was cut off: say so once, with what it had cost, before it is begun again. */
export function recover(live: Live): void {
  const begun = markBegun.read(live.ports.folder)
  const { outstanding, cuts } = live.session
  if (!outstanding || begun?.effect !== outstanding.id || begun.cuts !== cuts) return
  commit(live, [{ type: 'interrupted', cause: 'crash', note: 'its process ended without a word', spent: begun.spent }])
}
