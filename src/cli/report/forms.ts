// The forms of a report: how each is made, how one that we wrote begins, and where it may go.
import { resolve } from 'node:path'
import { EXIT, Refusal } from '../../errors.js'
import type { Journal } from '../../ports.js'
import { quoteCommand } from '../../text/prompt/quote.js'
import type { Entry } from '../catalogue.js'
import type { Context } from '../context.js'
import { isTaken } from '../write-out.js'

/** `usual` is the file that is offered where another one cannot be used. */
export const FORMS = {
  html: { head: /^<!doctype html>\n[^]*<title>Greenlatch<\/title>/, usual: ['report', 'html'] },
  md: { head: /^## Greenlatch: /, usual: ['report', 'md'] },
  junit: { head: /^<\?xml [^>]*>\n<testsuites name="greenlatch /, usual: ['results', 'xml'] },
  sarif: { head: /^\{\n {2}"\$schema": [^]*"name": "Greenlatch"/, usual: ['findings', 'sarif'] },
} as const

export type Form = keyof typeof FORMS

/** `to` is null for standard output. */
export type Wanted = { form: Form; to: string | null }

export type FormFlags = Partial<Record<Form, string | true>>

export type Source = { entry: Entry; journal: Journal; version: string }

/** As everywhere: a file of this name is `./-`. */
const STANDARD_OUTPUT = '-'

/** Each form may have a file of its own; standard output takes one. */
export function wantedIn(flags: FormFlags): Wanted[] {
  const forms = (Object.keys(FORMS) as Form[]).flatMap((form): Wanted[] => {
    const to = flags[form]
    return to === undefined ? [] : [{ form, to: to === true || to === STANDARD_OUTPUT ? null : to }]
  })
  const [first, second] = forms.flatMap((one, at) => forms.slice(at + 1).filter(({ to }) => placeOf(to) === placeOf(one.to)).flatMap((other) => [one, other]))
  if (first === undefined || second === undefined) return forms
  const where = first.to === null ? 'both go to standard output' : 'name the same file'
  const apart = forms.map(({ form }) => ({ form, to: FORMS[form].usual.join('.') }))
  throw new Refusal(EXIT.usage, `--${first.form} and --${second.form} ${where}; each needs a file of its own`, typedAs([], apart))
}

function placeOf(to: string | null): string | null {
  return to === null ? null : resolve(to)
}

export function typedAs(args: readonly string[], wanted: readonly Wanted[]): string {
  return quoteCommand(['greenlatch', 'report', ...args, ...wanted.flatMap(({ form, to }) => [`--${form}`, to ?? STANDARD_OUTPUT])])
}

/** A name for this form that nothing stands in the way of. */
export function freeFile(form: Form, cwd: string): string {
  const { head, usual: [name, ending] } = FORMS[form]
  for (let n = 1; ; n++) {
    const file = n === 1 ? `${name}.${ending}` : `${name}-${n}.${ending}`
    if (!isTaken(resolve(cwd, file), head)) return file
  }
}

export async function textIn(form: Form, { entry, journal, version }: Source, { store }: Pick<Context, 'store'>): Promise<string> {
  switch (form) {
    case 'junit':
      return (await import('./programs.js')).junitText(entry, journal)
    case 'sarif':
      return (await import('./programs.js')).sarifText(entry, journal, version)
    case 'md':
      return (await import('./markdown.js')).markdownText(store, entry)
    case 'html':
      return (await import('./page.js')).reportPage(store, entry, version)
  }
}
