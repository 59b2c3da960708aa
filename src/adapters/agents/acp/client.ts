// Our side of the protocol: answers every request of an agent, by policy, and writes down what it answered.
import type { ClientApp, CreateTerminalRequest, ReadTextFileRequest, RequestPermissionResponse, WriteTextFileRequest } from '@agentclientprotocol/sdk'
import type { ToolKind } from '../../../agent-entry.js'
import type { AskRequest } from '../../../ports.js'
import { quoteCommand } from '../../../text/prompt/quote.js'
import { isObject } from '../../../text/reply/json.js'
import { readFor, whyNoWrite, writeFor } from './files.js'
import { allowedBy, decide, notAllowed, optionsIn, type Decision, type Option } from './policy.js'
import type { AnswerLog } from './record.js'
import type { Traits } from './table.js'
import type { ExitStatus, Terminals } from './terminals.js'
import type { Listener, Tool } from './updates.js'

/** Loaded only when an agent of this kind is asked: it takes longer than the rest of the program. */
export type Sdk = typeof import('@agentclientprotocol/sdk')

export type Desk = {
  traits: Pick<Traits, 'missingIsEmpty'>
  request: Pick<AskRequest, 'cwd' | 'mayWrite'>
  tools: ReadonlySet<ToolKind>
  /** Asks a person about what the tools leave open; null where nobody is to be asked. */
  permit: ((what: string) => Promise<boolean>) | null
  log: AnswerLog
  terminals: Terminals
  listener: Listener
  /** True once the turn is being cancelled: nothing more is allowed then. */
  isOver: () => boolean
}

export function clientFor(sdk: Sdk, desk: Desk): ClientApp {
  const app = sdk.client({ name: 'greenlatch' })
  // Taken as it comes: an option or a kind that is unknown here must not keep the request from being answered.
  app.onRequest('session/request_permission', (params: unknown) => params, ({ params }) => permission(desk, params))
  app.onRequest('fs/read_text_file', ({ params }) => readFile(sdk, desk, params))
  app.onRequest('fs/write_text_file', ({ params }) => writeFile(sdk, desk, params))
  app.onRequest('terminal/create', ({ params }) => createTerminal(sdk, desk, params))
  app.onRequest('terminal/output', ({ params: { terminalId } }) => desk.terminals.output(terminalId) ?? gone(sdk, terminalId))
  app.onRequest('terminal/wait_for_exit', ({ params: { terminalId }, signal }) => exitOf(sdk, desk, terminalId, signal))
  app.onRequest('terminal/kill', ({ params: { terminalId } }) => (desk.terminals.kill(terminalId) ? {} : gone(sdk, terminalId)))
  app.onRequest('terminal/release', ({ params: { terminalId } }) => (desk.terminals.release(terminalId) ? {} : gone(sdk, terminalId)))
  app.onRequest('*', ({ method }) => {
    desk.log.add({ method, what: '', answer: 'unknown' })
    throw sdk.RequestError.methodNotFound(method)
  })
  return app
}

function gone(sdk: Sdk, id: string): never {
  throw sdk.RequestError.resourceNotFound(id)
}

// ───────────────────────────── permission ─────────────────────────────

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } }

async function permission(desk: Desk, params: unknown): Promise<RequestPermissionResponse> {
  const { toolCall, options } = isObject(params) ? params : {}
  const tool = desk.listener.tool(isObject(toolCall) ? toolCall : {})
  const method = 'session/request_permission'
  if (desk.isOver()) {
    desk.log.add({ method, what: tool.title, answer: 'refused', why: 'the turn is cancelled' })
    return CANCELLED
  }
  const { allowed, optionId, why } = await decidedOn(desk, tool, optionsIn(options))
  desk.log.add({ method, what: tool.title, answer: allowed ? 'allowed' : 'refused', why })
  return optionId === null ? CANCELLED : { outcome: { outcome: 'selected', optionId } }
}

/** The list first, then a person, then no. */
async function decidedOn(desk: Desk, tool: Tool, options: readonly Option[]): Promise<Decision> {
  const decision = decide({ kind: tool.kind, options, refusal: pathRefusal(desk, tool) }, desk.tools)
  if (!decision.open || !desk.permit) return decision
  if (!(await desk.permit(`it asks to ${tool.kind === 'other' ? 'do' : tool.kind}: ${tool.title}`))) return { ...decision, why: 'nobody allowed it' }
  return desk.isOver() ? { ...decision, why: 'the turn is cancelled' } : allowedBy('a person', { options })
}

const CHANGING: ReadonlySet<ToolKind> = new Set<ToolKind>(['edit', 'move', 'delete'])

/** A change is not allowed where one of the files it names could not be written for the agent either. */
function pathRefusal({ request }: Desk, { kind, paths }: Tool): string | null {
  if (!CHANGING.has(kind)) return null
  for (const path of paths) {
    const why = whyNoWrite(request, path)
    if (why !== null) return `${path}: ${why}`
  }
  return null
}

// ───────────────────────────── files ─────────────────────────────

function readFile(sdk: Sdk, { traits, request, tools, log }: Desk, params: ReadTextFileRequest): { content: string } {
  const method = 'fs/read_text_file'
  const answer = tools.has('read') ? readFor(request.cwd, params.path, params) : ({ kind: 'refused', why: notAllowed('read') } as const)
  if (answer.kind === 'done') {
    log.add({ method, what: params.path, answer: 'done' })
    return { content: answer.text }
  }
  if (answer.kind === 'missing' && traits.missingIsEmpty) return { content: '' }
  if (answer.kind === 'missing') throw sdk.RequestError.resourceNotFound(params.path)
  log.add({ method, what: params.path, answer: 'refused', why: answer.why })
  throw sdk.RequestError.invalidParams({ path: params.path }, answer.why)
}

async function writeFile(sdk: Sdk, { request, tools, log, isOver }: Desk, { path, content }: WriteTextFileRequest): Promise<Record<string, never>> {
  const method = 'fs/write_text_file'
  const isAllowed = tools.has('edit') && !isOver()
  const answer = isAllowed ? await writeFor(request, path, content) : ({ kind: 'refused', why: isOver() ? 'the turn is cancelled' : notAllowed('edit') } as const)
  if (answer.kind === 'done') {
    log.add({ method, what: path, answer: 'done' })
    return {}
  }
  log.add({ method, what: path, answer: 'refused', why: answer.why })
  throw sdk.RequestError.invalidParams({ path }, answer.why)
}

// ───────────────────────────── terminals ─────────────────────────────

/** The only answer that may take long: one who takes the question back is told so at once, and the command runs on. */
async function exitOf(sdk: Sdk, { terminals }: Desk, id: string, signal: AbortSignal): Promise<ExitStatus> {
  const exit = terminals.exit(id) ?? gone(sdk, id)
  const takenBack = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))
  const status = signal.aborted ? null : await Promise.race([exit, takenBack])
  if (status === null) throw sdk.RequestError.requestCancelled()
  return status
}

function createTerminal(sdk: Sdk, { tools, log, terminals, isOver }: Desk, params: CreateTerminalRequest): { terminalId: string } {
  const method = 'terminal/create'
  const what = quoteCommand([params.command, ...(params.args ?? [])])
  const isAllowed = tools.has('execute') && !isOver()
  const made = isAllowed ? terminals.create(params) : { why: isOver() ? 'the turn is cancelled' : notAllowed('execute') }
  if ('id' in made) {
    log.add({ method, what, answer: 'allowed' })
    return { terminalId: made.id }
  }
  log.add({ method, what, answer: 'refused', why: made.why })
  throw sdk.RequestError.invalidParams({ command: params.command }, made.why)
}
