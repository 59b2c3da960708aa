// Tests of agents as they are made from settings: what they print of their secrets goes nowhere.
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { AgentEntry } from '../../agent-entry.js'
import { temporaryFolder } from '../../files/fixture.js'
import type { Activity } from '../../ports.js'
import { STUB } from './acp/fixture.js'
import { askIn } from './cli/fixture.js'
import { makeAgent } from './make.js'
import { noSandbox } from '../sandbox/none.js'

const SECRET = 'sk-0123/456"789'
const json = (value: unknown): string => `printf '%s\\n' '${JSON.stringify(value)}'`

const CODEX = [
  json({ type: 'item.started', item: { type: 'command_execution', command: `curl -H ${SECRET}` } }),
  json({ type: 'item.completed', item: { type: 'agent_message', text: `it is ${SECRET}` } }),
  json({ type: 'turn.failed', error: { message: `${'x'.repeat(190)} ${SECRET}` } }),
]

const update = (text: string) => ({ update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } })
const SCRIPT = { steps: [{ update: { sessionUpdate: 'tool_call', toolCallId: '1', title: `run ${SECRET}`, status: 'pending' } }, update('it is sk-01'), update('23/456"789')] }

it.each<[string, (program: string) => AgentEntry, string]>([
  ['a known command line', (program) => ({ cli: 'codex', program, env: { MY_KEY: SECRET } }), ['cat >/dev/null', ...CODEX].join('\n')],
  ['one that speaks the protocol', () => ({ acp: [process.execPath, STUB, JSON.stringify(SCRIPT), '/dev/null'], env: { MY_KEY: SECRET } }), ''],
  ['a plain command', (program) => ({ command: [program], env: { MY_KEY: SECRET } }), `printf '%s' 'it is ${SECRET}'; printf '%s' '${SECRET}' >&2; exit 1`],
])('%s tells nobody its secret, in no note, no activity, no words and no file', async (_, entryFor, script) => {
  const folder = temporaryFolder()
  const [program, kept] = [join(folder, 'program'), join(folder, 'kept')]
  mkdirSync(kept)
  writeFileSync(program, `#!/bin/sh\n${script}\n`)
  chmodSync(program, 0o755)
  const activities: Activity[] = []
  const agent = await makeAgent('mine', entryFor(program), folder, { sandbox: noSandbox() })
  const answer = await agent.ask({ ...askIn(kept, {}, (activity) => activities.push(activity)), cwd: folder }, new AbortController().signal)
  const files = readdirSync(kept).map((name) => readFileSync(join(kept, name), 'utf8'))
  expect(answer?.text).toBe('it is ***')
  expect(files.length).toBeGreaterThan(0)
  expect([answer, activities, ...files].map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n')).not.toMatch(/sk-0123\//)
})
