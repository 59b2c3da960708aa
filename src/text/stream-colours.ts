// Colours of lines that are told as things happen: the few words that somebody looks for. Works on lines that are safe to show.

const ESC = '\u001B['
const PLAIN = `${ESC}0m`
const [GOOD, BAD, CAREFUL] = [`${ESC}32m`, `${ESC}31m`, `${ESC}33m`]

/** In each line the first that fits; the words themselves are coloured, not the line. */
const TONES: readonly (readonly [RegExp, string])[] = [
  [/^(?:CONVERGED|COMPLETED|TASK COMPLETE)\b/, GOOD],
  [/^(?:FAILED|REFUSED|CANCELLED)\b|^greenlatch:/, BAD],
  [/^(?:STALLED|EXHAUSTED|WAITING|PAUSED|STOPPED|INTERRUPTED)\b|^warning:|^\[\d\d:\d\d:\d\d\] WARNING:/i, CAREFUL],
  [/\bREVERTED to (?:the start|\d+)/, CAREFUL],
  [/(?<= )best$/, GOOD],
]

export function coloured(text: string): string {
  return text.split('\n').map(colouredLine).join('\n')
}

function colouredLine(line: string): string {
  const [pattern, colour] = TONES.find(([words]) => words.test(line)) ?? []
  return pattern ? line.replace(pattern, (words) => `${colour}${words}${PLAIN}`) : line
}
