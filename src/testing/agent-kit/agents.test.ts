// The kit against our own adapters: the plain command, the script, and the driver of known command lines with a language made up here.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cliAgent } from '../../adapters/agents/cli/agent.js'
import { dialectOf } from '../../adapters/agents/cli/table.js'
import type { Dialect, Told } from '../../adapters/agents/cli/types.js'
import { commandAgent } from '../../adapters/agents/command.js'
import { scriptedAgent } from '../../adapters/agents/scripted.js'
import { CLI_NAMES } from '../../agent-entry.js'
import type { Behaviour } from './behaviours.js'
import { agentKit, PROCESS_CASES, testAgent } from './cases.js'
import type { Speech } from './speech.js'
import { cliSpeeches } from './speeches.js'
import type { KitPlace } from './trial.js'
import { noSandbox } from '../../adapters/sandbox/none.js'

describe('the command agent', () => {
  testAgent(it.concurrent, {
    make: ({ stub, cwd, secret }) => commandAgent({ sandbox: noSandbox(), name: 'command', argv: [stub.program, '--quick'], cwd, env: { API_KEY: secret } }),
  })
})

// ───────────────────────────── the driver of known command lines ─────────────────────────────

const telling: Dialect = {
  name: 'claude',
  program: 'nobody',
  args: () => ['--tell'],
  env: {},
  newReader: () => (line) => {
    try {
      const told: unknown = JSON.parse(line)
      return typeof told === 'object' && told !== null && 'kind' in told ? [told as Told] : []
    } catch {
      return []
    }
  },
  readComplaint: (line) => (line.includes('trying again') ? [{ kind: 'retry', note: line }] : []),
  priced: false,
  login: 'log in', loginFiles: [],
  loginVariables: [],
}

const tells = (told: Told): string => JSON.stringify(told)

const toldSpeech: Speech = {
  evidence: 'record',
  begins: [tells({ kind: 'doing', note: 'begins' })],
  works: tells({ kind: 'doing', note: 'works' }),
  retries: { on: 'err', line: 'no answer, trying again' },
  succeeds: (text) => ({ out: [tells({ kind: 'used', usage: { input: 5, cachedInput: 2, output: 3, usd: null, model: 'm' } }), tells({ kind: 'ended', how: 'done', note: '', text })] }),
  fails: (note) => ({ out: [tells({ kind: 'ended', how: 'failed', note })], exit: 0 }),
  limited: (until) => ({ out: [tells({ kind: 'ended', how: 'failed', note: `Claude AI usage limit reached|${Math.round(until / 1000)}` })], exit: 0 }),
}

describe('the driver of known command lines', () => {
  testAgent(it.concurrent, {
    speech: toldSpeech,
    make: ({ stub, cwd, secret }) => cliAgent({ sandbox: noSandbox(), name: 'told', entry: { cli: 'claude', program: stub.program, env: { API_KEY: secret } }, dialect: telling, cwd }),
  })
})

describe.each(CLI_NAMES)('the agent %s', (cli) => {
  testAgent(it.concurrent, {
    speech: cliSpeeches[cli],
    make: async ({ stub, cwd, secret }) => cliAgent({ sandbox: noSandbox(), name: cli, entry: { cli, program: stub.program, model: 'a/b', env: { API_KEY: secret } }, dialect: await dialectOf(cli), cwd }),
  })
})

// ───────────────────────────── the script ─────────────────────────────

function turnFor({ behaviour, says, makes }: KitPlace): object {
  const write = { [makes.path]: makes.text }
  const turns: Partial<Record<Behaviour, object>> = {
    success: { write, say: says },
    'no-change': { say: says },
    error: { ending: 'failed' },
    chatter: { write, sleepSeconds: 3600 },
    silence: { sleepSeconds: 3600 },
    limit: { ending: 'unavailable' },
  }
  return turns[behaviour] ?? {}
}

describe('the scripted agent', () => {
  testAgent(it.concurrent, {
    lacks: [...PROCESS_CASES, 'flood', 'garbage', 'partial', 'retry-storm', 'reset'],
    make(place) {
      const scriptPath = join(place.folder, 'script.json')
      writeFileSync(scriptPath, JSON.stringify({ turns: [turnFor(place)] }))
      return scriptedAgent({ name: 'scripted', scriptPath })
    },
  })
})

describe('the kit', () => {
  it('leaves out what an adapter cannot be brought into, and nothing else', () => {
    const make = (): never => expect.unreachable('nothing is made before a case is run')
    const all = agentKit({ make })
    expect(all.length - agentKit({ make, lacks: PROCESS_CASES }).length).toBe(PROCESS_CASES.length)
  })
})
