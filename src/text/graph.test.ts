// Unit tests of the graph: what a name may hold without breaking a line of it, and which edges there are.
import { describe, expect, it } from 'vitest'
import { isGoodEnd, judges, routeOf } from '../core/index.js'
import type { Procedure } from '../core/types.js'
import { edgesOf, graphMermaid, graphText, type Ways } from './graph.js'

const odd = 'say "hi" | #1 <b>`x`\nend'
const procedure: Procedure = {
  name: 'odd', summary: 'Two\nlines.', start: odd, policies: {}, budget: {}, final: 'last', stances: {},
  phases: {
    [odd]: { kind: 'ask', role: 'a;b', yields: 'review', prompt: [], opensIteration: true, on: { pass: 'seal', fail: odd, cancelled: '@failed' } },
    seal: { kind: 'check', gates: ['a', 'b'], sealed: true, on: { pass: '@converged' } },
  },
}
const ways: Ways = { routeOf, judges, isHeldBack: (target) => isGoodEnd(procedure.phases, target), effectsPerIteration: 2 }

describe('a graph', () => {
  it('writes what is not plain as numbers in Mermaid, so that no name ends a label', () => {
    const lines = graphMermaid(procedure, ways).split('\n')
    expect(lines[2]).toBe('  n1["say #34;hi#34; #124; #35;1 #60;b#62;#96;x#96;#10;end: a#59;b: review, opens an iteration"]')
    expect(lines).toContain('  n2[["seal: a b, sealed"]]')
    expect(lines.filter((line) => (line.match(/"/g)?.length ?? 0) % 2 === 1)).toEqual([])
  })

  it('keeps each phase on one line of the text', () => {
    expect(graphText(procedure, ways).split('\n').slice(0, 2)).toEqual(['odd: Two lines.', expect.stringMatching(/at most 2 effects in one iteration, retries aside · no budget$/)])
  })

  it('joins verdicts that lead to the same place, and names cancelling only where a phase does', () => {
    expect(edgesOf(procedure, ways).map(({ by, to }) => [by, to])).toEqual([
      ['pass', 'seal'], ['fail', odd], ['error, cancelled', '@failed'], ['pass', '@converged'], ['fail', '@failed'], ['error', '@refused'],
    ])
  })

  it('draws the floor from what it may hold back, and rungs from what judges', () => {
    const policies = { floor: { iterations: 3, to: odd }, ladder: { signals: ['repeats' as const], rungs: [{ at: 2 }, { at: 4, to: '@stalled' }] } }
    const edges = edgesOf({ ...procedure, policies }, ways).filter(({ kind }) => kind !== 'verdict')
    expect(edges.map(({ from, to, kind }) => [from, to, kind])).toEqual([[odd, odd, 'floor'], ['seal', '@stalled', 'ladder'], ['seal', odd, 'floor']])
  })
})
