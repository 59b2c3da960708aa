// Tests that the schema, the types, the documentation and the built-in values say the same.
import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePlace, type Place, PROJECT } from './fixture.js'
import { SCALAR_KEYS, variableName } from './scalars.js'
import { checkSettings, jsonSchemas } from './schema.js'
import type { Layer } from './types.js'

type Schema = {
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  [key: string]: unknown
}

const DOCUMENTATION = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
const config = jsonSchemas().config as Schema

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

/** Every key of a schema, e.g. `gates[].run`, `agents.<name>.command`. */
function keysOf(schema: Schema, prefix = ''): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => [prefix + key].concat(keysOf(inner, `${prefix}${key}.`)))
  const named = typeof schema.additionalProperties === 'object' ? keysOf(schema.additionalProperties, `${prefix}<name>.`) : []
  const listed = schema.items ? keysOf(schema.items, `${prefix.replace(/\.$/, '')}[].`) : []
  return [...new Set([...own, ...named, ...listed, ...(schema.anyOf ?? []).flatMap((branch) => keysOf(branch, prefix))])]
}

function documented(text: string): boolean {
  return DOCUMENTATION.includes(text)
}

function schemasIn(schema: Schema): Schema[] {
  const more = typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []
  const inner = [...Object.values(schema.properties ?? {}), ...more, ...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])]
  return [schema, ...inner.flatMap(schemasIn)]
}

describe('The documentation', () => {
  test.each(keysOf(config))('names the key %s.', (key) => {
    const steps = key.replace(/^procedures\.<name>\./, '').split('.')
    const inTable = !key.startsWith('procedures.') && !/^(prompts\.\w+|context)(\[\])?\./.test(key)
    const isMap = ['budget', 'limits', 'scope', 'commands', 'sandbox', 'notify', 'prompts'].includes(key)
    const wanted = inTable && !isMap ? `\n| \`${key}\` |` : `\`${steps.at(-1)}\``
    expect(documented(wanted), wanted).toBe(true)
  })

  test.each(SCALAR_KEYS)('names the variable of %s.', (key) => {
    expect(documented(`\n| \`${variableName(key)}\` | \`${key}\``)).toBe(true)
  })

  test('names no key and no variable that does not exist.', () => {
    const tables = DOCUMENTATION.slice(DOCUMENTATION.indexOf('## Keys'), DOCUMENTATION.indexOf('### Procedures'))
    const rows = [...tables.matchAll(/^\| `([^`]+)` \|/gm)].map(([, key]) => key)
    expect(rows.filter((key) => !keysOf(config).includes(key ?? ''))).toEqual([])
    const variables = [...DOCUMENTATION.matchAll(/^\| `(GREENLATCH_\w+)`/gm)].map(([, name]) => name)
    expect(variables).toEqual(SCALAR_KEYS.map(variableName))
  })

  test('gives the default values that hold.', async () => {
    const { values } = await place.load()
    const { limits, scope: { files, lines }, commands: { timeoutSeconds }, promptTokens } = values
    const numbers = { ...prefixed('limits', limits), ...prefixed('scope', { files, lines }), ...prefixed('commands', { timeoutSeconds }), promptTokens }
    for (const [key, value] of Object.entries(numbers)) expect(documented(`\n| \`${key}\` | ${String(value)} |`), key).toBe(true)
    expect(documented(`\n| \`scope.mode\` | \`${values.scope.mode}\` |`)).toBe(true)
    expect(documented(`\n| \`procedure\` | \`${values.procedure}\` |`)).toBe(true)
  })

  test('has only examples that are taken.', async () => {
    const examples = [...DOCUMENTATION.matchAll(/```yaml\n([^]*?)```/g)].map(([, text]) => text ?? '')
    expect(examples.length).toBeGreaterThan(2)
    for (const text of examples) {
      place.write(PROJECT, text)
      expect((await place.load()).files).toHaveLength(1)
    }
  })
})

describe('The JSON Schema', () => {
  test('is of draft 2020-12, carries no address of its own and is plain JSON.', () => {
    for (const schema of Object.values(jsonSchemas()) as Schema[]) {
      expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
      expect(JSON.stringify(schema)).not.toContain('"$id"')
      expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
    }
  })

  test('describes every key of the file and of a procedure, and requires none.', () => {
    const { procedure } = jsonSchemas() as Record<string, Schema>
    for (const schema of [config, procedure ?? {}]) {
      expect(schema.required).toBeUndefined()
      const plain = Object.entries(schema.properties ?? {}).filter(([, inner]) => typeof inner.description !== 'string')
      expect(plain.map(([key]) => key)).toEqual([])
    }
  })

  test('allows no unknown key in any map that has known ones.', () => {
    const open = schemasIn(config).filter((schema) => schema.properties && schema.additionalProperties !== false)
    expect(open).toEqual([])
  })
})

test('A file that uses every key is read into exactly the typed settings.', async () => {
  place.write(PROJECT, EVERYTHING)
  const { values } = await place.load()
  expect(values).toEqual(EXPECTED)
  const used = new Set(namesIn(EXPECTED))
  expect(keysOf(config).map((key) => key.split('.').at(-1)).filter((key) => !used.has(key ?? ''))).toEqual([])
})

test('The library for schemas is imported by the schema and the tools of `mcp` alone, and loading settings imports that only when needed.', () => {
  const sources = readdirSync(new URL('..', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => [path, readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')] as const)
  const importing = (pattern: RegExp): string[] => sources.filter(([, text]) => pattern.test(text)).map(([path]) => path).toSorted()
  expect(importing(/^import (?!type )[^\n]*from 'zod'|import\('zod'\)/m)).toEqual(['cli/mcp/tools.ts', 'config/artifact-schemas.ts', 'config/schema-blocks.ts', 'config/schema-told.ts', 'config/schema.ts'])
  const eager = importing(/^(import|export) (?!type )[^\n]*from '\.\/(schema|schema-blocks|schema-told|document)\.js'/m)
  expect(eager.filter((path) => path.startsWith('config/') && !/^config\/schema(-told)?\.ts$/.test(path))).toEqual([])
})

test('A value that is no map is a fault and not a crash.', () => {
  for (const value of [undefined, 1, 'x', [], true]) expect(checkSettings(value)).toHaveProperty('faults')
})

function prefixed(prefix: string, values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${prefix}.${key}`, value]))
}

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key].concat(namesIn(inner)))
}

const EXPECTED: Layer = {
  procedure: 'mine',
  default_iterations: 0,
  agent: { '*': 'claude', reviewer: 'me' },
  agents: { claude: { command: ['claude', '-p', ''], env: { A: '1' }, pass_env: ['A', 'B_*'] }, fake: { script: '/answers.json' }, me: { paste: true, replies: 'text', promptTokens: 61_440 },
    known: { cli: 'codex', program: '/opt/codex', args: ['-v'], model: 'm', fallback: 'over', price: { input: 1, output: 2, cachedInput: 0.5 } },
    fix: { repair: true, candidates: 9, seconds: 5, seed: 3, warm: false },
    over: { acp: 'gemini', mode: 'yolo', tools: ['read', 'edit'], permissions: 'ask' },
    near: {
      chat: 'http://127.0.0.1:1234/v1', key: 'KEY', stream: false, model: 'm', temperature: 0.5, outputTokens: 9, contextTokens: 2048,
      roles: { planner: { model: 'n', temperature: 0, outputTokens: 8, contextTokens: 4096 } },
    },
  },
  gates: [
    {
      name: 'test', run: 'npm test', timeoutSeconds: 0.5, testTimeoutSeconds: 2, cwd: 'a/b', env: { CI: '1' }, pass_env: ['C'], runner: 'none',
      report: { path: 'out/*.xml', format: 'junit' }, decision: true, network: 'host', holdout: true, baseline: false,
    },
  ],
  pass_env: ['DATABASE_URL'],
  setup: ['npm', 'ci'],
  budget: { seconds: 0, tokens: 3, usd: 0.25 },
  setbacks: 2,
  floor: 2,
  limits: { agentSeconds: 1, agentSilenceSeconds: 2, gateSeconds: 3, outputBytes: 4096 },
  scope: { allow: ['src', '**/*.md'], deny: ['src/old'], files: 20, lines: 0, mode: 'warn' },
  commands: { allow: ['npm test *'], deny: ['npm publish'], timeoutSeconds: 9 },
  sandbox: { use: 'container', allow: ['*.example.com', 'a.example:8443'], read: ['/opt/x'], write: ['/var/cache/x'], image: 'node:22', processes: 9, memoryMegabytes: 8, fileMegabytes: 7 },
  target: ['a.test.js::*', 'gate:test'],
  excuse: ['b'],
  require: 'partly verified',
  permit: ['tests', 'dependencies', 'runner', 'ci'],
  promptTokens: 5,
  notify: {
    on: ['needs-you', 'stopped'], terminal: false, webhook: 'http://chat.example/hook', webhookVariable: 'CHAT_HOOK', plainHttp: true, command: ['/bin/note'], timeoutSeconds: 9,
  },
  hooks: { late: { on: ['best', 'converged'], run: 'make deploy', timeoutSeconds: 5 } },
  persistence: 'best-effort',
  stateDir: '/state',
  task: '/task.md',
  philosophy: '/philosophy.md',
  prompts: { observe: [{ text: 'o' }], orient: [{ file: '/f.md' }], decide: [{ builtin: 'b' }], act: [{ text: 'a' }, { text: 'b' }] },
  context: [{ text: 'c' }],
  procedures: {
    mine: {
      extends: 'converge',
      summary: 's',
      start: 'ask',
      phases: {
        ask: {
          kind: 'ask',
          role: 'implementer',
          yields: 'candidate',
          title: 'One line',
          prompt: [{ title: 't', fragments: [{ text: 'x' }, { section: 'plan' }], rank: 0, when: 'report', unless: 'fault' }],
          prompts: 'late',
          status: 'decides',
          wants: 'tests',
          replies: 'text',
          reuse: 'tree',
          trim: 'never',
          words: { done: 'check', failed: '@failed' },
          on: { pass: 'check', fail: '@failed', error: null, cancelled: '@cancelled' },
          opensIteration: true,
          opensPlan: true,
          judges: false,
          retries: 0,
          file: 'f',
          label: 'l',
          rests: 'r',
        },
        check: { kind: 'check', gates: ['@configured', 'scope'], baseline: true, sealed: true, reruns: 1, confirm: 1 },
        tidy: { kind: 'workspace', action: 'setup' },
        gone: null,
      },
      policies: {
        setbacks: { limit: 3, counts: ['fail', 'error'] },
        infrastructure: { limit: 3 },
        breaches: { limit: 3 },
        floor: { iterations: 2, to: 'ask' },
        ratchet: { patience: 2 },
        ladder: {
          signals: ['repeats', 'subjects', 'revisits', 'plateau'],
          rungs: [
            { at: 2, stance: 'calm', focus: 'one', scope: { files: 5, lines: 200 }, roles: { reviewer: 'consultant' } },
            { at: 3, restore: true, to: 'ask', resets: true, times: 1, without: 'consultant' },
          ],
        },
        amendments: { each: 500, all: 2000 },
        disputes: { limit: 3 },
        goal: { targets: ['a*'], excuse: ['b'], gates: ['test'], change: true, require: 'verified' },
      },
      budget: { iterations: 9, seconds: null, tokens: 1, usd: 1, then: 'completed' },
      final: 'best',
      stances: { calm: 'Keep calm.', old: null },
      prompts: { act: [{ text: 'act' }] },
      progress: 'iterations',
    },
  },
}

/** The same as JSON, which is YAML too, with the short forms put back. */
const EVERYTHING = JSON.stringify(EXPECTED)
  .replace('[{"text":"o"}]', '"o"')
  .replace('[{"file":"/f.md"}]', '{"file":"/f.md"}')
  .replace('{"text":"a"}', '"a"')
  .replace('{"text":"x"}', '"x"')
