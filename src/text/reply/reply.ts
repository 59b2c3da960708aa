// The words by which an agent says that it is done or has failed: how they are asked for, and how they are read.
import { stripReasoning } from './reasoning.js'

export type Word = 'done' | 'failed'

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
  const last = bare(lastLine(stripReasoning(replyText)))
  if (last === completionWord('done', nonce)) return 'done'
  return last === completionWord('failed', nonce) ? 'failed' : null
}

/** The last line that holds more than marks. */
export function lastLine(text: string): string {
  const lines = text.slice(-4000).split('\n')
  return lines.findLast((line) => !/^[\s`]*$/.test(line)) ?? ''
}

/** Without marks around it. */
export function bare(line: string): string {
  return line.replace(/^[\s*_`"']+|[\s*_`"'.]+$/g, '')
}
