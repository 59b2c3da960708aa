// `converge`: candidates are made and checked until every check passes, with a change of approach when nothing gets better.
import type { Part, Policies, Procedure } from '../core/types.js'

const CHECKS = `These checks run by themselves as soon as you stop. They alone decide whether the task is done, not what you say about it.`

const RULES = `- You start fresh: earlier tries are not in your memory, and what they changed may already be in the files. Look first.
- Find the cause of a failure before you change anything, and correct the cause, not what shows it.
- Never delete, skip or weaken a test or a check, and never write code that recognises the inputs of a test.
- Change what the task needs and nothing else. Leave unrelated code, formatting and dependencies as they are.
- Run the checks that cover your change before you stop.
- A stop without a change to the files is a failed try. If you are stuck, make the change that you believe in most.
- End with a short account: the cause you found, what you changed, what you saw when you checked it.`

const MINIMAL_CHANGE = `The last tries did not get further. Make the smallest change that could work.

- Say what exactly fails, and which line of code makes it fail. If you do not know yet, find out first.
- Change only what that cause needs. Take back edits of earlier tries that turn out not to be needed.
- No renaming, no moving, no tidying.`

const DIFFERENT_STRATEGY = `Several tries in the same direction did not work. Assume that their idea of the cause is wrong.

- Write down two other causes that would explain everything you see.
- Find a quick test that tells them apart, and run it.
- Solve it another way than the tries listed above, even if that way is less pretty.`

const PROMPT: Part[] = [
  { title: 'TASK', rank: 10, fragments: [{ section: 'task' }, { section: 'context' }] },
  { title: 'CHECKS', rank: 6, fragments: [{ builtin: 'converge/checks' }, { section: 'gates' }] },
  { title: 'FAILING NOW', rank: 8, fragments: [{ section: 'failures' }] },
  { title: 'TRIED BEFORE', rank: 3, fragments: [{ section: 'refuted' }] },
  { title: 'STANCE', rank: 7, fragments: [{ section: 'stance' }] },
  { title: 'HINTS', rank: 9, fragments: [{ section: 'hints' }] },
  { title: 'RULES', rank: 9, fragments: [{ builtin: 'converge/rules' }] },
]

const POLICIES: Policies = {
  goal: { change: true },
  setbacks: { limit: 3, counts: ['error'] },
  infrastructure: { limit: 3 },
  breaches: { limit: 3 },
  ratchet: { patience: 1 },
  ladder: {
    signals: ['repeats', 'revisits', 'plateau'],
    rungs: [
      { at: 2, stance: 'minimal-change', focus: 'one', restore: true, scope: { files: 5, lines: 200 } },
      { at: 3, stance: 'different-strategy' },
      { at: 5, to: '@stalled' },
    ],
  },
}

export const convergeFragments = { 'converge/checks': CHECKS, 'converge/rules': RULES }

export const converge: Procedure = {
  name: 'converge',
  summary: 'Candidates are made and checked until every check passes; when nothing gets better the approach changes, then it stops.',
  start: 'baseline',
  phases: {
    baseline: { kind: 'check', gates: ['@configured'], baseline: true, reruns: 2, on: { pass: 'implement', fail: 'implement' } },
    implement: {
      kind: 'ask',
      role: 'implementer',
      yields: 'candidate',
      opensIteration: true,
      title: 'One iteration towards passing checks',
      prompt: PROMPT,
      on: { pass: 'check', error: 'implement' },
    },
    check: { kind: 'check', gates: ['@configured'], reruns: 2, retries: 1, on: { pass: 'accept', fail: 'implement' } },
    accept: {
      kind: 'check',
      gates: ['@configured'],
      sealed: true,
      reruns: 2,
      confirm: 1,
      retries: 1,
      on: { pass: '@converged', fail: 'implement' },
    },
  },
  policies: POLICIES,
  budget: { iterations: 20, seconds: 28_800 },
  final: 'best',
  stances: { 'minimal-change': MINIMAL_CHANGE, 'different-strategy': DIFFERENT_STRATEGY },
}
