// Which path asks for what, with any base in front of it.
import { chat } from './chat.js'
import { gemini } from './gemini.js'
import { messages } from './messages.js'
import { responses } from './responses.js'
import type { Protocol } from './types.js'

export type Route =
  | { kind: 'answer'; protocol: Protocol }
  | { kind: 'models'; of: 'gemini' | 'others' }
  | { kind: 'count' }
  | { kind: 'other' }

export function routeOf(method: string, path: string): Route {
  if (/(count_tokens|:countTokens)$/.test(path)) return { kind: 'count' }
  if (method === 'GET') {
    if (/\/models(\/[^/:]+)?$/.test(path)) return { kind: 'models', of: path.includes('/v1beta/') ? 'gemini' : 'others' }
    return { kind: 'other' }
  }
  if (method !== 'POST') return { kind: 'other' }
  const protocol = protocolOf(path)
  return protocol ? { kind: 'answer', protocol } : { kind: 'other' }
}

function protocolOf(path: string): Protocol | null {
  if (path.endsWith('/chat/completions')) return chat
  if (path.endsWith('/responses')) return responses
  if (path.endsWith('/messages')) return messages
  return /:(streamG|g)enerateContent$/.test(path) ? gemini : null
}

/** One list that OpenAI's and Anthropic's clients both read, or Gemini's. */
export function modelList(of: 'gemini' | 'others', names: readonly string[]): unknown {
  if (of === 'gemini') {
    const abilities = { inputTokenLimit: 1_000_000, supportedGenerationMethods: ['generateContent', 'countTokens'] }
    return { models: names.map((name) => ({ name: `models/${name}`, displayName: name, ...abilities })) }
  }
  const data = names.map((id) => ({ id, object: 'model', type: 'model', display_name: id, created: 0, owned_by: 'scripted' }))
  return { object: 'list', data, has_more: false, first_id: names[0] ?? null, last_id: names.at(-1) ?? null }
}

/** Both clients' names for it, since each looks only for its own. */
export function tokenCount(text: string): unknown {
  const tokens = Math.ceil(text.length / 4)
  return { input_tokens: tokens, totalTokens: tokens }
}
