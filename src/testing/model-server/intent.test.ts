// One intent, many agents: it becomes a call of whatever tool the request offers.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { ask, hear } from './fixture.js'
import { startModelServer } from './server.js'
import type { ModelServer, ModelTurn } from './types.js'

let server: ModelServer
afterEach(() => server.close())

type Tool = { name: string; schema: Record<string, unknown> }

function tool(name: string, properties: Record<string, unknown>, required: string[] = []): Tool {
  return { name, schema: { type: 'object', properties, required } }
}

const STRING = { type: 'string' }
const EDITOR_WORDS = { command: { enum: ['view', 'write', 'str_replace'] } }
const AGENTS: Record<string, Tool[]> = {
  claude: [
    tool('Bash', { command: STRING, timeout: { type: 'number' } }, ['command']),
    tool('Write', { file_path: STRING, content: STRING }),
    tool('Edit', { file_path: STRING, old_string: STRING, new_string: STRING, replace_all: { type: 'boolean' } }),
    tool('Read', { file_path: STRING }),
  ],
  opencode: [
    tool('bash', { command: STRING, description: STRING }, ['command', 'description']),
    tool('write', { filePath: STRING, content: STRING }),
    tool('edit', { filePath: STRING, oldString: STRING, newString: STRING }),
  ],
  gemini: [
    tool('run_shell_command', { command: STRING }),
    tool('write_file', { file_path: STRING, content: STRING }),
    tool('replace', { file_path: STRING, instruction: STRING, old_string: STRING, new_string: STRING }, ['instruction']),
  ],
  pi: [
    tool('bash', { command: STRING }),
    tool('write', { path: STRING, content: STRING }),
    tool('edit', { path: STRING, edits: { type: 'array', items: { properties: { oldText: STRING, newText: STRING } } } }),
  ],
  'an older goose': [
    tool('developer__shell', { command: STRING }),
    tool('developer__text_editor', { ...EDITOR_WORDS, path: STRING, file_text: STRING, old_str: STRING, new_str: STRING }),
  ],
  'an older codex': [tool('shell', { command: { type: 'array', items: STRING } })],
}

async function callOf(turn: ModelTurn, tools: Tool[], system = 'You are an agent.'): Promise<{ name: string; input: unknown }> {
  server = await startModelServer({ script: { turns: [turn] } })
  const { calls } = await hear('chat', await ask(server.url, { protocol: 'chat', tools, system }))
  return calls[0] ?? { name: 'none', input: null }
}

describe('an intent', () => {
  it.each([
    ['claude', { name: 'Write', input: { file_path: 'a.txt', content: 'x' } }],
    ['opencode', { name: 'write', input: { filePath: 'a.txt', content: 'x' } }],
    ['gemini', { name: 'write_file', input: { file_path: 'a.txt', content: 'x' } }],
    ['pi', { name: 'write', input: { path: 'a.txt', content: 'x' } }],
    ['an older goose', { name: 'developer__text_editor', input: { command: 'write', path: 'a.txt', file_text: 'x' } }],
    ['an older codex', { name: 'shell', input: { command: ['bash', '-lc', 'mkdir -p . && printf %s x > a.txt'] } }],
  ])('to write becomes the call of %s', async (agent, call) => {
    expect(await callOf({ write: { path: 'a.txt', content: 'x' } }, AGENTS[agent] ?? [])).toEqual(call)
  })

  it.each([
    ['claude', { name: 'Edit', input: { file_path: 'a.txt', old_string: 'x', new_string: 'y' } }],
    ['gemini', { name: 'replace', input: { file_path: 'a.txt', old_string: 'x', new_string: 'y', instruction: 'scripted' } }],
    ['pi', { name: 'edit', input: { path: 'a.txt', edits: [{ oldText: 'x', newText: 'y' }] } }],
    ['an older goose', { name: 'developer__text_editor', input: { command: 'str_replace', path: 'a.txt', old_str: 'x', new_str: 'y' } }],
  ])('to edit becomes the call of %s, with what it needs besides', async (agent, call) => {
    expect(await callOf({ edit: { path: 'a.txt', old: 'x', new: 'y' } }, AGENTS[agent] ?? [])).toEqual(call)
  })

  it.each([
    ['claude', { name: 'Bash', input: { command: 'npm test' } }],
    ['opencode', { name: 'bash', input: { command: 'npm test', description: 'scripted' } }],
    ['an older codex', { name: 'shell', input: { command: ['bash', '-lc', 'npm test'] } }],
  ])('to run a command becomes the call of %s', async (agent, call) => {
    expect(await callOf({ shell: 'npm test' }, AGENTS[agent] ?? [])).toEqual(call)
  })

  it.each([
    'You are in <cwd>/tmp/some place/x</cwd> now.',
    'Working directory: /tmp/some\nPlatform: linux',
    "I'm currently working in the directory: /tmp/some\n",
  ])('has its path put where the request says the agent works: %s', async (system) => {
    const { input } = await callOf({ read: { path: 'sub/a.txt' } }, AGENTS.claude ?? [], system)
    expect(input).toEqual({ file_path: `${system.includes('place') ? '/tmp/some place/x' : '/tmp/some'}/sub/a.txt` })
  })

  it('that goes through a shell leaves exactly what was asked, quotes and all', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'greenlatch-intent-'))
    const shell = [tool('exec_command', { cmd: STRING })]
    const run = async (turn: ModelTurn) => {
      const { input } = await callOf(turn, shell)
      execFileSync('bash', ['-c', (input as { cmd: string }).cmd], { cwd: folder })
      await server.close()
    }
    const content = "it's \"quoted\" $HOME `x` %s \\n\n"
    await run({ write: { path: 'sub/a b.txt', content } })
    expect(readFileSync(join(folder, 'sub/a b.txt'), 'utf8')).toBe(content)
    writeFileSync(join(folder, 'c.txt'), 'old $& old\n')
    await run({ edit: { path: 'c.txt', old: 'old $&', new: "it's $& new" } })
    expect(readFileSync(join(folder, 'c.txt'), 'utf8')).toBe("it's $& new old\n")
  })

  it('for which no tool is offered is told in words and in the record', async () => {
    server = await startModelServer({ script: { turns: [{ shell: 'npm test' }] } })
    const heard = await hear('chat', await ask(server.url, { protocol: 'chat', tools: [tool('web_search', {})] }))
    expect(heard).toMatchObject({ calls: [], text: 'no tool that is offered can shell: web_search' })
    expect(server.requests[0]).toMatchObject({ kind: 'turn', why: 'no tool that is offered can shell: web_search' })
  })
})
