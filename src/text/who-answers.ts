// Who answers in a session, as its setup tells: names, roles, models and versions, where the choice came from, and what is known of the cost.
import type { Session } from '../core/types.js'
import { grouped } from './amounts.js'

export type WhoAnswers = {
  agent: string
  roles: string[]
  model: string | null
  version: string | null
  /** Whether what it costs can be told at all. */
  cost: 'known' | 'unknown'
  /** Who is asked instead, in this order. */
  fallbacks: string[]
}

type Cast = Pick<Session, 'roles' | 'setup'>

/** What is needed here of a setup; the rest of it is nobody's business. */
type Told = {
  agents?: Record<string, { model?: string; fallback?: string; command?: unknown }>
  versions?: Record<string, string>
  origins?: Record<string, string>
  unpriced?: string[]
  absent?: string[]
}

export function whoAnswers({ roles, setup }: Cast): WhoAnswers[] {
  const { agents = {}, versions = {}, unpriced = [] } = setup as Told
  return [...new Set(Object.values(roles))].map((agent) => ({
    agent,
    roles: Object.keys(roles).filter((role) => roles[role] === agent),
    model: agents[agent]?.model ?? null,
    version: versions[`agent ${agent}`] ?? null,
    cost: unpriced.includes(agent) ? 'unknown' : 'known',
    fallbacks: chainAfter(agent, agents),
  }))
}

/** Who stands in for it, for that one, and so on; nobody twice. */
export function chainAfter(name: string, agents: Readonly<Record<string, { fallback?: string }>>): string[] {
  const chain = [name]
  for (let next = agents[name]?.fallback; next !== undefined && !chain.includes(next); next = agents[next]?.fallback) chain.push(next)
  return chain.slice(1)
}

/** "claude 2.1.197, model opus, then codex (from --agent)". */
export function whoText(cast: Cast): string {
  return withOrigin(whoAnswers(cast).map(({ agent }) => agentText(agent, cast)).join('; '), cast)
}

/** The same with the roles, where there is room for them. */
export function whoInRoles(cast: Cast): string {
  return withOrigin(whoAnswers(cast).map(({ agent, roles }) => `${roles.join(', ')}: ${agentText(agent, cast)}`).join('; '), cast)
}

function agentText(name: string, { setup }: Cast): string {
  const { agents = {}, versions = {}, absent = [] } = setup as Told
  const each = [name, ...chainAfter(name, agents)].filter((agent) => !absent.includes(agent)).map((agent) => {
    const model = agents[agent]?.model
    return `${versions[`agent ${agent}`] === undefined ? agent : `${agent} ${versions[`agent ${agent}`]}`}${model === undefined ? '' : `, model ${model}`}`
  })
  return each.join(', then ')
}

function withOrigin(text: string, cast: Cast): string {
  const origin = originOf(cast)
  return origin === null ? text : `${text} (from ${origin})`
}

export function originOf({ setup }: Pick<Session, 'setup'>): string | null {
  return (setup as Told).origins?.['agent'] ?? null
}

/** False where somebody answers whose price nobody knows. */
export function isCostKnown({ setup }: Pick<Session, 'setup'>): boolean {
  return ((setup as Told).unpriced ?? []).length === 0
}

/** What is not known is said, and never counted as nothing. */
export function moneyText({ spent, budget, setup }: Pick<Session, 'spent' | 'budget' | 'setup'>): string {
  const { unpriced = [] } = setup as Told
  const most = budget.usd ? ` of ${budget.usd.toFixed(2)}` : ''
  if (isCostKnown({ setup })) return `${spent.usd.toFixed(2)}${most} USD`
  const whose = `what ${unpriced.join(' and ')} costs is not known`
  return spent.usd > 0 ? `at least ${spent.usd.toFixed(2)}${most} USD, since ${whose}` : whose
}

/** A plain command tells no tokens: what it read and wrote is then counted by its length, which is said. */
export function tokensText({ spent, setup }: Pick<Session, 'spent' | 'setup'>): string {
  const isEstimated = Object.values((setup as Told).agents ?? {}).some(({ command }) => command !== undefined)
  return `${isEstimated && spent.tokens > 0 ? '≈ ' : ''}${grouped(spent.tokens)} ${spent.tokens === 1 ? 'token' : 'tokens'}`
}

/** For programs: null where nobody can tell. */
export function knownSpend({ spent, setup }: Pick<Session, 'spent' | 'setup'>): { seconds: number; tokens: number; usd: number | null } {
  return { ...spent, usd: spent.usd === 0 && !isCostKnown({ setup }) ? null : spent.usd }
}
