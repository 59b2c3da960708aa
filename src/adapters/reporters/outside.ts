// Tells of a session outside the terminal, as the settings want it: an address, a command for notes, and hooks.
import type { CommandLine } from '../../agent-entry.js'
import type { Session } from '../../core/types.js'
import type { Reporter } from '../../ports.js'
import { happeningsOf, isNote, type Happening, type HookEvent, type NoteEvent } from '../../text/happenings.js'
import { redactorWith } from '../../process/secrets.js'
import { sanitise } from '../../text/sanitise.js'
import { openDeliveries } from './deliveries.js'
import { statusFields } from './status.js'
import { sessionOf } from './stream.js'
import { runTold } from './told-command.js'
import { post } from './webhook.js'

type Hook = { on: readonly HookEvent[]; run: CommandLine; timeoutSeconds: number }

export type OutsideOptions = {
  notes: { on: readonly NoteEvent[]; webhook: string | null; command: CommandLine | null; timeoutSeconds: number }
  /** By name. */
  hooks: Readonly<Record<string, Hook>>
  /** Where commands run, and what they find there besides. */
  cwd: string
  env: Readonly<Record<string, string>>
  /** Values that no text may hold, and variables that no command finds. */
  secrets: readonly (string | undefined)[]
  withheld: readonly string[]
  say: (text: string) => void
}

export type Outside = Reporter & { settle(stop: AbortSignal): Promise<void> }

export function outsideReporter(options: OutsideOptions): Outside {
  const { notes, hooks, cwd, withheld, say } = options
  const redact = redactorWith(options.secrets)
  const without = Object.fromEntries(withheld.map((name) => [name, undefined]))
  const deliveries = openDeliveries((text) => say(redact(text)))
  let known: Session | null = null
  const tell = (happening: Happening): void => {
    const { event, session } = happening
    const text = redact(oneLine(happening.text))
    const json = redact(JSON.stringify({ event, ...statusFields(session, happening.state, happening.at), text }))
    const env = { ...without, ...options.env, GREENLATCH_SESSION: session.id, GREENLATCH_EVENT: event, GREENLATCH_NOTE: text }
    const { webhook, command } = notes
    if (isNote(event) && notes.on.includes(event)) {
      if (webhook !== null) deliveries.add('notify.webhook', (signal) => post({ address: webhook }, json, signal))
      if (command !== null) deliveries.add('notify.command', (signal) => runTold({ run: command, timeoutSeconds: notes.timeoutSeconds, cwd, env }, `${text}\n`, signal))
    }
    for (const [name, { on, run, timeoutSeconds }] of Object.entries(hooks)) {
      if (on.includes(event)) deliveries.add(`hook "${name}"`, (signal) => runTold({ run, timeoutSeconds, cwd, env }, `${json}\n`, signal))
    }
  }
  return {
    notice(notice) {
      for (const happening of happeningsOf(notice, known)) tell(happening)
      known = sessionOf(notice) ?? known
    },
    settle: (stop) => deliveries.settle(stop),
  }
}

function oneLine(text: string): string {
  return sanitise(text).replaceAll('\n', ' ')
}
