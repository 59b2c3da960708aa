// Which phases are a profile's, and what their files are called.
import type { Phase, Procedure } from '../core/index.js'

export function isByProfile(phase: Phase | undefined): boolean {
  if (phase?.kind !== 'ask') return false
  return phase.prompt.some(({ fragments }) => fragments.some((fragment) => 'section' in fragment && fragment.section === 'profile'))
}

/** What a profile calls the phase: as its files are called. */
export function profilePhase(name: string, phase: Phase | undefined): string {
  return phase?.file ?? name
}

/** Where a candidate is laid out, below the session's folder. */
export function codePlace(iteration: number): string {
  return `iteration-${iteration}/code`
}

export function usesProfile({ phases }: Procedure): boolean {
  return Object.values(phases).some((phase) => isByProfile(phase) || (phase.kind === 'workspace' && phase.action === 'materialise'))
}
