// The strip above: how it stands, what it is about, and the few figures people ask for first.
import type { ComponentChildren } from 'preact'
import { counted, duration, grouped } from '../text/amounts.js'
import type { SessionPage } from './data.js'

export function Header({ session, actions }: { session: SessionPage; actions?: ComponentChildren }) {
  const { view: { head }, task, agents, branch, state, diagnosis } = session
  const { spent, finish } = head
  const facts: [string, string][] = [
    ['Agent', agents.join(', ')],
    ['Procedure', head.procedure],
    ['Gates', head.gates.join(', ') || 'none'],
    ['Branch', branch || '–'],
    ['Iterations', `${head.iteration}${head.budget.iterations ? ` of ${head.budget.iterations}` : ''}`],
    ['Active time', duration(spent.seconds)],
    ['Tokens', grouped(spent.tokens)],
    ['Cost', session.money],
  ]
  return (
    <header>
      <p class="brand">Greenlatch <span class="id">{head.id}</span></p>
      <h1><span class={`state ${toneOf(state)}`}>{state}</span>{finish && <span class="label">{finish.label}</span>}</h1>
      <p class="why">{finish?.why ?? openText(session)}</p>
      {task !== '' && <details class="task"><summary>{firstLine(task)}</summary><pre>{task}</pre></details>}
      <dl>{facts.map(([name, value]) => <div><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      {diagnosis && finish?.code !== 0 && (
        <div class="diagnosis">
          <p><strong>{diagnosis.pattern}</strong> {diagnosis.sentence}</p>
          {diagnosis.next.length > 0 && <ul>{diagnosis.next.map((command) => <li><code>{command}</code></li>)}</ul>}
        </div>
      )}
      {actions}
    </header>
  )
}

function openText({ view: { head } }: SessionPage): string {
  if (head.open) return `${head.open.phase}, iteration ${head.open.iteration}`
  return `after ${counted(head.iteration, 'iteration')}`
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line.length > 160 ? `${line.slice(0, 159)}…` : line
}

export function toneOf(state: string): 'good' | 'bad' | 'warn' | 'busy' | 'quiet' {
  if (state === 'converged' || state === 'completed') return 'good'
  if (state === 'stalled' || state === 'exhausted' || state === 'waiting') return 'warn'
  if (state === 'refused' || state === 'failed' || state === 'damaged' || state === 'dead') return 'bad'
  return state === 'running' ? 'busy' : 'quiet'
}
