// What each scenario of `demo` puts beside the bundled repository: its settings, its agent, and what there is to see.
import { EXIT } from '../../errors.js'
import { WEAKENINGS } from '../../testing/hostile/weakener.js'

export type Files = Readonly<Record<string, string>>

export type Turn = { say: string; write: Files }

/** What to type, and what that shows. */
export type Next = readonly [command: string, shows: string]

export type Scenario = {
  /** In one line. */
  shows: string
  /** Who answers, for people. */
  asks: string
  /** Lines of greenlatch.yaml that only this scenario has. */
  settings: readonly string[]
  /** Files beside those of the shop. */
  adds?: Files
  /** What the agent does, where it is a scripted one. */
  script?: (shop: Files) => readonly Turn[]
  /** An answer that a person could give. */
  answer?: (shop: Files) => string
  /** The exit code it is made to end with. */
  ends: number
  /** Once it has ended so; most telling first. */
  next: readonly Next[]
}

/** What becomes what in a file. */
type Edit = readonly [path: string, from: string | RegExp, to: string]

const MENDS = {
  price: ['src/price.js', 'pieces > 10', 'pieces >= 10'],
  receipt: ['src/receipt.js', 'let at = 1', 'let at = 0'],
  stock: ['src/stock.js', 'left <= pieces', 'left < pieces'],
} satisfies Record<string, Edit>

const IMPOSSIBLE = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priceOf } from '../src/price.js'

// No code passes this: price.test.js says of the same three pieces that they cost 750.
test('three pieces are cheaper too', () => assert.equal(priceOf(250, 3), 700))
`

/** The test that the weakener of the hostile kit is let loose on. */
const WEAKENED = 'test/price.test.js'

const REPAIR = ['agent: repair', 'agents:', '  repair: { repair: true, candidates: 40 }']
/** What a shell adds to the number of a signal. */
const FIRST_SIGNAL = 128
const BUILT_IN = 'the built-in repair agent'

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  converge: {
    shows: 'bugs in three files are mended one after another, and the result is proved',
    asks: BUILT_IN,
    settings: REPAIR,
    ends: EXIT.ok,
    next: [['diff', 'what was changed'], ['report --open', 'what was proved, and by what, as a page'], ['logs', 'every step, with its reason'], ['accept', 'take it: one commit on your branch']],
  },
  stall: {
    shows: 'a test that no code can pass: what can be mended is, then it stops and says why',
    asks: BUILT_IN,
    settings: REPAIR,
    adds: { 'test/wish.test.js': IMPOSSIBLE },
    ends: EXIT.stalled,
    next: [['explain', 'why it stopped, and the ways on'], ['diff', 'what was mended before'], ['accept', 'take that much']],
  },
  cheat: {
    shows: 'an agent that weakens the test instead of mending the code is refused',
    asks: 'a scripted agent that cheats',
    settings: scriptedAs('cheater'),
    script: (shop) => WEAKENINGS.map(({ says, weaken }) => ({ say: says, write: { [WEAKENED]: weaken(shop[WEAKENED] ?? '', 'ten') } })),
    ends: EXIT.guard,
    next: [['explain', 'what it did, and what became of it'], ['diff --iter salvage/1', 'the cheat itself, kept aside'], ['logs', 'every step, with its reason']],
  },
  scope: {
    shows: 'an agent that changes files outside its scope: they are put back, it is told, and goes on',
    asks: 'a scripted agent that strays',
    settings: [...scriptedAs('strayer'), 'scope:', '  allow: [src/**]'],
    script: (shop) => [
      turn(shop, 'Mended the price, and rewrote the README on the way.', MENDS.price, ['README.md', /^Prices.*$/m, 'The best shop there is.']),
      turn(shop, 'Only the code this time.', MENDS.price, MENDS.receipt, MENDS.stock),
    ],
    ends: EXIT.ok,
    next: [['diff --stat', 'only what was allowed'], ['diff --iter salvage/1', 'what was put back, kept aside'], ['logs', 'every step, with its reason']],
  },
  human: {
    shows: 'a person answers: the prompt is to be copied, the answer to be pasted',
    asks: 'you',
    settings: ['agent: paste'],
    answer: (shop) => {
      const { write } = turn(shop, '', MENDS.price, MENDS.receipt, MENDS.stock)
      return Object.entries(write).map(([path, text]) => `=== FILE ${path} ===\n${text}=== END ===\n`).join('\n')
    },
    ends: EXIT.waiting,
    next: [['reply --prompt', 'the whole prompt, to be copied'], ['reply --file ../answer.md', 'hand in an answer; this one works'], ['resume', 'go on with it, checked like any other']],
  },
}

/** Of one that went another way than it is made to go: interrupted, or out of a budget that was given to it. */
const ELSE: readonly Next[] = [['explain', 'why it ended, and the ways on'], ['logs', 'every step, with its reason']]
const CUT_SHORT: readonly Next[] = [['resume', 'go on where it was interrupted'], ['logs', 'every step so far, with its reason']]

/** What there is to type, by how it ended. */
export function nextAfter({ ends, next }: Scenario, code: number): readonly Next[] {
  if (code === ends) return next
  return code > FIRST_SIGNAL ? CUT_SHORT : ELSE
}

function scriptedAs(name: string): string[] {
  return [`agent: ${name}`, 'agents:', `  ${name}: { script: ../agent.json }`]
}

function turn(shop: Files, say: string, ...edits: readonly Edit[]): Turn {
  const write: Record<string, string> = {}
  for (const [path, from, to] of edits) write[path] = (write[path] ?? shop[path] ?? '').replace(from, to)
  return { say, write }
}
