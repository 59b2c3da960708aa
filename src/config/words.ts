// How values of the user's are shown in a one-line message: quoted, cut short, with nothing a terminal would act on.

const LONGEST_SHOWN = 60

/** Control characters, line separators, lone surrogates and text-direction marks could break the line or disguise it. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Surrogate}\ufeff]/gu

export function oneLine(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function quote(text: string): string {
  const characters = Array.from(text.slice(0, LONGEST_SHOWN * 2))
  const shown = characters.slice(0, LONGEST_SHOWN).join('')
  return `"${oneLine(shown)}${shown.length < text.length ? '…' : ''}"`
}

/** What was found where something else was expected. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a map'
  return typeof value === 'string' ? quote(value) : String(value)
}

/** A place in a settings file as people write it, e.g. `gates[1].run`. */
export function placeName(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${plainName(String(step))}`))
    .join('')
}

function plainName(name: string): string {
  return /^[\w$-]{1,60}$/.test(name) ? name : quote(name)
}
