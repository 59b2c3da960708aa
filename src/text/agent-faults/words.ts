// The words by which agents and servers say that they could not serve. Every pattern is anchored and bounded: none can run away.
import type { FaultKind } from './agent-faults.js'

/** Answers, lists, quotations and diffs talk about faults; they are none. */
export const PROSE = /^\s{0,8}(?:[-*+>#]\s|\d{1,2}[.)]\s|[+-]{3}|@@|\/\/|\/\*|\$ )/

/** What a test runner prints of a test that is about faults. */
export const NOT_A_COMPLAINT = /\b(?:expected|assert\w{0,20}|received:|toBe\w{0,20}|toEqual|toThrow)\b/i

type Lead = {
  says: RegExp
  /** Whether what follows is surely a complaint. */
  counts: boolean
}

/** What may stand before the complaint itself, peeled off one after another. */
export const LEADS: readonly Lead[] = [
  { says: /^[\u{FE0F}\s"'`│┃|⎿✕✖✗✘■●•⚠❌!▲×└├─[\](){}<>:·∙,=]{1,40}/u, counts: false },
  { says: /^\d{4}-\d\d-\d\d[T ][\d:.,]{5,20}(?:Z|[+-]\d\d:?\d\d)?\s{0,4}/, counts: false },
  { says: /^\d\d:\d\d:\d\d[.,\d]{0,8}\s{0,4}/, counts: false },
  { says: /^(?:ERROR|WARN|WARNING|FATAL|CRITICAL|SEVERE)\b:?\s{0,8}(?:[\w-]{1,40}(?:(?:::|\.)[\w-]{1,40}){1,8}:\s{0,4})?/, counts: true },
  { says: /^(?:error_?)?(?:message|msg|status|code|type|reason|error|detail|title|cause|status_?code)\d?["']?\s{0,4}[:=]\s{0,4}/i, counts: true },
  { says: /^(?:(?:an?|the|unexpected|fatal|internal|stream|api|http|network|connection|provider|model|server|request|auth|authentication|codex|openai|anthropic|gemini|google|qwen|claude|ollama|execution|turn|prompt|llm)\s){0,4}error(?:\s(?:code|status|from provider|from|calling|while|when|during|generating)[^:{]{0,60})?\s{0,2}(?:\((?<status>\d{3})\b\)?)?\s{0,2}(?:[:=–-]\s{0,4}|(?=\d{3}\b|\{))/i, counts: true },
  { says: /^[A-Za-z_][\w.]{0,60}(?:Error|Exception|Failure)\d?(?:\s\[[\w. ]{1,60}\])?(?:\s\([^)]{0,60}\))?:\s{0,4}/, counts: true },
  { says: /^(?:attempt \d{1,3} failed|ran into this error|stream disconnected before completion|request failed|the request failed|llm request failed|http request failed|fatal|failed|failure|caused by|could not reach the model|the model could not be reached):\s{0,4}/i, counts: true },
  { says: /^(?:attempt \d{1,3} failed(?: with)?|exceeded retry limit, last|(?:the )?request failed with|failed with|unexpected|got|server (?:returned|responded with)|received|upstream returned)\s{1,4}(?=status|http|\d{3}\b|error)/i, counts: true },
  { says: /^curl:\s{0,4}\(\d{1,3}\)\s{0,4}(?:The requested URL returned (?=error))?/, counts: true },
  { says: /^(?:[Ee]rror|ERROR|[Ff]atal)\b[:!]?\s{1,4}(?=[A-Z"'[{\d])/, counts: true },
  { says: /^(?:exception|uncaught|unhandled)\s{1,4}(?=[A-Z])/i, counts: true },
]

const END = String.raw`(?=\s{0,4}(?:$|[.:;,!|∙·•({["'–—-]|please\b|try\b|retry\b|resets?\b|upgrade\b))`

/** What may follow words that stand for themselves. */
export const WHOLE = new RegExp(`^${END}`, 'i')

function wording(words: string): RegExp {
  return new RegExp(`^(?:${words})`, 'i')
}

/** Whole sentences that nobody says but one who was not served; they need no lead. */
export const DIRECT: readonly (readonly [FaultKind, RegExp])[] = [
  ['limit', wording(String.raw`(?:sorry, |oops, )?you(?:['’]ve| have)(?: now)? (?:hit|reached|exceeded|exhausted|used up|run out of) your(?: [\w.'’-]{1,30}){0,5} (?:limits?|quota|credits?|capacity|allowance)\b`)],
  ['limit', wording(String.raw`(?:claude(?: ai)?|codex|your|the|model|account|api)?\s?(?:usage|rate|request|session|token|daily|weekly|monthly|5-hour|\d{1,2}-hour|opus|sonnet|[\w-]{1,20} weekly|plan|spending|spend)(?: usage)? limit (?:(?:is|has been|was) )?(?:reached|exceeded|hit)${END}`)],
  ['limit', wording(String.raw`rate limit (?:is |has been |was )?(?:reached|exceeded) for (?:organization )?\S{1,60}(?: \([^)]{1,80}\))? (?:in|on) (?:organization|\S{1,30} per)\b`)],
  ['limit', wording(String.raw`you exceeded your (?:current|daily|monthly) (?:\w{1,20} )?(?:quota|limit)`)],
  ['limit', wording(String.raw`you have exceeded (?:the|your) (?:\w{1,20} ){0,3}(?:rate )?(?:limit|quota)`)],
  ['limit', wording(String.raw`(?:[\w-]{1,20} (?:oauth )?)?(?:free (?:tier|daily) )?quota (?:has been |was |is )?(?:exceeded|exhausted|used up)(?:${END}| for\b)`)],
  ['limit', wording(String.raw`this request would exceed (?:your|the) (?:\S{1,40} ){0,3}(?:rate )?limit`)],
  ['limit', wording(String.raw`(?:your )?(?:credit )?balance is (?:too low|insufficient|not enough)`)],
  ['limit', wording(String.raw`resource (?:has been )?exhausted${END}`)],
  ['limit', wording(String.raw`too many requests, (?:the rate limit|please)`)],
  ['limit', wording(String.raw`(?:http(?:\/[\d.]{1,3})? )?429 (?:too many requests|rate[ -]?limit(?:ed| (?:reached|exceeded|hit))?)${END}`)],
  ['login', wording(String.raw`invalid (?:api|auth\w{0,12}) (?:key|token)${END}`)],
  ['login', wording(String.raw`(?:incorrect|missing|no) api key (?:provided|found|set|configured)`)],
  ['login', wording(String.raw`(?:not|you are not|you(?:['’]re) not) (?:currently )?(?:logged|signed) in${END}`)],
  ['login', wording(String.raw`please (?:run|use|type) [\`'"]?(?:/login|/auth|\w{2,12} (?:auth )?login)\b`)],
  ['login', wording(String.raw`(?:your |the )?(?:oauth |access |refresh |session )(?:access )?(?:token|login)(?: \w{1,12})? (?:has |was |is |could not be )(?:expired|revoked|refreshed|invalid)`)],
  ['login', wording(String.raw`please set an auth method in your`)],
  ['login', wording(String.raw`(?:http(?:\/[\d.]{1,3})? )?401 unauthori[sz]ed${END}`)],
  ['network', wording(String.raw`could ?n(?:o|['’])t (?:resolve|connect to) (?:host|server|proxy)\b`)],
  ['network', wording(String.raw`failed to connect to \S{1,200} port \d`)],
  ['network', wording(String.raw`unable to connect to (?:the )?(?:api|anthropic|openai|model|server)`)],
  ['network', wording(String.raw`getaddrinfo (?:ENOTFOUND|EAI_AGAIN)\b`)],
  ['network', wording(String.raw`(?:connect|read|write) (?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE)\b`)],
  ['server', wording(String.raw`(?:http(?:\/[\d.]{1,3})? )?(?:500 internal server error|502 bad gateway|503 service (?:temporarily )?unavailable|504 gateway time-?out)${END}`)],
]

/** Short forms that are a complaint only where something before them says so, or as a value of an error's JSON. */
export const LED: readonly (readonly [FaultKind, RegExp])[] = [
  // The kind is that of the status code.
  ['server', /^(?:(?:HTTP|http)(?:\/[\d.]{1,3})?\s{0,2})?(?:[Ee]rror\s{0,2})?(?:[Ss]tatus(?:[ _]?[Cc]ode)?["']?\s{0,2}[:=]?\s{0,2})?(?<status>[45]\d\d)(?=$|[:;,.)\]}"'-]|\s{1,2}(?:$|[-–{([]|status\b|error\b|[A-Z]))/],
  ['limit', wording(String.raw`too[ _]many[ _]requests`)],
  ['limit', wording(String.raw`(?:rate[ _]?limit(?:[ _](?:error|exceeded|reached|hit)|ed)?|usage_limit_reached|insufficient_(?:user_)?quota|quota[ _]exceeded|(?:daily|model)?_?quota_?(?:exceeded|exhausted)|resource_exhausted|rateLimitExceeded|rate_limit_exceeded|billing_(?:hard_limit_reached|error)|overuse|throttl(?:ed|ing)\w{0,20})${END}`)],
  ['limit', wording(String.raw`(?:insufficient (?:quota|balance|credits?|funds)|payment required|max retries exceeded for rate limit|rate limited|(?:user )?quota is not enough|out of credits)`)],
  ['login', wording(String.raw`(?:authentication[ _](?:error|failed)|unauthori[sz]ed|unauthenticated|forbidden|permission_(?:error|denied)|invalid_api_key|invalid[ _]x-api-key|invalid[ _]token|account_deactivated|not authenticated|login required|the api key is not valid|api key not valid)`)],
  ['login', wording(String.raw`(?:\w{1,40}_api_key|api key|credentials?|auth token)(?: environment variable)? (?:is |are |was |were )?(?:not (?:set|found|valid|configured)|missing|required|invalid|expired)`)],
  ['login', wording(String.raw`(?:failed to (?:refresh|authenticate|log ?in|sign in)|could not (?:authenticate|log ?in|sign in))`)],
  ['server', wording(String.raw`(?:overloaded(?:_error)?|server[ _](?:error|overloaded|is (?:overloaded|busy))|internal[ _]server[ _]error|internal$|service[ _](?:temporarily )?unavailable|bad gateway|gateway time-?out|upstream connect error|api_error|the (?:model|service|server|engine) is (?:currently )?(?:overloaded|unavailable|not available))`)],
  ['server', wording(String.raw`(?:provider is overloaded|we(?:['’]re| are) (?:currently )?experiencing high demand|no capacity available|an error occurred while processing your request)`)],
  ['network', wording(String.raw`(?:fetch failed|network (?:error|is unreachable|request failed)|connection (?:error|refused|reset|closed|timed out|aborted|lost)|socket hang up|other side closed|terminated$|premature close|error sending request|dns error|name or service not known|temporary failure in name resolution|tls handshake|certificate (?:has expired|verify failed)|unable to (?:get|verify) (?:local issuer|the first) certificate|self[- ]signed certificate|request timed out|operation timed out|timed out waiting for|stream (?:closed|disconnected|ended) before|idle timeout waiting for|unexpected end of (?:file|stream|json))`)],
  ['network', wording(String.raw`(?:\w{1,40} )?(?:E(?:CONN(?:REFUSED|RESET|ABORTED)|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|PIPE)|UND_ERR_\w{1,40}|ConnectionRefused|FailedToOpenSocket)\b`)],
  ['network', wording(String.raw`(?:could ?n(?:o|['’])t|cannot|can['’]t|unable to|failed to) (?:resolve|connect|reach)\b`)],
]

/** Values of an error's JSON that say what it is: key, text, number. */
export const KEYS = /["']((?:error_?)?(?:message|msg|status|code|type|reason|detail|error|status_?code))["']\s{0,4}:\s{0,4}(?:["']((?:[^"'\\]|'(?=\w)){1,600})|(\d{3})\b)/gi

export const STATUS_KINDS: Readonly<Record<string, FaultKind>> = {
  401: 'login', 403: 'login', 407: 'login', 402: 'limit', 429: 'limit', 408: 'network',
  500: 'server', 502: 'server', 503: 'server', 504: 'server', 520: 'server', 521: 'server', 522: 'server', 523: 'server', 524: 'server', 529: 'server',
}
