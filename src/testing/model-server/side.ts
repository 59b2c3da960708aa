// Tells requests that are beside the work, such as titles, summaries and probes, from those that a script answers.
import { sampleOf } from './sample.js'
import type { ModelRequest, ModelScript, ModelTurn } from './types.js'

/** Nobody lets an agent work in so few tokens. */
const PROBE_TOKENS = 32
const SIDE_TEXT = 'Scripted work'
const SIDE_USAGE = { input: 8, output: 4 }

/** How instructions begin that ask for a name or a digest of a conversation. */
const DIGESTS = [
  /^\s*you are a title generator/i,
  /^\s*(?:please )?(?:generate|write|create|suggest)\b[^.\n]{0,60}\b(?:title|name|topic)\b/i,
  /^\s*(?:please )?summari[sz]e (?:this|the) (?:coding )?conversation/i,
  /^\s*analy[sz]e (?:if|whether) this message indicates a new conversation topic/i,
  /^\s*analy[sz]e \*?only\*? the content and structure of your immediately preceding response/i,
]

/** Why a request takes no turn of the script; null when it takes one. */
export function sideReason(request: ModelRequest, client: ModelScript['client']): string | null {
  if (request.maxTokens !== null && request.maxTokens <= PROBE_TOKENS) return `it asks for ${request.maxTokens} tokens at most`
  if (DIGESTS.some((digest) => digest.test(request.system) || digest.test(request.prompt))) return 'it asks for a title or a summary'
  return client !== 'chat' && request.tools.length === 0 ? 'it offers no tools' : null
}

export function sideTurn({ answerSchema }: ModelRequest): ModelTurn {
  return { text: answerSchema ? JSON.stringify(sampleOf(answerSchema)) : SIDE_TEXT, usage: SIDE_USAGE }
}
