// For the tests of this folder: requests to a model, a scripted server, and waits that take no time.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ChatEntry } from '../../../agent-entry.js'
import type { Activity, Answer, AskRequest } from '../../../ports.js'
import { startModelServer, type ModelScript, type ModelServer, type ModelTurn } from '../../../testing/model-server/index.js'
import { chatAgent, type ChatAgentOptions } from './agent.js'

const PLAIN = { stance: null, focus: null, scope: null, roles: {} }

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'greenlatch-chat-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function requestFor(prompt: string, rest: Partial<AskRequest> & { answers?: string } = {}): AskRequest {
  const folder = temporary()
  const { answers = 'implementer', ...others } = rest
  return {
    session: 's1',
    effect: {
      kind: 'ask', id: '3.act', phase: 'act', iteration: 2, plan: 0, tree: 't', pins: 'start', base: 'act', opensIteration: true, opensPlan: false,
      role: answers, answers, yields: 'candidate', turn: 2, posture: PLAIN, hints: [], nonce: '', decides: true,
    },
    prompt,
    responsePath: join(folder, 'act-response.md'),
    cwd: folder,
    top: folder,
    limits: { wallSeconds: 60, silenceSeconds: 60, outputBytes: 8 * 1024 * 1024 },
    left: { tokens: null, usd: null },
    onActivity: () => {},
    ...others,
  }
}

export async function serverWith(turns: ModelScript['turns'] | ModelTurn, more: Partial<ModelScript> = {}): Promise<ModelServer> {
  const list = Array.isArray(turns) || typeof turns === 'function' ? (turns as ModelScript['turns']) : [turns as ModelTurn]
  const server = await startModelServer({ script: { client: 'chat', ...more, turns: list } })
  onTestFinished(() => server.close())
  return server
}

export type Asked = { answer: Answer; waits: number[]; activities: Activity[]; request: AskRequest }

type How = Partial<AskRequest> & { answers?: string; entry?: Partial<ChatEntry>; options?: Partial<ChatAgentOptions>; signal?: AbortSignal; prompt?: string }

/** Asks once; the waits between attempts are noted and not waited. */
export async function askAt(url: string, { entry = {}, options = {}, signal = new AbortController().signal, prompt = 'the prompt', ...rest }: How = {}): Promise<Asked> {
  const waits: number[] = []
  const activities: Activity[] = []
  const request = requestFor(prompt, { onActivity: (activity) => void activities.push(activity), ...rest })
  const wait = async (seconds: number): Promise<void> => void waits.push(seconds)
  const agent = chatAgent({ name: 'near', entry: { chat: `${url}/v1`, model: 'm', ...entry }, wait, ...options })
  const answer = await agent.ask(request, signal)
  if (!answer) throw new Error('a model always answers')
  return { answer, waits, activities, request }
}
