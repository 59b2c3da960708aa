// Who tells people and programs of a session as it goes: the stream in any case, and a screen over it where there can be one.
import { join } from 'node:path'
import { bellReporter } from '../adapters/reporters/bell.js'
import { jsonlReporter } from '../adapters/reporters/jsonl.js'
import { openLive, type Live } from '../adapters/reporters/live.js'
import { notifyReporter } from '../adapters/reporters/notify.js'
import { streamReporter } from '../adapters/reporters/stream.js'
import type { Session } from '../core/index.js'
import type { JournalRecord, Notice, Reporter } from '../ports.js'
import { redact } from '../process/secrets.js'
import { newestCommand } from '../process/tree.js'
import { spoken } from '../text/spoken.js'
import type { Context } from './context.js'
import { faceOf, meansOf, notesOf, surroundings, type Face } from './face.js'
import { openGithub } from './github.js'
import { keyActions } from './key-actions.js'
import { coverPeople, isCovered, toPeople, writeToPeople } from './output.js'
import { taskNow } from './recorded.js'
import { toldOutside } from './told-outside.js'

const HEARTBEAT_SECONDS = 60

export type Showing = {
  reporter: Reporter
  /** Puts the screen up, where there is one to be: all that was recorded so far is on it. `ending` comes when what is under way is to end. */
  begin(session: Session, past: AsyncIterable<JournalRecord>, ending?: AbortSignal): Promise<void>
  /** Takes it down and leaves what it had covered. */
  end(): void
  /** Waits until those outside have been told, or have had their time; `stop` shortens it. `last` is what only they have not heard yet. */
  settle(stop: AbortSignal, last?: Notice): Promise<void>
}

/** `most`: a single step is over before a screen could be looked at. `detach`: for whoever looks on while another process runs it. */
export function showingFor(context: Context, most: 'live' | 'stream', detach?: () => void): Showing {
  const asked = faceOf(context.face, surroundings(), context.output.format)
  const face = asked === 'live' ? most : asked
  // Of another process only records are heard: that it says nothing cannot be known.
  const beneath = reportersOf(context, face, () => detach !== undefined || isCovered())
  // Whoever only looks on tells nobody: the process that runs it does.
  const outside = detach ? null : toldOutside(context)
  const github = detach ? null : openGithub(context)
  let live: Live | null = null
  return {
    reporter: {
      notice(notice) {
        for (const reporter of beneath) reporter.notice(notice)
        live?.notice(notice)
        for (const reporter of [outside, github]) reporter?.notice(notice)
      },
    },
    async begin(session, past, ending) {
      if (face !== 'live') return
      live = await openScreen(context, session, { detach, ending })
      coverPeople(live.hear)
      for await (const record of past) live.recall(record)
    },
    end() {
      live?.close()
      live = null
      coverPeople(null)
    },
    async settle(stop, last) {
      if (last) for (const reporter of [outside, github]) reporter?.notice(last)
      await outside?.settle(stop)
      // What others say comes before it: from there on the log is obeyed again.
      await github?.tell()
    },
  }
}

function reportersOf({ output, config }: Context, face: Face, isSeen: () => boolean): Reporter[] {
  const reporters: Reporter[] = []
  if (output.format === 'jsonl') reporters.push(jsonlReporter((text) => void process.stdout.write(redact(text))))
  if (face === 'none') return reporters
  const worded = face === 'plain' ? { worded: spoken } : {}
  reporters.push(streamReporter({ write: toPeople, heartbeatSeconds: HEARTBEAT_SECONDS, isSeen, command: newestCommand, ...worded }))
  const write = (text: string): void => void process.stderr.write(text)
  if (process.stderr.isTTY && config.values.notify.terminal) reporters.push(bellReporter(write), notifyReporter(write, notesOf(surroundings())))
  return reporters
}

type Ways = { detach: (() => void) | undefined; ending: AbortSignal | undefined }

async function openScreen(context: Context, { id }: Session, { detach, ending }: Ways): Promise<Live> {
  return openLive({
    input: process.stdin,
    output: process.stderr,
    means: meansOf(context.face, surroundings()),
    actions: { ...keyActions(context, id), ...(detach && { detach }) },
    task: (session) => taskNow(session, join(context.store, id)),
    // What another process has started is not ours to know.
    command: detach ? null : newestCommand,
    ending,
    uncover: writeToPeople,
  })
}
