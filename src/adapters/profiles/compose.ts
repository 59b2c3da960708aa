// The sections of a prompt that a profile writes: its own text, and how to answer where it lets the answer be read for it.
import type { AskPhase } from '../../core/types.js'
import { EXIT, Refusal } from '../../errors.js'
import { fillPrompt } from './fill.js'
import { formOf } from './read.js'
import type { Profile, ProfileContext, ReplyForm } from './types.js'

/** Throws Refusal when the profile has no prompt for the phase, or cannot make it. */
export function promptBy(profile: Profile, context: ProfileContext): string {
  const prompt = profile.phases[context.phase]?.prompt
  if (typeof prompt === 'string') return fillPrompt(prompt, context)
  if (prompt === undefined) throw unusable(profile, `has no prompt for ${context.phase}`)
  let made: unknown
  try {
    made = prompt(context)
  } catch (error) {
    throw unusable(profile, `could not make the prompt for ${context.phase}: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (typeof made !== 'string' || made.trim() === '') throw unusable(profile, `made no text of the prompt for ${context.phase}`)
  return made
}

/** Null where the profile reads by itself, and so says itself how to answer. */
export function replyFormOf(profile: Profile, phase: string, yields: AskPhase['yields']): ReplyForm | null {
  const reply = profile.phases[phase]?.reply ?? formOf(yields)
  return typeof reply === 'function' ? null : reply
}

function unusable({ name }: Profile, what: string): Refusal {
  return new Refusal(EXIT.usage, `the profile "${name}" ${what}`, 'put it right, then: greenlatch resume')
}
