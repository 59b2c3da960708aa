// Fills the placeholders of a profile's prompt. What is put in is data: it is never looked into for placeholders again.
import { quoted, quotedFiles } from '../../text/prompt/delimited.js'
import type { ProfileContext } from './types.js'

/** What every prompt may name besides the parameters of its profile. */
export const GIVEN_NAMES: readonly string[] = ['task', 'plan', 'review', 'code', 'iteration']

const PLACEHOLDER = /\{\{\s*([A-Za-z_][\w-]{0,63})\s*\}\}/g

export function fillPrompt(text: string, context: ProfileContext): string {
  const { task, plan, review, code, iteration, parameters } = context
  const given: Record<string, string> = {
    ...parameters, task, plan: quoted(plan), review: quoted(review), code: quotedFiles(code), iteration: String(iteration),
  }
  return text.replace(PLACEHOLDER, (whole, name: string) => (Object.hasOwn(given, name) ? (given[name] ?? '') : whole))
}

export function placeholdersIn(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), (found) => found[1] ?? ''))]
}
