// Reads what an agent answered: completion words, reasoning to leave aside, and the verdict of a review.

export type Word = 'done' | 'failed'
export type Review = { verdict: 'pass' | 'fail'; findings: string[] }

// — completion words —
const FIRST_PIECE = 'GREENLATCH'
const MIDDLE_PIECE: Record<Word, string> = { done: 'DONE', failed: 'FAILED' }

const WHEN: Record<Word, string> = {
  done: 'the whole task is finished and you have seen its checks pass',
  failed: 'the task cannot be done and more work will not change that',
}

/** The word for one effect: an old answer, or one for another session, never counts. */
export function completionWord(kind: Word, nonce: string): string {
  return [FIRST_PIECE, MIDDLE_PIECE[kind], nonce].join('-')
}

/** Tells how to make the words without containing one: an agent that repeats its prompt has said nothing. */
export function wordInstructions(nonce: string, kinds: readonly Word[]): string {
  if (nonce === '' || kinds.length === 0) return ''
  const cases = kinds.map((kind) => `- Middle piece \`${MIDDLE_PIECE[kind]}\`: ${WHEN[kind]}.`)
  return [
    'Only when one of these cases holds, make the very last line of your answer a word of three pieces, joined by hyphens,',
    `with nothing else on that line. The first piece is \`${FIRST_PIECE}\`, the last piece is \`${nonce}\`.`,
    '',
    ...cases,
    '',
    'In every other case leave that line out.',
  ].join('\n')
}

/** Counts only when it stands alone on the last line that is not empty; emphasis and code marks around it do no harm. */
export function readWord(replyText: string, nonce: string): Word | null {
  if (nonce === '') return null
  const last = bare(lastLine(replyText))
  if (last === completionWord('done', nonce)) return 'done'
  return last === completionWord('failed', nonce) ? 'failed' : null
}

function lastLine(text: string): string {
  const lines = text.slice(-4000).split('\n')
  return lines.findLast((line) => !/^[\s`]*$/.test(line)) ?? ''
}

function bare(line: string): string {
  return line.replace(/^[\s*_`"']+|[\s*_`"'.]+$/g, '')
}

// — reasoning —
const REASONING_TAG = /<(\/?)(?:think|thinking|thought|reasoning|reflection)(?:\s[^<>]{0,200})?>/gi

/** Leaves aside reasoning blocks: nested, never closed (to the end), or never opened (from the last tag, or the beginning). */
export function stripReasoning(text: string): string {
  let kept = ''
  let depth = 0
  let from = 0
  for (const tag of text.matchAll(REASONING_TAG)) {
    const closes = tag[1] === '/'
    if (depth === 0 && !closes) kept += text.slice(from, tag.index)
    depth = closes ? Math.max(0, depth - 1) : depth + 1
    from = tag.index + tag[0].length
  }
  return (depth === 0 ? kept + text.slice(from) : kept).trim()
}

// — reviews —
const PASSES = new Set(['pass', 'passed', 'approve', 'approved', 'accept', 'accepted', 'complete', 'ok', 'success'])
const FAILS = new Set(['fail', 'failed', 'reject', 'rejected', 'revise', 'incomplete', 'changes requested', 'changes_requested', 'failure'])
const MOST_FINDINGS = 100
const MOST_OBJECTS_TRIED = 200
const LONGEST_REVIEW_CHARS = 100_000

/** The last JSON object with a verdict decides, else a last line PASS or FAIL; null when neither says. */
export function readReview(text: string): Review | null {
  const said = stripReasoning(text).slice(-LONGEST_REVIEW_CHARS)
  return jsonReview(said) ?? lineReview(said)
}

function jsonReview(text: string): Review | null {
  let review: Review | null = null
  let tried = 0
  let open = text.indexOf('{')
  while (open >= 0 && tried < MOST_OBJECTS_TRIED) {
    tried += 1
    const close = endOfObject(text, open)
    const found = close > open ? reviewOf(text.slice(open, close)) : null
    review = found ?? review
    open = text.indexOf('{', found === null ? open + 1 : close)
  }
  return review
}

/** Where the object that opens here closes, braces within strings not counted; -1 when it never does. */
function endOfObject(text: string, open: number): number {
  const marks = /["\\{}]/g
  marks.lastIndex = open
  let depth = 0
  let inString = false
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '\\') marks.lastIndex += 1
    else if (mark[0] === '"') inString = !inString
    else if (!inString) depth += mark[0] === '{' ? 1 : -1
    if (depth === 0) return marks.lastIndex
  }
  return -1
}

function reviewOf(json: string): Review | null {
  const value = parsed(json)
  if (value === null) return null
  const verdict = verdictOf(value['verdict'] ?? value['decision'])
  return verdict === null ? null : { verdict, findings: findingsOf(value['findings'] ?? value['reasons'] ?? value['issues']) }
}

function parsed(json: string): Record<string, unknown> | null {
  try {
    return JSON.parse(json) as Record<string, unknown>
  } catch {
    return null
  }
}

function verdictOf(value: unknown): Review['verdict'] | null {
  if (typeof value !== 'string') return null
  const word = value.trim().toLowerCase()
  if (PASSES.has(word)) return 'pass'
  return FAILS.has(word) ? 'fail' : null
}

function findingsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' && value !== '' ? [value] : []
  return list.slice(0, MOST_FINDINGS).map(findingText)
}

function findingText(finding: unknown): string {
  if (typeof finding === 'string') return finding
  const { description, message } = (finding ?? {}) as { description?: unknown; message?: unknown }
  const said = description ?? message
  return typeof said === 'string' ? said : (JSON.stringify(finding) ?? '')
}

function lineReview(text: string): Review | null {
  const line = bare(lastLine(text)).replace(/^(?:verdict|decision|result|review)[\s*_`]*:[\s*_`]*/i, '')
  const verdict = /^[A-Z]+$/.test(line) ? verdictOf(line) : null
  if (verdict === null) return null
  const bullets = text.split('\n').flatMap((each) => /^\s*(?:[-*•]|\d+[.)])\s+(.*\S)/.exec(each)?.[1] ?? [])
  return { verdict, findings: bullets.slice(0, MOST_FINDINGS) }
}
