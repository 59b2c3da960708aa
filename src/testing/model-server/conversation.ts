// Where a conversation stands, and how text is cut into the pieces of a stream.

export type Spoken = { by: 'user' | 'model'; text: string; calls: number }

/** Words that agents put into the user's mouth: surroundings, reminders, rules. */
const NOTICE = /^\s*<(system-reminder|environment_(context|details)|user_instructions|info-msg|permissions|(session_)?context)\b/i
const PIECE_CHARS = 24

/** The newest words of the user, and how many answers with tool calls came after them. */
export function newestAsk(spoken: readonly Spoken[]): { prompt: string; rounds: number } {
  const last = spoken.findLastIndex(({ by, text }) => by === 'user' && areWords(text))
  const since = spoken.slice(last + 1)
  return { prompt: spoken[last]?.text ?? '', rounds: since.filter(({ by, calls }) => by === 'model' && calls > 0).length }
}

/** What the user said in a list of texts, without what agents put in. */
export function wordsIn(texts: readonly string[]): string {
  return texts.filter(areWords).join('\n')
}

function areWords(text: string): boolean {
  return text.trim() !== '' && !NOTICE.test(text)
}

/** At least two pieces where the text has two characters, so that a stream can be cut inside it; never within a character. */
export function piecesOf(text: string): string[] {
  const characters = Array.from(text)
  const size = Math.max(1, Math.min(PIECE_CHARS, Math.ceil(characters.length / 2)), Math.ceil(characters.length / 200))
  const count = Math.ceil(characters.length / size)
  return Array.from({ length: count }, (_, n) => characters.slice(n * size, (n + 1) * size).join(''))
}
