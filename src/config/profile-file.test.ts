// Tests of profiles as people write them who do not program: YAML and Markdown, and every fault named with its line.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Refusal } from '../errors.js'
import { ManyFaults } from './many-faults.js'
import { readProfileFile, type Known } from './profile-file.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlatch-profile-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const known: Known = {
  names: ['task', 'plan', 'review', 'code', 'iteration'],
  replies: ['plan', 'blocks', 'verdict'],
  placeholdersIn: (text) => Array.from(text.matchAll(/\{\{(\w+)\}\}/g), (found) => found[1] ?? ''),
}

function write(files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const PROMPTS = { 'planning.md': 'Plan {{entity}}.\n', 'generation.md': '{{plan}}', 'review.md': '{{code}}', 'revision.md': '{{review}}' }

async function faultsOf(yaml: string): Promise<string[]> {
  const path = join(write({ ...PROMPTS, 'planning.md': 'Plan.', 'mine.yaml': yaml }), 'mine.yaml')
  const refusal: unknown = await readProfileFile(path, known).catch((error: unknown) => error)
  if (!(refusal instanceof Refusal)) throw new Error(`it was taken: ${JSON.stringify(refusal)}`)
  return [refusal.message, ...(refusal instanceof ManyFaults ? refusal.others : [])].map((line) => line.replace(`${path}:`, ''))
}

describe('a profile as files', () => {
  it('AI-11 is a folder with a short file and one page of Markdown for each phase.', async () => {
    write({ ...PROMPTS, 'profile.yaml': 'name: entity\nparameters:\n  entity: { description: its name, required: true }\nreplies: { generation: blocks }\n' })
    expect(await readProfileFile(folder, known)).toEqual({
      name: 'entity',
      parameters: { entity: { description: 'its name', required: true } },
      phases: {
        planning: { prompt: 'Plan {{entity}}.\n' },
        generation: { prompt: '{{plan}}', reply: 'blocks' },
        review: { prompt: '{{code}}' },
        revision: { prompt: '{{review}}' },
      },
    })
  })

  it('AI-11 is one file with the prompts in it, or with pages elsewhere, and is called after itself.', async () => {
    const yaml = [
      'summary: Short.',
      'parameters: { entity: its name, size: { description: how large, default: 10 } }',
      'prompts:',
      '  planning: { file: pages/plan.md }',
      '  generation: "Write {{entity}}."',
      '  review: |',
      '    Look at {{size}}.',
      '  revision: Mend it.',
    ]
    write({ 'small.yaml': yaml.join('\n'), 'pages/plan.md': 'Plan.' })
    expect(await readProfileFile(join(folder, 'small.yaml'), known)).toMatchObject({
      name: 'small',
      summary: 'Short.',
      parameters: { entity: { description: 'its name' }, size: { description: 'how large', default: '10' } },
      phases: { planning: { prompt: 'Plan.' }, generation: { prompt: 'Write {{entity}}.' }, review: { prompt: 'Look at {{size}}.\n' } },
    })
  })

  it.each([
    ['parmeters: {}', ['1: unknown key "parmeters" (did you mean "parameters"?)']],
    ['- a', ['1: expected a map, found a list']],
    ['parameters: { code: x }', ['1: "code" is given to every prompt already']],
    ['parameters: { "a b": x }', ['1: "a b" is no name for a parameter (letters, digits, "_" and "-")']],
    ['parameters: { a: { required: maybe } }', ['1: parameters.a: "description" is missing', '1: parameters.a.required: expected true or false, found "maybe"']],
    ['prompts:\n  review: "{{cod}}"', ['2: the prompt for review has {{cod}}, which stands for nothing (did you mean "code"?)']],
    ['prompts:\n  review: ""', ['2: the prompt for review is empty']],
    ['prompts:\n  review: { text: x }', ['2: unknown key "text" in prompts.review (allowed: file)']],
    ['replies:\n  review: verdct', ['2: replies.review: "verdct" is no way to read a response (did you mean "verdict"?)']],
    ['replies: { reveiw: verdict }', ['1: unknown key "reveiw" in replies (did you mean "review"?)']],
    ['name: [a]', ['1: name: expected text, found a list']],
    ['name: "', ['1: not valid YAML: Missing closing "quote']],
  ])('AI-11 is refused with the line and the word that was meant: %s', async (yaml, faults) => {
    expect(await faultsOf(yaml)).toEqual(faults)
  })

  it('AI-11 is refused when a phase has no prompt, or a file is not there.', async () => {
    write({ 'profile.yaml': 'name: x\n', 'planning.md': 'Plan.', 'generation.md': 'Write.', 'review.md': 'Look.' })
    await expect(readProfileFile(folder, known)).rejects.toThrow(/no prompt for revision.*put revision\.md beside/)
    write({ 'profile.yaml': 'prompts: { revision: { file: no.md } }\n' })
    await expect(readProfileFile(folder, known)).rejects.toThrow(/no\.md does not exist/)
    await expect(readProfileFile(join(folder, 'nowhere'), known)).rejects.toThrow(/does not exist/)
  })
})
