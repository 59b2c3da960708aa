// The kit against adapters that do not end with their program: a model behind an address, and an agent that is talked with.
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { acpAgent } from '../../adapters/agents/acp/agent.js'
import { chatAgent } from '../../adapters/agents/chat/agent.js'
import { startModelServer, type ModelTurn } from '../model-server/index.js'
import type { Behaviour } from './behaviours.js'
import { PROCESS_CASES, testAgent } from './cases.js'
import { plainSpeech } from './speech.js'
import type { KitPlace } from './trial.js'
import { noSandbox } from '../../adapters/sandbox/none.js'

/** Whole answers count alone, so that what speaks for success is a record. */
const told = { ...plainSpeech, evidence: 'record', retries: null } as const

function turnFor({ behaviour, says, until }: KitPlace): ModelTurn {
  const retryAfterSeconds = Math.round((until - Date.now()) / 1000)
  const turns: Record<Exclude<Behaviour, 'orphan'>, ModelTurn> = {
    success: { text: says },
    'no-change': { text: says },
    error: { fault: 'bad-request' },
    chatter: { text: says, fault: 'endless', pauseSeconds: 0.05 },
    silence: { text: says, fault: 'hang' },
    flood: { text: says, fault: 'huge-line', sizeBytes: 24 * 1024 * 1024 },
    garbage: { text: says, fault: 'garbage-events' },
    partial: { text: says, fault: 'cut' },
    'retry-storm': { fault: 'server-error' },
    limit: { fault: 'rate-limited-seconds', retryAfterSeconds },
  }
  return turns[behaviour as Exclude<Behaviour, 'orphan'>]
}

describe('the chat agent', () => {
  testAgent(it.concurrent, {
    speech: told,
    lacks: PROCESS_CASES,
    async make(place) {
      const server = await startModelServer({ script: { client: 'chat', turns: [turnFor(place)], after: 'repeat' } })
      const wait = async (): Promise<void> => {}
      const agent = chatAgent({ name: 'chat', entry: { chat: `${server.url}/v1`, model: 'm', key: 'KIT_KEY' }, wait, env: { KIT_KEY: place.secret } })
      return { agent, close: () => server.close() }
    },
  })
})

const STUB = join(import.meta.dirname, '../../adapters/agents/acp/stub-agent.mjs')

function scriptFor({ behaviour, says, makes, until }: KitPlace): object {
  const edit = { edit: [makes.path, makes.text] }
  const say = { say: says }
  const scripts: Record<Exclude<Behaviour, 'orphan'>, object> = {
    success: { steps: [edit, say] },
    'no-change': { steps: [say] },
    error: { steps: [say], fail: { code: -32603, message: 'the work could not be done: no lime' } },
    chatter: { steps: [edit, ...Array.from({ length: 2000 }, () => [{ say: 'x' }, { sleep: 0.02 }]).flat()] },
    silence: { steps: [edit, say, { hang: true }] },
    flood: { steps: [{ flood: 24_000 }, say] },
    garbage: { banner: '\u0000\u001b[2Jnull\n42\n"text"\n{"jsonrpc":7}\n[[[[\n', steps: [{ exit: 0 }] },
    partial: { steps: [say, { raw: '{"jsonrpc":"2.0","id":3,"result":{"stopRea' }, { exit: 0 }] },
    'retry-storm': { steps: Array.from({ length: 2000 }, () => [{ stderr: 'no answer, trying again\n' }, { sleep: 0.02 }]).flat() },
    limit: { steps: [say], fail: { code: -32603, message: `Claude AI usage limit reached|${Math.round(until / 1000)}` } },
  }
  return scripts[behaviour as Exclude<Behaviour, 'orphan'>]
}

describe('the agent that is talked with', () => {
  testAgent(it.concurrent, {
    speech: told,
    // Its program is told what to do by its first argument, and has its own tests of processes, its prompt on the pipe among them.
    lacks: ['orphan', 'stdin', 'environment', 'argv', 'missing'],
    make: (place) => acpAgent({ sandbox: noSandbox(), name: 'talked', entry: { acp: [process.execPath, STUB, JSON.stringify(scriptFor(place))], env: { API_KEY: place.secret } }, cwd: place.cwd }),
  })
})
