// A session whose agents are asked no more often, and for no more money, than the whole fleet may.
import { providerOf, type AgentEntry } from '../../agent-entry.js'
import type { Attempt } from '../../fleet/types.js'
import type { Agent, Answer } from '../../ports.js'
import { systemClock } from '../clock.js'
import type { Owned } from '../wire.js'

/** `onBroke` is told when the money of the batch is spent; the session then comes to rest, and can go on when there is more. */
export function limited(owned: Owned, entries: Readonly<Record<string, AgentEntry>>, attempt: Attempt, onBroke: () => void): Owned {
  const stop = (why: 'broke' | 'draining'): void => {
    if (why === 'broke') onBroke()
    owned.ports.control.interrupt('stop')
  }
  const agents = Object.entries(owned.ports.agents).map(([name, agent]) => [name, agent.person ? agent : guarded(providerOf(name, entries[name]), agent, attempt, stop)])
  return { ...owned, ports: { ...owned.ports, agents: Object.fromEntries(agents) as Record<string, Agent> } }
}

function guarded(provider: string, agent: Agent, attempt: Attempt, stop: (why: 'broke' | 'draining') => void): Agent {
  return {
    ...agent,
    async ask(request, signal) {
      let waited = false
      const onWait = (milliseconds: number, note: string): void => {
        waited = true
        request.onActivity({ kind: 'waiting', until: systemClock.now() + milliseconds, note })
      }
      const permission = await attempt.permit({ provider, usd: request.left.usd }, signal, onWait)
      if (waited) request.onActivity({ kind: 'answered' })
      if (permission.kind !== 'granted') {
        stop(permission.kind)
        return ABORTED
      }
      const usd = permission.usd === null ? request.left.usd : Math.min(request.left.usd ?? permission.usd, permission.usd)
      const answer = signal.aborted ? ABORTED : await agent.ask({ ...request, left: { ...request.left, usd } }, signal)
      // What cannot be told now is told with the next push, by the session's own records.
      await attempt.paid(answer?.spent.usd ?? 0).catch(() => {})
      return answer
    },
  }
}

const ABORTED: Answer = { ending: 'aborted', note: 'not asked', text: '', files: [], spent: { seconds: 0, tokens: 0, usd: 0 } }
