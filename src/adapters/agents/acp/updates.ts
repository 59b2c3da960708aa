// What an agent tells of its work while it works: its words, what it is at, what it uses. Read with leniency, believed in nothing.
import type { Price, ToolKind } from '../../../agent-entry.js'
import type { Activity, Usage } from '../../../ports.js'
import { isObject, type JsonObject } from '../../../text/reply/json.js'
import { addUsage, NO_USAGE, spendOf, withPrice } from '../usage.js'
import { kindOf } from './policy.js'
import { dollarsIn, usageOfStep, usageOfTurn } from './usage-told.js'

/** A tool call as far as it was told: requests for permission need not repeat it. */
export type Tool = { kind: ToolKind; title: string; paths: string[] }

export type Listener = {
  hear(method: string, params: unknown): void
  /** What the answer to the prompt adds: what all of it used. */
  hearEnd(answer: unknown): void
  /** What is known of a tool call, with what a request for permission says of it. */
  tool(call: JsonObject): Tool
  /** Its last message. */
  text(): string
  usage(): Usage | null
  /** How much it has said and thought, in all its messages; null when it has not begun to work. */
  saidChars(): number | null
}

const MOST_TEXT_CHARS = 4 * 1024 * 1024
const MOST_TOOLS = 2000

export type Listening = { onActivity: (activity: Activity) => void; price: Price | undefined; brief: (text: string) => string }

export function listenToUpdates({ onActivity, price, brief }: Listening): Listener {
  const tools = knownTools()
  const words = lastMessage()
  const meter = openMeter(onActivity, price)
  let saidChars: number | null = null
  const count = ({ content }: JsonObject): void => {
    saidChars = (saidChars ?? 0) + (isObject(content) ? textOf(content['text']).length : 0)
  }
  const heardOfTool = (call: JsonObject): void => {
    const merged = tools.keep(call)
    if (call['status'] === undefined || call['status'] === 'pending' || call['status'] === 'in_progress') onActivity({ kind: 'doing', note: brief(merged.title) })
  }
  return {
    hear(method, params) {
      const update = method === 'session/update' && isObject(params) ? params['update'] : null
      if (!isObject(update)) return
      switch (update['sessionUpdate']) {
        case 'agent_thought_chunk':
          return count(update)
        case 'agent_message_chunk':
          count(update)
          words.add(update)
          return meter.step(update)
        case 'tool_call':
          words.close()
          saidChars ??= 0
          return heardOfTool(update)
        case 'tool_call_update':
          return heardOfTool(update)
        case 'usage_update':
          return meter.cost(update)
      }
    },
    hearEnd(answer) {
      saidChars ??= 0
      meter.end(answer)
    },
    tool: tools.merged,
    text: words.text,
    usage: meter.usage,
    saidChars: () => saidChars,
  }
}

type Meter = { step(update: JsonObject): void; cost(update: JsonObject): void; end(answer: unknown): void; usage(): Usage | null }

/** What it tells that it uses: by the step, by the session, or at the end of its turn. */
function openMeter(onActivity: Listening['onActivity'], price: Price | undefined): Meter {
  const began = performance.now()
  let usage: Usage | null = null
  let steps: Usage | null = null
  const use = (told: Usage): void => {
    usage = withPrice(told, price)
    onActivity({ kind: 'spent', spent: spendOf(usage, (performance.now() - began) / 1000) })
  }
  return {
    step(update) {
      const step = usageOfStep(update)
      if (step) use((steps = addUsage(steps ?? NO_USAGE, step)))
    },
    cost({ cost }) {
      const usd = dollarsIn(cost)
      // What was told of a session before does not become less.
      if (usd !== null) use({ ...(usage ?? NO_USAGE), usd: Math.max(usd, usage?.usd ?? 0) })
    },
    end(answer) {
      const told = steps ?? usageOfTurn(answer)
      if (told) use({ ...told, usd: usage?.usd ?? null })
    },
    usage: () => usage,
  }
}

/** An update of a call tells only what is new; the rest is as it was told before. */
function knownTools(): { merged(call: JsonObject): Tool; keep(call: JsonObject): Tool } {
  const tools = new Map<string, Tool>()
  const merged = (call: JsonObject): Tool => {
    const known = tools.get(idOf(call))
    const kind = call['kind'] === undefined || call['kind'] === null ? (known?.kind ?? 'other') : kindOf(call['kind'])
    return { kind, title: textOf(call['title']) || known?.title || kind, paths: pathsIn(call) ?? known?.paths ?? [] }
  }
  const keep = (call: JsonObject): Tool => {
    const tool = merged(call)
    if (tools.size < MOST_TOOLS) tools.set(idOf(call), tool)
    return tool
  }
  return { merged, keep }
}

/** A message ends where a tool call begins or another id comes; the last one that says anything is the answer. */
function lastMessage(): { add(update: JsonObject): void; close(): void; text(): string } {
  let text = ''
  let isClosed = false
  let id: unknown = null
  return {
    add({ content, messageId }) {
      const more = isObject(content) && content['type'] === 'text' ? textOf(content['text']) : ''
      if (more === '') return
      const isNext = isClosed || (messageId ?? null) !== id
      id = messageId ?? null
      if (isNext && more.trim() === '') return
      if (isNext) text = ''
      text += more.slice(0, MOST_TEXT_CHARS - text.length)
      isClosed = false
    },
    close: () => void (isClosed = true),
    text: () => text,
  }
}

/** Whatever it is, it must not be asked what it is as text: that may throw. */
function idOf({ toolCallId }: JsonObject): string {
  return typeof toolCallId === 'string' ? toolCallId : (JSON.stringify(toolCallId) ?? '')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The files a tool call is about; null when it does not say. */
function pathsIn({ locations, content }: JsonObject): string[] | null {
  const listed = [locations, content].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
  const paths = listed.flatMap((each) => (isObject(each) && typeof each['path'] === 'string' ? [each['path']] : []))
  return paths.length > 0 ? [...new Set(paths)] : null
}
