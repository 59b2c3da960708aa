// A session on one screen while it runs: drawn from its records and signs of life, at most four times a second. It decides nothing.
import { rebuild, type Session } from '../../core/index.js'
import type { JournalRecord, Notice, Reporter } from '../../ports.js'
import { edited, editorLine, NOTHING_WRITTEN, typedIn, type Editing, type Typed } from '../../text/screen/editor.js'
import { frameBetween, painted } from '../../text/screen/paint.js'
import { screenOf, type Model } from '../../text/screen/screen.js'
import { signsOf } from '../../text/screen/signs.js'
import { usualOf, watchRecord, type Watched } from '../../text/screen/watched.js'
import { linesOf } from './stream.js'
import { openTerminal, type Streams, type Terminal } from './terminal.js'

export type Live = Reporter & {
  /** A record of before this process, or of another one. */
  recall(record: JournalRecord): void
  /** Lines for people, which the screen shows among what happened and keeps until it is left. */
  hear(text: string): void
  close(): void
}

/** What keys ask for, done as the commands of the same name do it; each says in a line what came of it. */
export type Actions = {
  hint(text: string): Promise<string>
  pause(): Promise<string>
  diff(): Promise<string[]>
  explain(): Promise<string[]>
  /** Of whoever only looks on. */
  detach?: () => void
}

export type LiveOptions = Streams & {
  means: { unicode: boolean; colour: boolean }
  actions: Actions
  task: (session: Session) => string
  /** The command that runs for the phase at hand, where it can be known; null where no signs of life are heard at all. */
  command: (() => string) | null
  /** Comes when the session is to end what is under way: that must be seen whatever is on the screen. */
  ending?: AbortSignal | undefined
  /** Takes what would have been written to the terminal meanwhile, when the screen is left. */
  uncover: (text: string) => void
}

const FRAME_MILLISECONDS = 250
const TICK_MILLISECONDS = 1000
const MOST_KEPT = 500
const MOST_SHOWN = 100
const MOST_PANEL_LINES = 2000

type So = {
  watched: Watched | null
  session: Session | null
  task: string
  begunAt: number
  epoch: number
  doing: Model['doing']
  /** The newest lines of all that was told. */
  tail: string[]
  /** Those that only the screen has shown so far. */
  kept: string[]
  dropped: number
  panel: { name: string; lines: string[]; top: number } | null
  writing: Editing | null
  said: string
  shown: string[] | null
  drawnAt: number
}

export async function openLive(options: LiveOptions): Promise<Live> {
  const so = nothingYet()
  let isOnScreen = true
  const { later, begin, stop } = drawsLater(so, () => draw(so, terminal, options))
  const fresh = (): void => {
    so.shown = null
    later()
  }
  const leave = (): void => {
    isOnScreen = false
    terminal.show('stream')
    options.uncover(keptText(so))
    Object.assign(so, { kept: [], dropped: 0 })
  }
  const toggle = (): void => {
    if (isOnScreen) {
      leave()
      return options.uncover('(s brings the screen back)\n')
    }
    isOnScreen = true
    terminal.show('screen')
  }
  const makeRoom = (): void => {
    Object.assign(so, { panel: null, writing: null })
    later()
  }
  const terminal = await openTerminal(options, { onFresh: fresh, onKeys: (chunk) => onKeys(chunk) })
  const onKeys = (chunk: string): void => {
    for (const typed of typedIn(chunk)) press(so, typed, { options, terminal, later, toggle, isOnScreen: () => isOnScreen })
    return so.writing ? draw(so, terminal, options) : later()
  }
  terminal.show('screen')
  begin()
  const close = (): void => {
    process.off('exit', close)
    options.ending?.removeEventListener('abort', makeRoom)
    stop()
    if (isOnScreen) leave()
    terminal.close()
  }
  // Whoever ends the process at once leaves what was said, too.
  process.on('exit', close)
  options.ending?.addEventListener('abort', makeRoom, { once: true })
  return {
    close,
    notice(notice) {
      take(so, notice, options)
      later()
    },
    recall: (record) => recall(so, record, options),
    hear(text) {
      const lines = text.replace(/\n$/, '').split('\n')
      so.tail = [...so.tail, ...lines].slice(-MOST_SHOWN)
      if (!isOnScreen) return options.uncover(text)
      keep(so, lines)
      later()
    },
  }
}

type Drawing = { later: () => void; begin: () => void; stop: () => void }

/** No sooner after the last frame than a frame takes, and from `begin` on again with every tick. */
function drawsLater(so: So, drawNow: () => void): Drawing {
  let timer: NodeJS.Timeout | undefined
  const later = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      drawNow()
    }, Math.max(0, so.drawnAt + FRAME_MILLISECONDS - Date.now()))
  }
  let tick: NodeJS.Timeout | undefined
  return {
    later,
    begin: () => void (tick = setInterval(later, TICK_MILLISECONDS)),
    stop() {
      clearInterval(tick)
      clearTimeout(timer)
    },
  }
}

function nothingYet(): So {
  return { watched: null, session: null, task: '', begunAt: 0, epoch: 0, doing: null, tail: [], kept: [], dropped: 0, panel: null, writing: null, said: '', shown: null, drawnAt: 0 }
}

/** One of before, or of another process: it is on the screen, and was told to people then. */
function recall(so: So, record: JournalRecord, { task }: LiveOptions): void {
  const before = so.session
  const after = rebuild(record.events, before)
  // Another process has taken it up: what lies before was time away.
  if (before && record.epoch !== so.epoch) so.begunAt = record.at
  so.epoch = record.epoch
  so.session = after
  so.watched = watchRecord(so.watched, record, after)
  so.task ||= task(after)
  if (before) so.tail = [...so.tail, ...linesOf({ kind: 'record', record, before, after }, before)].slice(-MOST_SHOWN)
}

function keep(so: So, lines: readonly string[]): void {
  const all = [...so.kept, ...lines]
  so.kept = all.slice(-MOST_KEPT)
  so.dropped += all.length - so.kept.length
}

function keptText({ kept, dropped }: So): string {
  const before = dropped > 0 ? [`(${dropped} lines before this: greenlatch logs)`] : []
  return [...before, ...kept].map((line) => `${line}\n`).join('')
}

function take(so: So, notice: Notice, { task }: LiveOptions): void {
  switch (notice.kind) {
    case 'began':
      so.session = notice.session
      so.task ||= task(notice.session)
      so.begunAt = notice.at
      // What was recalled stands without a head of its own.
      if (notice.resumed && so.tail.length > 0) so.tail = ['before it was resumed:', ...so.tail].slice(-MOST_SHOWN)
      so.doing = { text: '', at: notice.at }
      return
    case 'record':
      so.session = notice.after
      so.watched = watchRecord(so.watched, notice.record, notice.after)
      so.doing = { text: '', at: notice.record.at }
      so.said = ''
      return
    case 'activity': {
      const { activity, at } = notice
      so.doing = { text: 'note' in activity ? activity.note : (so.doing?.text ?? ''), at }
      return
    }
    case 'warning':
    case 'ended':
      return
  }
}

// ───────────────────────────── drawing ─────────────────────────────

const KEYS = 'd diff · e explain · s stream'

function draw(so: So, terminal: Terminal, options: LiveOptions): void {
  if (!so.watched) return
  const { colour, unicode } = options.means
  const size = terminal.size()
  const { caret } = signsOf(unicode)
  const listed = options.actions.detach ? `h hint · p pause · ${KEYS} · q leave` : `h hint · p or q pause · ${KEYS}`
  const keys = so.writing ? editorLine('hint:', so.writing, size.columns, caret) : listed
  const { view } = so.watched.viewed
  const model: Model = {
    view,
    task: so.task,
    state: view.head.finish?.outcome ?? (options.ending?.aborted ? 'ending' : 'running'),
    now: Date.now(),
    begunAt: so.begunAt,
    doing: so.doing && options.command && { ...so.doing, text: so.doing.text || options.command() },
    usual: usualOf(so.watched),
    tail: so.tail,
    panel: so.panel,
    keys,
    said: so.writing ? 'guidance for the next candidate: Enter sends it, Esc gives it up' : so.said,
  }
  const lines = screenOf(model, size, { unicode }).map((line) => painted(line, colour))
  terminal.write(frameBetween(so.shown?.length === lines.length ? so.shown : null, lines))
  so.shown = lines
  so.drawnAt = Date.now()
}

// ───────────────────────────── keys ─────────────────────────────

type Hands = { options: LiveOptions; terminal: Terminal; later: () => void; toggle: () => void; isOnScreen: () => boolean }

function press(so: So, typed: Typed, hands: Hands): void {
  if (typed.kind === 'key' && typed.name === 'interrupt') return void process.kill(process.pid, 'SIGINT')
  if (typed.kind === 'key' && typed.name === 'suspend') return hands.terminal.suspend()
  if (so.writing) return write(so, so.writing, typed, hands)
  if (typed.kind === 'key') return move(so, typed.name)
  const [first = '', ...rest] = typed.text
  command(so, first.toLowerCase(), hands)
  // What came in one piece with a key belongs to what the key has opened.
  if (rest.length > 0) press(so, { kind: 'text', text: rest.join('') }, hands)
}

function write(so: So, writing: Editing, typed: Typed, { options, later }: Hands): void {
  if (typed.kind === 'key' && typed.name === 'escape') so.writing = null
  else if (typed.kind !== 'key' || typed.name !== 'enter') so.writing = edited(writing, typed)
  else {
    so.writing = null
    if (writing.text.trim() !== '') say(so, options.actions.hint(writing.text), { later, tell: null })
  }
}

function command(so: So, letter: string, hands: Hands): void {
  const { options, later, toggle, isOnScreen } = hands
  const { actions } = options
  if (letter === 's') return toggle()
  if (letter === 'q' && actions.detach) return actions.detach()
  if (letter === 'p' || letter === 'q') return say(so, actions.pause(), { later, tell: isOnScreen() ? null : options.uncover })
  if (!isOnScreen()) return 'hde'.includes(letter) ? options.uncover('(this key is for the screen; s brings it back)\n') : undefined
  if (letter === 'h') so.writing = NOTHING_WRITTEN
  else if (letter === 'd') open(so, 'diff', actions.diff(), later)
  else if (letter === 'e') open(so, 'explain', actions.explain(), later)
}

function move(so: So, name: Extract<Typed, { kind: 'key' }>['name']): void {
  so.said = ''
  if (name === 'escape') so.panel = null
  const by = { up: -1, down: 1, 'page up': -10, 'page down': 10 }[name as string]
  if (so.panel && by !== undefined) so.panel.top = Math.max(0, Math.min(so.panel.lines.length - 1, so.panel.top + by))
}

/** `tell` takes the line where no screen shows it. */
function say(so: So, said: Promise<string>, { later, tell }: { later: () => void; tell: ((text: string) => void) | null }): void {
  void said.catch((error: unknown) => `it could not be done: ${String(error)}`).then((text) => {
    so.said = text
    tell?.(`${text}\n`)
    later()
  })
}

/** The same key closes what it has opened. */
function open(so: So, name: string, lines: Promise<string[]>, later: () => void): void {
  so.said = ''
  const isOpen = so.panel?.name === name
  so.panel = null
  if (isOpen) return
  void lines.catch((error: unknown) => [`it cannot be shown: ${String(error)}`]).then((found) => {
    so.panel = { name, lines: found.slice(0, MOST_PANEL_LINES), top: 0 }
    later()
  })
}
