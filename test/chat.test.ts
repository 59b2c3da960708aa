// A model behind an address, through the CLI: `tdd` converges with it, a faulty reply is asked for once more, and its key stays out of sight.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startModelServer, type ModelRequest, type ModelServer } from '../src/testing/model-server/index.js'
import { countTokens } from '../src/text/prompt/tokens.js'
import { fileBlock, nodeTests, planOf, tddPlace, type TddPlace } from './support/tdd.js'

const SECRET = 'sk-never-to-be-seen-0001'
const PLAN = planOf({ 'test/ab.test.mjs': nodeTests({ adds: 'ab.add(1, 2) === 3', multiplies: 'ab.mul(2, 3) === 6' }) }, 'src/ab.mjs')
const RIGHT = 'export const add = (a, b) => a + b\nexport const mul = (a, b) => a * b'
const WRONG = RIGHT.replace('a * b', 'a + b')

/** By what is asked: each prompt is about one thing. */
type Script = { implement: readonly string[] }

async function modelFor({ implement }: Script): Promise<ModelServer> {
  let tries = 0
  const turns = ({ prompt }: ModelRequest): { text: string; reasoning: string } => {
    if (prompt.startsWith('# Plan')) return { text: `<think>What to test?</think>\nHere it is:\n\n\`\`\`json\n${PLAN}\n\`\`\``, reasoning: 'hm' }
    if (prompt.startsWith('# Are the tests right?')) return { text: '{"tests_correct": true, "issues": []}', reasoning: '' }
    if (prompt.startsWith('# Review')) return { text: '{"diagnosis": "mul adds", "plan": []}', reasoning: '' }
    const text = implement[Math.min(tries, implement.length - 1)] ?? ''
    tries += 1
    return { text, reasoning: 'let me see' }
  }
  const server = await startModelServer({ script: { client: 'chat', turns } })
  onTestFinished(() => server.close())
  return server
}

const prompts = (server: ModelServer): string[] => server.requests.filter(({ kind }) => kind === 'turn').map(({ body }) => (body as { messages: { content: string }[] }).messages[0]?.content ?? '')

function leaks(place: TddPlace): string {
  try {
    return execFileSync('grep', ['-rl', SECRET, place.state, place.repo], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

describe('a model behind an address', () => {
  it('IS-08 IS-19 IS-20 brings tdd to its end by --url alone, where a faulty reply is asked for once more and an iteration is not lost by it', async () => {
    const half = fileBlock('src/ab.mjs', RIGHT).replace('=== END ===\n', '')
    const server = await modelFor({ implement: [half, fileBlock('src/ab.mjs', WRONG), `${fileBlock('src/ab.mjs', RIGHT)}=== COMMAND ===\nnode --test test/ab.test.mjs\ncurl evil\n=== END ===\n`] })
    const place = tddPlace()
    const ended = await place.run(['run', 'tdd', 'Write src/ab.mjs.', '--url', server.url, '--model', 'small', '--max-iterations', '5', '--json'])
    expect(ended.stderr).toContain('command not run: curl evil (no rule allows it)')
    expect(JSON.parse(ended.stdout)).toMatchObject({ finish: { outcome: 'converged' }, iteration: 2 })
    expect(ended.code).toBe(0)
    const asked = prompts(server)
    const implementing = asked.filter((prompt) => prompt.startsWith('# One iteration'))
    expect(implementing).toHaveLength(3)
    expect(implementing[1]).toContain('src/ab.mjs: it is never closed; end it with a line === END ===')
    expect(implementing[2]).not.toContain('never closed')
    const bodies = server.requests.filter(({ kind }) => kind === 'turn').map(({ body }) => body as Record<string, unknown>)
    expect(bodies[0]).toMatchObject({ model: 'small', max_tokens: 8192 })
    expect(bodies[1]).toMatchObject({ temperature: 0.4, max_tokens: 4096 })
    expect(place.file('iteration-1/implement-response.md')).toBe(half)
    expect(JSON.parse(place.file('iteration-1/implement-usage.json'))).toMatchObject({ agent: 'chat', input: 100, output: 20 })
  })

  it('IS-20 IS-19 is asked as its entry says for each role, within its context, and its key is written nowhere', async () => {
    const server = await modelFor({ implement: [fileBlock('src/ab.mjs', RIGHT)] })
    const exported = Array.from({ length: 40 }, (_, n) => `export function calculateSomething${n}(a, b) { return a + b }\n`).join('')
    const place = tddPlace(Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`src/module-${n}.mjs`, exported])))
    const settings = `agents:\n  near: { chat: "${server.url}/v1", key: NEAR_KEY, model: small, roles: { consultant: { model: large, contextTokens: 2400 } } }\nagent: near\nfloor: 1\n`
    place.write('../settings.yaml', settings)
    const args = ['run', 'tdd', 'Write src/ab.mjs.', '--config', join(place.root, 'settings.yaml')]
    const without = await place.run(args)
    expect(without).toMatchObject({ code: 7, stderr: expect.stringContaining('NEAR_KEY, which should hold its key, is not set') as string })
    const ended = await place.run(args, { env: { NEAR_KEY: SECRET } })
    const [planning, implementing] = server.requests.filter(({ kind }) => kind === 'turn').map(({ body }) => body as { model: string; messages: { content: string }[] })
    expect([planning?.model, implementing?.model]).toEqual(['large', 'small'])
    const prompt = planning?.messages[0]?.content ?? ''
    expect(prompt).toContain('- WHAT IS THERE (about ')
    expect(countTokens(prompt)).toBeLessThanOrEqual(1200)
    expect(ended.code).toBe(0)
    expect(ended.stdout + ended.stderr).not.toContain(SECRET)
    expect(leaks(place)).toBe('')
    expect(readFileSync(join(place.session(), 'journal.jsonl'), 'utf8')).toContain('NEAR_KEY')
  })
})
