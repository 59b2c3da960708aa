// What a session may change and where it works: from flags and settings into its frozen setup, with where each value came from.
import { describe, expect, it } from 'vitest'
import { eventsOf, makePlace, type Place } from './support/cli.js'

type Setup = { scope: unknown; place: unknown }

async function opened(place: Place, ...flags: string[]): Promise<{ setup: Setup; final: unknown }> {
  const ended = await place.run(['open', 'ooda', '--agent', 'paste', ...flags])
  expect(ended.code, ended.stderr).toBe(0)
  const [first] = eventsOf(place.session())
  if (first?.type !== 'opened') throw new Error('the first record opens the session')
  return { setup: first.setup as Setup, final: first.procedure.final }
}

describe('the scope of a session', () => {
  it('RB-09 RB-10 is everything, unless settings or flags say otherwise.', async () => {
    const { setup } = await opened(makePlace())
    expect(setup.scope).toEqual({ allow: [], deny: [], files: 0, lines: 0, mode: 'block' })
  })

  it('RB-09 RB-10 is kept with the session, flags over files, and what is denied adds up.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'scope: { allow: [lib], deny: [secret], files: 5, lines: 50, mode: warn }\n')
    const flags = ['--allow', 'src', '--allow', '**/*.md', '--deny', 'src/old', '--diff-budget', '/800']
    const { setup } = await opened(place, ...flags)
    const scope = { allow: ['src', '**/*.md'], deny: ['secret', 'src/old'], files: 5, lines: 800, mode: 'warn' }
    expect(setup.scope).toEqual(scope)
    place.write('greenlatch.yaml', 'scope: { files: 1 }\n')
    expect((eventsOf(place.session())[0] as unknown as { setup: Setup }).setup.scope).toEqual(scope)
  })

  it('RB-10 takes a budget for files, for lines or for both.', async () => {
    for (const [text, files, lines] of [['20/800', 20, 800], ['20/', 20, 0], ['/800', 0, 800], ['0/0', 0, 0]] as const) {
      expect((await opened(makePlace(), '--diff-budget', text)).setup.scope).toMatchObject({ files, lines })
    }
  })

  it('is shown by config with the place each rule comes from.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'scope:\n  allow: [src]\n  deny: [secret]\n')
    const { stdout } = await place.run(['config'], { env: { GREENLATCH_SCOPE_LINES: '80' } })
    expect(stdout).toMatch(/^scope\.allow +\["src"\] +greenlatch\.yaml:2$/m)
    expect(stdout).toMatch(/^scope\.deny +\["secret"\] +greenlatch\.yaml:3$/m)
    expect(stdout).toMatch(/^scope\.lines +80 +GREENLATCH_SCOPE_LINES$/m)
    expect(stdout).toMatch(/^scope\.mode +"block" +built-in$/m)
  })
})

describe('the place of a session', () => {
  it('is a copy on a branch of its own, which refuses to begin on a dirty tree, unless flags say otherwise.', async () => {
    const { setup, final } = await opened(makePlace())
    expect(setup.place).toEqual({ inPlace: false, dirty: null, branch: null, leave: 'last' })
    expect(final).toBe('last')
  })

  it('is kept with the session.', async () => {
    const { setup } = await opened(makePlace(), '--branch', 'feature/x', '--dirty', 'include', '--leave', 'last')
    expect(setup.place).toEqual({ inPlace: false, dirty: 'include', branch: 'feature/x', leave: 'last' })
    expect((await opened(makePlace(), '--in-place')).setup.place).toMatchObject({ inPlace: true })
  })

  it('hands over what --leave says instead of what the procedure does.', async () => {
    const { setup, final } = await opened(makePlace(), '--leave', 'best')
    expect([final, setup.place]).toEqual(['best', { inPlace: false, dirty: null, branch: null, leave: 'best' }])
  })
})

describe('the flags for both', () => {
  const FLAGS = ['--allow', '--deny', '--diff-budget', '--in-place', '--dirty', '--branch', '--leave']

  it('are explained by help with an example, and completed by the shell.', async () => {
    const place = makePlace()
    for (const command of ['run', 'open']) {
      const { stdout } = await place.run([command, '--help'])
      for (const flag of FLAGS) expect(stdout).toMatch(new RegExp(`^ {2}${flag} `, 'm'))
    }
    expect((await place.run(['run', '--help'])).stdout).toMatch(/^ {2}\$ greenlatch run .*--allow \S+ --deny .*--diff-budget 20\/800$/m)
    const script = (await place.run(['completion', 'bash'])).stdout
    const line = script.split('\n').find((text) => text.trim().startsWith('run)')) ?? ''
    for (const flag of FLAGS) expect(line).toContain(flag)
  })

  it('are in the published schema as far as they can be settings.', async () => {
    const schema = JSON.parse((await makePlace().run(['schema'])).stdout) as { properties: Record<string, { properties: object }> }
    expect(schema.properties['scope']).toMatchObject({
      additionalProperties: false,
      properties: {
        allow: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 200 } },
        files: { type: 'integer', minimum: 0 },
        mode: { enum: ['block', 'warn'] },
      },
    })
  })
})
