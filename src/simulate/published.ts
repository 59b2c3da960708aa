// Stop rules of published loops, written small, over the same simulated agents: no ratchet, no pins, no scope, no second look.
import type { Scene } from './play.js'
import { GATE, isRight, treeOf, type Move, type State } from './world.js'

/** What such a loop sees of one iteration. `patch` and `output` are compared by equality alone. */
type Seen = { patch: string; output: string; edited: boolean; failed: boolean }

/** `word`: the agent's own claim ends it; `gate`: a gate that passes in the agent's own folder does. */
export type Published = { name: string; completes: 'word' | 'gate'; most: number; isStuck(seen: readonly Seen[]): boolean }

/** `spent`: the iterations that every loop is given ran out first. */
export type Ended = { how: 'complete' | 'stopped' | 'spent'; iterations: number; falseComplete: boolean }

const MOST_ITERATIONS = 20

const same = (seen: readonly Seen[], count: number, key: (one: Seen) => string): boolean => {
  const last = seen.slice(-count)
  return last.length === count && new Set(last.map(key)).size === 1
}

const whole = ({ patch, output }: Seen): string => `${patch}\n${output}`

/** Two states in turn, six times in all. */
function alternates(seen: readonly Seen[]): boolean {
  const last = seen.slice(-6).map(whole)
  return last.length === 6 && last.every((state, place) => state === last[place % 2]) && last[0] !== last[1]
}

export const PUBLISHED: readonly Published[] = [
  { name: 'fixed cap 10', completes: 'word', most: 10, isStuck: () => false },
  { name: 'equal twice', completes: 'gate', most: Infinity, isStuck: (seen) => same(seen, 2, ({ output }) => output) },
  { name: 'same set 3/5', completes: 'gate', most: Infinity, isStuck: (seen) => same(seen, 5, ({ output }) => output) },
  {
    name: 'exact 4/3/3/6',
    completes: 'word',
    most: Infinity,
    isStuck: (seen) =>
      same(seen, 4, whole) ||
      (same(seen, 3, ({ patch }) => patch) && seen.slice(-3).every(({ failed }) => failed)) ||
      (seen.length >= 3 && seen.slice(-3).every(({ edited, failed }) => !edited && !failed)) ||
      alternates(seen),
  },
]

export function playPublished({ random, project, agent }: Scene, rule: Published): Ended {
  let state = project.start
  const seen: Seen[] = []
  for (let iteration = 1; ; iteration++) {
    const move = agent.answer(state)
    const red = redOf(move, state, project.flaky.filter(() => random.chance(project.flakyRate)))
    seen.push(seenOf(move, state, red))
    if (move.kind === 'edit') state = move.state
    const isClaimed = rule.completes === 'word' ? move.kind === 'edit' && move.says === 'done' : red.length === 0
    if (move.kind === 'edit' && isClaimed) {
      return { how: 'complete', iterations: iteration, falseComplete: !isRight(state, project) || hasBreached(move) }
    }
    if (iteration >= rule.most || rule.isStuck(seen)) return { how: 'stopped', iterations: iteration, falseComplete: false }
    if (iteration >= MOST_ITERATIONS) return { how: 'spent', iterations: iteration, falseComplete: false }
  }
}

/** Whoever may touch the tests has none that fail. */
function redOf(move: Move, state: State, flaky: readonly string[]): readonly string[] {
  if (move.kind !== 'edit') return state.red
  return move.breaches?.some((breach) => breach.class === 'integrity') ? [] : [...move.state.red, ...flaky]
}

function seenOf(move: Move, before: State, red: readonly string[]): Seen {
  if (move.kind !== 'edit') return { patch: '', output: move.kind, edited: false, failed: true }
  const patch = treeOf(move.state)
  return { patch, output: `${GATE} ${red.toSorted().join(',')}`, edited: patch !== treeOf(before) || hasBreached(move), failed: false }
}

function hasBreached(move: Move): boolean {
  return move.kind === 'edit' && (move.breaches ?? []).length > 0
}
