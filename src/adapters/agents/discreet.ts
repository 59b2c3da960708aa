// An agent that keeps to itself what it was told in confidence, whatever it prints: in its words, its notes and what it says it does.
import type { Activity, Agent, Answer, AskRequest } from '../../ports.js'
import { redactorWith } from '../../process/secrets.js'
import type { Redact } from '../../text/redact.js'

/** The files that it leaves are its own affair: they are written while it works. */
export function discreet(agent: Agent, secrets: readonly string[]): Agent {
  const redact = redactorWith(secrets)
  return {
    ...agent,
    async ask(request, signal) {
      const answer = await agent.ask(discreetly(request, redact), signal)
      return answer && withoutSecrets(answer, redact)
    },
  }
}

export function discreetly(request: AskRequest, redact: Redact): AskRequest {
  const { permit, onActivity } = request
  return {
    ...request,
    ...(permit && { permit: (what: string) => permit(redact(what)) }),
    onActivity: (activity) => onActivity(told(activity, redact)),
  }
}

function told(activity: Activity, redact: Redact): Activity {
  return 'note' in activity ? { ...activity, note: redact(activity.note) } : activity
}

export function withoutSecrets(answer: Answer, redact: Redact): Answer {
  const { usage } = answer
  return {
    ...answer,
    note: redact(answer.note),
    text: redact(answer.text),
    ...(usage && { usage: { ...usage, model: usage.model === null ? null : redact(usage.model) } }),
  }
}
