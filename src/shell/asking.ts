// Who is asked in the end: an agent, another in its place when it cannot be reached, or the same again when its limit is over.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Effect, Session, Spend } from '../core/types.js'
import type { Activity, Agent, Answer, AskRequest } from '../ports.js'
import { budgetHold, leftOf, type Hold } from './budget-hold.js'
import type { Ports } from './live.js'
import { tell } from './meter.js'
import { putBack } from './put-back.js'

type Ask = Extract<Effect, { kind: 'ask' }>

export type Asked = { agent: Agent; answer: Answer | undefined }

/** No limit is waited for longer than this, whatever its agent says: the windows of the known ones are shorter. */
const LONGEST_WAIT_SECONDS = 6 * 3600
const LOOK_SECONDS = 0.5

/** The agent of a role, and who is asked instead of it, in this order. Empty when the role's agent is not there. */
export function chainFor({ agents, fallbacks }: Pick<Ports, 'agents' | 'fallbacks'>, name: string): Agent[] {
  const names = [name, ...(Object.hasOwn(fallbacks, name) ? (fallbacks[name] ?? []) : [])]
  return names.flatMap((each) => (Object.hasOwn(agents, each) ? (agents[each] ?? []) : []))
}

type Round = { ports: Ports; session: Session; effect: Ask; request: Omit<AskRequest, 'left' | 'onActivity'>; onActivity: (activity: Activity) => void }

/** Every attempt is paid for; the answer that counts carries what all of them have spent. */
export async function askInTurn(round: Round, chain: readonly [Agent, ...Agent[]]): Promise<Asked> {
  const spent: Spend = { seconds: 0, tokens: 0, usd: 0 }
  for (;;) {
    const asked = await askEach(round, chain, spent)
    const { answer } = asked.last
    if (!answer || answer.ending !== 'unavailable') return { agent: asked.last.agent, answer: answer && { ...answer, spent } }
    const waited = asked.until === null ? 'no' : await waitUntil(round, asked.until, answer.note)
    if (waited === 'stopped') return { agent: asked.last.agent, answer: { ...answer, ending: 'aborted', spent } }
    if (waited === 'no') return { agent: asked.last.agent, answer: { ...answer, spent } }
  }
}

/** `until` is the earliest time at which one of those that met a limit can be asked again. */
type Attempted = { last: Asked; until: number | null }

async function askEach(round: Round, chain: readonly [Agent, ...Agent[]], spent: Spend): Promise<Attempted> {
  const limits: number[] = []
  let last: Asked = { agent: chain[0], answer: undefined }
  for (const [index, agent] of chain.entries()) {
    last = { agent, answer: await askOne(round, agent, spent) }
    const { answer } = last
    if (answer?.ending !== 'unavailable' && answer?.ending !== 'exhausted') break
    if (answer.until !== undefined) limits.push(answer.until)
    const next = chain[index + 1]
    if (!next) break
    const why = answer.ending === 'exhausted' ? 'has no answer' : 'cannot be reached'
    tell(round.ports, `${agent.name} ${why} (${answer.note}): ${next.name} is asked instead`)
    // Whoever comes next works on the tree that was meant, not on what was left half done.
    for (const notice of (await putBack(round.ports, round.effect, agent.name)).notices) tell(round.ports, notice)
  }
  return { last, until: limits.length > 0 ? Math.min(...limits) : null }
}

async function askOne({ ports, session, request, onActivity }: Round, agent: Agent, spent: Spend): Promise<Answer | undefined> {
  const before = { ...spent }
  const hold = budgetHold(session, before, ports.control.now)
  const answer = await agent.ask({ ...request, left: leftOf(session, before), onActivity: heard(hold, before, onActivity) }, hold.signal)
  if (!answer) return undefined
  spent.seconds += answer.spent.seconds
  spent.tokens += answer.spent.tokens
  spent.usd += answer.spent.usd
  return hold.reason === null || answer.ending !== 'aborted' ? answer : { ...answer, ending: 'timeout', note: hold.reason }
}

/** What an attempt has spent so far is told together with what those before it have. */
function heard(hold: Hold, before: Spend, onActivity: (activity: Activity) => void): (activity: Activity) => void {
  return (activity) => {
    if (activity.kind !== 'spent') return onActivity(activity)
    const { seconds, tokens, usd } = activity.spent
    hold.check(activity.spent)
    onActivity({ kind: 'spent', spent: { seconds: before.seconds + seconds, tokens: before.tokens + tokens, usd: before.usd + usd } })
  }
}

// ───────────────────────────── limits ─────────────────────────────

/** Waits for a limit to be over, where that is not longer than the session may still last. */
async function waitUntil({ ports, session, onActivity }: Round, until: number, note: string): Promise<'yes' | 'no' | 'stopped'> {
  const seconds = (until - ports.clock.now()) / 1000
  const budget = session.budget.seconds ?? 0
  const most = budget === 0 ? LONGEST_WAIT_SECONDS : Math.min(LONGEST_WAIT_SECONDS, budget - session.spent.seconds)
  if (seconds > most) return 'no'
  onActivity({ kind: 'waiting', until, note })
  const began = ports.clock.seconds()
  while (ports.clock.seconds() - began < seconds) {
    if (ports.control.now.aborted || ports.inbox.peek().some(({ kind }) => kind === 'stop' || kind === 'pause')) return 'stopped'
    // The wait is only slept through: nothing is lost when it is broken off.
    await sleep(LOOK_SECONDS * 1000, undefined, { signal: ports.control.now }).catch(() => {})
  }
  return 'yes'
}
