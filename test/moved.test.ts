// A repository that was moved: its sessions are kept under the path it had, which is said with the command that brings them along.
import { spawnSync } from 'node:child_process'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeWorkshop, refusal } from './support/repositories.js'

describe('the sessions of a repository that was moved', () => {
  it('are named where there are none, and can be looked at and taken from after the command that is named.', async () => {
    const shop = makeWorkshop({ a: 'x\n' })
    const id = await shop.work([{ write: { a: 'y\n' } }])
    await shop.run(['open', 'ooda', 'x', '--ai-cmd', 'true'])
    const cwd = join(shop.root, 'renamed')
    renameSync(shop.repo, cwd)
    const [code, message, next] = refusal(await shop.run(['status'], { cwd }))
    expect([code, message]).toEqual([2, `there is no session here yet; 2 sessions began in ${shop.repo}, which is gone, with a commit of this repository`])
    expect((await shop.run(['sessions'], { cwd })).stderr).toContain(`next: ${next}`)
    expect(spawnSync('sh', ['-c', next]).status).toBe(0)
    expect((await shop.run(['sessions'], { cwd })).stdout).toContain(id)
    const [, , take] = refusal(await shop.run(['accept'], { cwd }))
    expect(take).toBe('greenlatch diff | git apply')
    expect(refusal(await shop.run(['resume'], { cwd }))).toEqual([10, expect.stringContaining(`began in ${shop.repo}, which is gone`), expect.stringMatching(/^greenlatch diff \S+ \| git apply$/)])
    expect((await shop.run(['diff', id], { cwd })).stdout).toContain('+y')
  })

  it('are not taken for those of another repository, nor of one that is still there.', async () => {
    const shop = makeWorkshop({ a: 'x\n' })
    await shop.work([{ write: { a: 'y\n' } }])
    const other = makeWorkshop({ b: 'z\n' })
    const env = { GREENLATCH_STATE_HOME: shop.state }
    const none = [2, 'there is no session here yet', 'greenlatch run --help']
    expect(refusal(await other.run(['status'], { env }))).toEqual(none)
    renameSync(shop.repo, join(shop.root, 'renamed'))
    expect(refusal(await other.run(['status'], { env }))).toEqual(none)
  })
})
