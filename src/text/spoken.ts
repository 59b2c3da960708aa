// Lines of progress as sentences, for ears: no signs that a screen reader stumbles over, no columns.

/** Number of the iteration, phase, time and what came of it, as the stream writes them. */
const PHASE_LINE = /^ {0,3}(\d*) {2,}(\S+) +([\dhms.]+) {2}(\S.*)$/

export function spoken(line: string): string {
  const [, iteration, phase, time, what] = PHASE_LINE.exec(line) ?? []
  const text = what === undefined ? line : `${iteration ? `iteration ${iteration}, ` : ''}${phase} took ${spokenTime(time ?? '')}: ${what}`
  const words = withoutSigns(text.trim()).replaceAll(/: {2,}/g, ': ').replaceAll(/ {2,}/g, ', ').trim()
  if (words === '') return ''
  const sentence = words.charAt(0).toUpperCase() + words.slice(1)
  // What is to be typed is left as it is: a full stop would be typed too.
  return /[.!?:]$/.test(sentence) || /\bgreenlatch \w/.test(sentence) ? sentence : `${sentence}.`
}

function withoutSigns(text: string): string {
  return text
    .replaceAll(/(\d+)→(\d+)/g, 'from $1 to $2')
    .replaceAll(/\s*·?\s*→\s*/g, ', now ')
    .replaceAll(/×(\d+)/g, '$1 times')
    .replaceAll(/\s+·\s+/g, ', ')
    .replaceAll(/…\s*/g, '')
    .replaceAll('−', 'minus ')
    .replaceAll(/\bREVERTED\b/g, 'reverted')
}

function spokenTime(time: string): string {
  const names: Record<string, string> = { h: 'hours', m: 'minutes', s: 'seconds' }
  return Array.from(time.matchAll(/([\d.]+)([hms])/g), ([, amount, unit]) => `${Number(amount)} ${names[unit ?? '']}`).join(' ')
}
