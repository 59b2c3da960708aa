// Tests of what needs trust in a settings file, and what does not.
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../files/fixture.js'
import { changedParts, executableOf, isOfRepository, partsOf } from './executable.js'
import { dropGrants, namedHashes, readGrants, trustPath, writeGrant } from './trust-store.js'
import type { Layer } from './types.js'

const site = { root: '/repo', base: '/repo', home: '/home/me' }
const hash = (layer: Layer): string | undefined => executableOf(partsOf(layer, site), [])?.hash

describe('what needs trust', () => {
  it('is nothing of a file that only bounds, names and describes.', () => {
    const harmless: Layer = {
      procedure: 'ooda', default_iterations: 3, agent: 'claude', agents: { claude: { cli: 'claude', model: 'x', fallback: 'paste' }, me: { paste: true }, r: { repair: true } }, budget: { usd: 1 },
      setbacks: 2, floor: 1, limits: { gateSeconds: 1 }, scope: { deny: ['a'], files: 1, lines: 1 }, commands: { deny: ['rm'], timeoutSeconds: 1 }, target: ['a'], excuse: ['b'],
      require: 'verified', promptTokens: 5, persistence: 'durable', task: 'task.md', philosophy: 'docs/how.md', prompts: { act: [{ text: 'x' }] }, context: [{ file: 'docs/a.md' }, { builtin: 'ooda/act' }], procedures: { mine: { extends: 'ooda' } },
    }
    expect(hash(harmless)).toBeUndefined()
  })

  it('is every key that runs, sends, reads from elsewhere or permits, each with a hash of its own.', () => {
    const each: Layer[] = [
      { gates: [{ name: 'g', run: 'a' }] }, { gates: [{ name: 'g', run: 'b' }] }, { gates: [{ name: 'h', run: 'a' }] }, { gates: [{ name: 'g', run: 'a', cwd: 'x' }] }, { gates: [{ name: 'g', run: 'a', env: { A: '1' } }] },
      { gates: [{ name: 'g', run: 'a', pass_env: ['A'] }] }, { setup: 'a' }, { pass_env: ['A'] }, { stateDir: 'x' }, { permit: ['tests'] }, { commands: { allow: ['a'] } }, { scope: { allow: ['a'] } }, { scope: { mode: 'warn' } },
      { agents: { a: { command: 'x' } } }, { agents: { a: { cli: 'claude', program: 'x' } } }, { agents: { a: { cli: 'claude', args: ['x'] } } }, { agents: { a: { cli: 'claude', env: { TOKEN: 'x' } } } },
      { agents: { a: { cli: 'claude', env: { TOKEN: 'y' } } } }, { agents: { a: { acp: 'x' } } }, { agents: { a: { chat: 'http://x/v1' } } }, { agents: { a: { chat: 'http://x/v1', key: 'K' } } }, { agents: { a: { script: 'x' } } },
      { context: [{ file: '/etc/passwd' }] }, { context: [{ file: '~/.ssh/id' }] }, { prompts: { act: [{ file: '../x' }] } }, { procedures: { p: { phases: { b: { kind: 'workspace', action: 'branch' } } } } }, { procedures: { p: { allow: ['a'] } } },
      { task: '/etc/passwd' }, { hooks: { h: { on: 'stopped', run: 'x' } } } as unknown as Layer, { notify: { command: 'x' } } as Layer, { sandbox: { use: 'none' } } as Layer,
      { somethingNew: { runs: 'x' } } as Layer,
    ]
    const hashes = each.map(hash)
    expect(hashes).not.toContain(undefined)
    expect(new Set(hashes).size).toBe(each.length)
  })

  it('does not change with the order of keys nor with what is harmless beside it, and shows no value that is called a secret.', () => {
    const one: Layer = { setup: 'a', gates: [{ name: 'g', run: 'b', env: { A: '1', B: '2' } }] }
    const other: Layer = { default_iterations: 9, gates: [{ env: { B: '2', A: '1' }, run: 'b', name: 'g', timeoutSeconds: 5 }], setup: 'a' }
    expect(hash(one)).toBe(hash(other))
    expect(executableOf(partsOf({ agents: { a: { command: 'x', env: { MY_TOKEN: 'hush', PATH: '/evil' } } } }, site), [])?.shown).toEqual({ 'agents.a': { command: 'x', env: { MY_TOKEN: '***', PATH: '/evil' } } })
  })

  it('goes by the file that is read, however its way from the home folder is written.', () => {
    expect(hash({ context: [{ file: '~//repo/notes.md' }] })).toBeDefined()
    expect(hash({ context: [{ file: '~/../../repo/notes.md' }] })).toBeUndefined()
  })

  it('holds the bytes of a program of the repository, and of no other.', () => {
    const root = temporaryFolder()
    const parts = (): object => partsOf({ agents: { a: { command: './tool.sh' }, b: { command: '/bin/true' } } }, { root, base: root, home: '/home/me' })
    writeFileSync(join(root, 'tool.sh'), 'one')
    const before = parts()
    writeFileSync(join(root, 'tool.sh'), 'two')
    expect(changedParts({ ...before }, { ...parts() })).toEqual([{ key: 'agents.a', how: 'changed' }])
  })

  it('is also in a file that a link of the repository leads to elsewhere.', () => {
    const [root, other] = [temporaryFolder(), temporaryFolder()]
    writeFileSync(join(other, 'x.yaml'), '')
    symlinkSync(join(other, 'x.yaml'), join(root, 'greenlatch.yaml'))
    symlinkSync(join(root, 'greenlatch.yaml'), join(other, 'back.yaml'))
    expect([isOfRepository(join(root, 'greenlatch.yaml'), root), isOfRepository(join(other, 'x.yaml'), root)]).toEqual([true, false])
  })
})

describe('what was trusted', () => {
  const given = executableOf(partsOf({ setup: 'a' }, site), ['greenlatch.yaml'])
  if (!given) throw new Error('nothing to trust')

  it('is kept for the repository it was trusted in, and can be taken back.', () => {
    const [root, other, home] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
    const place = { env: {}, home }
    expect(readGrants(root, place).hashes).toEqual([])
    writeGrant(root, given, place)
    expect(readGrants(root, place)).toMatchObject({ hashes: [given.hash], parts: { setup: 'a' } })
    expect(readGrants(other, place).hashes).toEqual([])
    writeFileSync(trustPath(other, place), JSON.stringify({ version: 1, root, hashes: [given.hash] }), { mode: 0o600 })
    expect(readGrants(other, place).hashes).toEqual([])
    dropGrants(root, place)
    expect(readGrants(root, place).hashes).toEqual([])
  })

  it('is nothing where the file is damaged, and is refused where others could have written it.', () => {
    const [root, home] = [temporaryFolder(), temporaryFolder()]
    const place = { env: {}, home }
    writeGrant(root, given, place)
    writeFileSync(trustPath(root, place), '{"version":1,')
    expect(readGrants(root, place).hashes).toEqual([])
    writeFileSync(trustPath(root, place), '', { mode: 0o600 })
    chmodSync(trustPath(root, place), 0o620)
    expect(() => readGrants(root, place)).toThrow('can be written to by others')
    chmodSync(trustPath(root, place), 0o600)
    chmodSync(dirname(trustPath(root, place)), 0o777)
    expect(() => readGrants(root, place)).toThrow('can be written to by others')
  })

  it('can be named by hashes, and by nothing else.', () => {
    expect(() => namedHashes(['abc'], '--trust')).toThrow('--trust: expected a hash of 64 digits')
    expect(namedHashes([`${'A'.repeat(64)}, ${'b'.repeat(64)}`, ''], '--trust')).toEqual(['a'.repeat(64), 'b'.repeat(64)])
  })
})
