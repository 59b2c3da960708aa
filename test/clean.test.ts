// `clean`: only what is ours, marked and can be made again goes, and everything can then be made again.
import { createHash } from 'node:crypto'
import { existsSync, linkSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashesOf } from './support/cli.js'
import { makeWorkshop, refusal, workedOnce, type Workshop } from './support/repositories.js'

const TURNS = [{ write: { a: 'one\n' } }, { write: { b: 'two\n' } }]
const worked = workedOnce(TURNS, { a: 'zero\n' })

function roomOf(shop: Workshop): string {
  return dirname(dirname(shop.session()))
}

function checkout(shop: Workshop, id = basename(shop.session())): string {
  return join(roomOf(shop), 'checkouts', id)
}

/** All but the checkouts and copies. */
function kept(shop: Workshop): unknown {
  return [hashesOf(shop.repo), hashesOf(join(roomOf(shop), 'store.git')), readFileSync(join(shop.session(), 'journal.jsonl'), 'utf8')]
}

describe('clean', () => {
  it('lists what would go and takes it only when told to; all else stays.', async () => {
    const { shop } = await worked()
    const before = kept(shop)
    const dry = await shop.run(['clean', '--dry-run'])
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringMatching(new RegExp(`^ *[\\d.]+ KiB {2}checkout {6}${checkout(shop)}\n$`))])
    const { code, stdout, stderr } = await shop.run(['clean'])
    const refused = /^greenlatch: 1 folder, .* would be taken away; nothing was[^\n]*\n {2}next: greenlatch clean --yes\n$/
    expect([code, stdout, stderr]).toEqual([2, dry.stdout, expect.stringMatching(refused)])
    expect(existsSync(checkout(shop))).toBe(true)
    const done = await shop.run(['clean', '--yes', '--json'])
    expect(JSON.parse(done.stdout)).toMatchObject({ removed: [{ kind: 'checkout', path: checkout(shop), salvage: null }], kept: [] })
    expect([existsSync(checkout(shop)), kept(shop)]).toEqual([false, before])
    expect(await shop.run(['clean'])).toMatchObject({ code: 0, stdout: '', stderr: 'there is nothing to take away\n' })
  })

  it('asks in a terminal, and takes no for an answer.', async () => {
    const { shop } = await worked()
    const no = shop.startInTerminal(['clean'])
    await no.says(/\[y\/N\]/)
    no.type('n\r')
    expect((await no.ended).stdout).toContain('nothing was taken away')
    expect(existsSync(checkout(shop))).toBe(true)
    const yes = shop.startInTerminal(['clean'])
    await yes.says(/\[y\/N\]/)
    yes.type('y\r')
    expect((await yes.ended).stdout).toContain('took away 1 folder')
    expect(existsSync(checkout(shop))).toBe(false)
  })

  it('keeps what stands in a checkout and is in no tree, and lets a session go on, be shown and be accepted afterwards.', async () => {
    const shop = makeWorkshop({ a: 'zero\n', 'sub/.keep': '' })
    mkdirSync(join(shop.repo, 'node_modules'))
    writeFileSync(join(shop.repo, 'node_modules/dep'), 'dependency\n')
    const agent = shop.scripted([{ write: { a: 'one\n' } }, { write: { b: 'two\n' } }])
    const gate = ['--gate', 'cat node_modules/dep && test -e b']
    expect((await shop.run(['run', 'converge', '--leave', 'last', '--dirty', 'ignore', '--max-iterations', '1', '--agent', agent, ...gate])).code).toBe(4)
    writeFileSync(join(checkout(shop), 'precious'), 'by hand\n')
    const { stderr } = await shop.run(['clean', '--yes'])
    expect(stderr).toContain('--iter salvage/1')
    expect([existsSync(checkout(shop)), (await shop.run(['diff', '--iter', 'last..salvage/1'])).stdout]).toEqual([false, expect.stringContaining('+by hand')])
    expect((await shop.run(['diff', '--stat'])).stdout).toBe('modified            +1 −1  a\n')
    expect((await shop.run(['resume', '--max-iterations', '2'])).code).toBe(0)
    expect(readFileSync(join(checkout(shop), 'b'), 'utf8')).toBe('two\n')
    expect((await shop.run(['clean', '--yes'])).code).toBe(0)
    expect((await shop.run(['accept'])).code).toBe(0)
    expect([shop.file('a'), shop.file('b')]).toEqual(['one\n', 'two\n'])
  })

  it('gives a person who was asked the same files to work on again.', async () => {
    const shop = makeWorkshop({ a: 'zero\n' })
    const turns = ['--agent', 'paste', '--max-iterations', '2']
    expect((await shop.run(['run', 'ooda', 'x', ...turns])).code).toBe(8)
    writeFileSync(join(checkout(shop), 'a'), 'by a person\n')
    expect((await shop.run(['reply'], { stdin: 'done' })).code).toBe(0)
    expect((await shop.run(['resume'])).code).toBe(8)
    expect((await shop.run(['clean', '--yes'])).code).toBe(0)
    expect((await shop.run(['resume'])).code).toBe(8)
    expect(readFileSync(join(checkout(shop), 'a'), 'utf8')).toBe('by a person\n')
  })

  it('takes the checkouts of named sessions alone.', async () => {
    const shop = makeWorkshop({ a: 'zero\n' })
    const [one, other] = [await shop.work(TURNS), await shop.work(TURNS)]
    expect((await shop.run(['clean', one, '--yes'])).code).toBe(0)
    expect([existsSync(checkout(shop, one)), existsSync(checkout(shop, other))]).toEqual([false, true])
    expect(refusal(await shop.run(['clean', 'nonsense', '--yes'])).slice(0, 2)).toEqual([2, 'there is no session "nonsense"'])
  })

  it('takes nothing that carries no mark of ours, and follows no link.', async () => {
    const { shop, id } = await worked()
    const outside = join(shop.root, 'outside')
    const room = roomOf(shop)
    for (const folder of [outside, join(room, 'checkouts/foreign'), join(room, 'deps/notes'), join(room, 'sub')]) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'file'), 'foreign\n')
    }
    writeFileSync(join(room, 'checkouts/foreign.checkout.json'), '{"kind":"something else"}\n')
    symlinkSync(outside, join(room, 'deps/0123456789abcdef0123456789abcdef'))
    symlinkSync(outside, join(checkout(shop), 'link'))
    renameSync(join(room, 'checkouts', id), join(room, 'moved'))
    symlinkSync(join(room, 'moved'), join(room, 'checkouts', id))
    const foreign = (): unknown => ['checkouts/foreign', 'deps', 'sub', 'moved'].map((name) => hashesOf(join(room, name)))
    const before = [hashesOf(outside), foreign()]
    expect((await shop.run(['clean', '--yes'])).code).toBe(0)
    // The link stood where our checkout was and goes; what it led to is nobody's to take.
    expect(lstatSync(join(room, 'checkouts', id), { throwIfNoEntry: false })).toBeUndefined()
    expect([hashesOf(outside), foreign()]).toEqual(before)
  })

  it('takes kept dependencies, what was half made long ago, and checkouts whose session is gone, which it keeps in salvage.', async () => {
    const { shop, id } = await worked()
    const room = roomOf(shop)
    const deps = join(room, 'deps/0123456789abcdef0123456789abcdef')
    mkdirSync(deps, { recursive: true })
    writeFileSync(join(deps, 'complete'), '[]')
    const [old, young] = [mkdtempSync(join(room, '.store.git.making-')), mkdtempSync(join(room, '.store.git.making-'))]
    utimesSync(old, 1, 1)
    rmSync(shop.session(), { recursive: true })
    const { stdout } = await shop.run(['clean', '--yes'])
    expect(stdout.split('\n').map((line) => line.slice(12, 25).trim()).filter(Boolean)).toEqual(['orphan', 'leftover', 'dependencies'])
    expect([checkout(shop, id), deps, old, young].map((path) => existsSync(path))).toEqual([false, false, false, true])
    expect(shop.git('--git-dir', join(room, 'store.git'), 'show', `refs/greenlatch/${id}/salvage/1:b`)).toBe('two')
  })

  it('goes on with what was half taken away.', async () => {
    const { shop, id } = await worked()
    const mark = `${checkout(shop)}.checkout.json`
    writeFileSync(mark, readFileSync(mark, 'utf8').replace('"whole"', '"going"'))
    rmSync(join(checkout(shop), 'a'))
    expect((await shop.run(['clean', '--yes'])).code).toBe(0)
    expect([existsSync(checkout(shop)), existsSync(mark)]).toEqual([false, false])
    expect(refusal(await shop.run(['diff', id, '--iter', 'salvage/1']))[0]).toBe(2)
  })
})

/** What may lie where checkouts do. All but `ours` is somebody else's. */
const LYING = fc.oneof(
  fc.record({ kind: fc.constant('ours' as const), state: fc.constantFrom('whole', 'going', 'making'), files: fc.dictionary(fc.stringMatching(/^[a-z]{1,3}(\/[a-z]{1,3})?\.t$/), fc.string({ maxLength: 9 }), { maxKeys: 4 }), reaches: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('unmarked', 'a file', 'a link', 'marked by a link', 'marked by a folder') }),
  fc.record({ kind: fc.constant('marked otherwise' as const), mark: fc.constantFrom('', '{', 'null', '[]', '{"kind":"greenlatch checkout"}', '{"kind":"another","session":"x","state":"whole"}', '{"kind":"greenlatch checkout","session":"x","state":"gone"}', '{"kind":"greenlatch checkout","session":7,"state":"whole"}', '{"kind":"greenlatch checkout","session":"../../x","state":"whole"}') }),
)
type Lying = typeof LYING extends fc.Arbitrary<infer T> ? T : never

/** Lays it out; links lead to `outside`, which nobody may touch. */
function lay(room: string, outside: string, name: string, lying: Lying): void {
  const folder = join(room, name)
  const mark = `${folder}.checkout.json`
  const ownMark = JSON.stringify({ kind: 'greenlatch checkout', session: name, state: 'state' in lying ? lying.state : 'whole' })
  if (lying.kind === 'a file') writeFileSync(folder, 'a file\n')
  else if (lying.kind === 'a link') symlinkSync(outside, folder)
  else {
    mkdirSync(folder)
    const files = 'files' in lying ? lying.files : { theirs: 'not ours\n' }
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  }
  if ('reaches' in lying && lying.reaches) {
    symlinkSync(outside, join(folder, 'to a folder'))
    linkSync(join(outside, 'precious'), join(folder, 'hard'))
  }
  if (lying.kind === 'ours') writeFileSync(mark, ownMark)
  if (lying.kind === 'marked by a folder') mkdirSync(mark)
  if (lying.kind === 'marked otherwise') writeFileSync(mark, lying.mark)
  if (lying.kind === 'marked by a link') {
    writeFileSync(join(outside, `${name}.mark`), ownMark)
    symlinkSync(join(outside, `${name}.mark`), mark)
  }
}

function blobOf(text: string | Buffer): string {
  const bytes = Buffer.from(text)
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

describe('whatever lies where checkouts do', () => {
  it('T13 stays when it is not ours, and is saved before it goes when it is: 0 foreign deletions', async () => {
    const { shop } = await worked()
    const room = dirname(checkout(shop))
    const store = join(roomOf(shop), 'store.git')
    let runs = 0
    await fc.assert(fc.asyncProperty(fc.array(LYING, { minLength: 4, maxLength: 12 }), async (all) => {
      runs += 1
      const outside = mkdtempSync(join(shop.root, 'outside-'))
      writeFileSync(join(outside, 'precious'), 'precious\n')
      const named = all.map((lying, at) => ({ name: `r${runs}-${at}`, lying }))
      for (const { name, lying } of named) lay(room, outside, name, lying)
      const foreign = named.filter(({ lying }) => lying.kind !== 'ours').map(({ name }) => name)
      const look = (): unknown => [hashesOf(outside), hashesOf(shop.repo), ...foreign.map((name) => [name, lstatSync(join(room, name)).mode, lstatSync(join(room, name)).isDirectory() && hashesOf(join(room, name)), existsSync(join(room, `${name}.checkout.json`))])]
      const before = look()
      const { code, stderr } = await shop.run(['clean', '--yes'])
      expect([code, look()], stderr).toEqual([0, before])
      for (const { name, lying } of named) {
        if (lying.kind !== 'ours') continue
        expect(existsSync(join(room, name)), stderr).toBe(false)
        if (lying.state !== 'whole') continue
        const held = shop.git('--git-dir', store, 'ls-tree', '-r', `refs/greenlatch/${name}/salvage/1`)
        for (const text of Object.values(lying.files)) expect(held).toContain(blobOf(text))
      }
      for (const name of foreign) for (const path of [join(room, name), join(room, `${name}.checkout.json`)]) rmSync(path, { recursive: true, force: true })
    }), { numRuns: 8, endOnFailure: true })
  })
})
