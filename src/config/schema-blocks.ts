// What the schema of the settings is built from: each piece says in its message what it expects. Slow to load, as the schema is.
import * as z from 'zod'
import { commandWords } from '../text/commands/command-words.js'
import { globFault, LONGEST_GLOB } from '../text/glob.js'
import { expectation, NAME, NAME_EXPECTED, type NumberRule } from './scalars.js'
import { quote } from './words.js'

const LIST_OF_ARGUMENTS = 'expected a list that begins with the program to run'

/** Unknown keys are answered with the list of known ones, which faults.ts turns into a suggestion. */
export const map = <S extends z.core.$ZodShape>(shape: S) =>
  z.strictObject(shape, { error: (issue) => (issue.code === 'unrecognized_keys' ? Object.keys(shape).join(' ') : 'expected a map') })

/** All entries optional; null takes an inherited entry away. */
export const patch = (shape: Record<string, z.ZodType>) =>
  map(Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, value.nullable().exactOptional()])))

export const optional = (shape: Record<string, z.ZodType>) =>
  map(Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, value.exactOptional()])))

export const number = (rule: NumberRule) => {
  const error = expectation(rule)
  const bounded = (rule.kind === 'integer' ? z.int({ error }) : z.number({ error })).min(rule.least, { error })
  return rule.most === undefined ? bounded : bounded.max(rule.most, { error })
}
export const shaped = (pattern: RegExp, error: string) => z.string({ error }).regex(pattern, { error })
export const text = z.string({ error: 'expected text' }).regex(/\S/, { error: 'expected some text' })
export const name = shaped(NAME, NAME_EXPECTED)
export const shortName = shaped(/^[a-z][a-z0-9-]{0,39}$/, 'expected a name of small letters, digits and "-"')
export const variable = shaped(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable')
export const webAddress = shaped(/^https?:\/\/[^\s/]+(\/\S*)?$/, 'expected an address such as http://127.0.0.1:1234/v1')
export const truth = z.boolean({ error: 'expected true or false' })
export const only = z.literal(true, { error: 'expected true, or leave it out' })
export const list = <T extends z.ZodType>(item: T) => z.array(item, { error: 'expected a list' })
export const record = <T extends z.ZodType>(value: T, key = name) => z.record(key, value, { error: 'expected a map' })
export const oneOf = <const T extends readonly string[]>(words: T) =>
  z.enum(words, { error: words.length === 1 ? `expected "${words[0]}"` : `expected one of ${words.join(', ')}` })

const argv = z.tuple([text], z.string({ error: 'expected text (put it in quotes)' }), { error: LIST_OF_ARGUMENTS })
export const commandLine = z.union([text, argv], { error: 'expected a command: text, or a list of program and arguments' })

/** Exactly one of the keys has to be there. */
export const exactlyOne = (keys: readonly string[]) => (value: object, context: z.RefinementCtx) => {
  const [first, second] = keys.filter((key) => key in value)
  if (first === undefined) context.addIssue(`expected one of ${keys.join(', ')}`)
  else if (second !== undefined) context.addIssue(`"${first}" and "${second}" cannot stand together`)
}
export const required = (keys: readonly string[]) => ({ oneOf: keys.map((key) => ({ required: [key] })) })

const MOST_GLOBS = 500
const glob = z
  .string({ error: 'expected a glob such as src/**' })
  .superRefine((value, context) => {
    const fault = globFault(value)
    if (fault !== null) context.addIssue(`expected ${fault}, found ${quote(value)}`)
  })
  .meta({ minLength: 1, maxLength: LONGEST_GLOB })
export const globs = list(glob).max(MOST_GLOBS, { error: `expected at most ${MOST_GLOBS} globs` })

/** A program and how its arguments begin. */
export const commandPattern = text.superRefine((value, context) => {
  const split = commandWords(value)
  if (split.kind === 'unclosed' || (split.words[0] ?? '') === '') context.addIssue(`expected a program and how its arguments begin, found ${quote(value)}`)
})
