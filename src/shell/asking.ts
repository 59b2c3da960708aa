// Who is asked in the end: an agent, another in its place when it cannot be reached, or the same again when its limit is over.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Effect, Session, Spend } from '../core/types.js'
import type { Activity, Agent, Answer, AskRequest } from '../ports.js'
import { budgetHold, leftOf, limitsWithin, secondsLeft, type Hold } from './budget-hold.js'
import type { Ports } from './live.js'
import { clockTime, tell } from './meter.js'
import { putBack } from './put-back.js'

type Ask = Extract<Effect, { kind: 'ask' }>

export type Asked = { agent: Agent; answer: Answer | undefined }

/** No limit is waited for longer than this, whatever its agent says: the windows of the known ones are shorter. */
const LONGEST_WAIT_SECONDS = 6 * 3600
/** An agent that names ever another time is not waited for without end. */
const MOST_WAITS = 5
const LOOK_SECONDS = 0.5

/** The agent of a role, and who is asked instead of it, in this order. Empty when the role's agent is not there. */
export function chainFor({ agents, fallbacks }: Pick<Ports, 'agents' | 'fallbacks'>, name: string): Agent[] {
  const names = [name, ...(Object.hasOwn(fallbacks, name) ? (fallbacks[name] ?? []) : [])]
  return names.flatMap((each) => (Object.hasOwn(agents, each) ? (agents[each] ?? []) : []))
}

type Round = {
  ports: Ports
  session: Session
  effect: Ask
  request: Omit<AskRequest, 'left' | 'limits' | 'onActivity'>
  onActivity: (activity: Activity) => void
}

/** `began` is when the first was asked, `spent` what all attempts have cost so far. */
type Tally = { began: number; spent: Spend }

/** Every attempt is paid for; the answer that counts carries what all of them have spent. */
export async function askInTurn(round: Round, chain: readonly [Agent, ...Agent[]]): Promise<Asked> {
  const tally: Tally = { began: round.ports.clock.seconds(), spent: { seconds: 0, tokens: 0, usd: 0 } }
  const { spent } = tally
  for (let waits = 0; ; waits += 1) {
    const { last, limit } = await askEach(round, chain, tally)
    const { agent, answer } = last
    if (!answer || answer.ending !== 'unavailable' || limit === null) return { agent, answer: answer && { ...answer, spent } }
    const waited = await waitFor(round, limit, { waits, elapsed: round.ports.clock.seconds() - tally.began })
    if (waited === 'stopped') return { agent, answer: { ...answer, ending: 'aborted', spent } }
    if (waited === 'too long') return { agent, answer: { ...answer, note: tooLong(round, limit), until: limit.until, spent } }
  }
}

/** Who met a limit, what it said of it, and when it can be asked again. */
type Limited = { name: string; note: string; until: number }

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
  const answer = await agent.ask({ ...request, limits, left: leftOf(session, before), onActivity: heard(hold, before, onActivity) }, hold.signal)
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
async function waitFor({ ports, session, onActivity }: Round, { name, note, until }: Limited, { waits, elapsed }: { waits: number; elapsed: number }): Promise<'over' | 'too long' | 'stopped'> {
  const { clock, control, inbox } = ports
  const now = clock.now()
  // One that is over already by our clock, and is met again, is given a little longer each time.
  const seconds = Math.max((until - now) / 1000, 2 ** waits)
  if (waits >= MOST_WAITS || seconds > Math.min(LONGEST_WAIT_SECONDS, secondsLeft(session, elapsed))) return 'too long'
  onActivity({ kind: 'waiting', until: now + seconds * 1000, note: `${name}: ${note}` })
  const began = clock.seconds()
  // The wall clock goes on while a machine sleeps; the other one may not, but it never jumps.
  while (clock.now() < now + seconds * 1000 && clock.seconds() - began < seconds) {
    if (control.now.aborted || inbox.peek().some(({ kind }) => kind === 'stop' || kind === 'pause')) return 'stopped'
    // The wait is only slept through: nothing is lost when it is broken off.
    await sleep(LOOK_SECONDS * 1000, undefined, { signal: control.now }).catch(() => {})
  }
  return control.now.aborted ? 'stopped' : 'over'
}

function tooLong({ ports }: Round, { name, note, until }: Limited): string {
  return `${name}: ${note.replace(/[.\s]+$/, '')}; that is over at ${clockTime(until, ports.clock.now())}, too late to be waited for: resume it then`
}
