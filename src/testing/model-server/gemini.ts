// The protocol of Gemini's generateContent, which Gemini CLI speaks.
import { newestAsk, piecesOf, wordsIn, type Spoken } from './conversation.js'
import { geminiError } from './errors.js'
import { isRecord, numberOrNull, parsedOr, recordOf, recordsOf, stringOf, textOf, type Json } from './json.js'
import type { ModelTool, Protocol, Reply, ReplyPart, StreamEvent } from './types.js'

export const gemini: Protocol = {
  name: 'gemini',
  read(body, url) {
    const settings = recordOf(body.generationConfig)
    const schema = settings.responseJsonSchema ?? settings.responseSchema
    return {
      ...newestAsk(recordsOf(body.contents).map(spokenIn)),
      model: /models\/([^/:]+)/.exec(url.pathname)?.[1] ?? '',
      stream: !url.pathname.endsWith(':streamGenerateContent') ? 'none' : url.searchParams.get('alt') === 'sse' ? 'events' : 'array',
      tellsUsage: true,
      system: textOf(recordOf(body.systemInstruction).parts),
      tools: recordsOf(body.tools).flatMap((tool) => recordsOf(tool.functionDeclarations).map(toolOf)),
      maxTokens: numberOrNull(settings.maxOutputTokens),
      answerSchema: isRecord(schema) ? schema : null,
    }
  },
  whole: (reply) => chunkOf(reply, reply.parts.flatMap((part) => partsOf(part, [textIn(part)])), finishOf(reply)),
  events,
  error: geminiError,
  errorEvent: (error) => ({ data: geminiError(error) }),
}

/** Results of tools come in the user's name and are none of their words. */
function spokenIn({ role, parts }: Json): Spoken {
  const all = recordsOf(parts)
  if (role === 'model') return { by: 'model', text: textOf(all), calls: all.filter((part) => isRecord(part.functionCall)).length }
  const isResult = all.some((part) => isRecord(part.functionResponse))
  return { by: 'user', text: isResult ? '' : wordsIn(all.map(({ text }) => stringOf(text))), calls: 0 }
}

function toolOf(tool: Json): ModelTool {
  return { name: stringOf(tool.name), kind: 'function', schema: recordOf(tool.parametersJsonSchema ?? tool.parameters) }
}

function textIn(part: ReplyPart): string {
  return part.kind === 'call' ? '' : part.text
}

/** Calls come whole; a call whose input is no JSON cannot be said in this protocol, and `finishOf` tells of it. */
function partsOf(part: ReplyPart, texts: readonly string[]): Json[] {
  switch (part.kind) {
    case 'reasoning':
      return texts.map((text) => ({ text, thought: true }))
    case 'text':
    case 'refusal':
      return texts.map((text) => ({ text }))
    case 'call': {
      const args = parsedOr(part.input, undefined)
      return isRecord(args) ? [{ functionCall: { id: part.callId, name: part.name, args } }] : []
    }
  }
}

function finishOf({ stop, parts }: Reply): string {
  if (stop === 'length') return 'MAX_TOKENS'
  if (stop === 'filter') return 'SAFETY'
  if (stop === 'refusal') return 'PROHIBITED_CONTENT'
  const isMalformed = parts.some((part) => part.kind === 'call' && !isRecord(parsedOr(part.input, undefined)))
  return isMalformed ? 'MALFORMED_FUNCTION_CALL' : 'STOP'
}

function chunkOf(reply: Reply, parts: Json[], finishReason: string | null): Json {
  const candidate = { content: { role: 'model', parts }, index: 0, ...(finishReason === null ? {} : { finishReason }) }
  return {
    candidates: reply.choices === 'none' ? [] : [candidate],
    ...(finishReason === null ? {} : usageOf(reply)),
    modelVersion: reply.model,
    responseId: reply.id,
  }
}

/** Here reasoning is counted apart from the rest of the output. */
function usageOf({ usage }: Reply): Json {
  if (!usage) return {}
  return {
    usageMetadata: {
      promptTokenCount: usage.input,
      cachedContentTokenCount: usage.cachedInput,
      candidatesTokenCount: usage.output - usage.reasoning,
      thoughtsTokenCount: usage.reasoning,
      totalTokenCount: usage.input + usage.output,
    },
  }
}

function events(reply: Reply): StreamEvent[] {
  const parts = reply.choices === 'none' ? [] : reply.parts.flatMap((part) => partsOf(part, piecesOf(textIn(part))))
  return [
    ...parts.map((part) => ({ data: chunkOf(reply, [part], null) })),
    { data: chunkOf(reply, [{ text: '' }], finishOf(reply)), terminal: true },
  ]
}
