// Profiles of `artifact`: chosen by name or path, with parameters, as YAML and Markdown or as a module, and frozen with the session.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsOf, hashesOf, makePlace, type Place } from './support/cli.js'
import { agents, CODE, FAILS, moves, PASSES, put, REVISED, says, textOf, told } from './support/artifact.js'
import { blocksOf } from './support/docs/blocks.js'
import { examplesOf } from './support/docs/lists.js'

const ENTITY = `
name: entity
parameters:
  entity: { description: the name of the entity, required: true }
  scope: { description: domain or all, required: true }
  bounded_context: the context it belongs to
  table: { description: its table, default: T_ENTITY }
  dev: who asked for it
  task_id: the number of the ticket
replies: { generation: blocks, review: verdict }
`

/** A profile of files beside the repository; gives its path. */
function writeEntity(place: Place): string {
  const files = {
    'profile.yaml': ENTITY,
    'planning.md': 'Plan the entity {{entity}} ({{scope}}) in {{table}} for {{task_id}}.\n',
    'generation.md': 'Write {{entity}} after this plan:\n\n{{plan}}\n',
    'review.md': 'Review {{entity}}:\n\n{{code}}\n',
    'revision.md': 'Revise {{entity}}:\n\n{{review}}\n\n{{code}}\n',
  }
  return writeFiles(place, 'entity', files)
}

function writeFiles(place: Place, folder: string, files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) {
    const whole = join(place.root, folder, path)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, text)
  }
  return join(place.root, folder)
}

const GIVEN = ['--param', 'entity=Order', '--param', 'scope=domain']

async function refused(place: Place, ...args: string[]): Promise<string> {
  const ended = await place.run(['open', ...args, ...(args.includes('--agent') ? [] : agents({}))])
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(place.sessions()).toEqual([])
  return ended.stderr
}

describe('parameters of a profile', () => {
  it('AI-01 AI-11 are checked, kept with the session and put into the prompts; no iteration is made.', async () => {
    const place = makePlace()
    const path = writeEntity(place)
    const opened = await place.run(['open', 'artifact', '--profile', path, ...GIVEN, '--param', 'task_id=T=1', ...agents({ reviewer: says(place, 'r', 'PASS') })])
    expect(opened.code, opened.stderr).toBe(0)
    const parameters = { entity: 'Order', scope: 'domain', bounded_context: '', table: 'T_ENTITY', dev: '', task_id: 'T=1' }
    expect(eventsOf(place.session())[0]).toMatchObject({ setup: { profile: { parameters } }, roles: { planner: 'paste', reviewer: expect.stringMatching(/^scripted:/) as string } })
    expect(Object.keys(hashesOf(place.session())).filter((name) => name.startsWith('iteration'))).toEqual([])
    await moves(place, { to: 'PLANNING', iteration: 0 })
    expect(textOf(place, 'planning-prompt.md')).toMatch(/^Plan the entity Order \(domain\) in T_ENTITY for T=1\.\n\n## HOW TO ANSWER\n/)
  })

  it('AI-01 that are missing or unknown are all named, with what they are or which was meant.', async () => {
    const place = makePlace()
    const said = await refused(place, 'artifact', '--profile', writeEntity(place), '--param', 'entitty=Order')
    expect(said).toContain('has no parameter "entitty" (did you mean "entity"?)')
    expect(said).toContain('needs entity: the name of the entity')
    expect(said).toContain('needs scope: domain or all')
    expect(said).toMatch(/next: greenlatch open artifact --profile \S+ .*--param entity=<value>\n/)
  })

  it.each([
    ['one that is no pair', ['artifact', 'x', '--param', 'entity'], '"entity" is not name=value'],
    ['one given twice', ['artifact', '--param', 'task=a', '--param', 'task=b'], '"task" is given twice'],
    ['no task for a profile that needs one', ['artifact'], 'the profile "plain" needs task'],
    ['a profile there is not', ['artifact', 'x', '--profile', 'plan'], 'there is no profile "plan" (did you mean "plain"?)'],
    ['a path there is not', ['artifact', 'x', '--profile', './nowhere'], 'there is no profile at'],
    ['a profile for a procedure without', ['ooda', 'x', '--agent', 'paste', '--profile', 'plain'], 'procedure "ooda" works without a profile'],
    ['a parameter for a procedure without', ['ooda', 'x', '--agent', 'paste', '--param', 'a=b'], '--param: procedure "ooda" works without a profile'],
  ])('AI-01 refuses %s, and leaves nothing behind.', async (_what, args, words) => {
    expect(await refused(makePlace(), ...args)).toContain(words)
  })
})

describe('a profile of files', () => {
  it('AI-11 goes through a whole session, and one that is changed meanwhile changes nothing in it, which is said.', async () => {
    const place = makePlace()
    const path = writeEntity(place)
    const roles = { planner: says(place, 'p', 'The plan.'), implementer: says(place, 'i', CODE), reviewer: 'paste' }
    expect(await place.run(['run', 'artifact', '--profile', path, ...GIVEN, ...agents(roles)])).toMatchObject({ code: 8 })
    expect(textOf(place, 'iteration-1/generation-prompt.md')).toContain('Write Order after this plan:\n\n```text\nThe plan.\n```')
    writeFileSync(join(path, 'revision.md'), 'Another.')
    put(place, 'iteration-1/review-response.md', 'too short\n\nFAIL\n')
    const stepped = await moves(place, { to: 'REVISING', iteration: 2 })
    expect(stepped.stderr).toContain('has changed; this session goes on with it as it was')
    expect(textOf(place, 'iteration-2/revision-prompt.md')).toContain('Revise Order:\n\n```text\ntoo short')
    rmSync(path, { recursive: true })
    expect(await place.run(['step'])).toMatchObject({ code: 0 })
    expect(told(place).phase).toBe('REVISED')
  })

  it('AI-11 is refused with every fault and its line, and one that leaves a phase out does not begin.', async () => {
    const place = makePlace()
    const path = writeFiles(place, 'bad', { 'profile.yaml': 'nam: x\nreplies: { review: pass }\n', 'planning.md': '{{entity}}' })
    const said = await refused(place, 'artifact', '--profile', path)
    for (const words of ['profile.yaml:1: unknown key "nam"', 'profile.yaml:2: replies.review', 'planning.md has {{entity}}', 'no prompt for review']) expect(said).toContain(words)
  })
})

const MODULE = `
/** Reads <file name="…">…</file>, and an order to stop. */
export default {
  name: 'tags',
  parameters: { entity: { description: 'the entity', required: true } },
  phases: {
    planning: { prompt: ({ parameters }) => 'Plan ' + parameters.entity, reply: (text) => ({ status: text.includes('stop') ? 'cancelled' : 'success', plan: text.trim() }) },
    generation: { prompt: 'Write {{entity}} as {{plan}}', reply: files },
    review: { prompt: ({ code }) => code.map(({ path }) => path).join(), reply: (text) => text.includes('good') ? { status: 'success' } : { status: 'failed', findings: [text.trim()] } },
    revision: { prompt: ({ review, iteration }) => iteration + ': ' + review, reply: files },
  },
}
function files(text) {
  return { status: 'success', files: [...text.matchAll(/<file name="(.*?)">(.*?)<[/]file>/gs)].map(([, path, content]) => ({ path, text: content })) }
}
`

describe('a profile that is a module', () => {
  const roles = (place: Place) => ({
    planner: says(place, 'p', ' The plan. \n'),
    implementer: says(place, 'i', '<file name="a.txt">one</file>', '<file name="b/c.txt">two</file>'),
    reviewer: says(place, 'r', 'bad', 'good'),
  })

  it('AI-11 writes the prompts and reads the responses by itself, and steers nothing.', async () => {
    const place = makePlace()
    const path = join(writeFiles(place, 'tags', { 'tags.mjs': MODULE }), 'tags.mjs')
    const ran = await place.run(['run', 'artifact', '--profile', '../tags/tags.mjs', '--param', 'entity=Order', ...agents(roles(place))])
    expect(ran.code, ran.stderr).toBe(0)
    expect(told(place)).toMatchObject({ phase: 'COMPLETE', status: 'SUCCESS', current_iteration: 2 })
    expect(textOf(place, 'planning-prompt.md')).toBe('Plan Order\n')
    expect(textOf(place, 'plan.md')).toBe('The plan.')
    expect(textOf(place, 'iteration-2/revision-prompt.md')).toBe('2: bad\n')
    expect(textOf(place, 'iteration-2/review-prompt.md')).toBe('a.txt,b/c.txt\n')
    expect(textOf(place, 'iteration-2/code/b/c.txt')).toBe('two')
    expect(eventsOf(place.session())[0]).toMatchObject({ setup: { profile: { kind: 'module', path, sha: expect.stringMatching(/^[0-9a-f]{64}$/) as string } } })
  })

  it('AI-11 that changed or went away is refused until it is back, and nothing happens meanwhile.', async () => {
    const place = makePlace()
    const path = join(writeFiles(place, 'tags', { 'tags.mjs': MODULE }), 'tags.mjs')
    await place.run(['run', 'artifact', '--profile', path, '--param', 'entity=Order', ...agents({})])
    put(place, 'planning-response.md', 'stop')
    const files = hashesOf(place.session())
    writeFileSync(path, `${MODULE}\n// one line more`)
    const changed = await place.run(['step'])
    expect(changed.code).toBe(10)
    expect(changed.stderr).toContain(`the profile "tags" has changed since this session began: ${path}`)
    rmSync(path)
    expect(await place.run(['resume'])).toMatchObject({ code: 10, stderr: expect.stringContaining('is gone') as string })
    expect(hashesOf(place.session())).toEqual(files)
    writeFileSync(path, MODULE)
    await moves(place, { to: 'CANCELLED', status: 'CANCELLED', iteration: 0, code: 11 })
  })

  it('AI-11 may be written in TypeScript, where Node or the project has what it takes.', async () => {
    const place = makePlace()
    const typed = MODULE.replace('function files(text)', 'function files(text: string)').replace('(text) => ({', '(text: string) => ({')
    const folder = writeFiles(place, 'typed', { 'tags.ts': typed })
    const args = ['--profile', join(folder, 'tags.ts'), '--param', 'entity=Order', ...agents(roles(place))]
    if (!(process.features as { typescript?: unknown }).typescript) {
      expect(await place.run(['run', 'artifact', ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot run TypeScript') as string })
      symlinkSync(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'))
    }
    const ran = await place.run(['run', 'artifact', ...args])
    expect(ran.code, ran.stderr).toBe(0)
    expect(textOf(place, 'iteration-2/code/b/c.txt')).toBe('two')
  })

  it.each([
    ['does not load', 'export default {', 'cannot be loaded'],
    ['has no default export', 'export const x = 1', 'its default export is no profile'],
    ['has no name', 'export default { phases: {} }', 'it has no name'],
    ['lacks a phase', 'export default { name: "x", phases: { planning: { prompt: "p" } } }', 'no prompt for generation, review, revision'],
    ['has a phase without a prompt', 'export default { name: "x", phases: { planning: {} } }', 'its phase "planning" has no prompt'],
    ['has a parameter without a description', 'export default { name: "x", parameters: { a: {} }, phases: {} }', 'its parameter "a" has no description'],
  ])('AI-11 is refused when it %s.', async (_what, text, words) => {
    const place = makePlace()
    const path = join(writeFiles(place, 'bad', { 'bad.mjs': text }), 'bad.mjs')
    expect(await refused(place, 'artifact', '--profile', path)).toContain(words)
  })

  it('AI-11 whose code fails ends the session as ERROR with its name, and does no harm otherwise.', async () => {
    const place = makePlace()
    const text = MODULE.replace('text.includes(\'good\') ?', 'undefined.x ?')
    const path = join(writeFiles(place, 'bad', { 'bad.mjs': text }), 'bad.mjs')
    const ran = await place.run(['run', 'artifact', '--profile', path, '--param', 'entity=Order', ...agents(roles(place))])
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('the profile "tags" could not read the review response') as string })
    expect(told(place)).toMatchObject({ phase: 'ERROR', status: 'ERROR' })
  })
})

describe('the documents', () => {
  const [module, typed] = examplesOf('profiles in programs')
  const inYaml = blocksOf('docs/profiles.md').find(({ lang }) => lang === 'yaml')
  const TAGGED = ['<file name="a.txt">one</file>', '<file name="a.txt">two</file>']
  const ORDER = ['--param', 'entity=Order']

  it.each([
    { file: 'entity.yaml', block: inYaml, given: ORDER, written: [CODE, REVISED], made: ['src/hello.txt', 'hello, world\n'] },
    { file: 'tags.mjs', block: module, given: ORDER, written: TAGGED, made: ['a.txt', 'two'] },
    { file: 'page.ts', block: typed, given: ['a page'], written: ['one', 'two'], made: ['page.md', 'two'] },
  ] as const)('AI-11 show $file, a profile that writes each prompt and reads each response of a whole session as it stands.', async ({ file, block, given, written, made: [path, text] }) => {
    const place = makePlace()
    const folder = writeFiles(place, 'shown', { [file]: block?.text ?? '', 'node_modules/.keep': '' })
    for (const [name, target] of [['greenlatch', '..'], ['typescript', '../node_modules/typescript']] as const) symlinkSync(join(import.meta.dirname, target), join(folder, 'node_modules', name))
    const roles = { planner: says(place, 'p', 'The plan.'), implementer: says(place, 'i', ...written), reviewer: says(place, 'r', FAILS, PASSES) }
    const ran = await place.run(['run', 'artifact', '--profile', join(folder, file), ...given, ...agents(roles)])
    expect(ran.code, ran.stderr).toBe(0)
    expect(told(place)).toMatchObject({ phase: 'COMPLETE', status: 'SUCCESS', current_iteration: 2 })
    expect(textOf(place, `iteration-2/code/${path}`)).toBe(text)
    const prompts = ['planning', 'iteration-1/generation', 'iteration-1/review', 'iteration-2/revision'].map((name) => textOf(place, `${name}-prompt.md`))
    expect(prompts.map((prompt, at) => prompt.includes(['Plan', 'The plan.', file === 'entity.yaml' ? 'hello' : 'one', 'greets nobody'][at] ?? ''))).toEqual([true, true, true, true])
    if (given === ORDER) expect(prompts.slice(0, 2).every((prompt) => prompt.includes('Order'))).toBe(true)
  })

  it('AI-11 show a procedure that extends artifact, which runs its check before the review.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', blocksOf('docs/artifact.md').find(({ lang }) => lang === 'yaml')?.text ?? '')
    const roles = { planner: says(place, 'p', 'The plan.'), implementer: says(place, 'i', CODE, CODE.replace('hello\n', 'hello, world\n')), reviewer: says(place, 'r', 'PASS') }
    const ran = await place.run(['run', 'checked-artifact', 'say hello', '--dirty', 'include', '--gate', 'grep -q world hello.txt', ...agents(roles)])
    expect(ran.code, ran.stderr).toBe(0)
    expect(told(place).phase_history.map(({ phase }) => phase).slice(4)).toEqual(['GENERATED', 'check', 'REVISING', 'REVISED', 'check', 'REVIEWING', 'COMPLETE'])
  })
})

describe('a dry run', () => {
  it('AI-11 shows the prompt that the profile would write first.', async () => {
    const place = makePlace()
    const shown = await place.run(['run', 'artifact', '--dry-run', '--profile', writeEntity(place), ...GIVEN, ...agents({})])
    expect(shown.stdout).toContain('Plan the entity Order (domain) in T_ENTITY for .')
    expect(place.sessions()).toEqual([])
  })
})

