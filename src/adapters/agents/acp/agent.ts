// An agent that speaks the Agent Client Protocol: talked with over a pipe, allowed what the settings allow, believed only in its stop reason.
import { resolve } from 'node:path'
import type { AcpEntry, Price } from '../../../agent-entry.js'
import type { Agent, Answer, AskRequest, Reach, Sandbox, Usage } from '../../../ports.js'
import { findExecutable } from '../../../process/command-line.js'
import type { Pipe, ProcessResult } from '../../../process/types.js'
import { counted } from '../../../text/amounts.js'
import { quoteCommand, quoteWord } from '../../../text/prompt/quote.js'
import { redactorWith } from '../../../process/secrets.js'
import type { Redact } from '../../../text/redact.js'
import { sanitise } from '../../../text/sanitise.js'
import { runForAsk } from '../ask-process.js'
import { artifactPath, placeOf } from '../place.js'
import { reachOfAgent } from '../reach.js'
import { atLeast, NO_USAGE, spendOf, withPrice } from '../usage.js'
import { clientFor, type Desk, type Sdk } from './client.js'
import { converse, type Conversation, type Outcome } from './converse.js'
import { versionOf } from './greeting.js'
import { UNATTENDED } from './policy.js'
import { openAnswerLog, type AnswerLog } from './record.js'
import { traitsOf, type Traits } from './table.js'
import { openTerminals } from './terminals.js'
import { listenToUpdates, type Listener } from './updates.js'
import { verdictOf } from './verdict.js'
import { openWire, type Wire } from './wire.js'

export type AcpAgentOptions = { name: string; entry: AcpEntry; cwd: string; price?: Price | undefined; inText?: boolean; sandbox: Sandbox; withheld?: readonly string[]; secrets?: readonly string[] }

export function acpAgent({ name, entry, cwd, price, inText = false, sandbox, withheld = [], secrets = [] }: AcpAgentOptions): Agent {
  const traits = traitsOf(entry)
  const [program, ...args] = traits.argv
  const env = { ...traits.env, ...entry.env, ...(sandbox.confines && traits.confinedEnv) }
  const found = (): string | null => findExecutable(program.includes('/') ? resolve(cwd, program) : program, { ...process.env, ...env })
  return {
    name,
    describe: `${quoteCommand(traits.argv)} (Agent Client Protocol)`,
    person: false,
    inText,
    priced: traits.priced === true || price !== undefined,
    async ready() {
      if (found() === null) return `${quoteWord(program)} is not an executable program, here or on PATH`
      return traits.obstacle?.({ ...process.env, ...env }) ?? null
    },
    async version() {
      const path = found()
      return path === null ? null : versionOf(sandbox, [path, ...args], cwd, env)
    },
    ask: (request, signal) => ask({ ...request, onActivity: undisturbed(request.onActivity) }, signal, howFor([found() ?? program, ...args], { env, entry, traits, price, sandbox, withheld, secrets })),
  }
}

/** A listener that fails must not end the conversation: what is not heard is never answered. */
function undisturbed(onActivity: AskRequest['onActivity']): AskRequest['onActivity'] {
  return (activity) => {
    try {
      onActivity(activity)
    } catch {
      // Whoever listens decides nothing.
    }
  }
}

type Fixed = { env: Record<string, string>; entry: AcpEntry; traits: Traits; price: Price | undefined; sandbox: Sandbox; withheld: readonly string[]; secrets: readonly string[] }
type How = Fixed & { argv: [string, ...string[]]; reach: Reach }

function howFor(argv: [string, ...string[]], fixed: Fixed): How {
  return { ...fixed, argv, reach: reachOfAgent({ known: fixed.traits.known ?? null, argv, env: fixed.env }) }
}

async function ask(request: AskRequest, signal: AbortSignal, how: How): Promise<Answer> {
  const sdk = await import('@agentclientprotocol/sdk')
  const talk = prepare(sdk, request, how)
  const { argv, env, sandbox, reach, secrets } = how
  const { result, files } = await runForAsk(request, { argv, env, onPipe: talk.begin, onText: talk.hear, onLimit: talk.cancel, sandbox, reach, secrets, signal })
  const ended = await talk.end()
  const answer = answerOf(talk, ended, result, [...files, ...talk.log.files()])
  return { ...answer, spent: spendOf(chargeOf(talk.listener, request, how), result.seconds) }
}

// ───────────────────────────── talking ─────────────────────────────

type Ended = { outcome: Outcome; isCancelled: boolean; strays: ReturnType<Wire['strays']>; terminals: number }

type Talk = {
  listener: Listener
  log: AnswerLog
  begin(pipe: Pipe): void
  hear(text: string): void
  cancel(): Promise<void>
  /** When the process is gone. */
  end(): Promise<Ended>
}

function prepare(sdk: Sdk, request: AskRequest, { env, entry, traits, price, sandbox, reach, withheld, secrets }: How): Talk {
  const redact = redactorWith(secrets)
  const listener = listenToUpdates({ onActivity: request.onActivity, price, brief: (text) => brief(redact(text)) })
  const log = openAnswerLog(artifactPath(request, 'answers.jsonl'), redact)
  let touch = (): void => {}
  const kept = Object.fromEntries(withheld.map((name) => [name, undefined]))
  const terminals = openTerminals({ sandbox, network: reach.network, cwd: request.cwd, env: { ...kept, ...placeOf(request) }, outputBytes: request.limits.outputBytes, onOutput: () => touch() })
  let wire: Wire | null = null
  let conversation: Conversation | null = null
  const over: Over = { isCancelled: false, isStopped: false, tooLong: null, terminals: 0 }
  const begin = (pipe: Pipe): void => {
    touch = pipe.touch
    const onTooLong = (note: string): void => {
      over.tooLong ??= note
      pipe.end()
    }
    wire = openWire(pipe, { onNews: listener.hear, onTooLong })
    const tools = new Set(entry.tools ?? UNATTENDED)
    const connection = clientFor(sdk, { traits, request, tools, permit: permitOf(entry, request, pipe), log, terminals, listener, isOver: () => over.isCancelled }).connect(wire.stream)
    const wishes = { cwd: request.cwd, prompt: request.prompt, mode: entry.mode ?? null, model: entry.model ?? null, env: { ...process.env, ...env }, traits }
    conversation = converse(sdk, connection, wishes)
    void conversation.outcome.then(async (outcome) => {
      over.isStopped = !over.isCancelled
      if (outcome.kind === 'stopped') listener.hearEnd(outcome.answer)
      over.terminals += await terminals.endAll()
      pipe.end()
    })
  }
  return {
    listener,
    log,
    begin,
    hear: (text) => wire?.hear(text),
    async cancel() {
      over.isCancelled = !over.isStopped
      await conversation?.cancel()
    },
    async end() {
      wire?.close()
      const outcome: Outcome = (await conversation?.outcome) ?? { kind: 'closed', at: 'its start' }
      over.terminals += await terminals.endAll()
      const strays = wire?.strays() ?? { count: 0, first: '' }
      return { outcome: shownOutcome(outcome, over, redact), isCancelled: over.isCancelled, strays: { count: strays.count, first: redact(strays.first) }, terminals: over.terminals }
    },
  }
}

type Over = { isCancelled: boolean; isStopped: boolean; tooLong: string | null; terminals: number }

/** Whom we have cut off for too long a message has not gone by itself. */
function shownOutcome(outcome: Outcome, { tooLong }: Over, redact: Redact): Outcome {
  if (tooLong !== null && outcome.kind === 'closed') return { kind: 'error', at: outcome.at, note: tooLong }
  return 'note' in outcome ? { ...outcome, note: redact(outcome.note) } : outcome
}

const TOUCH_MILLISECONDS = 500

/** While a person thinks, the agent is silent through no fault of its own. */
function permitOf({ permissions }: AcpEntry, { permit }: AskRequest, pipe: Pipe): Desk['permit'] {
  if (permissions !== 'ask' || !permit) return null
  return async (what) => {
    const timer = setInterval(pipe.touch, TOUCH_MILLISECONDS)
    try {
      return await permit(brief(what))
    } finally {
      clearInterval(timer)
    }
  }
}

// ───────────────────────────── the answer ─────────────────────────────

/** Who did not begin to work is charged nothing. */
function chargeOf(listener: Listener, { prompt }: AskRequest, { price }: How): Usage {
  const saidChars = listener.saidChars()
  return saidChars === null ? (listener.usage() ?? NO_USAGE) : withPrice(atLeast(listener.usage(), prompt, saidChars), price)
}

const MOST_NOTE_CHARS = 200

function brief(text: string): string {
  return sanitise(text).replace(/\s+/g, ' ').trim().slice(0, MOST_NOTE_CHARS)
}

function answerOf({ listener, log }: Talk, { outcome, isCancelled, strays, terminals }: Ended, result: ProcessResult, files: string[]): Omit<Answer, 'spent'> {
  const verdict = verdictOf(outcome, result, isCancelled)
  const refused = log.refused()
  const remarks = [
    ...(refused.length > 0 ? [`${counted(refused.length, 'request')} refused (${brief(refused[0] ?? '')}${refused.length > 1 ? ', …' : ''})`] : []),
    ...(strays.count > 0 ? [`${counted(strays.count, 'line')} left out that ${strays.count === 1 ? 'was no message' : 'were no messages'} (${brief(strays.first)})`] : []),
    ...(terminals > 0 ? [`${counted(terminals, 'command')} left running and ended`] : []),
    ...(result.leftovers > 0 ? [`${counted(result.leftovers, 'process', 'processes')} left running and ended`] : []),
  ]
  const usage = listener.usage()
  return {
    ...verdict,
    note: [brief(verdict.note), ...remarks].join('; '),
    text: sanitise(listener.text()),
    files,
    ...(usage && { usage }),
  }
}
