// A procedure as a graph for people: one line for each phase with where it leads, and the same as a Mermaid flowchart.
import type { Phase, Policies, Procedure, Rung, Target, Verdict } from '../core/types.js'
import { counted, duration } from './amounts.js'

/** What the engine knows of a procedure beyond its data. */
export type Ways = {
  routeOf: (phase: Phase, verdict: Verdict) => Target
  judges: (phase: Phase) => boolean
  /** Whether the floor holds back what leads there. */
  isHeldBack: (target: Target) => boolean
  effectsPerIteration: number
}

export type Edge = { from: string; to: Target; by: string; kind: 'verdict' | 'word' | 'ladder' | 'floor' }

const TOLD: readonly Verdict[] = ['pass', 'fail', 'error']

/** Cancelling always ends a session, and is told only where a phase says otherwise. */
export function edgesOf({ phases, policies }: Procedure, ways: Ways): Edge[] {
  return Object.entries(phases).flatMap(([from, phase]) => {
    const verdicts = phase.on.cancelled === undefined ? TOLD : [...TOLD, 'cancelled' as const]
    const own: Edge[] = verdicts.map((by) => ({ from, to: ways.routeOf(phase, by), by, kind: 'verdict' }))
    const words = phase.kind === 'ask' ? Object.entries(phase.words ?? {}) : []
    const led: Edge[] = [...own, ...words.map(([word, to]): Edge => ({ from, to, by: `says ${word}`, kind: 'word' }))]
    return [...joined(led), ...policyEdges(from, phase, policies, led, ways)]
  })
}

/** Several verdicts that lead to the same place are one edge. */
function joined(edges: readonly Edge[]): Edge[] {
  const targets = [...new Set(edges.map(({ to }) => to))]
  return targets.flatMap((to) => {
    const [first, ...others] = edges.filter((edge) => edge.to === to)
    return first ? [{ ...first, by: [first, ...others].map(({ by }) => by).join(', ') }] : []
  })
}

function policyEdges(from: string, phase: Phase, { ladder, floor }: Policies, led: readonly Edge[], ways: Ways): Edge[] {
  const rungs = ways.judges(phase) ? (ladder?.rungs ?? []) : []
  const held = floor && led.some(({ to }) => ways.isHeldBack(to))
  return [
    ...rungs.flatMap(({ at, to }): Edge[] => (to === undefined ? [] : [{ from, to, by: `stall of ${at}`, kind: 'ladder' }])),
    ...(held ? [{ from, to: floor.to, by: `before iteration ${floor.iterations}`, kind: 'floor' as const }] : []),
  ]
}

// ───────────────────────────── text ─────────────────────────────

export function graphText(procedure: Procedure, ways: Ways): string {
  const { name, summary, start, phases, policies } = procedure
  const edges = edgesOf(procedure, ways)
  const rows = Object.entries(phases).map(([phase, is]) => [phase, is.kind, whatOf(is), leadsText(edges.filter(({ from }) => from === phase))])
  const lines = [
    `${name}: ${summary}`,
    `starts at ${start} · at most ${counted(ways.effectsPerIteration, 'effect')} in one iteration, retries aside · ${budgetText(procedure)}`,
    '',
    ...columns(rows),
    ...policyLines(policies),
  ]
  return lines.map((line) => line.replaceAll(/\s*\n\s*/g, ' ').trimEnd()).join('\n')
}

function whatOf(phase: Phase): string {
  const opens = [...(phase.opensIteration ? ['opens an iteration'] : []), ...(phase.opensPlan ? ['opens a plan'] : [])]
  const tries = phase.retries ? [counted(phase.retries, 'retry', 'retries')] : []
  switch (phase.kind) {
    case 'ask':
      return [`${phase.role}: ${phase.yields}`, ...opens, ...tries].join(', ')
    case 'check': {
      const kinds = [...(phase.baseline ? ['baseline'] : []), ...(phase.sealed ? ['sealed'] : [])]
      const runs = [...(phase.reruns ? [counted(phase.reruns, 'rerun')] : []), ...(phase.confirm ? [counted(phase.confirm, 'confirmation')] : [])]
      return [phase.gates.join(' '), ...kinds, ...opens, ...runs, ...tries].join(', ')
    }
    case 'workspace':
      return [phase.action, ...opens, ...tries].join(', ')
  }
}

function leadsText(edges: readonly Edge[]): string {
  return edges.map(({ by, to }) => `${by} → ${to}`).join('; ')
}

function budgetText({ budget }: Procedure): string {
  const { iterations = 0, seconds = 0, tokens = 0, usd = 0, then } = budget
  const most = [
    ...(iterations > 0 ? [counted(iterations, 'iteration')] : []),
    ...(seconds > 0 ? [duration(seconds)] : []),
    ...(tokens > 0 ? [counted(tokens, 'token')] : []),
    ...(usd > 0 ? [`${usd} USD`] : []),
  ]
  const end = then === undefined ? '' : `, then @${then}`
  return most.length === 0 ? 'no budget' : `budget ${most.join(', ')}${end}`
}

/** The last column is as long as it is. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  return rows.map((row) => row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  '))
}

function policyLines(policies: Policies): string[] {
  const { setbacks, infrastructure, breaches, floor, ratchet, amendments, disputes, ladder, goal } = policies
  const told: (readonly [string, string])[] = [
    ...(infrastructure ? [['infrastructure', `the agent out of reach ${infrastructure.limit} times in a row → @refused`] as const] : []),
    ...(breaches ? [['breaches', `the same breach ${breaches.limit} times → @refused`] as const] : []),
    ...(setbacks ? [['setbacks', `${setbacks.limit} iterations in a row with ${setbacks.counts.join(' or ')} → @stalled, or @refused where the agent was the last`] as const] : []),
    ...(floor ? [['floor', `success before iteration ${floor.iterations} → ${floor.to}`] as const] : []),
    ...(ratchet ? [['ratchet', `worse ${ratchet.patience === 1 ? 'once' : `${ratchet.patience} times in a row`}: back to the best files`] as const] : []),
    ...(amendments ? [['amendments', `at most ${amendments.each} characters each, ${amendments.all} in all`] as const] : []),
    ...(disputes ? [['disputes', `a finding raised ${disputes.limit} times over passing gates is set aside`] as const] : []),
    ...(goal ? [['goal', goalText(goal)] as const] : []),
  ]
  const lines = columns(told.map(([name, text]) => [`  ${name}`, text]))
  const rungs = ladder ? [`  ladder by ${ladder.signals.join(', ')}`, ...columns(ladder.rungs.map((rung) => [`    stall of ${rung.at}`, rungText(rung)]))] : []
  return lines.length + rungs.length === 0 ? [] : ['', 'policies', ...lines, ...rungs]
}

function goalText({ targets, excuse, gates, change, require }: NonNullable<Policies['goal']>): string {
  const parts = [
    targets?.length ? `${targets.join(', ')} passes` : gates?.length ? `${gates.join(', ')} passes` : 'all that failed before passes',
    ...(excuse?.length ? [`${excuse.join(', ')} may go on failing`] : []),
    ...(change ? ['the files have to change'] : []),
    ...(require === undefined ? [] : [`at least ${require}`]),
  ]
  return parts.join('; ')
}

function rungText({ stance, focus, scope, roles = {}, restore, to, resets, times, without }: Rung): string {
  const does = [
    ...(stance === undefined ? [] : [`stance ${stance}`]),
    ...(focus === 'one' ? ['one failure at a time'] : []),
    ...(scope ? [`at most ${counted(scope.files, 'file')} and ${counted(scope.lines, 'line')}`] : []),
    ...Object.entries(roles).map(([role, by]) => `${by} answers for ${role}`),
    ...(restore ? ['back to the best files'] : []),
    ...(resets ? ['counting begins afresh'] : []),
    ...(to === undefined ? [] : [`→ ${to}`]),
  ]
  const bounds = [
    ...(times === undefined ? [] : [`at most ${times === 1 ? 'once' : `${times} times`}`]),
    ...(without === undefined ? [] : [`without a ${without}`]),
  ]
  return `${does.join(', ')}${bounds.length === 0 ? '' : ` (${bounds.join(', ')})`}`
}

// ───────────────────────────── Mermaid ─────────────────────────────

/** Nodes have numbers for names, since words such as `end` mean something to Mermaid. */
export function graphMermaid(procedure: Procedure, ways: Ways): string {
  const { phases, start } = procedure
  const edges = edgesOf(procedure, ways)
  const outcomes = [...new Set(edges.map(({ to }) => to).filter((to) => to.startsWith('@')))]
  const ids = new Map([...Object.keys(phases), ...outcomes].map((name, at) => [name, `n${at + 1}`]))
  const idOf = (name: string): string => ids.get(name) ?? 'n0'
  return [
    'flowchart TD',
    '  n0(("start"))',
    ...Object.entries(phases).map(([name, phase]) => `  ${idOf(name)}${shaped(phase, label(`${name}: ${whatOf(phase)}`))}`),
    ...outcomes.map((name) => `  ${idOf(name)}([${label(name)}])`),
    `  n0 --> ${idOf(start)}`,
    ...edges.map(({ from, to, by, kind }) => `  ${idOf(from)} ${kind === 'verdict' || kind === 'word' ? '-->' : '-.->'}|${label(by)}| ${idOf(to)}`),
  ].join('\n')
}

function shaped(phase: Phase, text: string): string {
  switch (phase.kind) {
    case 'ask':
      return `[${text}]`
    case 'check':
      return phase.sealed ? `[[${text}]]` : `{{${text}}}`
    case 'workspace':
      return `(${text})`
  }
}

/** In quotes; what is not plain is written as its number, which nothing in Mermaid takes for syntax. */
function label(text: string): string {
  return `"${text.replaceAll(/[^\p{L}\p{N} .,:@/()+*_-]/gu, (character) => `#${character.codePointAt(0)};`)}"`
}
