// Tests of taking checkouts away, and of finding them.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundle, run } from '../../files/fixture.js'
import { plainGit, put } from '../../git/fixture.js'
import { withRepository } from './checkout.fixture.js'
import { makeCheckout } from './checkout.js'
import { checkoutsIn, removeCheckout } from './checkout-remove.js'
import { asNobody, makeDeep } from './store.fixture.js'

describe('taking a checkout away', () => {
  it('removes it with all that belongs to it, through no link', async () => {
    const { root, request } = await withRepository({ 'd/a': 'a' })
    await makeCheckout(request)
    put(root, { 'outside/kept': 'k' })
    symlinkSync(join(root, 'outside'), join(request.folder, 'd/link'))
    writeFileSync(Buffer.concat([Buffer.from(`${request.folder}/d/`), Buffer.from([0xff])]), 'odd')
    removeCheckout(request.folder)
    expect(readdirSync(join(request.folder, '..'))).toEqual([])
    expect(readFileSync(join(root, 'outside/kept'), 'utf8')).toBe('k')
    removeCheckout(request.folder)
  })

  it('removes folders that were closed, as their owner', async () => {
    const { root, request } = await withRepository({ 'd/e/a': 'a' })
    await makeCheckout(request)
    run(['chown', '-R', '65534', root])
    for (const path of ['d/e', 'd']) chmodSync(join(request.folder, path), 0o500)
    await asNobody(async () => removeCheckout(request.folder))
    expect(existsSync(request.folder)).toBe(false)
  })

  it('removes folders that are nested too deep for any path, and through no link', async () => {
    const { root, request } = await withRepository({ a: 'a' })
    await makeCheckout(request)
    put(root, { 'outside/kept': 'k' })
    makeDeep(request.folder, join(root, 'outside'))
    removeCheckout(request.folder)
    expect(readdirSync(join(request.folder, '..'))).toEqual([])
    expect(readFileSync(join(root, 'outside/kept'), 'utf8')).toBe('k')
  })

  it('leaves alone what carries no mark, and what a link leads to that stands in its place', async () => {
    const { root, request } = await withRepository({ a: 'a' })
    put(root, { 'mine/kept': 'k' })
    expect(() => removeCheckout(join(root, 'mine'))).toThrow('carries no mark')
    await makeCheckout(request)
    rmSync(request.folder, { recursive: true })
    symlinkSync(join(root, 'mine'), request.folder)
    removeCheckout(request.folder)
    expect(readdirSync(join(request.folder, '..'))).toEqual([])
    expect(readFileSync(join(root, 'mine/kept'), 'utf8')).toBe('k')
  })

  it('is found again when it was cut off halfway, and is not taken for whole', async () => {
    const { request } = await withRepository({ a: 'a', b: 'b' })
    await makeCheckout(request)
    const child = bundle(`import { removeCheckout } from './adapters/workspace/checkout-remove.js'\nremoveCheckout(process.argv[2])`)
    const inject = ['-e', 'trace=unlink', '-e', 'inject=unlink:signal=SIGKILL:when=3']
    spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', ...inject, 'node', child, request.folder])
    expect(checkoutsIn(join(request.folder, '..'))).toEqual([{ folder: request.folder, session: 's-1', state: 'going' }])
    await makeCheckout(request)
    expect(plainGit(request.folder, 'status', '--porcelain')).toBe('')
    expect(checkoutsIn(join(request.folder, '..'))).toEqual([{ folder: request.folder, session: 's-1', state: 'whole' }])
  })

  it('finds only what is marked', async () => {
    const { root, request } = await withRepository({ a: 'a' })
    await makeCheckout(request)
    const room = join(request.folder, '..')
    put(room, { 'stranger/x': 'x', 'bad.checkout.json': '{', 'foreign.checkout.json': '{"kind":"other"}' })
    symlinkSync(`${request.folder}.checkout.json`, join(room, 'linked.checkout.json'))
    expect(checkoutsIn(room).map(({ folder }) => folder)).toEqual([request.folder])
    expect(checkoutsIn(join(root, 'nowhere'))).toEqual([])
  })
})
