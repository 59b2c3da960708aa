// Proves that complaints of agents and servers are recognised in the wordings they are known for, and talk about them is not.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faultIn, type FaultKind } from './agent-faults.js'

const NOW = Date.UTC(2026, 1, 6, 10, 0, 0)
const ZONE = 'UTC'

const at = (...parts: Parameters<typeof Date.UTC>): number => Date.UTC(...parts)
const after = (seconds: number): number => NOW + seconds * 1000

type Row = readonly [kind: FaultKind, text: string, until?: number]

/** As they are printed or sent, with another's ids and addresses taken out. */
const SAID: Record<string, readonly Row[]> = {
  'Claude Code': [
    ['limit', 'Claude AI usage limit reached|1770376800', 1_770_376_800_000],
    ['limit', 'Claude usage limit reached. Your limit will reset at 1pm (Etc/GMT+5).', at(2026, 1, 6, 18)],
    ['limit', '5-hour limit reached ∙ resets 3pm', at(2026, 1, 6, 15)],
    ['limit', "You've hit your limit · resets 1:30am (Asia/Dhaka)", at(2026, 1, 6, 19, 30)],
    ['limit', "You've hit your session limit · resets 12:50am (America/Los_Angeles)", at(2026, 1, 7, 8, 50)],
    ['limit', 'You’ve hit your limit for Claude messages. Limits will reset at 9:30 AM.', at(2026, 1, 7, 9, 30)],
    ['limit', "You've hit your weekly limit · resets Feb 9, 10am (Europe/Berlin)", at(2026, 1, 9, 9)],
    ['limit', 'Opus weekly limit reached ∙ resets 9pm', at(2026, 1, 6, 21)],
    ['limit', "You've hit your session limit · resets 5:44am (UTC)", at(2026, 1, 7, 5, 44)],
    ['limit', 'Credit balance is too low'],
    ['limit', 'API Error: 429 {"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your account\'s rate limit. Please try again later."},"request_id":"req_0"}'],
    ['login', 'Invalid API key · Please run /login'],
    ['login', 'API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"OAuth token has expired. Please obtain a new token or refresh your existing token."},"request_id":"req_0"} · Please run /login'],
    ['login', 'Not logged in · Please run /login'],
    ['server', 'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_0"}'],
    ['server', 'API Error (529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}) · Retrying in 5 seconds… (attempt 4/10)', after(5)],
    ['server', 'API Error: 500 {"type":"error","error":{"type":"api_error","message":"Internal server error"}}'],
    ['network', 'API Error: Connection error.'],
    ['network', 'API Error: Unable to connect to API (ECONNREFUSED)'],
  ],
  Codex: [
    ['limit', "You've hit your usage limit. Upgrade to Pro (https://example.com/pricing) or try again in 2 days 17 hours 14 minutes.", after(2 * 86400 + 17 * 3600 + 14 * 60)],
    ['limit', "You've hit your usage limit. To get more access now, send a request to your admin or try again at 12:16 PM.", at(2026, 1, 6, 12, 16)],
    ['limit', 'You’ve hit your usage limit. Visit https://example.com/usage to purchase more credits or try again at 5:44 AM.', at(2026, 1, 7, 5, 44)],
    ['limit', "You've hit your usage limit. Try again at Feb 14th, 2026 12:16 PM.", at(2026, 1, 14, 12, 16)],
    ['limit', 'ERROR: Quota exceeded. Check your plan and billing details.'],
    ['limit', 'exceeded retry limit, last status: 429 Too Many Requests, request id: c4fc59ca'],
    ['limit', 'stream disconnected before completion: Rate limit is exceeded. Try again in 17 seconds.', after(17)],
    ['limit', 'stream error: stream disconnected before completion: Rate limit reached for organization org-0 on tokens per min (TPM): Limit 250000, Used 250000, Requested 89623. Please try again in 21.509s.', after(21.509)],
    ['limit', 'Error: Codex error: {"type":"error","error":{"type":"usage_limit_reached","message":"The usage limit has been reached","plan_type":"plus","resets_at":1770390000,"resets_in_seconds":13872},"status_code":429}', 1_770_390_000_000],
    ['login', 'exceeded retry limit, last status: 401 Unauthorized, request id: 9a5793386e39fede-SIN'],
    ['login', 'unexpected status 401 Unauthorized: Missing bearer or basic authentication in header'],
    ['login', '2026-02-06T09:59:00.123456Z ERROR codex_core::auth: Failed to refresh token: 400 Bad Request'],
    ['network', 'stream disconnected before completion: error sending request for url (http://127.0.0.1:9/v1/responses)'],
    ['server', 'stream disconnected before completion: An error occurred while processing your request. You can retry your request.'],
    ['server', "exceeded retry limit, last status: 503 Service Unavailable"],
  ],
  Gemini: [
    ['limit', '✕ [API Error: Resource has been exhausted (e.g. check quota).]'],
    ['limit', '[API Error: You have exhausted your capacity on this model. Your quota will reset after 13h22m10s.]', after(13 * 3600 + 22 * 60 + 10)],
    ['limit', 'Attempt 2 failed with status 429. Retrying with backoff... _ApiError: {"error":{"message":"{\\n  \\"error\\": {\\n    \\"code\\": 429,\\n    \\"message\\": \\"You exceeded your current quota, please check your plan and billing details. \\\\nPlease retry in 34.5s.\\",\\n    \\"status\\": \\"RESOURCE_EXHAUSTED\\"\\n  }\\n}\\n","code":429,"status":"Too Many Requests"}}', after(34.5)],
    ['limit', '[API Error: [{\n    "error": {\n      "code": 429,\n      "message": "Quota exceeded for quota metric \'Requests\' and limit \'Requests per day\'",\n      "status": "RESOURCE_EXHAUSTED",\n      "details": [{\n        "retryDelay": "51s"\n      }]\n    }\n  }\n]]', after(51)],
    ['limit', 'Attempt 2 failed: Too many requests.\nSuggested retry after 20s.. Retrying after 32769ms...', after(20)],
    ['login', 'Please set an Auth method in your ~/.gemini/settings.json or specify one of the following environment variables before running: GEMINI_API_KEY'],
    ['login', '{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}'],
    ['server', '[API Error: {"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}]'],
    ['network', 'Error: exception TypeError: fetch failed sending request'],
  ],
  'Qwen, opencode, pi and goose': [
    ['limit', '[API Error: 429 status code (no body)]'],
    ['limit', 'Error: Qwen OAuth quota exceeded: Your free daily quota has been reached.'],
    ['limit', '429 Rate limit exceeded. Please try again in 5400s', after(5400)],
    ['login', '[API Error: 401 The API key is not valid.]'],
    ['server', '500 Something went wrong in the server.'],
    ['server', 'Ran into this error: Server error: Server error (500 Internal Server Error) at http://127.0.0.1:8080/v1/chat/completions: Something went wrong in the server..\n\nPlease retry if you think this is a transient or recoverable error.'],
    ['network', 'Connection error.'],
    ['limit', 'Error from provider (Console): Rate limit exceeded. Please try again later.'],
    ['limit', 'Error: OpenAI API error (429): {"param":null,"code":"rate_limit_exceeded","type":"rate_limit_error","message":"Upstream request failed"}'],
    ['limit', 'AI_APICallError: You have exceeded the request rate limit. Please wait a short period before retrying your request.'],
    ['limit', 'Ran into this error: Rate limit exceeded: Max retries exceeded for rate limit error.'],
    ['login', 'Error: OPENAI_API_KEY environment variable not found'],
    ['login', 'Ran into this error: Authentication error: Authentication failed. Status: 401 Unauthorized.'],
    ['network', 'Error: Unable to connect. Is the computer able to access the url?'],
    ['server', 'Ran into this error: Server error: Server error (500): Something went wrong.'],
    ['server', 'Error: 502 Bad Gateway'],
  ],
  'servers of models': [
    ['limit', "Error code: 429 - {'error': {'message': 'You exceeded your current quota, please check your plan and billing details.', 'type': 'insufficient_quota', 'param': None, 'code': 'insufficient_quota'}}"],
    ['limit', '{"error":{"message":"Rate limit reached for gpt-x in organization org-0 on requests per min. Please try again in 1m30s.","type":"requests","code":"rate_limit_exceeded"}}', after(90)],
    ['limit', 'HTTP/1.1 429 Too Many Requests\nRetry-After: 120\n', after(120)],
    ['limit', 'Error: 429 Too Many Requests\nretry-after: Fri, 06 Feb 2026 10:10:00 GMT\n', at(2026, 1, 6, 10, 10)],
    ['limit', 'Error: Rate limited, resets at 2026-02-06T12:30:00+02:00', at(2026, 1, 6, 10, 30)],
    ['limit', 'Error code: 402 - Payment required: insufficient balance'],
    ['login', '{"error":{"message":"Incorrect API key provided: sk-0***. You can find your API key at the platform.","type":"invalid_request_error","code":"invalid_api_key"}}'],
    ['login', '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}'],
    ['server', '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'],
    ['server', '{"error":{"message":"The server had an error","type":"server_error","code":null}}'],
  ],
  'Node and curl': [
    ['network', 'Error: connect ECONNREFUSED 127.0.0.1:11434'],
    ['network', 'Error: getaddrinfo ENOTFOUND api.example.com'],
    ['network', 'TypeError: fetch failed\n  [cause]: Error: read ECONNRESET'],
    ['network', 'Error: socket hang up'],
    ['network', 'curl: (6) Could not resolve host: api.example.com'],
    ['network', 'curl: (7) Failed to connect to 127.0.0.1 port 9 after 0 ms: Connection refused'],
    ['network', 'curl: (28) Operation timed out after 30001 milliseconds with 0 bytes received'],
    ['server', 'curl: (22) The requested URL returned error: 503'],
  ],
}

describe('faultIn', () => {
  for (const [who, rows] of Object.entries(SAID)) {
    it.each(rows.map(([kind, text, until]) => ({ kind, text, until })))(`reads a fault of the kind $kind in what ${who} says: $text`, ({ kind, text, until }) => {
      const fault = faultIn(text, NOW, ZONE)
      expect(fault?.kind).toBe(kind)
      if (until !== undefined) expect(fault?.until).toBe(until)
    })
  }

  it('finds when a limit is over on another line than the limit', () => {
    expect(faultIn('HTTP error: 429\nretry-after: 120', NOW, ZONE)).toMatchObject({ kind: 'limit', until: after(120) })
  })

  it.each([
    'I added a handler for 429 responses and a test for the rate limit.',
    'The client now retries on HTTP 503 and gives up on 401 Unauthorized.',
    'Rate limit exceeded errors are shown to the user in red.',
    'Done. Requests over the quota exceeded the limit before; they are queued now.',
    '- 429 Too Many Requests: tried again after Retry-After',
    '1. Invalid API key: shows the login page',
    'AssertionError: expected 429 to equal 200',
    'Error: expected status 200, got 429',
    'src/limit.ts(4,29): error TS2304: Cannot find name "rateLimit".',
    'FAIL test/429.test.ts > rate limit > answers 429',
    'Here is what a server sends:\n```json\n{"type":"error","error":{"type":"rate_limit_error","message":"Too many requests"}}\n```\nIt is read now.',
    '> You\'ve hit your usage limit.',
    'The mock answers {"error":{"type":"overloaded_error"}} three times.',
    'Error: Cannot find module "./login.js"',
    'Error: reached max turns (30)',
    'Error: listen EADDRINUSE: address already in use 127.0.0.1:4290',
    'prompt is too long: 250000 tokens > 200000 maximum',
    'error: 401 lines changed',
    '500 files were changed.',
    'Network error handling is better now.',
    'Forbidden words are gone.',
    'Overloaded operators are resolved',
    'Error: 500 files were read',
    'ended without its closing record (exit 1)',
    '',
  ])('hears no fault in %j', (text) => {
    expect(faultIn(text, NOW, ZONE)).toBeNull()
  })

  it('says of several what can be waited for rather than what came last', () => {
    const text = "Error: fetch failed\nYou've hit your usage limit. Try again in 5 minutes.\nError: socket hang up"
    expect(faultIn(text, NOW, ZONE)).toEqual({ kind: 'limit', note: "You've hit your usage limit. Try again in 5 minutes.", until: after(300) })
  })

  it('has the message of an error as its note, in one short line', () => {
    expect(faultIn('API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', NOW)?.note).toBe('Overloaded')
    expect(faultIn(`Error: 429 Too ${'very '.repeat(200)}`, NOW)?.note).toHaveLength(200)
  })

  it('believes no time that is past or a year away', () => {
    expect(faultIn('Claude AI usage limit reached|1700000000', NOW)).toEqual({ kind: 'limit', note: 'Claude AI usage limit reached|1700000000' })
    expect(faultIn('Error: 429\nRetry-After: 99999999', NOW)).not.toHaveProperty('until')
  })

  it('reads a time of day in the zone that it is given, over a change of clocks too', () => {
    const before = at(2026, 2, 28, 20)
    expect(faultIn('5-hour limit reached ∙ resets 3am', before, 'Europe/Berlin')?.until).toBe(at(2026, 2, 29, 1))
    expect(faultIn('5-hour limit reached ∙ resets 3am (No/Where)', before, 'Europe/Berlin')).not.toHaveProperty('until')
  })

  it('never throws, names no time that is past, and says one line, whatever it reads', () => {
    const words = Object.values(SAID).flatMap((rows) => rows.map(([, text]) => text))
    const piece = fc.oneof(fc.string(), fc.constantFrom(...words), fc.constantFrom('Error: ', '429', '|', 'resets ', 'again in ', '1d', '\\n', '{"', '":', '```'))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const fault = faultIn(pieces.join(''), NOW, ZONE)
        if (fault === null) return
        expect(fault.note).toMatch(/^[^\n]{1,200}$/u)
        if (fault.until !== undefined) expect(fault.until).toBeGreaterThan(NOW)
      }),
    )
  })

  it('reads backslashes without end once, and not once more for each of them', () => {
    const long = '\\'.repeat(64 * 1024)
    // By their square these would take longer than any test may.
    for (let turn = 0; turn < 6; turn += 1) expect(faultIn(`${long}${turn}`, NOW, ZONE)).toBeNull()
  })

  it('reads ever more of the same in time that grows no faster than the text', () => {
    const hostile = ['{"error":', '"message": "', 'Error: ', 'you have hit your ', 'again in 1d ', '(((', 'error from provider ', '```\n', '\\\\"', '1 ', "'a", 'claude usage ']
    for (const text of hostile) {
      const long = text.repeat(Math.ceil((4 * 1024 * 1024) / text.length))
      const began = performance.now()
      faultIn(long, NOW, ZONE)
      faultIn(`Error: 429 ${long}`, NOW, ZONE)
      // A pattern that backtracks without end would take hours here.
      expect(performance.now() - began).toBeLessThan(20_000)
    }
  })
})
