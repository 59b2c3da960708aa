// What a person is told who is waited for: where the question lies, and the ways to answer it.
import type { Effect } from '../core/types.js'

export type Awaited = { awaits: string; prompt: string; path: string; cwd: string | null }

export function waitingLines(session: string, { prompt, path, cwd }: Awaited): string[] {
  return [
    `  the prompt:     ${prompt}`,
    `  put it into:    ${path}`,
    `  or hand it in:  greenlatch reply ${session} --file <file>`,
    `  to copy it:     greenlatch reply ${session} --prompt`,
    ...(cwd === null ? [] : [`  or by hand:     edit in ${cwd}, then: echo done | greenlatch reply ${session}`]),
    `  then go on:     greenlatch resume ${session}`,
  ]
}

/** Whose answer to what, in words: ids are for programs. */
export function askText(effect: Effect): string {
  const who = effect.kind === 'ask' ? effect.role : effect.phase
  return `the ${who}'s answer to ${effect.phase}${effect.iteration > 0 ? ` in iteration ${effect.iteration}` : ''}`
}
