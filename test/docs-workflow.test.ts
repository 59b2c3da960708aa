// The workflow of README and docs/how-to/ci.md, played as a runner would: with an agent that mends, and with one that does not.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { examplesOf } from './support/docs/lists.js'
import { makeSample, write } from './support/docs/sample.js'
import { play, type Played } from './support/docs/workflow.js'

const [{ text: workflow }, ...others] = examplesOf('a workflow')

/** With the settings of the page, and their hash kept as the page says. */
async function playHere(agent: string | null, env: Record<string, string>): ReturnType<typeof play> {
  const sample = await makeSample()
  try {
    const here = (program: string, ...args: string[]): string => execFileSync(program, args, { cwd: sample.repo, env: sample.env, encoding: 'utf8' })
    write(`${sample.repo}/greenlatch.yaml`, 'gates:\n  - { name: test, run: node --test }\n')
    here('git', 'add', '-A')
    here('git', 'commit', '-qm', 'settings')
    const { hash } = JSON.parse(here('greenlatch', 'trust', 'show', '--json')) as { hash: string }
    if (agent !== null) write(sample.env['AGENT'] ?? '', agent)
    return await play(workflow, { sample, known: { 'secrets.ANTHROPIC_API_KEY': 'not-a-real-key', 'vars.GREENLATCH_TRUST': hash }, env })
  } finally {
    await sample.close()
  }
}

const failed = (played: readonly Played[]): [string, number | null][] => played.flatMap(({ step, code }) => (code === 0 ? [] : [[step.split(' ').slice(0, 2).join(' '), code]]))

describe.concurrent('the workflow of the documents', () => {
  it('is the same in the README as in the how-to', () => {
    expect(others).toEqual([])
    expect(examplesOf('a workflow of the README').map(({ text }) => text)).toEqual([workflow])
  })

  it('installs what it needs, runs, and uploads the report and the change', async () => {
    const { played, uploaded } = await playHere(null, {})
    expect(failed(played), played.map(({ printed }) => printed).join('')).toEqual([])
    expect(uploaded).toEqual({ 'report.md': expect.stringContaining('converged') as string, 'change.patch': expect.stringContaining('\n+export const add = (a, b) => a + b\n') as string })
  })

  it('uploads them as well when the run does not converge, and fails', async () => {
    const { played, uploaded } = await playHere("echo '// hm' >> src/add.js\n", { GREENLATCH_DEFAULT_ITERATIONS: '2' })
    expect(failed(played), played.map(({ printed }) => printed).join('')).toEqual([['greenlatch run', 6]])
    expect(uploaded).toEqual({ 'report.md': expect.stringContaining('exhausted') as string, 'change.patch': expect.any(String) as string })
  })
})
