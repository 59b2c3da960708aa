// `converge`: candidates are made and checked until every check passes, with a change of approach when nothing gets better.
import type { AskPhase, Part, Policies, Procedure } from '../core/types.js'
import { TASK, PHILOSOPHY, GATES, FAILING, TRIED, DIAGNOSIS, FAULT, ANSWER, rules } from './parts.js'

const CHECKS = `These checks run by themselves as soon as you stop. They alone decide whether the task is done, not what you say about it.`

const RULES = `- You start fresh: earlier tries are not in your memory, and what they changed may already be in the files. Look first.
- Find the cause of a failure before you change anything, and correct the cause, not what shows it.
- Never delete, skip or weaken a test or a check, and never write code that recognises the inputs of a test.
- Change what the task needs and nothing else. Leave unrelated code, formatting and dependencies as they are.
- Run the checks that cover your change before you stop.
- A stop without a change to the files is a failed try. If you are stuck, make the change that you believe in most.
- End with a short account: the cause you found, what you changed, what you saw when you checked it.`

const DIAGNOSED = `Somebody who changed nothing looked into it, and says this. Where a check says otherwise, believe the check.`

const MINIMAL_CHANGE = `The last tries did not get further. Make the smallest change that could work.

- Say what exactly fails, and which line of code makes it fail. If you do not know yet, find out first.
- Change only what that cause needs. Take back edits of earlier tries that turn out not to be needed.
- No renaming, no moving, no tidying.`

const DIFFERENT_STRATEGY = `Several tries in the same direction did not work. Assume that their idea of the cause is wrong.

- Write down two other causes that would explain everything you see.
- Find a quick test that tells them apart, and run it.
- Solve it another way than the tries listed above, even if that way is less pretty.`

const DIAGNOSE = `Somebody else has tried to make these checks pass, and gets no further. Find out why. You change nothing: what you write into files is thrown away.

- Follow the failing check into the code, step by step, until you can name the line that does the wrong thing, and why. Run what you need to be sure.
- Tell what the tries listed above have in common, and what they leave out.
- Look at the checks as well: can they all pass at the same time, and do they ask for what the task says?
- Answer with the cause, the evidence for it, and what to do next, so that someone who has never seen this code can do it. Say what you are not sure of.`

const AMEND = `Nothing that was tried made these checks pass. Most likely whoever works on it lacks a fact that the task does not tell.

- Find that fact: a rule of the domain, a format, a unit, an edge, a property of a library or of the platform.
- It has to follow from the task, the checks or the code. Make nothing easier than the task allows, and take nothing back that it says.
- Write it as a few plain sentences. They are added to the task for good; the checks stay as they are.
- If no such fact is missing, or you are not sure, say so with low confidence. Nothing is added then.`

const REPLAN = `Nothing that was tried made these checks pass. Make a new plan, from what is in the files now. You change nothing: what you write into files is thrown away.

- Look into the code before you plan.
- Say first which idea the tries listed above share, and why it does not work.
- Then give the steps of another way: for each file what is changed and why, smallest step first, and how to see that it worked.`

const PLAN: Part = { title: 'PLAN', rank: 7, fragments: [{ section: 'plan' }] }

const IMPLEMENT_PROMPT: Part[] = [
  TASK,
  PHILOSOPHY,
  PLAN,
  // Whoever answers in text cannot look at the files.
  { title: 'FILES AS THEY ARE NOW', rank: 7, fragments: [{ section: 'files' }], when: 'form' },
  { ...GATES, fragments: [{ builtin: 'converge/checks' }, ...GATES.fragments] },
  FAILING,
  TRIED,
  { ...DIAGNOSIS, fragments: [{ builtin: 'converge/diagnosed' }, ...DIAGNOSIS.fragments], when: 'diagnosis' },
  { title: 'SUGGESTED CODE', rank: 5, fragments: [{ section: 'code' }] },
  { title: 'COMMANDS OF YOUR LAST ANSWER', rank: 5, fragments: [{ section: 'commands' }] },
  { title: 'STANCE', rank: 7, fragments: [{ section: 'stance' }] },
  { title: 'HINTS', rank: 9, fragments: [{ section: 'hints' }] },
  rules('RULES', 'converge/rules'),
  FAULT,
  ANSWER,
]

const POLICIES: Policies = {
  goal: { change: true },
  setbacks: { limit: 3, counts: ['error'] },
  infrastructure: { limit: 3 },
  breaches: { limit: 3 },
  amendments: { each: 500, all: 2000 },
  ratchet: { patience: 1 },
  ladder: {
    signals: ['repeats', 'revisits', 'plateau'],
    rungs: [
      { at: 2, stance: 'minimal-change', focus: 'one', restore: true, scope: { files: 5, lines: 200 } },
      { at: 3, stance: 'different-strategy', to: 'diagnose' },
      // Of two rungs at one level the first that can be filled is used: this one stands in where nobody can be asked.
      { at: 3, stance: 'different-strategy' },
      { at: 5, to: 'amend', resets: true, times: 1 },
      // The second round is what keeps an honest agent from being stopped too early, whoever is there to give advice.
      { at: 5, restore: true, resets: true, times: 1, without: 'consultant' },
      { at: 5, to: '@stalled' },
    ],
  },
}

/** What only rungs lead to. None of them judges, and none of them can end the session: the loop goes on with what it has. */
const ASIDE: Record<string, AskPhase> = {
  diagnose: {
    kind: 'ask',
    role: 'consultant',
    yields: 'review',
    wants: 'diagnosis',
    title: 'A second opinion',
    prompt: [TASK, PHILOSOPHY, PLAN, GATES, FAILING, TRIED, rules('WHAT TO DO', 'converge/diagnose'), ANSWER],
    on: { pass: 'implement', fail: 'implement', error: 'implement' },
  },
  amend: {
    kind: 'ask',
    role: 'consultant',
    yields: 'amendment',
    title: 'What the task does not tell',
    prompt: [TASK, PLAN, GATES, FAILING, TRIED, DIAGNOSIS, rules('WHAT TO DO', 'converge/amend'), ANSWER],
    on: { pass: 'replan', fail: 'replan', error: 'replan' },
  },
  replan: {
    kind: 'ask',
    role: 'planner',
    yields: 'plan',
    opensPlan: true,
    title: 'A new plan',
    prompt: [TASK, PHILOSOPHY, PLAN, GATES, FAILING, TRIED, DIAGNOSIS, rules('WHAT TO DO', 'converge/replan'), ANSWER],
    on: { pass: 'implement', fail: 'implement', error: 'implement' },
  },
}

export const convergeFragments = {
  'converge/checks': CHECKS,
  'converge/rules': RULES,
  'converge/diagnosed': DIAGNOSED,
  'converge/diagnose': DIAGNOSE,
  'converge/amend': AMEND,
  'converge/replan': REPLAN,
}

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
      prompt: IMPLEMENT_PROMPT,
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
    ...ASIDE,
  },
  policies: POLICIES,
  budget: { iterations: 20, seconds: 28_800 },
  final: 'best',
  stances: { 'minimal-change': MINIMAL_CHANGE, 'different-strategy': DIFFERENT_STRATEGY },
}
