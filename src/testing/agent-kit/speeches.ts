// How the known command lines speak when they are run headless, as far as their closing records, usage and retries go.
import type { CliName } from '../../agent-entry.js'
import { secondsTo, type Closing, type Speech } from './speech.js'

const line = (record: object): string => JSON.stringify(record)
const AT = 1_770_372_000_000

function speech(parts: Omit<Speech, 'evidence'>): Speech {
  return { evidence: 'record', ...parts }
}

/** "5:44am", as a clock of that zone shows it; that of this machine when none is named. */
function clockIn(zone: string | undefined, at: number): string {
  return new Date(at).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', timeZone: zone }).replace(/\s/g, '').toLowerCase()
}

// ───────────────────────────── Claude Code, and Qwen after its manner ─────────────────────────────

const CLAUDE_USAGE = { input_tokens: 12, cache_creation_input_tokens: 0, cache_read_input_tokens: 300, output_tokens: 40 }

function claudeText(text: string): string {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'stub-model', content: [{ type: 'text', text }], stop_reason: null, usage: CLAUDE_USAGE }
  return line({ type: 'assistant', message, parent_tool_use_id: null, session_id: 's1' })
}

function claudeResult(more: object): string {
  return line({ type: 'result', subtype: 'success', is_error: false, duration_ms: 900, duration_api_ms: 800, num_turns: 2, session_id: 's1', total_cost_usd: 0.02, usage: CLAUDE_USAGE, permission_denials: [], ...more })
}

const claudeParts = {
  begins: [line({ type: 'system', subtype: 'init', cwd: '.', session_id: 's1', tools: ['Bash', 'Edit'], mcp_servers: [], model: 'stub-model', permissionMode: 'bypassPermissions' })],
  works: claudeText('looking'),
  retries: { on: 'out' as const, line: line({ type: 'system', subtype: 'api_retry', attempt: 2, max_retries: 10, retry_delay_ms: 50, error_status: 500, error: 'server_error', session_id: 's1' }) },
  succeeds: (said: string): Closing => ({ out: [claudeText(said), claudeResult({ result: said })] }),
}

const claude = speech({
  ...claudeParts,
  fails: (why) => ({ out: [claudeText(why), claudeResult({ subtype: 'error_during_execution', is_error: true, errors: [why], result: why })], exit: 1 }),
  limited: (until) => {
    const said = `You've hit your session limit · resets ${clockIn('UTC', until)} (UTC)`
    const limit = { status: 'rejected', resetsAt: Math.round(until / 1000), rateLimitType: 'five_hour', isUsingOverage: false }
    const refused = claudeResult({ is_error: true, api_error_status: 429, result: said, stop_reason: 'stop_sequence', total_cost_usd: 0 })
    return { out: [line({ type: 'rate_limit_event', rate_limit_info: limit, session_id: 's1' }), claudeText(said), refused], exit: 1 }
  },
})

const qwen = speech({
  ...claudeParts,
  retries: null,
  fails: (why) => ({ out: [claudeResult({ subtype: 'error_during_execution', is_error: true, error: { message: why } })], exit: 1 }),
  // An older version calls it a success, with exit status 0.
  limited: (until) => {
    const said = `[API Error: 429 Rate limit exceeded. Please try again in ${secondsTo(until)}s]`
    return { out: [claudeText(said), claudeResult({ result: said })] }
  },
})

// ───────────────────────────── Codex ─────────────────────────────

const codexFails = (message: string): Closing => ({ out: [line({ type: 'error', message }), line({ type: 'turn.failed', error: { message } })], exit: 1 })

const codex = speech({
  begins: [line({ type: 'thread.started', thread_id: 't1' }), line({ type: 'turn.started' })],
  works: line({ type: 'item.completed', item: { id: 'item_0', type: 'command_execution', command: 'ls', aggregated_output: '', exit_code: 0, status: 'completed' } }),
  retries: { on: 'out', line: line({ type: 'error', message: 'Reconnecting... 2/5 (We’re currently experiencing high demand, which may cause temporary errors.)' }) },
  succeeds: (text) => ({
    out: [
      line({ type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text } }),
      line({ type: 'turn.completed', usage: { input_tokens: 312, cached_input_tokens: 300, output_tokens: 40, reasoning_output_tokens: 5 } }),
    ],
  }),
  fails: codexFails,
  limited: (until) => codexFails(`You’ve hit your usage limit. Visit https://chatgpt.com/settings/usage to purchase more credits or try again at ${clockIn(undefined, until)}.`),
})

// ───────────────────────────── opencode ─────────────────────────────

const opencodePart = (type: string, part: object): string => line({ type, timestamp: AT, sessionID: 'ses_1', part: { id: 'prt_1', sessionID: 'ses_1', messageID: 'msg_1', ...part } })
const opencodeError = (name: string, message: string, more: object = {}): Closing => ({
  out: [line({ type: 'error', timestamp: AT, sessionID: 'ses_1', error: { name, data: { message, ...more } } })],
  exit: 1,
})

const opencode = speech({
  begins: [opencodePart('step_start', { type: 'step-start' })],
  works: opencodePart('text', { type: 'text', text: 'looking', time: { start: AT, end: AT } }),
  retries: { on: 'err', line: 'timestamp=2026-02-06T10:00:00.000Z level=ERROR run=r1 message="stream error" providerID=s modelID=m agent=build mode=primary error.error="AI_APICallError: Something went wrong in the server."' },
  succeeds: (text) => ({
    out: [
      opencodePart('text', { type: 'text', text, time: { start: AT, end: AT } }),
      opencodePart('step_finish', { type: 'step-finish', reason: 'stop', cost: 0.02, tokens: { total: 352, input: 12, output: 35, reasoning: 5, cache: { read: 300, write: 0 } } }),
    ],
  }),
  fails: (why) => opencodeError('UnknownError', why),
  limited: (until) => opencodeError('APIError', `Rate limit exceeded. Please try again in ${secondsTo(until)}s`, { statusCode: 429, isRetryable: true }),
})

// ───────────────────────────── Gemini ─────────────────────────────

const geminiAt = { timestamp: '2026-02-06T10:00:00.000Z' }
const geminiStats = { total_tokens: 352, input_tokens: 312, output_tokens: 40, cached: 300, input: 12, duration_ms: 900, tool_calls: 0 }
const geminiFails = (message: string): Closing => ({
  out: [line({ type: 'result', ...geminiAt, status: 'error', error: { type: 'Error', message }, stats: geminiStats })],
  err: [message],
  exit: 1,
})

const gemini = speech({
  begins: [line({ type: 'init', ...geminiAt, session_id: 's1', model: 'stub-model' }), line({ type: 'message', ...geminiAt, role: 'user', content: 'the prompt' })],
  works: line({ type: 'tool_use', ...geminiAt, tool_name: 'list_directory', tool_id: 't1', parameters: {} }),
  retries: { on: 'err', line: 'Attempt 2 failed with status 500. Retrying with backoff... _ApiError: {"error":{"code":500,"message":"Something went wrong in the server.","status":"INTERNAL","details":[]}}' },
  succeeds: (content) => ({
    out: [line({ type: 'message', ...geminiAt, role: 'assistant', content, delta: true }), line({ type: 'result', ...geminiAt, status: 'success', stats: geminiStats })],
  }),
  fails: geminiFails,
  limited: (until) => geminiFails(`[API Error: You have exhausted your capacity on this model. Your quota will reset after ${secondsTo(until)}s.]`),
})

// ───────────────────────────── pi ─────────────────────────────

const piUsage = { input: 12, output: 40, cacheRead: 300, cacheWrite: 0, totalTokens: 352, cost: { input: 0.01, output: 0.01, cacheRead: 0, cacheWrite: 0, total: 0.02 } }
const piMessage = (text: string, more: object): object => ({ role: 'assistant', content: [{ type: 'text', text }], api: 'openai-completions', provider: 's', model: 'stub-model', usage: piUsage, timestamp: AT, ...more })
const piCloses = (message: object): Closing => ({
  out: [line({ type: 'message_end', message }), line({ type: 'turn_end', message, toolResults: [] }), line({ type: 'agent_end', messages: [message] })],
})

const pi = speech({
  begins: [line({ type: 'session', version: 3, id: 's1', timestamp: geminiAt.timestamp, cwd: '.' }), line({ type: 'agent_start' }), line({ type: 'turn_start' })],
  works: line({ type: 'tool_execution_start', toolCallId: 't1', toolName: 'ls', args: {} }),
  retries: { on: 'out', line: line({ type: 'auto_retry_start', attempt: 2, maxAttempts: 3, delayMs: 50, errorMessage: '500 Something went wrong in the server.' }) },
  succeeds: (said) => piCloses(piMessage(said, { stopReason: 'stop' })),
  // It ends with exit status 0 whatever happened.
  fails: (why) => piCloses(piMessage('', { stopReason: 'error', errorMessage: why })),
  limited: (until) => piCloses(piMessage('', { stopReason: 'error', errorMessage: `429 Rate limit exceeded. Please try again in ${secondsTo(until)}s` })),
})

// ───────────────────────────── goose ─────────────────────────────

const gooseText = (text: string): string => line({ type: 'message', message: { id: 'm1', role: 'assistant', created: AT / 1000, content: [{ type: 'text', text }], metadata: { userVisible: true, agentVisible: true } } })
const gooseEnd = line({ type: 'complete', total_tokens: 352 })
const gooseFails = (why: string): Closing => ({ out: [gooseText(`Ran into this error: ${why}.\n\nPlease retry if you think this is a transient or recoverable error.`), gooseEnd] })

const goose = speech({
  begins: ['', '    __( O)>  ● new session · openai stub-model', '   \\____)    goose is ready'],
  works: line({ type: 'message', message: { id: 'm0', role: 'assistant', created: AT / 1000, content: [{ type: 'toolRequest', id: 't1', toolCall: { status: 'success', value: { name: 'developer__shell', arguments: {} } } }] } }),
  retries: null,
  succeeds: (said) => ({ out: [gooseText(said), gooseEnd] }),
  fails: (why) => gooseFails(`Execution error: ${why}`),
  limited: (until) => gooseFails(`Rate limit exceeded: Please try again in ${secondsTo(until)}s`),
})

/** By the name that settings have for them. */
export const cliSpeeches: Readonly<Record<CliName, Speech>> = { claude, codex, opencode, gemini, qwen, pi, goose }
