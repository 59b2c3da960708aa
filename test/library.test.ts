// The examples of docs/library.md, run as they stand against the built package, and what a program may rely on besides.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { examplesOf } from './support/docs/lists.js'

const root = join(import.meta.dirname, '..')
const blocks = examplesOf('the library')
const examples = blocks.flatMap(({ lang, text }, at) => (lang === 'js' ? [{ code: text, printed: blocks[at + 1]?.text ?? '' }] : []))

/** As a program in a folder of its own, with the package installed. */
async function runProgram(code: string): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), 'greenlatch-library-'))
  onTestFinished(() => rmSync(place, { recursive: true, force: true }))
  mkdirSync(join(place, 'node_modules'))
  mkdirSync(join(place, 'tmp'))
  symlinkSync(root, join(place, 'node_modules/greenlatch'))
  writeFileSync(join(place, 'example.mjs'), code)
  const env = { PATH: process.env['PATH'] ?? '', HOME: place, TMPDIR: join(place, 'tmp') }
  const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs'], { cwd: place, env })
  return stdout
}

describe('the library', () => {
  it.each(examples.map(({ code, printed }, at) => [at + 1, code, printed] as const))('does what example %s of its page shows', async (_, code, printed) => {
    expect(await runProgram(code)).toBe(printed)
  })

  it('has three examples, each with what it prints', () => {
    expect(blocks.map(({ lang }) => lang)).toEqual(['js', 'text', 'js', 'text', 'js', 'text'])
  })

  it('goes on with a session, takes an agent that only talks, and says no in one line', async () => {
    const printed = await runProgram(`
      import { writeFileSync } from 'node:fs'
      import { defineAgent, defineGate, defineProcedure, openSession, Refusal, run } from 'greenlatch'
      writeFileSync('a.txt', 'wrong')
      const talker = (answers) => defineAgent({ name: 'talker', inText: true, ask: () => answers.shift() })
      const gate = defineGate({ name: 'right', async run({ cwd }) { return (await import('node:fs')).readFileSync(cwd + '/a.txt', 'utf8').trim() === 'right' } })
      const common = { stateDir: 'state', gates: [gate] }
      const first = await openSession({ ...common, task: 'mend a.txt', agent: talker([]) })
      console.log((await run(first)).kind)
      await first.close()
      const second = await openSession({ ...common, resume: first.session.id, agent: talker(['=== FILE a.txt ===\\nright\\n=== END ===\\n']) })
      console.log((await run(second)).kind, second.session.finish.outcome)
      await second.close()
      for (const wrong of [() => openSession({ ...common, task: 'x', agent: 'nobody-of-this-name' }), () => defineProcedure('loop', { start: 'nowhere' }), () => defineGate({ name: 'No Name', run: () => true })]) {
        await Promise.resolve().then(wrong).catch((error) => console.log(error instanceof Refusal, error.code))
      }
    `)
    expect(printed).toBe('waiting\nfinished converged\ntrue 2\ntrue 2\ntrue 2\n')
  })

  it('refuses a NUL wherever it would reach a program or a file, and names the place', async () => {
    const printed = await runProgram(`
      import { openSession, Refusal } from 'greenlatch'
      const common = { stateDir: 'state', task: 'x', agent: 'w', gates: [{ name: 'g', run: 'false' }], settings: { agents: { w: { command: 'cat' } } } }
      for (const wrong of [
        { task: 'a\\0b' }, { gates: [{ name: 'g', run: 'fal\\0se' }] }, { gates: [{ name: 'g', run: ['false', '\\0'] }] }, { settings: { agents: { w: { command: ['cat', '\\0'] } } } },
        { settings: { ...common.settings, setup: 'tr\\0ue' } }, { settings: { ...common.settings, pass_env: ['A\\0'] } }, { cwd: 'a\\0' }, { stateDir: 'a\\0' }, { resume: 'a\\0' },
      ]) {
        await openSession({ ...common, ...wrong }).then((session) => session.close(), (error) => console.log(error instanceof Refusal, error.code, error.message))
      }
      await openSession({ ...common, agent: 'w', settings: { agents: { w: { command: 'c\\0at' } } } }).catch((error) => console.log(error.message))
    `)
    const places = ['the task', 'gate "g"', 'gate "g"', 'agent "w"', 'the command of setup', 'pass_env', 'cwd', 'stateDir', 'resume']
    expect(printed.split('\n')).toEqual([...places.map((place) => `true 2 ${place} holds a NUL character, which can be handed to no program`), 'agent "w" holds a NUL character, which can be handed to no program', ''])
  })
})
