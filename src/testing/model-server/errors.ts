// How each protocol words an error.
import type { Json } from './json.js'
import type { ErrorKind, ModelError } from './types.js'

type Words = { openAi: { type: string; code: string | null }; anthropic: string; gemini: string }

const WORDS: Record<ErrorKind, Words> = {
  'bad-request': words('invalid_request_error', null, 'invalid_request_error', 'INVALID_ARGUMENT'),
  context: words('invalid_request_error', 'context_length_exceeded', 'invalid_request_error', 'INVALID_ARGUMENT'),
  unauthorised: words('invalid_request_error', 'invalid_api_key', 'authentication_error', 'UNAUTHENTICATED'),
  forbidden: words('invalid_request_error', 'unsupported_country_region_territory', 'permission_error', 'PERMISSION_DENIED'),
  'not-found': words('invalid_request_error', 'model_not_found', 'not_found_error', 'NOT_FOUND'),
  'too-large': words('invalid_request_error', 'request_too_large', 'request_too_large', 'INVALID_ARGUMENT'),
  rate: words('requests', 'rate_limit_exceeded', 'rate_limit_error', 'RESOURCE_EXHAUSTED'),
  quota: words('insufficient_quota', 'insufficient_quota', 'rate_limit_error', 'RESOURCE_EXHAUSTED'),
  internal: words('server_error', null, 'api_error', 'INTERNAL'),
  gateway: words('server_error', null, 'api_error', 'UNAVAILABLE'),
  unavailable: words('server_error', 'service_unavailable', 'api_error', 'UNAVAILABLE'),
  timeout: words('server_error', 'timeout', 'timeout_error', 'DEADLINE_EXCEEDED'),
  overloaded: words('server_error', 'server_is_overloaded', 'overloaded_error', 'UNAVAILABLE'),
}

function words(type: string, code: string | null, anthropic: string, gemini: string): Words {
  return { openAi: { type, code }, anthropic, gemini }
}

export function openAiError({ kind, message }: ModelError): Json {
  return { error: { message, ...WORDS[kind].openAi, param: null } }
}

export function anthropicError({ kind, message }: ModelError): Json {
  return { type: 'error', error: { type: WORDS[kind].anthropic, message }, request_id: 'req_scripted' }
}

export function geminiError({ kind, message, status, retryAfterSeconds }: ModelError): Json {
  const details =
    retryAfterSeconds === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfterSeconds}s` }]
  return { error: { code: status, message, status: WORDS[kind].gemini, details } }
}
