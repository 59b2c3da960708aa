import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeOutbox, repositoryOf, writeBlob, writeCommit, writeTree } from '../adapters/remote/outbox.js'
import { plainGit } from './fixture.js'
import { git } from './git.js'
import { fetchFrom, isFinal, pushTo, refuseAddress, remoteTip } from './remote.js'

const folder = mkdtempSync(join(tmpdir(), 'greenlatch-remote-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const url = join(folder, 'bare.git')
plainGit(folder, 'init', '-q', '--bare', url)
const outbox = makeOutbox(join(folder, 'outbox'), 'sha1', join(folder, 'outbox'))
const ours = repositoryOf(outbox)
const ref = 'refs/greenlatch/fleet/x'

function commit(text: string, parents: string[] = []): string {
  const blob = writeBlob(outbox, Buffer.from(text))
  const inner = writeTree(outbox, [{ mode: '100644', name: 'z', id: blob }])
  // A folder called `a` stands after a file called `a.b` in git's order, and after `a-`.
  const tree = writeTree(outbox, [{ mode: '40000', name: 'a', id: inner }, { mode: '100644', name: 'a.b', id: blob }, { mode: '100644', name: 'a-', id: blob }])
  return writeCommit(outbox, { tree, parents, message: text, at: 0 })
}

describe('a ref of a remote', () => {
  it('moves only from where it is expected to stand, and two of them only together', async () => {
    const [first, second, other] = [commit('1'), commit('2'), commit('3')]
    expect(await remoteTip(ours, { url, ref })).toBeNull()
    await pushTo(ours, url, [{ ref, from: null, to: first }])
    await expect(pushTo(ours, url, [{ ref, from: null, to: other }])).rejects.toThrow()
    await pushTo(ours, url, [{ ref, from: first, to: second }])
    await expect(pushTo(ours, url, [{ ref, from: first, to: other }])).rejects.toThrow()
    await expect(pushTo(ours, url, [{ ref: `${ref}-2`, from: null, to: other }, { ref, from: first, to: other }])).rejects.toThrow()
    expect([await remoteTip(ours, { url, ref }), await remoteTip(ours, { url, ref: `${ref}-2` })]).toEqual([second, null])
    plainGit(url, 'fsck', '--strict', '--full')
    await fetchFrom(ours, url, [`+${ref}:refs/kept`])
    expect((await git(ours, ['rev-parse', 'refs/kept'])).text).toBe(second)
  })

  it('says which refusal no waiting mends', async () => {
    mkdirSync(join(url, 'hooks'), { recursive: true })
    writeFileSync(join(url, 'hooks', 'pre-receive'), '#!/bin/sh\nexit 1\n')
    chmodSync(join(url, 'hooks', 'pre-receive'), 0o755)
    const refused = await pushTo(ours, url, [{ ref: `${ref}-3`, from: null, to: commit('4') }]).catch((error: unknown) => error)
    expect(isFinal(refused)).toBe(true)
    const gone = await remoteTip(ours, { url: join(folder, 'none.git'), ref }).catch((error: unknown) => error)
    expect(isFinal(gone)).toBe(true)
    const away = await remoteTip(ours, { url: 'git://127.0.0.1:1/x.git', ref }).catch((error: unknown) => error)
    expect(isFinal(away)).toBe(false)
  })

  it.each(['ext::sh -c id', '--upload-pack=id', 'x.git', 'fd::3', 'https://a b', '', 'file://x::y', '/a\u001b[31m'])('is looked for nowhere like %s', (address) => {
    expect(() => refuseAddress(address)).toThrow(/is no address of a repository/)
  })

  it.each([
    ['https://me:token@h/x.git', 'https://h/x.git'],
    ['https://ghp_token@h/x.git', 'https://h/x.git'],
    ['ssh://git:pw@h/x.git', 'ssh://git@h/x.git'],
  ])('is not reached with a login in its address, which is not told: %s', (address, shown) => {
    expect(() => refuseAddress(address)).toThrow(`the address ${shown} is given with a login`)
    expect(() => refuseAddress(shown)).not.toThrow()
  })

  it('is reached only from a repository of our own', async () => {
    await expect(git({ gitDir: url, config: 'foreign', reaches: 'remotes' }, ['fetch', url])).rejects.toThrow(/not on the list/)
    await expect(git({ gitDir: url, config: 'ours' }, ['push', url])).rejects.toThrow(/not on the list/)
  })
})
