// Our side of the protocol: answers every request of an agent, by policy, and writes down what it answered.
import type { ClientApp, CreateTerminalRequest, ReadTextFileRequest, RequestPermissionResponse, WriteTextFileRequest } from '@agentclientprotocol/sdk'
import type { ToolKind } from '../../../agent-entry.js'
import type { AskRequest } from '../../../ports.js'
import { quoteCommand } from '../../../text/quote.js'
import { isObject } from '../../../text/reply-json.js'
import { readFor, whyNoWrite, writeFor } from './files.js'
import { decide, optionsIn } from './policy.js'
import type { AnswerLog } from './record.js'
import type { Traits } from './table.js'
import type { Terminals } from './terminals.js'
import type { Listener, Tool } from './updates.js'

/** Loaded only when an agent of this kind is asked: it takes longer than the rest of the program. */
export type Sdk = typeof import('@agentclientprotocol/sdk')

export type Desk = {
  traits: Pick<Traits, 'missingIsEmpty'>
  request: Pick<AskRequest, 'cwd' | 'mayWrite'>
  tools: ReadonlySet<ToolKind>
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
  app.onRequest('terminal/wait_for_exit', async ({ params: { terminalId } }) => (await desk.terminals.exit(terminalId)) ?? gone(sdk, terminalId))
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

function permission(desk: Desk, params: unknown): RequestPermissionResponse {
  const { toolCall, options } = isObject(params) ? params : {}
  const tool = desk.listener.tool(isObject(toolCall) ? toolCall : {})
  const method = 'session/request_permission'
  if (desk.isOver()) {
    desk.log.add({ method, what: tool.title, answer: 'refused', why: 'the turn is cancelled' })
    return CANCELLED
  }
  const { allowed, optionId, why } = decide({ kind: tool.kind, options: optionsIn(options), refusal: pathRefusal(desk, tool) }, desk.tools)
  desk.log.add({ method, what: tool.title, answer: allowed ? 'allowed' : 'refused', why })
  return optionId === null ? CANCELLED : { outcome: { outcome: 'selected', optionId } }
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

function notAllowed(kind: ToolKind): string {
  return `${kind} is not among the tools it is allowed`
}

// ───────────────────────────── terminals ─────────────────────────────

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
