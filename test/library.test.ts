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
})
