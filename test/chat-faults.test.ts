// Everything that can go wrong with a model's server, through the real agent and the real workspace: what is not whole is not applied.
import { describe, expect, it, onTestFinished } from 'vitest'
import { MODEL_FAULTS, startModelServer, type FaultKind } from '../src/testing/model-server/index.js'
import { countTokens } from '../src/text/prompt/tokens.js'
import { chatGround, type ChatGround } from './support/chat.js'

const FILES = { 'src/add.js': 'export const add = (a, b) => a - b\n', 'README.md': 'a place\n' }
const REPLY = `I turned it.\n\n=== FILE src/add.js ===\nexport const add = (a, b) => a + b\n=== END ===\n=== FILE src/more.js ===\n${'// more\n'.repeat(20)}=== END ===\n`
/** The answer is whole in spite of these. */
const HARMLESS = new Set<FaultKind>(['slow-drip', 'huge-line', 'usage-missing'])
/** One event of a stream may come before it is seen that the budget is spent. */
const ONE_EVENT_TOKENS = 10
const LIMITS = { wallSeconds: 20, silenceSeconds: 0.15, outputBytes: 100_000 }

async function serverFor(fault: FaultKind): Promise<string> {
  const turn = { text: REPLY, reasoning: 'hm', usage: { input: 400, output: 90 }, fault, pauseSeconds: 0.002, sizeBytes: 60_000, retryAfterSeconds: 1 }
  const server = await startModelServer({ script: { client: 'chat', turns: [turn] } })
  onTestFinished(() => server.close())
  return server.url
}

type Seen = { fault: FaultKind; verdict: string; note: string; applied: boolean; over: number }

async function seenWith(ground: ChatGround, fault: FaultKind, stream: boolean, before: Record<string, string>): Promise<Seen> {
  const tokens = countTokens(ground.prompt()) + 200
  const { report, spent } = await ground.ask(await serverFor(fault), { entry: stream ? {} : { stream: false }, limits: LIMITS, tokens: Math.max(tokens, 1000) })
  const now = ground.inside()
  const isUntouched = JSON.stringify(now) === JSON.stringify(before) && report.tree === ground.tree
  return { fault, verdict: report.verdict, note: report.note, applied: !isUntouched, over: Math.max(report.spent.tokens, ...spent) - Math.max(tokens, 1000) }
}

describe('the faults of a model server', () => {
  it.each([['in a stream', true], ['in one piece', false]])('IS-19 apply no part of an answer that is not whole, and pass no budget: %s', async (_how, stream) => {
    const ground = await chatGround(FILES)
    const [before, around] = [ground.inside(), ground.outside()]
    const seen: Seen[] = []
    for (const fault of MODEL_FAULTS) seen.push(await seenWith(ground, fault, stream, before))
    expect(ground.outside()).toEqual(around)
    expect(seen.length).toBeGreaterThanOrEqual(25)
    // Told twice that it is over, a stream is; JSON that has its end twice is none.
    const harmless = MODEL_FAULTS.filter((fault) => HARMLESS.has(fault) || (stream && fault === 'duplicate-terminal'))
    expect(seen.filter(({ applied }) => applied).map(({ fault }) => fault)).toEqual(harmless)
    expect(seen.filter(({ fault, verdict, note }) => !harmless.includes(fault) && (verdict !== 'error' || note === ''))).toEqual([])
    expect(seen.filter(({ over }) => over > ONE_EVENT_TOKENS)).toEqual([])
  })
})
