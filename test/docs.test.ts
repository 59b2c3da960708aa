// What the documents show has to work as shown.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makePlace } from './support/cli.js'

const root = join(import.meta.dirname, '..')
const page = (name: string): string => readFileSync(join(root, name), 'utf8')

function yamlBlocks(text: string): string[] {
  return Array.from(text.matchAll(/```yaml\n(.*?)```/gs), (match) => match[1] ?? '')
}

describe('the documents', () => {
  it('show only procedures that are taken as they stand', async () => {
    const blocks = yamlBlocks(page('docs/procedures.md'))
    expect(blocks.length).toBeGreaterThan(1)
    for (const block of blocks) {
      const place = makePlace()
      place.write('greenlatch.yaml', block)
      const names = Array.from(block.matchAll(/^ {2}([a-z-]+):$/gm), (match) => match[1] ?? '')
      expect(names.length).toBeGreaterThan(0)
      for (const name of names) expect(await place.run(['procedures', 'show', name])).toMatchObject({ code: 0, stderr: '' })
    }
  })

  it('run the loop that ends when the agent says done and the gates agree', async () => {
    const place = makePlace()
    const block = yamlBlocks(page('docs/procedures.md')).find((text) => text.includes('until-done')) ?? ''
    place.write('greenlatch.yaml', block)
    const agent = place.scripted([{ say: 'not yet' }, { say: 'all done\n{{done}}', write: { 'done.txt': 'x' } }])
    const ended = await place.run(['run', 'until-done', 'make done.txt', '--agent', agent, '--gate', 'test -f done.txt', '--json'])
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: 'completed', iteration: 2, finish: { outcome: 'completed' } })
  })

  it('name every command in the README', async () => {
    const help = (await makePlace().run(['--help'])).stdout
    const commands = Array.from(help.slice(help.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) /gm), (match) => match[1] ?? '')
    expect(commands.length).toBeGreaterThan(12)
    for (const command of commands.filter((name) => name !== 'help')) expect(page('README.md')).toContain(`\`${command}`)
  })

  it.each(['README.md', 'docs/agents.md'])('show settings in %s that are taken as they stand', async (name) => {
    const place = makePlace()
    place.write('greenlatch.yaml', yamlBlocks(page(name))[0] ?? '')
    expect(await place.run(['config'])).toMatchObject({ code: 0, stderr: '' })
  })
})
