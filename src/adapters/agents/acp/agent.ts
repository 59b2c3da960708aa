// An agent that speaks the Agent Client Protocol: talked with over a pipe, allowed what the settings allow, believed only in its stop reason.
import { resolve } from 'node:path'
import type { AcpEntry, Price } from '../../../agent-entry.js'
import type { Agent, Answer, AskRequest } from '../../../ports.js'
import { findExecutable } from '../../../process/command-line.js'
import { runProcess } from '../../../process/run.js'
import type { Pipe, ProcessResult } from '../../../process/types.js'
import { counted } from '../../../text/amounts.js'
import { quoteCommand, quoteWord } from '../../../text/quote.js'
import { sanitise } from '../../../text/sanitise.js'
import { artifactPath, placeOf } from '../place.js'
import { spendOf } from '../usage.js'
import { clientFor, type Sdk } from './client.js'
import { converse, type Conversation, type Outcome } from './converse.js'
import { versionOf } from './greeting.js'
import { UNATTENDED } from './policy.js'
import { openAnswerLog, type AnswerLog } from './record.js'
import { traitsOf, type Traits } from './table.js'
import { openTerminals } from './terminals.js'
import { listenToUpdates, type Listener } from './updates.js'
import { verdictOf } from './verdict.js'
import { openWire, type Wire } from './wire.js'

export type AcpAgentOptions = { name: string; entry: AcpEntry; cwd: string; price?: Price | undefined; inText?: boolean }

export function acpAgent({ name, entry, cwd, price, inText = false }: AcpAgentOptions): Agent {
  const traits = traitsOf(entry)
  const [program, ...args] = traits.argv
  const env = { ...traits.env, ...entry.env }
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
      return path === null ? null : versionOf([path, ...args], cwd, env)
    },
    ask: (request, signal) => ask({ ...request, onActivity: undisturbed(request.onActivity) }, signal, { argv: [found() ?? program, ...args], env, entry, traits, price }),
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

type How = { argv: [string, ...string[]]; env: Record<string, string>; entry: AcpEntry; traits: Traits; price: Price | undefined }

async function ask(request: AskRequest, signal: AbortSignal, how: How): Promise<Answer> {
  const sdk = await import('@agentclientprotocol/sdk')
  const recordsPath = artifactPath(request, 'records.jsonl')
  const stderrPath = artifactPath(request, 'stderr.log')
  const talk = prepare(sdk, request, how)
  const result = await runProcess({
    argv: how.argv,
    cwd: request.cwd,
    env: { ...how.env, ...placeOf(request) },
    limits: request.limits,
    stdoutPath: recordsPath,
    stderrPath,
    onPipe: talk.begin,
    onText: talk.hear,
    onOutput: (bytes) => request.onActivity({ kind: 'output', bytes }),
    onCut: (note) => request.onActivity({ kind: 'cut', note }),
    onLimit: talk.cancel,
    signal,
  })
  const ended = await talk.end()
  const files = [...(result.stdout.bytes > 0 ? [recordsPath] : []), ...(result.stderr.bytes > 0 ? [stderrPath] : []), ...talk.log.files()]
  return answerOf(talk, ended, result, files)
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

function prepare(sdk: Sdk, request: AskRequest, { env, entry, traits, price }: How): Talk {
  const listener = listenToUpdates({ onActivity: request.onActivity, price, brief })
  const log = openAnswerLog(artifactPath(request, 'answers.jsonl'))
  let touch = (): void => {}
  const terminals = openTerminals({ cwd: request.cwd, env: placeOf(request), outputBytes: request.limits.outputBytes, onOutput: () => touch() })
  let wire: Wire | null = null
  let conversation: Conversation | null = null
  const over = { isCancelled: false, isStopped: false, tooLong: null as string | null, terminals: 0 }
  const begin = (pipe: Pipe): void => {
    touch = pipe.touch
    const onTooLong = (note: string): void => {
      over.tooLong ??= note
      pipe.end()
    }
    wire = openWire(pipe, { onNews: listener.hear, onTooLong })
    const tools = new Set(entry.tools ?? UNATTENDED)
    const connection = clientFor(sdk, { traits, request, tools, log, terminals, listener, isOver: () => over.isCancelled }).connect(wire.stream)
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
      const isTooLong = over.tooLong !== null && outcome.kind === 'closed'
      const shown: Outcome = isTooLong ? { kind: 'error', at: outcome.at, note: over.tooLong ?? '' } : outcome
      return { outcome: shown, isCancelled: over.isCancelled, strays: wire?.strays() ?? { count: 0, first: '' }, terminals: over.terminals }
    },
  }
}

// ───────────────────────────── the answer ─────────────────────────────

const MOST_NOTE_CHARS = 200

function brief(text: string): string {
  return sanitise(text).replace(/\s+/g, ' ').trim().slice(0, MOST_NOTE_CHARS)
}

function answerOf({ listener, log }: Talk, { outcome, isCancelled, strays, terminals }: Ended, result: ProcessResult, files: string[]): Answer {
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
    spent: usage ? spendOf(usage, result.seconds) : { seconds: result.seconds, tokens: 0, usd: 0 },
    ...(usage && { usage }),
  }
}
