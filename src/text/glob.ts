// Globs over paths, matched in time that grows with glob times path: whoever chooses the paths cannot make them slow.
// `*` and `?` stay within a name, `**` spans folders, `[a-z]` and `[!a-z]` are one character, `{a,b}` is either of both,
// and a backslash takes the next character as it is.

export const LONGEST_GLOB = 200
const MOST_ALTERNATIVES = 64

export type Matcher = (path: string) => boolean

type Token =
  | { kind: 'one'; text: string }
  | { kind: 'any' }
  | { kind: 'run' }
  | { kind: 'class'; ranges: [string, string][]; negated: boolean }

/** A name of a path, or any number of names. */
type Step = Token[] | 'names'

/** What is wrong with a glob, in words that follow "expected"; null when nothing is. */
export function globFault(glob: string): string | null {
  // oxlint-disable-next-line no-control-regex -- control characters are what this looks for
  if (glob.trim() === '' || /[\u0000-\u001f\u007f]/.test(glob)) return 'a glob such as src/**'
  if (glob.length > LONGEST_GLOB) return `a glob of at most ${LONGEST_GLOB} characters`
  if (glob.startsWith('!')) return 'a glob without "!" before it (what is forbidden stands under deny)'
  if (/^[/~]|(^|\/)\.{1,2}(\/|$)|\/\//.test(glob)) return 'a glob below the root of the repository, without "./", "../" or "//"'
  if (/(^|[^\\])[@!+*?]\(/.test(glob)) return 'a glob without patterns such as !(…) (give several globs)'
  if (/\{[^{}]*\.\.[^{}]*\}/.test(glob)) return 'a glob without ranges such as {1..9}'
  return alternativesOf(glob).length > MOST_ALTERNATIVES ? `a glob with at most ${MOST_ALTERNATIVES} alternatives` : null
}

/** A glob without a wildcard means what it names and everything below. */
export function matcherOf(glob: string): Matcher {
  const forms = alternativesOf(glob).map((form) => stepsOf(form))
  return (path) => {
    const names = path.split('/').map((name) => [...name])
    return forms.some((steps) => matches(steps, names, isEvery, fitsName))
  }
}

// ───────────────────────────── reading a glob ─────────────────────────────

/** Every way to choose from its braces; a brace without a comma, or never closed, is a plain character. */
function alternativesOf(glob: string): string[] {
  const forms: string[] = []
  const waiting = [glob]
  for (let form = waiting.pop(); form !== undefined && forms.length + waiting.length <= MOST_ALTERNATIVES; form = waiting.pop()) {
    const group = innermostGroup(form)
    if (!group) forms.push(form)
    else for (const choice of group.choices.toReversed()) waiting.push(form.slice(0, group.from) + choice + form.slice(group.to))
  }
  return waiting.length > 0 ? [...forms, ...waiting] : forms
}

function innermostGroup(form: string): { from: number; to: number; choices: string[] } | null {
  let from = -1
  for (let at = 0; at < form.length; at++) {
    if (form[at] === '\\') at++
    else if (form[at] === '{') from = at
    else if (form[at] === '}' && from >= 0) {
      const choices = splitAtCommas(form.slice(from + 1, at))
      if (choices.length > 1) return { from, to: at + 1, choices }
      from = -1
    }
  }
  return null
}

function splitAtCommas(text: string): string[] {
  const parts = ['']
  for (let at = 0; at < text.length; at++) {
    const taken = text[at] === '\\' ? text.slice(at, at + 2) : (text[at] ?? '')
    if (taken === ',') parts.push('')
    else parts[parts.length - 1] += taken
    at += taken.length - 1
  }
  return parts
}

function stepsOf(form: string): Step[] {
  const names = form.split('/')
  const steps = names.filter((name) => name !== '').map((name): Step => (name === '**' ? 'names' : tokensOf([...name])))
  const isPlain = steps.every((step) => step !== 'names' && step.every((token) => token.kind === 'one'))
  return isPlain || names.at(-1) === '' ? [...steps, 'names'] : steps
}

function tokensOf(name: readonly string[]): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < name.length; at++) {
    const character = name[at] ?? ''
    const found = character === '[' ? classAt(name, at) : null
    if (found) {
      tokens.push(found.token)
      at = found.end
    } else if (character === '*') {
      if (tokens.at(-1)?.kind !== 'run') tokens.push({ kind: 'run' })
    } else if (character === '\\' && at + 1 < name.length) {
      at++
      tokens.push({ kind: 'one', text: name[at] ?? '' })
    } else tokens.push(character === '?' ? { kind: 'any' } : { kind: 'one', text: character })
  }
  return tokens
}

/** The set that begins here, and where it ends; null when the bracket is never closed and so stands for itself. */
function classAt(name: readonly string[], start: number): { token: Token; end: number } | null {
  const negated = name[start + 1] === '!' || name[start + 1] === '^'
  const first = start + (negated ? 2 : 1)
  const ranges: [string, string][] = []
  for (let at = first; at < name.length; at++) {
    if (name[at] === ']' && at > first) return { token: { kind: 'class', ranges, negated }, end: at }
    if (name[at] === '\\') at++
    const low = name[at] ?? ''
    const high = name[at + 1] === '-' && name[at + 2] !== undefined && name[at + 2] !== ']' ? name[at + 2] : undefined
    ranges.push([low, high ?? low])
    if (high !== undefined) at += 2
  }
  return null
}

// ───────────────────────────── matching ─────────────────────────────

/**
 * Goes through parts and values side by side. Where they part, only the last wildcard takes one value more: what an earlier one
 * could give up the later one can take as well, so that going further back would find nothing new.
 */
function matches<P, V>(
  parts: readonly P[],
  values: readonly V[],
  isWild: (part: P) => boolean,
  fits: (part: P, value: V) => boolean,
): boolean {
  let [part, value] = [0, 0]
  let wild: { part: number; value: number } | null = null
  while (value < values.length) {
    const wanted = parts[part]
    if (wanted !== undefined && isWild(wanted)) {
      wild = { part, value }
      part++
    } else if (wanted !== undefined && fits(wanted, values[value] as V)) {
      part++
      value++
    } else if (wild) {
      wild.value++
      part = wild.part + 1
      value = wild.value
    } else return false
  }
  return parts.slice(part).every(isWild)
}

function isEvery(step: Step): boolean {
  return step === 'names'
}

function fitsName(step: Step, name: readonly string[]): boolean {
  return step !== 'names' && matches(step, name, (token) => token.kind === 'run', fitsCharacter)
}

function fitsCharacter(token: Token, character: string): boolean {
  switch (token.kind) {
    case 'one':
      return token.text === character
    case 'any':
    case 'run':
      return true
    case 'class':
      return token.ranges.some(([low, high]) => low <= character && character <= high) !== token.negated
  }
}
