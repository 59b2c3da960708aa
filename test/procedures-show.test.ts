// End-to-end tests of `procedures show`: the graph of every procedure as text and as Mermaid, held against golden files.
import { describe, expect, it } from 'vitest'
import { builtinProcedures } from '../src/procedures/index.js'
import { makePlace, type Place } from './support/cli.js'

async function shown(place: Place, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await place.run(['procedures', 'show', ...args])
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

const LABEL = String.raw`"(?:[\p{L}\p{N} .,:@/()+*_-]|#\d+;)+"`
const NODE = new RegExp(String.raw`^ {2}(n\d+)(?:\(\(L\)\)|\[\[L\]\]|\(\[L\]\)|\{\{L\}\}|\[L\]|\(L\))$`.replaceAll('L', LABEL), 'u')
const EDGE = new RegExp(String.raw`^ {2}(n\d+) (?:-->|-\.->)(?:\|${LABEL}\|)? (n\d+)$`, 'u')

/** Every line is a node or an edge, and edges join nodes that are there. */
function refuseBadMermaid(text: string): void {
  const [head, ...lines] = text.trimEnd().split('\n')
  expect(head).toBe('flowchart TD')
  const nodes = lines.flatMap((line) => NODE.exec(line)?.[1] ?? [])
  const edges = lines.flatMap((line) => [EDGE.exec(line)?.slice(1)].filter((ends) => ends !== undefined))
  expect(lines.filter((line) => !NODE.test(line) && !EDGE.test(line))).toEqual([])
  expect(new Set(nodes).size).toBe(nodes.length)
  expect(edges.flat().filter((id) => !nodes.includes(id))).toEqual([])
  expect(nodes.filter((id) => !edges.flat().includes(id))).toEqual([])
}

describe('procedures show', () => {
  it.each(Object.keys(builtinProcedures))('prints the graph of %s as text and as Mermaid', async (name) => {
    const place = makePlace()
    const [text, mermaid] = [await shown(place, name), await shown(place, name, '--mermaid')]
    for (const phase of Object.keys(builtinProcedures[name]?.phases ?? {})) expect(text).toMatch(new RegExp(`^${phase} +(?:ask|check|workspace) +\\S`, 'm'))
    refuseBadMermaid(mermaid)
    await expect(text).toMatchFileSnapshot(`golden/procedures/${name}.txt`)
    await expect(mermaid).toMatchFileSnapshot(`golden/procedures/${name}.mmd`)
  })

  it('shows words, a floor, rungs and budgets, and names that mean something to Mermaid', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', OWN)
    const text = await shown(place, 'own')
    expect(text).toContain('end     ask    implementer: candidate, opens an iteration  pass, error → end; fail → @failed; says done → verify')
    expect(text).toMatch(/verify .* pass → @completed; fail → end; error → @refused; stall of 4 → @stalled; before iteration 2 → end\n/)
    expect(text).toContain('stance plain, one failure at a time (at most once)')
    expect(text).toContain('budget 15 iterations, 1h00m, then @completed')
    const mermaid = await shown(place, 'own', '--mermaid')
    refuseBadMermaid(mermaid)
    expect(mermaid).toContain('-.->|"before iteration 2"| n1')
  })

  it('prints all of it as JSON, and as YAML that gives the same procedure again', async () => {
    const place = makePlace()
    const json = JSON.parse(await shown(place, 'converge', '--json')) as object
    expect(json).toEqual(builtinProcedures['converge'])
    place.write('greenlatch.yaml', (await shown(place, 'converge', '--yaml')).replace('  converge:', '  again:'))
    expect(JSON.parse(await shown(place, 'again', '--json'))).toEqual({ ...json, name: 'again' })
  })
})

const OWN = `
procedures:
  own:
    summary: Goes round.
    start: end
    phases:
      end:
        kind: ask
        role: implementer
        yields: candidate
        opensIteration: true
        prompt: [{ title: TASK, fragments: [{ section: task }] }]
        words: { done: verify }
        on: { pass: end, error: end }
      verify:
        kind: check
        gates: ["@configured"]
        on: { pass: "@completed", fail: end }
    policies:
      floor: { iterations: 2, to: end }
      ladder:
        signals: [repeats]
        rungs:
          - { at: 2, stance: plain, focus: one, times: 1 }
          - { at: 4, to: "@stalled" }
    stances: { plain: Be plain. }
    budget: { iterations: 15, seconds: 3600, then: completed }
    final: last
`
