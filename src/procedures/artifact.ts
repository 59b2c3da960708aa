// `artifact`: a plan, files made from it, and a review that sends them back until it passes. Prompts and reading are a profile's.
import type { Part, Procedure } from '../core/types.js'

const PROMPT: Part[] = [
  { title: '', rank: 10, fragments: [{ section: 'profile' }] },
  { title: 'PHILOSOPHY', rank: 5, fragments: [{ section: 'philosophy' }] },
  { title: 'CONTEXT', rank: 4, fragments: [{ section: 'context' }] },
  { title: 'HINTS', rank: 8, fragments: [{ section: 'hints' }] },
  { title: 'WHAT WAS WRONG WITH YOUR LAST ANSWER', rank: 9, fragments: [{ section: 'fault' }] },
  { title: 'HOW TO ANSWER', rank: 9, fragments: [{ section: 'form' }] },
]

export const artifact: Procedure = {
  name: 'artifact',
  summary: 'A plan, files made from it, and a review that sends them back until it passes; a profile writes the prompts and reads the answers.',
  start: 'plan',
  phases: {
    plan: {
      kind: 'ask', role: 'planner', yields: 'plan', file: 'planning', label: 'PLANNING', rests: 'PLANNED',
      title: '', prompt: PROMPT, on: { pass: 'generate' },
    },
    generate: {
      kind: 'ask', role: 'implementer', yields: 'candidate', opensIteration: true, replies: 'text', file: 'generation', label: 'GENERATING', rests: 'GENERATED',
      title: '', prompt: PROMPT, on: { pass: 'review' },
    },
    review: {
      kind: 'ask', role: 'reviewer', yields: 'review', judges: true, prompts: 'late', retries: 1, label: 'REVIEWING', title: '', prompt: PROMPT,
      on: { pass: '@completed', fail: 'revise' },
    },
    revise: {
      kind: 'ask', role: 'implementer', yields: 'response', opensIteration: true, file: 'revision', label: 'REVISING', title: '', prompt: PROMPT, on: { pass: 'take' },
    },
    take: { kind: 'workspace', action: 'materialise', label: 'REVISED', on: { pass: 'review' } },
  },
  policies: { infrastructure: { limit: 3 } },
  budget: { iterations: 50 },
  final: 'last',
  stances: {},
}
