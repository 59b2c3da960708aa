// Who is asked in the end: an agent, another in its place when it cannot be reached, or the same again when its limit is over.
import { addSpend } from '../core/index.js'
import type { Session, Spend } from '../core/types.js'
import type { Activity, Agent, Answer, AskRequest } from '../ports.js'
import { budgetHold, leftOf, limitsWithin, type Hold } from './budget-hold.js'
import type { Ask, Ports } from './live.js'
import { tell } from './meter.js'
import { permitting } from './permits.js'
import { putBack } from './put-back.js'
import { pauseBetween, waitForLimit, type Limited } from './waits.js'

export type Asked = { agent: Agent; answer: Answer | undefined }

/** The agent of a role, and who is asked instead of it, in this order. Empty when the role's agent is not there. */
export function chainFor({ agents, fallbacks }: Pick<Ports, 'agents' | 'fallbacks'>, name: string): Agent[] {
  const names = [name, ...(Object.hasOwn(fallbacks, name) ? (fallbacks[name] ?? []) : [])]
  return names.flatMap((each) => (Object.hasOwn(agents, each) ? (agents[each] ?? []) : []))
}

type Round = {
  ports: Ports
  session: Session
  effect: Ask
  request: Omit<AskRequest, 'left' | 'limits' | 'permit' | 'onActivity'>
  onActivity: (activity: Activity) => void
}

/** `began` is when the first was asked, `spent` what all attempts have cost so far. */
type Tally = { began: number; spent: Spend }

const BROKEN_OFF = { ending: 'aborted', note: 'stopped on request', text: '' } as const

/** Every attempt is paid for; the answer that counts carries what all of them have spent. */
export async function askInTurn(round: Round, chain: readonly [Agent, ...Agent[]]): Promise<Asked> {
  const tally: Tally = { began: round.ports.clock.seconds(), spent: { seconds: 0, tokens: 0, usd: 0 } }
  const { spent } = tally
  if (!chain[0].person && (await pauseBetween(round, chain[0].name)) === 'stopped') return { agent: chain[0], answer: { ...BROKEN_OFF, files: [], spent } }
  for (let waits = 0; ; waits += 1) {
    const { last, limit } = await askEach(round, chain, tally)
    const { agent, answer } = last
    if (!answer || answer.ending !== 'unavailable' || limit === null) return { agent, answer: answer && { ...answer, spent } }
    const waited = await waitForLimit(round, limit, { waits, elapsed: round.ports.clock.seconds() - tally.began })
    if (waited.kind === 'stopped') return { agent, answer: { ...answer, ending: 'aborted', spent } }
    if (waited.kind === 'refused') return { agent, answer: { ...answer, note: waited.note, until: limit.until, spent } }
  }
}

/** `limit` is the one that is over first; null when the last of the chain is not out of reach, or nobody said when it will be back. */
type Attempted = { last: Asked; limit: Limited | null }

async function askEach(round: Round, chain: readonly [Agent, ...Agent[]], tally: Tally): Promise<Attempted> {
  let limit: Limited | null = null
  let last: Asked = { agent: chain[0], answer: undefined }
  for (const [index, agent] of chain.entries()) {
    last = { agent, answer: await askOne(round, agent, tally) }
    const { answer } = last
    if (answer?.ending !== 'unavailable' && answer?.ending !== 'exhausted') break
    if (answer.until !== undefined && answer.until < (limit?.until ?? Infinity)) limit = { name: agent.name, note: answer.note, until: answer.until }
    const next = chain[index + 1]
    if (!next) break
    const why = answer.ending === 'exhausted' ? 'has no answer' : 'cannot be reached'
    tell(round.ports, `${agent.name} ${why} (${answer.note}): ${next.name} is asked instead`)
    // Whoever comes next works on the tree that was meant, not on what was left half done.
    for (const notice of (await putBack(round.ports, round.effect, agent.name)).notices) tell(round.ports, notice)
  }
  return { last, limit }
}

async function askOne({ ports, session, request, onActivity }: Round, agent: Agent, { began, spent }: Tally): Promise<Answer | undefined> {
  const before = { ...spent }
  const hold = budgetHold(session, before, ports.control.now)
  const limits = limitsWithin(ports.limits.agent, session, ports.clock.seconds() - began)
  const permit = permitting({ ports, effect: request.effect, onActivity })
  const answer = await agent.ask({ ...request, limits, left: leftOf(session, before), permit, onActivity: heard(hold, before, onActivity) }, hold.signal)
  if (!answer) return undefined
  Object.assign(spent, addSpend(before, answer.spent))
  return hold.reason === null || answer.ending !== 'aborted' ? answer : { ...answer, ending: 'timeout', note: hold.reason }
}

/** What an attempt has spent so far is told together with what those before it have. */
function heard(hold: Hold, before: Spend, onActivity: (activity: Activity) => void): (activity: Activity) => void {
  return (activity) => {
    if (activity.kind !== 'spent') return onActivity(activity)
    hold.check(activity.spent)
    onActivity({ kind: 'spent', spent: addSpend(before, activity.spent) })
  }
}
