// Where an ask takes place, as its process is told, and where the files go that it leaves beside its answer.
import type { AskRequest } from '../../ports.js'

export function placeOf({ session, effect }: AskRequest): Record<string, string> {
  return { GREENLATCH_SESSION: session, GREENLATCH_EFFECT: effect.id, GREENLATCH_ITERATION: String(effect.iteration) }
}

/** `iter-3/002-implement-response.md` → `iter-3/002-implement-stderr.log`. */
export function artifactPath({ responsePath }: Pick<AskRequest, 'responsePath'>, name: string): string {
  return `${responsePath.replace(/(?:-response)?\.\w+$/, '')}-${name}`
}
