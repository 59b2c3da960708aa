// A very long session of `artifact` in one run, in memory: nothing piles up and nothing is lost.
import { describe, expect, it } from 'vitest'
import { plainProfile } from '../src/adapters/profiles/plain.js'
import { readByProfile } from '../src/adapters/profiles/read.js'
import { createHistory } from '../src/cli/published.js'
import { builtinProcedures, exitCodeOf, type Procedure, type ReadReply } from '../src/index.js'
import { readReply } from '../src/text/reply/read-reply.js'
import { CODE, FAILS, PLAN } from './support/artifact.js'
import { runInMemory } from './support/loop.js'

const REVIEWS = 1000
const SAYS: Record<string, string> = { plan: PLAN, generate: CODE, review: FAILS, revise: CODE }

const read: ReadReply = (session, effect, text) => {
  if (effect.yields === 'response') return readReply(session, effect, text)
  const phase = session.procedure.phases[effect.phase]?.file ?? effect.phase
  const context = { phase, iteration: effect.iteration, parameters: {}, task: '', plan: '', review: '', code: [] }
  return readByProfile(plainProfile, text, { session, effect, context })
}

describe('a thousand failing reviews in one run', () => {
  it('AI-13 neither overflow nor lose a transition, and the budget ends them.', async () => {
    const procedure: Procedure = { ...(builtinProcedures['artifact'] as Procedure), budget: { iterations: REVIEWS } }
    let revisions = 0
    const { live, ending } = await runInMemory({
      procedure,
      turns: [],
      roles: ['planner', 'implementer', 'reviewer'],
      answers: ({ effect }) => ({ text: SAYS[effect.phase] ?? '', tree: effect.tree }),
      read,
      workspace: {
        actions: ['materialise'],
        act: () => Promise.resolve({ verdict: 'pass', cause: null, note: '', tree: `revision-${(revisions += 1)}`, files: [] }),
      },
    })
    expect([ending.kind, exitCodeOf(live.session, ending), live.session.iteration]).toEqual(['finished', 4, REVIEWS])
    const history = createHistory()
    for await (const record of live.ports.journal.records()) history.hear(record)
    const { phase_history = [], phase, status, current_iteration } = history.fields()
    expect([phase, status, current_iteration, revisions]).toEqual(['ERROR', 'FAILED', REVIEWS, REVIEWS - 1])
    const round = ['REVISING', 'REVISED', 'REVIEWING']
    const rounds = Array.from({ length: REVIEWS - 1 }, () => round).flat()
    const first = ['INITIALIZED', 'PLANNING', 'PLANNED', 'GENERATING', 'GENERATED', 'REVIEWING']
    expect(phase_history.map((entry) => entry.phase)).toEqual([...first, ...rounds, 'ERROR'])
  })
})
