// For tests of what is found out about a repository: looks, and proves that looking left every file as it was.
import { expect } from 'vitest'
import { stateOf } from './fixture.js'
import { inspect, type RepositoryFacts, type WorkTreeFacts } from './inspect.js'
import { refusalOf, type Wishes } from './policy.js'

/** The facts, and a proof that getting them left every file as it was, down to its time. */
export async function look(root: string, at = root): Promise<RepositoryFacts> {
  const before = stateOf(root)
  const facts = await inspect(at)
  expect(stateOf(root)).toEqual(before)
  return facts
}

export async function lookInside(root: string, at = root): Promise<WorkTreeFacts> {
  const facts = await look(root, at)
  if (facts.kind !== 'work tree') throw new Error(`this is ${facts.kind}`)
  return facts
}

export function refused(facts: RepositoryFacts, wishes: Wishes = {}): [number, string, string] | null {
  const refusal = refusalOf(facts, wishes)
  return refusal && [refusal.code, refusal.message, refusal.next]
}
