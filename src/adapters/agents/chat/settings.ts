// What a model is asked with, role by role: what its entry says, else the published defaults.
import type { ChatEntry, ModelSettings } from '../../../agent-entry.js'

const SECOND_OPINION: ModelSettings = { outputTokens: 8192, contextTokens: 61_440 }
const JUDGES_BRIEFLY: ModelSettings = { outputTokens: 2048 }

const DEFAULTS: Readonly<Record<string, ModelSettings>> = {
  planner: SECOND_OPINION,
  consultant: SECOND_OPINION,
  implementer: { temperature: 0.4, outputTokens: 4096 },
  auditor: JUDGES_BRIEFLY,
  reviewer: JUDGES_BRIEFLY,
}

/** Whose model answers for a role that has none of its own. What a model can take in goes with it. */
const SAME_MODEL_AS: Readonly<Record<string, string>> = { planner: 'consultant', auditor: 'implementer', reviewer: 'implementer' }

/** An answer never has more of the context than half: the prompt needs room as well. */
export function modelFor(entry: ChatEntry, role: string): ModelSettings {
  const own = ownOf(entry.roles, role)
  const like = ownOf(entry.roles, ownOf(SAME_MODEL_AS, role))
  const usual = ownOf(DEFAULTS, role)
  const model = own?.model ?? like?.model ?? entry.model
  const temperature = own?.temperature ?? entry.temperature ?? usual?.temperature
  const contextTokens = own?.contextTokens ?? like?.contextTokens ?? entry.contextTokens ?? usual?.contextTokens
  const wanted = own?.outputTokens ?? entry.outputTokens ?? usual?.outputTokens
  const outputTokens = contextTokens === undefined ? wanted : Math.min(wanted ?? Infinity, Math.floor(contextTokens / 2))
  return {
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature }),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
  }
}

/** The most that a prompt for this role may have; undefined where the model's context is not known. */
export function promptRoomFor(entry: ChatEntry, role: string): number | undefined {
  const { contextTokens, outputTokens = 0 } = modelFor(entry, role)
  return contextTokens === undefined ? undefined : contextTokens - outputTokens
}

function ownOf<T>(map: Readonly<Record<string, T>> | undefined, name: string | undefined): T | undefined {
  return map && name !== undefined && Object.hasOwn(map, name) ? map[name] : undefined
}
