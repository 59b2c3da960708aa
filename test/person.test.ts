// A person in the place of an agent: the prompt to copy, three ways to hand in an answer, and files from it or by hand.
import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makePlace, type Place } from './support/cli.js'

const MENDED = '=== FILE sum.js ===\nexport const sum = (a, b) => a + b\n=== END ===\n'

/** Two checks fail by one fault each; a person is asked for every role. */
async function asked(...more: string[]): Promise<{ place: Place; waiting: { prompt: string; path: string; cwd: string } }> {
  const place = makePlace()
  place.write('sum.js', 'export const sum = (a, b) => a - b\n')
  place.write('name.txt', 'wrong\n')
  for (const args of [['init', '-q'], ['add', '-A'], ['-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qm', 'first']]) execFileSync('git', args, { cwd: place.repo })
  const gates = ['--gate', `sum=node -e "import('./sum.js').then(({ sum }) => process.exit(sum(1, 2) === 3 ? 0 : 1))"`, ...more]
  const ended = await place.run(['run', 'mend the sum', '--agent', 'paste', ...gates])
  expect(ended.code).toBe(8)
  const told = (what: string): string => new RegExp(`${what}: +(.*)`).exec(ended.stderr)?.[1] ?? ''
  const id = /\S+$/.exec(ended.stdout.trim())?.[0] ?? ''
  const cwd = (JSON.parse((await place.run(['path', '--json'])).stdout) as { checkout: string }).checkout
  expect(ended.stderr).toContain(`to copy it:     greenlatch reply ${id} --prompt`)
  expect(ended.stderr).toContain(`or by hand:     edit in ${cwd}, then: echo done | greenlatch reply ${id}`)
  expect(ended.stderr).toMatch(new RegExp(`then go on: +greenlatch resume ${id}\n$`))
  return { place, waiting: { prompt: told('the prompt'), path: told('put it into'), cwd } }
}

describe('a person', () => {
  it('AI-12 gets the prompt to copy as it lies in its file, and answers in text by a file, by reply --file or on standard input', async () => {
    const { place, waiting } = await asked()
    const shown = await place.run(['reply', '--prompt'])
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toBe(readFileSync(waiting.prompt, 'utf8'))
    expect(shown.stdout).toContain('=== FILE <path> ===')
    expect(shown.stdout).toContain('Change files in the folder itself, or write each file')
    expect(shown.stdout).not.toContain('You cannot edit files here')
    expect(await place.run(['reply'], { stdin: 'I would rather not.\n' })).toMatchObject({ code: 0 })
    const idle = await place.run(['resume'])
    expect([idle.code, idle.stderr]).toEqual([8, expect.stringContaining('the reply has no file block, and nothing was changed in the folder')])
    writeFileSync(join(place.repo, '..', 'answer.md'), '=== FILE sum.js ===\nexport const sum = () => 4\n=== END ===\n')
    expect(await place.run(['reply', '--file', '../answer.md'])).toMatchObject({ code: 0 })
    const third = await place.run(['resume'])
    expect(third.code).toBe(8)
    writeFileSync(/put it into: +(.*)/.exec(third.stderr)?.[1] ?? '', MENDED)
    expect(await place.run(['resume'])).toMatchObject({ code: 0, stderr: expect.stringContaining('CONVERGED') })
  })

  it('AI-12 may edit in the folder as well: both count, and no block is missed', async () => {
    const { place, waiting } = await asked('--gate', 'name=grep -q right name.txt')
    appendFileSync(join(waiting.cwd, 'name.txt'), 'right\n')
    expect(await place.run(['reply'], { stdin: MENDED })).toMatchObject({ code: 0 })
    const ended = await place.run(['resume'])
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('CONVERGED') })
    const other = await asked()
    writeFileSync(join(other.waiting.cwd, 'sum.js'), 'export const sum = (a, b) => a + b\n')
    expect(await other.place.run(['reply'], { stdin: 'done by hand\n' })).toMatchObject({ code: 0 })
    const byHand = await other.place.run(['resume'])
    expect(byHand.code).toBe(0)
    expect(byHand.stderr).not.toContain('no file block')
  })

  it('AI-12 is shown no prompt where none waits, and --prompt hands in nothing', async () => {
    const { place } = await asked()
    expect(await place.run(['reply', '--prompt', '--file', 'x'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--file and --prompt do not go together') })
    await place.run(['reply'], { stdin: MENDED })
    await place.run(['resume'])
    expect(await place.run(['reply', '--prompt'])).toMatchObject({ code: 2, stderr: expect.stringContaining('waits for nobody') })
  })
})
