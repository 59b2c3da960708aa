// Figures and how they are written: medians, ratios, amounts, tables, goals. Nothing here measures.
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The median of each key over several rounds. */
export function medians(rounds) {
  return Object.fromEntries(Object.keys(rounds[0] ?? {}).map((key) => [key, median(rounds.map((round) => round[key]))]))
}

export function ms(milliseconds) {
  return `${milliseconds.toFixed(Math.abs(milliseconds) < 20 ? 2 : 0)} ms`
}

export function times(ratio) {
  return `${ratio.toFixed(ratio < 100 ? 2 : 0)} ×`
}

export function percent(share) {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`
}

export function megabytes(amount) {
  return `${amount.toFixed(0)} MB`
}

export function count(number) {
  return number.toLocaleString('en')
}

/** The first column is words, the others are figures. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

/**
 * A goal that is kept when the figure is at most, or at least, what is bound. A figure below nothing is noise, and keeps none. `why`: what
 * stands in the way where it is not met, in figures of the same run.
 */
export function goal(name, value, { most, least, write = String, why = '' }) {
  const isMet = value >= 0 && (most === undefined ? value >= least : value <= most)
  return { name, isMet, why, measured: write(value), bound: most === undefined ? `at least ${write(least)}` : `at most ${write(most)}` }
}

/** What is slowest, what cannot be beaten, and how far away from it we are. */
export function verdict({ slowest, limit, near }) {
  return `Slowest: ${slowest}. Limit: ${limit}. How near: ${near}.`
}

/** The part with the largest figure, in words, with its share of all parts. */
export function largest(parts, write = ms) {
  const all = Object.entries(parts)
  const sum = all.reduce((total, [, value]) => total + Math.max(0, value), 0)
  const [name, value] = all.toSorted(([, a], [, b]) => b - a)[0]
  return `${name} (${write(value)}, ${percent(value / sum)} of it)`
}
