// For tests of agents of the protocol: the stub agent as a real process in a real folder, and what it was told.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AcpEntry } from '../../../agent-entry.js'
import { temporaryFolder } from '../../../files/fixture.js'
import type { Activity, Answer, AskRequest } from '../../../ports.js'
import { acpAgent } from './agent.js'
import { noSandbox } from '../../sandbox/none.js'

export const STUB = join(dirname(fileURLToPath(import.meta.url)), 'stub-agent.mjs')

const PLAIN = { stance: null, focus: null, scope: null, roles: {} }

export type Script = Record<string, unknown>

export type Stage = {
  /** The checkout. */
  cwd: string
  outside: string
  activities: Activity[]
  heardPath: string
  ask(script: Script, more?: { entry?: Partial<AcpEntry>; request?: Partial<AskRequest>; signal?: AbortSignal; price?: { input: number; output: number }; withheld?: string[] }): Promise<Answer>
  /** What the stub was told, in order. */
  heard(): Record<string, unknown>[]
  /** What we have written down of our answers. */
  answers(): Record<string, unknown>[]
}

export function makeStage(): Stage {
  const root = temporaryFolder()
  const [cwd, outside, kept] = [join(root, 'checkout'), join(root, 'outside'), join(root, 'kept')]
  for (const folder of [cwd, outside, kept]) mkdirSync(folder)
  const heardPath = join(root, 'heard.jsonl')
  const activities: Activity[] = []
  return {
    cwd,
    outside,
    activities,
    heardPath,
    async ask(script, { entry, request, signal, price, withheld = [] } = {}) {
      const agent = acpAgent({ sandbox: noSandbox(), name: 'stub', entry: { acp: [process.execPath, STUB, JSON.stringify(script), heardPath], ...entry }, cwd, price, withheld })
      const answer = await agent.ask({ ...requestIn(cwd, kept, activities), ...request }, signal ?? new AbortController().signal)
      if (!answer) throw new Error('it answered nothing')
      return answer
    },
    heard: () => linesIn(heardPath),
    answers: () => linesIn(join(kept, 'act-answers.jsonl')),
  }
}

function requestIn(cwd: string, kept: string, activities: Activity[]): AskRequest {
  return {
    session: 's1',
    effect: {
      kind: 'ask', id: '3.act', phase: 'act', iteration: 2, plan: 0, tree: 't', pins: 'start', base: 'act', opensIteration: true, opensPlan: false,
      role: 'implementer', answers: 'implementer', yields: 'candidate', turn: 2, posture: PLAIN, hints: [], nonce: '', decides: true,
    },
    prompt: 'the prompt',
    responsePath: join(kept, 'act-response.md'),
    cwd,
    top: cwd,
    limits: { wallSeconds: 60, silenceSeconds: 60, outputBytes: 1024 * 1024 },
    left: { tokens: null, usd: null },
    onActivity: (activity) => activities.push(activity),
  }
}

function linesIn(path: string): Record<string, unknown>[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8').trim().split('\n').filter(Boolean).map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** The stub as a program of another name. */
export function stubAs(name: string, stage: Stage, script: Script): string {
  const program = join(stage.outside, name)
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${STUB}' '${JSON.stringify(script)}' '${stage.heardPath}'\n`, { mode: 0o755 })
  return program
}

/** Whether a process still runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
