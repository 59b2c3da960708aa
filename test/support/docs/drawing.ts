// The drawing of `converge` in the README, made from the procedure: its routes, and the rungs of its ladder.
import type { Procedure, Rung } from '../../../src/core/types.js'

/** What stands for a phase or an end, with its shape where it is drawn first. */
const NODES: Readonly<Record<string, [id: string, shape: string]>> = {
  implement: ['ask', '["implement"]'],
  check: ['check', '{{"check"}}'],
  accept: ['seal', '[["sealed check in a clean copy"]]'],
  '@converged': ['done', '(["converged"])'],
}
/** A phase that sends back has one line for each thing that can have happened. */
const ROUTES: readonly [phase: string, verdict: 'pass' | 'fail', ...says: string[]][] = [
  ['implement', 'pass', ''],
  ['check', 'pass', 'all pass'],
  ['accept', 'pass', 'proved'],
  ['accept', 'fail', 'not proved'],
  ['check', 'fail', 'worse: back to the best', 'better: kept'],
]
const WORDS: Readonly<Record<string, string>> = { diagnose: 'diagnose', amend: 'amend the task, new plan', '@stalled': '@stalled, with a diagnosis' }

export function drawingOf({ start, phases, policies }: Procedure): string {
  const drawn = new Set<string>()
  const node = (name: string): string => {
    const [id, shape] = NODES[name] ?? [`no node for ${name}`, '']
    const isFirst = !drawn.has(id)
    drawn.add(id)
    return isFirst ? id + shape : id
  }
  const first = phases[start]?.on.fail ?? ''
  const routes = ROUTES.flatMap(([phase, verdict, ...says]) =>
    says.map((said) => `${node(phase)} -->${said === '' ? '' : `|"${said}"|`} ${node(phases[phase]?.on[verdict] ?? 'nothing')}`),
  )
  return ['flowchart LR', ...routes, ...rungLines(policies.ladder?.rungs ?? [], node(first))].map((line, at) => (at === 0 ? line : `  ${line}`)).join('\n').concat('\n')
}

/** Rungs of one level that are climbed equally often stand in for each other, and are one line. */
function rungLines(rungs: readonly Rung[], back: string): string[] {
  const levels = new Map<string, Rung[]>()
  rungs.forEach((rung, at) => {
    const often = rung.times === 1 ? ', once' : rungs.slice(0, at).some((one) => one.at === rung.at && one.times === 1) ? ' again' : ''
    const name = `stall of ${rung.at}${often}`
    levels.set(name, [...(levels.get(name) ?? []), rung])
  })
  return Array.from(levels, ([name, [rung, ...instead]], at) => {
    const words = [rung?.to === undefined ? '' : (WORDS[rung.to] ?? rung.to), rung?.stance ?? ''].filter((word) => word !== '').join(', ')
    const others = instead.flatMap(({ restore, stance }) => (restore && stance === undefined ? ['or back to the best'] : []))
    const text = [words, ...others].join('; ')
    return rung?.to?.startsWith('@') ? `check -.->|"${name}"| stop(["${text}"])` : `check -.->|"${name}"| r${at + 1}["${text}"] -.-> ${back}`
  })
}
