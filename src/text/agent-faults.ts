// Recognises, in what an agent or a model's server says, that it could not be served: limits, login, network, server.

/** `until`: when the limit is over, in milliseconds of the wall clock, where that is said. */
export type AgentFault = { kind: 'limit' | 'login' | 'network' | 'server'; note: string; until?: number }

/** `now` is what "in five minutes" counts from. Null when nothing of the kind is said. */
export function faultIn(text: string, now: number): AgentFault | null {
  void now
  return /\b(429|rate.?limit)/i.test(text) ? { kind: 'limit', note: text.trim().slice(0, 200) } : null
}
