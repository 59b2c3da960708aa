// `ooda`: a fresh agent each iteration, which observes, orients itself, decides and acts; it goes on until a limit ends it.
import type { Part, Procedure } from '../core/types.js'

const OBSERVE = `You start fresh. Nothing you knew in an earlier iteration is in your memory: all that is left of it is in the files here.

Look before you change anything:

- Read the project's own instructions (AGENTS.md, else README) and any notes or plan the task names.
- See what is there now: the state of the working tree, the latest commits, what earlier iterations left half done.
- Find out what works. Run the project's checks when they are quick, and read their output to the end.`

const ORIENT = `Compare what you saw with what the task asks for.

- What is done, and what shows it? Trust files and output more than any note that says so.
- What is missing, broken or in the way? Search the code before you call something missing.
- What did an earlier iteration try that did not work? Do not try the same thing again.`

const DECIDE = `Choose one step: the most important piece that you can finish and check now.

- Something that is broken comes before something new.
- Prefer a small whole step to a large half one.
- Say in one or two sentences what you will do and how you will know that it worked.`

const ACT = `Carry the step out.

- Make it complete: no placeholders, no code that only looks finished.
- Run the checks that cover it and correct what they find. Never delete, skip or weaken a check to make it pass.
- Keep to the step. Write down what else you notice where the project keeps such notes; do not fix it now.
- Leave the files so that a fresh start can go on from them: bring notes and plan up to date with what is true now.
- Then stop, with a short account of what you changed, what you checked and what is left. If you could not do it, say why.`

const PROMPT: Part[] = [
  {
    title: 'OBSERVE',
    fragments: [
      { builtin: 'ooda/observe' },
      { section: 'task' },
      { section: 'context' },
      { section: 'philosophy' },
      { section: 'hints' },
      { section: 'failures' },
    ],
  },
  { title: 'ORIENT', fragments: [{ builtin: 'ooda/orient' }] },
  { title: 'DECIDE', fragments: [{ builtin: 'ooda/decide' }] },
  { title: 'ACT', fragments: [{ builtin: 'ooda/act' }] },
  // These have something to say only to whoever answers in text.
  { title: 'WHAT WAS WRONG WITH YOUR LAST ANSWER', fragments: [{ section: 'fault' }] },
  { title: 'HOW TO ANSWER', fragments: [{ section: 'form' }] },
]

export const oodaFragments = { 'ooda/observe': OBSERVE, 'ooda/orient': ORIENT, 'ooda/decide': DECIDE, 'ooda/act': ACT }

export const ooda: Procedure = {
  name: 'ooda',
  summary: 'A fresh agent each iteration observes, orients itself, decides and acts, until a limit ends it.',
  start: 'act',
  phases: {
    act: {
      kind: 'ask',
      role: 'implementer',
      yields: 'candidate',
      opensIteration: true,
      status: 'decides',
      trim: 'never',
      title: 'OODA Loop Iteration',
      prompt: PROMPT,
      on: { pass: 'gates', error: 'act' },
    },
    gates: { kind: 'check', gates: ['@configured'], on: { pass: 'act', fail: 'act' } },
  },
  policies: { setbacks: { limit: 3, counts: ['fail', 'error'] }, infrastructure: { limit: 3 } },
  budget: { iterations: 0, then: 'completed', seconds: 28_800 },
  final: 'last',
  stances: {},
  progress: 'iterations',
}
