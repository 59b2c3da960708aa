// Tests of defaults, of the order and merging of tiers, and of where each value is said to come from.
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePlace, type Place, PROJECT, refusalOf, USER } from './fixture.js'
import { SCALAR_KEYS, variableName } from './scalars.js'
import type { Layer } from './types.js'

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

describe('Without any settings', () => {
  test('the built-in values hold and say so.', async () => {
    const config = await place.load()
    expect(config).toEqual({
      root: place.root,
      files: [],
      executable: null,
      values: {
        procedure: 'converge',
        agent: {},
        agents: {},
        gates: [],
        pass_env: [],
        budget: {},
        limits: { agentSeconds: 1800, agentSilenceSeconds: 600, gateSeconds: 1800, outputBytes: 16_777_216 },
        scope: { allow: [], deny: [], files: 0, lines: 0, mode: 'block' },
        commands: { deny: [], timeoutSeconds: 300 },
        sandbox: { use: 'auto', allow: [], read: [], write: [], processes: 4096, fileMegabytes: 4096 },
        target: [],
        excuse: [],
        permit: [],
        promptTokens: 100_000,
        notify: { on: ['needs-you', 'rung', 'blocked', 'stopped', 'converged'], terminal: true, timeoutSeconds: 30 },
        hooks: {},
        prompts: {},
        context: [],
        procedures: {},
      },
      origins: Object.fromEntries(
        ['procedure', 'gates', 'pass_env', 'limits.agentSeconds', 'limits.agentSilenceSeconds', 'limits.gateSeconds', 'limits.outputBytes']
          .concat('target', 'excuse', 'permit', 'scope.allow', 'scope.files', 'scope.lines', 'scope.mode', 'scope.deny', 'commands.timeoutSeconds', 'commands.deny')
          .concat(['use', 'allow', 'read', 'write', 'processes', 'fileMegabytes'].map((key) => `sandbox.${key}`))
          .concat('promptTokens', 'notify.on', 'notify.terminal', 'notify.timeoutSeconds', 'context')
          .map((key) => [key, { tier: 'built-in', where: 'built-in' }]),
      ),
    })
  })

  test('a look-up of a name that every object has finds nothing.', async () => {
    const { values } = await place.load()
    const found = [values.agents['constructor'], values.procedures['toString'], values.agent['valueOf']]
    expect(found).toEqual([undefined, undefined, undefined])
  })

  test('one load leaves no trace in the next.', async () => {
    await place.load({ flags: { agents: { x: { paste: true } }, context: [{ text: 'a' }], budget: { usd: 1 } } })
    expect((await place.load()).values).toMatchObject({ agents: {}, context: [], budget: {} })
  })
})

const VARIABLE = { GREENLATCH_PROMPT_TOKENS: '3' }

function writeProject(): object {
  place.write(PROJECT, '# project\n\npromptTokens: 2\n')
  return {}
}

describe('Each tier wins over the one before:', () => {
  const tiers: [string, () => { env?: Record<string, string>; flags?: Layer }, number, object][] = [
    ['the user over built-in values', () => ({}), 1, { tier: 'user', where: '~/.config/greenlatch/config.yaml:2' }],
    ['the project over the user', () => writeProject(), 2, { tier: 'project', where: 'greenlatch.yaml:3' }],
    [
      'the environment over the project',
      () => ({ ...writeProject(), env: VARIABLE }),
      3,
      { tier: 'environment', where: 'GREENLATCH_PROMPT_TOKENS' },
    ],
    [
      'a flag over the environment',
      () => ({ ...writeProject(), env: VARIABLE, flags: { promptTokens: 4 } }),
      4,
      { tier: 'flag', where: '--prompt-tokens' },
    ],
  ]
  test.each(tiers)('%s.', async (_, more, value, origin) => {
    place.write(USER, '# user\npromptTokens: 1\n')
    const config = await place.load(more())
    expect(config.values.promptTokens).toBe(value)
    expect(config.origins.promptTokens).toEqual(origin)
  })

  test('and the files that were read are listed, weakest first.', async () => {
    const paths = [place.write(USER, 'floor: 1'), place.write(PROJECT, 'floor: 2')]
    expect((await place.load()).files).toEqual(paths)
  })
})

describe('Merging', () => {
  test('puts maps together by entry, each with its own origin.', async () => {
    place.write(USER, 'budget:\n  seconds: 60\n  usd: 1\nagents:\n  a: { paste: true }\n  b: { command: old, env: { X: y } }\n')
    place.write(PROJECT, 'budget: { usd: 2 }\nagents:\n  b: { command: [new, arg] }\n  c-1.5: { paste: true }\n')
    const { values, origins } = await place.load({ flags: { default_iterations: 5 }, env: { GREENLATCH_BUDGET_TOKENS: '9' } })
    expect(values.budget).toEqual({ seconds: 60, usd: 2, tokens: 9 })
    expect(values.agents).toEqual({ a: { paste: true }, b: { command: ['new', 'arg'] }, 'c-1.5': { paste: true } })
    expect(whereOf(origins, ['budget.seconds', 'budget.usd', 'budget.tokens', 'default_iterations'])).toEqual([
      '~/.config/greenlatch/config.yaml:2',
      'greenlatch.yaml:1',
      'GREENLATCH_BUDGET_TOKENS',
      '--max-iterations',
    ])
    expect(whereOf(origins, ['agents.a', 'agents.b', 'agents.c-1.5'])).toEqual([
      '~/.config/greenlatch/config.yaml:5',
      'greenlatch.yaml:3',
      'greenlatch.yaml:4',
    ])
  })

  test('takes a list of agents as those who are asked in turn, the first for every role.', async () => {
    place.write(USER, 'agents: { mine: { command: think, fallback: x } }')
    place.write(PROJECT, 'gates: []\nagents: [repair, mine, claude]\n')
    const { values, origins } = await place.load()
    expect(values.agent).toEqual({ '*': 'repair' })
    expect(values.agents).toEqual({ repair: { repair: true, fallback: 'mine' }, mine: { command: 'think', fallback: 'claude' }, claude: { cli: 'claude' } })
    expect(whereOf(origins, ['agent', 'agents.repair', 'agents.claude'])).toEqual(['greenlatch.yaml:2', 'greenlatch.yaml:2', 'greenlatch.yaml:2'])
    place.write(PROJECT, 'agents: [repair, claude]\nagent: claude\n')
    expect((await place.load()).values.agent).toEqual({ '*': 'claude' })
  })

  test('replaces lists and whole procedures.', async () => {
    place.write(USER, 'gates: [{ name: a, run: x }]\nprocedures: { mine: { extends: ooda, final: best }, yours: {} }')
    place.write(PROJECT, 'gates: [{ name: b, run: y }]\nprocedures: { mine: { start: act } }')
    const { values } = await place.load()
    expect(values.gates).toEqual([{ name: 'b', run: 'y' }])
    expect(values.procedures).toEqual({ mine: { start: 'act' }, yours: {} })
  })

  test('RB-09 RB-10 takes each rule of a scope from the strongest tier, but adds up what is denied.', async () => {
    place.write(USER, 'scope: { allow: [a], deny: [secret], files: 3, mode: warn }')
    place.write(PROJECT, 'scope:\n  allow: [b]\n  deny: [secret, generated]\n')
    const { values, origins } = await place.load({ flags: { scope: { allow: ['c', 'd'], deny: ['e'], lines: 9 } } })
    expect(values.scope).toEqual({ allow: ['c', 'd'], deny: ['secret', 'generated', 'e'], files: 3, lines: 9, mode: 'warn' })
    expect(whereOf(origins, ['scope.allow', 'scope.files', 'scope.lines', 'scope.mode'])).toEqual([
      '--allow',
      '~/.config/greenlatch/config.yaml:1',
      '--diff-budget',
      '~/.config/greenlatch/config.yaml:1',
    ])
    expect(whereOf(origins, ['scope.deny'])).toEqual(['~/.config/greenlatch/config.yaml:1 and greenlatch.yaml:3 and --deny'])
    expect((await place.load()).values.scope).toMatchObject({ allow: ['b'], deny: ['secret', 'generated'] })
  })

  test('lets a map of agents change single roles, and a bare name or * take all of them.', async () => {
    place.write(USER, 'agent: claude')
    place.write(PROJECT, 'agent:\n  reviewer: codex\n')
    const roles = await place.load()
    expect(roles.values.agent).toEqual({ '*': 'claude', reviewer: 'codex' })
    expect(whereOf(roles.origins, ['agent', 'agent.reviewer'])).toEqual(['~/.config/greenlatch/config.yaml:1', 'greenlatch.yaml:2'])
    const bare = await place.load({ env: { GREENLATCH_AGENT: 'me' } })
    expect(bare.values.agent).toEqual({ '*': 'me' })
    expect(whereOf(bare.origins, ['agent', 'agent.reviewer'])).toEqual(['GREENLATCH_AGENT', undefined])
    const flags = await place.load({ env: { GREENLATCH_AGENT: 'me' }, flags: { agent: { '*': 'x', auditor: 'y' } } })
    expect(flags.values.agent).toEqual({ '*': 'x', auditor: 'y' })
    expect(whereOf(flags.origins, ['agent', 'agent.auditor', 'agent.reviewer'])).toEqual(['--agent', '--agent', undefined])
    const one = await place.load({ flags: { agent: { '*': 'x' } } })
    expect(one.values.agent).toEqual({ '*': 'x' })
  })

  test('adds context from flags to that of the files, and replaces it between files.', async () => {
    place.write(USER, 'context: user')
    place.write(PROJECT, 'context: [one, { text: two }]')
    const { values, origins } = await place.load({ flags: { context: [{ text: 'three' }] } })
    expect(values.context).toEqual([{ text: 'one' }, { text: 'two' }, { text: 'three' }])
    expect(origins.context).toEqual({ tier: 'flag', where: 'greenlatch.yaml:1 and --context' })
  })

  test('names the line of a value that came by an alias, and keeps the value.', async () => {
    place.write(PROJECT, 'gates:\n  - &test { name: a, run: [npm, test] }\nprompts:\n  act: &act Do it.\n  decide: *act\n')
    const { values, origins } = await place.load()
    expect(values.prompts).toEqual({ act: [{ text: 'Do it.' }], decide: [{ text: 'Do it.' }] })
    expect(whereOf(origins, ['gates', 'prompts.decide'])).toEqual(['greenlatch.yaml:1', 'greenlatch.yaml:5'])
  })

  test('takes the anchor that was set last before an alias.', async () => {
    place.write(PROJECT, 'prompts:\n  observe: &a [&b one]\n  orient: &b two\n  decide: *a\n  act: *b\n')
    expect((await place.load()).values.prompts.act).toEqual([{ text: 'two' }])
  })
})

describe('Paths', () => {
  test('are relative to the folder of the file they stand in, or to the working folder.', async () => {
    place.write(USER, 'prompts: { act: { file: act.md } }\nagents: { s: { script: ../s.json, replies: text } }')
    place.write(PROJECT, 'stateDir: ~/states\ncontext: { file: docs/a.md }\nprocedures: { p: { prompts: { act: { file: b.md } } } }')
    const cwd = join(place.root, 'sub')
    mkdirSync(cwd)
    const { values } = await place.load({ cwd, flags: { prompts: { orient: [{ file: 'o.md' }] } } })
    expect(values.stateDir).toBe(join(place.home, 'states'))
    expect(values.prompts).toEqual({
      act: [{ file: join(place.home, '.config/greenlatch/act.md') }],
      orient: [{ file: join(cwd, 'o.md') }],
    })
    expect(values.agents).toEqual({ s: { script: join(place.home, '.config/s.json'), replies: 'text' } })
    expect(values.context).toEqual([{ file: join(place.root, 'docs/a.md') }])
    expect(values.procedures['p']?.prompts).toEqual({ act: [{ file: join(place.root, 'b.md') }] })
  })

  test('in the prompts of phases are absolute too, and the folder of a gate stays as it is.', async () => {
    const part = '{ title: T, rank: 1, fragments: [words, { file: a.md }, { section: task }] }'
    const procedure = `{ phases: { act: { prompt: [${part}] }, gone: null } }`
    place.write(PROJECT, `gates: [{ name: a, run: x, cwd: sub }]\nprocedures: { p: ${procedure} }`)
    const { values } = await place.load()
    const fragments = [{ text: 'words' }, { file: join(place.root, 'a.md') }, { section: 'task' }]
    expect(values.procedures['p']?.phases).toEqual({ act: { prompt: [{ title: 'T', rank: 1, fragments }] }, gone: null })
    expect(values.gates).toEqual([{ name: 'a', run: 'x', cwd: 'sub' }])
  })

  test('name the program of an agent, which starts elsewhere; a bare name and arguments stay as they are.', async () => {
    place.write(USER, 'agents: { one: { command: [./one.sh, ./x] }, two: { command: "sh ./two.sh" }, three: { acp: ~/three } }')
    const { values } = await place.load({ flags: { agents: { four: { command: "'../my agent.sh' -p" }, five: { command: "'unclosed" } } } })
    const folder = join(place.home, '.config/greenlatch')
    expect(values.agents).toMatchObject({
      one: { command: [join(folder, 'one.sh'), './x'] }, two: { command: 'sh ./two.sh' }, three: { acp: [join(place.home, 'three')] },
      four: { command: [join(dirname(place.root), 'my agent.sh'), '-p'] }, five: { command: "'unclosed" },
    })
  })

  test('of another settings file are relative to that file, and greenlatch.yaml is then not read.', async () => {
    place.write(PROJECT, 'floor: 5')
    const file = place.write('elsewhere/my.yaml', 'context: { file: a.md }')
    const { values, files, root, origins } = await place.load({ file })
    expect(values.context).toEqual([{ file: join(file, '../a.md') }])
    expect([values.floor, files, root]).toEqual([undefined, [file], place.root])
    expect(origins.context).toEqual({ tier: 'project', where: `${file}:1` })
  })
})

describe('The environment', () => {
  test.each(SCALAR_KEYS)('can set %s.', async (key) => {
    const [head, name] = key.split('.') as [keyof Layer, string?]
    const words: Record<string, string> = { stateDir: '/states', task: '/task.md', philosophy: '/philosophy.md', procedure: 'some-name', agent: 'some-name', 'scope.mode': 'warn', 'sandbox.use': 'none', require: 'verified', persistence: 'best-effort' }
    const text = words[key] ?? '2048'
    const { values, origins } = await place.load({ env: { [variableName(key)]: text } })
    const value: unknown = name === undefined ? values[head] : (values[head] as Record<string, unknown>)[name]
    expect(value).toEqual(key === 'agent' ? { '*': text } : text === '2048' ? 2048 : text)
    expect(origins[key]).toEqual({ tier: 'environment', where: variableName(key) })
  })

  test.each([
    ['GREENLATCH_AGNET', 'x', 'unknown environment variable "GREENLATCH_AGNET" (did you mean "GREENLATCH_AGENT"?)'],
    ['GREENLATCH_STATE_DIR', 'x', 'unknown environment variable "GREENLATCH_STATE_DIR" (did you mean "GREENLATCH_STATE_HOME"?)'],
    ['GREENLATCH_FLOOR', '0', 'GREENLATCH_FLOOR: expected a whole number of at least 1, found "0"'],
    ['GREENLATCH_FLOOR', '1.5', 'GREENLATCH_FLOOR: expected a whole number of at least 1, found "1.5"'],
    ['GREENLATCH_FLOOR', '0x10', 'GREENLATCH_FLOOR: expected a whole number of at least 1, found "0x10"'],
    ['GREENLATCH_BUDGET_USD', '-1', 'GREENLATCH_BUDGET_USD: expected a number of at least 0, found "-1"'],
    ['GREENLATCH_AGENT', 'a\nb', 'GREENLATCH_AGENT: expected a name of letters, digits, ".", "_" and "-", found "a\\u000ab"'],
    ['GREENLATCH_STATE_HOME', ' ', 'GREENLATCH_STATE_HOME: expected a path, found " "'],
    ['GREENLATCH_SCOPE_MODE', 'off', 'GREENLATCH_SCOPE_MODE: expected one of block, warn, found "off"'],
  ])('with a bad %s=%j is refused.', async (variable, text, message) => {
    expect(await refusalOf(place.load({ env: { [variable]: text } }))).toMatchObject({ code: 2, message, next: 'env | grep GREENLATCH_' })
  })

  test('may hold empty variables and those of our own.', async () => {
    const env = { GREENLATCH_FLOOR: '', GREENLATCH_TREE: 'a', GREENLATCH_SESSION: 'b', GREENLATCH_EFFECT: 'c', GREENLATCH_TRUST: 'd' }
    expect((await place.load({ env })).values.floor).toBeUndefined()
  })
})

describe('A flag', () => {
  test.each<[Layer, string]>([
    [{ default_iterations: -3 }, '--max-iterations: expected a whole number of at least 0, found -3'],
    [{ default_iterations: Number.NaN }, '--max-iterations: expected a whole number of at least 0, found NaN'],
    [{ budget: { seconds: Infinity } }, '--max-time: expected a number of at least 0, found Infinity'],
    [{ setbacks: 0 }, '--failure-threshold: expected a whole number of at least 1, found 0'],
    [{ floor: 0 }, '--min-iterations: expected a whole number of at least 1, found 0'],
    [{ agent: 'a b' }, '--agent: expected a name of letters, digits, ".", "_" and "-", found "a b"'],
    [{ stateDir: '' }, '--state-dir: expected a path, found ""'],
    [{ scope: { allow: ['src', ''] } }, '--allow: expected a glob such as src/**, found ""'],
    [{ scope: { deny: ['x/!(a)'] } }, '--deny: expected a glob without patterns such as !(…) (give several globs), found "x/!(a)"'],
    [{ scope: { files: 1.5 } }, '--diff-budget: expected a whole number of at least 0, found 1.5'],
  ])('with a bad value is refused: %j', async (flags, message) => {
    expect(await refusalOf(place.load({ flags }))).toMatchObject({ code: 2, message, next: 'greenlatch run --help' })
  })

  test('that names gates changes nothing of what has to be trusted, and asks for no trust in gates that it takes the place of.', async () => {
    const flags: Layer = { gates: [{ name: 'typed', run: 'true' }] }
    place.write('repository/AGENTS.md', '```yaml greenlatch\ngates: [{ name: told, run: make }]\n```\n')
    expect((await place.load({ flags })).executable).toBeNull()
    place.write(PROJECT, 'setup: make ready\n')
    const [typed, plain] = [await place.load({ flags }), await place.load({})]
    expect(typed.executable).toEqual(plain.executable)
    expect([typed.values.gates.map(({ name }) => name), plain.values.gates.map(({ name }) => name)]).toEqual([['typed'], ['told']])
  })

  test('is named as it is typed.', async () => {
    const flags: Layer = { gates: [], agents: { x: { paste: true } }, prompts: { observe: [] }, stateDir: 's', procedure: 'ooda' }
    const { origins } = await place.load({ flags })
    const keys = ['gates', 'agents.x', 'prompts.observe', 'stateDir', 'procedure']
    expect(whereOf(origins, keys)).toEqual(['--gate', '--ai-cmd', '--observe', '--state-dir', 'the command line'])
  })
})

function whereOf(origins: Record<string, { where: string }>, keys: string[]): (string | undefined)[] {
  return keys.map((key) => origins[key]?.where)
}
