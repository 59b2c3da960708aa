// Tests of the scripted agent on real scripts and real folders.
import { execFileSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Refusal } from '../../errors.js'
import type { AskRequest } from '../../ports.js'
import { examplesOf } from '../../../test/support/docs/lists.js'
import { readWord } from '../../text/reply/reply.js'
import { scriptedAgent } from './scripted.js'

let folder = ''
let cwd = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlatch-script-'))
  cwd = join(folder, 'work')
  mkdirSync(cwd)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const PLAIN = { stance: null, focus: null, scope: null, roles: {} }
const LIMITS = { wallSeconds: 60, silenceSeconds: 60, outputBytes: 1000 }

function requestFor(turn: number, rest: Partial<AskRequest> = {}): AskRequest {
  return {
    session: 's1',
    effect: {
      kind: 'ask', id: '3.act', phase: 'act', iteration: 2, plan: 0, tree: 't', pins: 'start', base: 'act', opensIteration: true, opensPlan: false,
      role: 'implementer', answers: 'implementer', yields: 'candidate', turn, posture: PLAIN, hints: [], nonce: 'c0de', decides: true,
    },
    prompt: 'the prompt',
    responsePath: join(folder, 'response.md'),
    cwd,
    top: cwd,
    limits: LIMITS,
    left: { tokens: null, usd: null },
    onActivity: () => {},
    ...rest,
  }
}

function agentFor(script: string, name = 'script.yaml') {
  writeFileSync(join(folder, name), script)
  return scriptedAgent({ name: 'test', scriptPath: join(folder, name) })
}

async function ask(script: string, request = requestFor(1), signal = new AbortController().signal) {
  return (await agentFor(script)).ask(request, signal)
}

describe('a scripted agent', () => {
  it('writes, appends to and deletes files, answers, and spends what the script says', async () => {
    writeFileSync(join(cwd, 'old.txt'), 'old')
    writeFileSync(join(cwd, 'log.txt'), 'one\n')
    const script = `
turns:
  - say: I changed three files.
    write: { src/deep/new.txt: "new\\n" }
    append: { log.txt: "two\\n" }
    delete: [old.txt, never-there.txt]
    tokens: 120
    usd: 0.5
`
    expect(await ask(script)).toEqual({
      ending: 'done',
      note: 'turn 1 of the script: done',
      text: 'I changed three files.',
      files: [join(folder, 'response.md')],
      spent: { seconds: 0, tokens: 120, usd: 0.5 },
    })
    expect(readFileSync(join(cwd, 'src/deep/new.txt'), 'utf8')).toBe('new\n')
    expect(readFileSync(join(cwd, 'log.txt'), 'utf8')).toBe('one\ntwo\n')
    expect(existsSync(join(cwd, 'old.txt'))).toBe(false)
    expect(readFileSync(join(folder, 'response.md'), 'utf8')).toBe('I changed three files.')
  })

  it('reads JSON as well, takes the turn of the effect, and repeats the last one', async () => {
    const agent = await agentFor('{"turns": [{"say": "one"}, {"say": "two", "ending": "failed"}]}', 'script.json')
    const said = []
    for (const turn of [1, 2, 3, 3]) said.push((await agent.ask(requestFor(turn), new AbortController().signal))?.text)
    expect(said).toEqual(['one', 'two', 'two', 'two'])
    expect(await agent.ask(requestFor(2), new AbortController().signal)).toMatchObject({ ending: 'failed' })
  })

  it('fails past its end when told to stop there', async () => {
    const script = 'after: stop\nturns: [{ say: one }]'
    expect(await ask(script, requestFor(1))).toMatchObject({ ending: 'done' })
    expect(await ask(script, requestFor(2))).toMatchObject({ ending: 'failed', note: 'the script ends after 1 turns' })
  })

  it('can say the completion words, and can play one that only repeats its prompt', async () => {
    const done = await ask('turns: [{ say: "all good\\n{{done}}" }]')
    expect(readWord(done?.text ?? '', 'c0de')).toBe('done')
    const failed = await ask('turns: [{ say: "{{failed}}" }]')
    expect(readWord(failed?.text ?? '', 'c0de')).toBe('failed')
    expect(await ask('turns: [{ say: "{{prompt}}" }]', requestFor(1, { prompt: 'do $& it' }))).toMatchObject({ text: 'do $& it' })
  })

  it('that says nothing leaves no response, not even that of an earlier attempt', async () => {
    writeFileSync(join(folder, 'response.md'), 'from before')
    expect(await ask('turns: [{}]')).toMatchObject({ ending: 'done', text: '', files: [] })
    expect(existsSync(join(folder, 'response.md'))).toBe(false)
  })

  it('is cut off by the limits in its sleep, with its files changed and nothing said', async () => {
    const script = 'turns: [{ write: { a: b }, sleepSeconds: 60, say: hello }]'
    const wall = requestFor(1, { limits: { ...LIMITS, wallSeconds: 0.05 } })
    expect(await ask(script, wall)).toMatchObject({ ending: 'timeout', text: '', note: expect.stringContaining('wall-clock') })
    expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('b')
    const silence = requestFor(1, { limits: { ...LIMITS, silenceSeconds: 0.05 } })
    expect(await ask(script, silence)).toMatchObject({ ending: 'silence', spent: { seconds: 0.05 } })
  })

  it('is aborted in its sleep, and does nothing when aborted before', async () => {
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 50)
    expect(await ask('turns: [{ sleepSeconds: 60 }]', requestFor(1), abort.signal)).toMatchObject({ ending: 'aborted' })
    expect(await ask('turns: [{ write: { a: b } }]', requestFor(1), abort.signal)).toMatchObject({ ending: 'aborted' })
    expect(existsSync(join(cwd, 'a'))).toBe(false)
  })

  it('writes through no link, to no file with a second name and to no pipe', async () => {
    writeFileSync(join(folder, 'outside'), 'safe')
    symlinkSync(join(folder, 'outside'), join(cwd, 'link'))
    symlinkSync(folder, join(cwd, 'way'))
    linkSync(join(folder, 'outside'), join(cwd, 'twin'))
    execFileSync('mkfifo', [join(cwd, 'pipe')])
    for (const path of ['link', 'way/outside', 'twin', 'pipe']) {
      for (const change of [`write: { ${path}: bad }`, `append: { ${path}: bad }`]) {
        const named = expect.stringContaining(path.split('/')[0] ?? '')
        expect(await ask(`turns: [{ ${change} }]`)).toMatchObject({ ending: 'failed', note: named })
      }
    }
    expect(await ask('turns: [{ delete: [way/outside] }]')).toMatchObject({ ending: 'failed' })
    expect(readFileSync(join(folder, 'outside'), 'utf8')).toBe('safe')
  })
})

it('plays the example of the documentation', async () => {
  const [{ text: example }, ...others] = examplesOf('a script')
  expect(others).toEqual([])
  mkdirSync(join(cwd, 'src'))
  for (const path of ['src/add.js', 'src/old.js', 'NOTES.md']) writeFileSync(join(cwd, path), 'before\n')
  const agent = await agentFor(example)
  const left = (path: string): string | null => (existsSync(join(cwd, path)) ? readFileSync(join(cwd, path), 'utf8') : null)
  const played = []
  for (const turn of [1, 2, 3, 4]) {
    const answer = await agent.ask(requestFor(turn), new AbortController().signal)
    played.push([answer?.ending, answer?.text, answer?.spent.tokens, left('src/add.js'), left('src/old.js'), left('NOTES.md')])
  }
  const [wrong, right] = ['-', '+'].map((sign) => `export const add = (a, b) => a ${sign} b\n`)
  expect(played).toEqual([
    ['done', 'I wrote a first version.', 1200, wrong, 'before\n', 'before\n'],
    ['failed', 'The tests cannot be run here.', 0, wrong, 'before\n', 'before\n'],
    ['done', 'The sign was wrong.\nGREENLATCH-DONE-c0de\n', 0, right, null, 'before\n- add: the sign was wrong\n'],
    ['failed', '', 0, right, null, 'before\n- add: the sign was wrong\n'],
  ])
})

describe('a bad script', () => {
  it.each([
    ['no turns', 'after: stop\n', 1, '`turns` is missing'],
    ['an empty list', 'after: stop\nturns: []\n', 2, 'at least one'],
    ['a turn that is none', 'turns:\n  - say: a\n  - hello\n', 3, 'a turn must be a map'],
    ['an unknown key', 'turns:\n  - say: a\n    wirte: { a: b }\n', 3, '`wirte` is unknown'],
    ['a name of every object', 'turns:\n  - constructor: a\n', 2, '`constructor` is unknown'],
    ['a wrong ending', 'turns:\n  - ending: great\n', 2, '`ending` must be one of'],
    ['a negative sleep', 'turns:\n  - say: a\n    sleepSeconds: -1\n', 3, '`sleepSeconds` must be a number'],
    ['text that is none', 'turns:\n  - say: [a]\n', 2, '`say` must be text'],
    ['content that is none', 'turns:\n  - write:\n      a.txt: 5\n', 3, '`a.txt` must be text'],
    ['content that is none, under a number', 'turns:\n  - write:\n      5: 7\n', 3, '`5` must be text'],
    ['a path that climbs', 'turns:\n  - write:\n      a: b\n      ../x: b\n', 4, '..'],
    ['an absolute path', 'turns:\n  - delete:\n      - /etc/passwd\n', 3, 'absolute'],
    ['a path into git', 'turns:\n  - append: { .Git/config: x }\n', 2, '.Git'],
    ['broken YAML', 'turns:\n  - say: "a\n', 3, ''],
    ['a key given twice', 'turns:\n  - say: a\n    say: b\n', 3, 'unique'],
    ['something else altogether', '- 1\n', 1, 'the script must be a map'],
    ['nothing', '', 1, 'the script must be a map'],
  ])('with %s is refused before the run, with its file and line', async (_what, script, line, problem) => {
    const refusal = await agentFor(script).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({ code: 2 })
    expect((refusal as Refusal).message).toContain(`${join(folder, 'script.yaml')}:${line}: `)
    expect((refusal as Refusal).message).toContain(problem)
  })

  it('that is not there is refused by name', async () => {
    const missing = scriptedAgent({ name: 'x', scriptPath: join(folder, 'gone.yaml') })
    await expect(missing).rejects.toMatchObject({ code: 2, message: expect.stringContaining('gone.yaml') })
  })
})
