// What is proved of each real agent, through the built command line. A case throws when it does not hold.
import assert from 'node:assert'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPlace, RIGHT, SECRET, WRONG } from './place.mjs'

const TASK = ['run', 'converge', 'make the tests pass', '--gate', 'test=node --test']
/** One attempt, within limits that are small enough to be waited for and longer than an agent takes to start, or to give up without a word. */
const QUICK = new Set(['claude', 'codex', 'pi'])
const bounded = (agent) => ({
  limits: QUICK.has(agent) ? { agentSeconds: 30, agentSilenceSeconds: 8 } : { agentSeconds: 90, agentSilenceSeconds: 30 },
  procedures: { converge: { policies: { infrastructure: { limit: 1 }, setbacks: { limit: 1 } } } },
})
/** Says nothing at all while it tries again: only the limit of silence ends it. */
const SILENT = new Set(['qwen'])
const EXHAUSTED = 4
const REFUSED = 7
const INTERRUPTED = 130

/** Some refuse to write over a file that they have not read. */
const writes = (content, usage) => [
  { read: { path: 'sum.mjs' } },
  { text: 'I change the sum.', write: { path: 'sum.mjs', content }, usage },
  { shell: 'node --test', usage: { input: 1500, cachedInput: 900, output: 40, reasoning: 15 } },
  { text: 'The sum is changed.', usage: { input: 1700, cachedInput: 1500, output: 12 } },
]

/** `quick` ones are meant for CI; `only`: those whose records can show it. */
export const CASES = [
  { name: 'converges, tokens exact', quick: true, run: converges },
  { name: 'converges in the sandbox', quick: true, run: confined },
  { name: 'interrupted and resumed', quick: true, run: interrupted },
  { name: 'interrupted in a tool', quick: true, run: interruptedInTool },
  { name: 'nobody answers', quick: true, run: (agent) => unserved(agent, undefined) },
  { name: 'server fails for ever', run: (agent) => unserved(agent, { turns: [{ fault: 'server-error' }] }) },
  { name: 'limit is recognised', quick: true, run: limited },
  { name: 'budget ends a call', only: new Set(['claude', 'opencode', 'qwen', 'pi']), run: overspends },
  { name: 'agents and doctor', quick: true, run: looksAround },
]

async function within(agent, options, body) {
  const place = await openPlace(agent, options)
  try {
    await body(place)
    await nothingLeft(place)
  } finally {
    await place.close()
  }
}

/** Some end a moment after we have. */
async function nothingLeft(place) {
  for (let tries = 0; tries < 20 && place.left().length > 0; tries += 1) await sleep(100)
  assert.deepStrictEqual(place.left(), [], 'processes are left running')
}

async function statusOf(place) {
  const { code, stdout, stderr } = await place.run(['status', '--json'])
  assert.ok([0, 1, 2, 3, 4, 5, 6, 7, 130].includes(code), stderr)
  return JSON.parse(stdout)
}

function sumOf(entries, key) {
  return entries.reduce((sum, entry) => sum + entry[key], 0)
}

// ───────────────────────────── the cases ─────────────────────────────

/** A wrong candidate, then a right one: two calls, whose tokens are held against what the server says it has served. */
async function converges(agent) {
  const turns = [
    ...writes(WRONG, { input: 1000, cachedInput: 400, output: 50, reasoning: 20 }),
    ...writes(RIGHT, { input: 1100, cachedInput: 700, output: 60 }),
  ]
  await within(agent, { script: { turns } }, async (place) => {
    const ended = await place.run([...TASK, '--agent', agent])
    assert.strictEqual(ended.code, 0, ended.stderr)
    const { input, cachedInput, output } = place.server.served.turns
    const status = await statusOf(place)
    assert.strictEqual(place.server.served.side.input, 0, 'requests beside the work were not counted')
    assert.strictEqual(status.spent.tokens, input + output)
    const usages = place.usage()
    assert.strictEqual(sumOf(usages, 'input'), input - cachedInput)
    assert.strictEqual(sumOf(usages, 'cachedInput'), cachedInput)
    assert.strictEqual(sumOf(usages, 'output'), output)
    assert.strictEqual(place.versions()[`agent ${agent}`], place.version)
  })
}

/** It works as ever, reaches its model on this machine, and sees neither the user's keys nor another port. */
async function confined(agent) {
  const look = `cat "$HOME/.ssh/id_ed25519" > seen.txt 2>&1; (exec 3<>/dev/tcp/127.0.0.1/9) 2>/dev/null; true`
  const turns = [{ shell: look }, ...writes(RIGHT)]
  await within(agent, { script: { turns }, env: { GREENLATCH_SANDBOX: 'bubblewrap', IS_SANDBOX: '' } }, async (place) => {
    const ended = await place.run([...TASK, '--agent', agent])
    assert.strictEqual(ended.code, 0, ended.stderr)
    assert.strictEqual((await statusOf(place)).sandbox, 'bubblewrap')
    assert.ok(!place.keeps(SECRET), 'the key was seen')
  })
}

async function interrupted(agent) {
  const turns = [{ fault: 'hang' }, ...writes(RIGHT)]
  await within(agent, { script: { turns } }, async (place) => {
    const running = place.start([...TASK, '--agent', agent])
    while (running.isAlive() && !place.server.requests.some(({ fault }) => fault === 'hang')) await sleep(50)
    running.signal('SIGINT')
    const ended = await running.ended
    assert.strictEqual(ended.code, INTERRUPTED, ended.stderr)
    await nothingLeft(place)
    const resumed = await place.run(['resume'])
    assert.strictEqual(resumed.code, 0, resumed.stderr)
  })
}

/** Most run their tools in sessions of their own, where no signal to the agent arrives. */
async function interruptedInTool(agent) {
  const tool = 'tail -f /dev/null'
  await within(agent, { script: { turns: [{ shell: tool }, { text: 'Done.' }] } }, async (place) => {
    const running = place.start([...TASK, '--agent', agent])
    while (running.isAlive() && !place.left().some(({ command }) => command.startsWith(tool))) await sleep(50)
    running.signal('SIGINT')
    const ended = await running.ended
    assert.strictEqual(ended.code, INTERRUPTED, ended.stderr)
  })
}

async function unserved(agent, script) {
  await within(agent, { script, settings: bounded(agent) }, async (place) => {
    const ended = await place.run([...TASK, '--agent', agent])
    assert.strictEqual(ended.code, REFUSED, ended.stderr)
  })
}

/** Bounded retries, where the agent has a switch for them, so that it tells of the limit itself. */
async function limited(agent) {
  const script = { turns: [{ fault: 'quota-used-up', message: 'Rate limit reached: you have used up your quota.' }] }
  await within(agent, { script, settings: bounded(agent), env: { CLAUDE_CODE_MAX_RETRIES: '1' } }, async (place) => {
    const ended = await place.run([...TASK, '--agent', agent])
    assert.strictEqual(ended.code, REFUSED, ended.stderr)
    if (!SILENT.has(agent)) assert.match(ended.stderr, /cannot be reached/)
  })
}

/** It would go on for ever, and tells what it uses as it goes. Claude Code is told how much money is left, and keeps to it by itself. */
async function overspends(agent) {
  await bounds(agent, ['--max-tokens', '5000'], ({ tokens }) => tokens >= 5000 && tokens < 9000)
  if (agent === 'claude') await bounds(agent, ['--max-cost', '0.02'], ({ usd }) => usd >= 0.02 && usd < 0.04)
}

async function bounds(agent, flags, holds) {
  const script = { turns: [{ shell: 'sleep 0.2', usage: { input: 1000, output: 100 } }] }
  await within(agent, { script }, async (place) => {
    const ended = await place.run([...TASK, '--agent', agent, ...flags])
    assert.strictEqual(ended.code, EXHAUSTED, ended.stderr)
    const { spent } = await statusOf(place)
    assert.ok(holds(spent), JSON.stringify(spent))
  })
}

async function looksAround(agent) {
  const turns = [{ write: { path: 'greenlatch-check.txt', content: 'latched\n' } }, { text: 'Done.' }]
  await within(agent, { script: { turns } }, async (place) => {
    const { stdout } = await place.run(['agents', '--json'])
    const row = JSON.parse(stdout).find(({ name }) => name === agent)
    assert.strictEqual(row.state, place.state)
    assert.strictEqual(row.version, place.version)
    const doctor = await place.run(['doctor', '--agent', agent])
    assert.match(doctor.stdout + doctor.stderr, /did a small edit/)
  })
}
