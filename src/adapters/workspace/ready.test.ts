// Tests of making a checkout ready by a command: once for each state of the lockfiles, and kept only while nobody has worked there.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Effect, Session } from '../../core/types.js'
import { temporaryFolder } from '../../files/fixture.js'
import { put } from '../../git/fixture.js'
import type { Acted } from '../../ports.js'
import { textAt } from './copy.fixture.js'
import { keysIn, keyUsedBy } from './dependencies-kept.js'
import { readyAct } from './ready.js'
import { noSandbox } from '../sandbox/none.js'

type Made = { root: string; kept: string; checkout: (id: string) => string; run: (id: string, turns?: Record<string, number>) => Promise<Acted | 'aborted'> }

function bench(script: string): Made {
  const root = temporaryFolder()
  const kept = join(root, 'deps')
  const checkout = (id: string): string => join(root, id)
  const run: Made['run'] = (id, turns = {}) => {
    mkdirSync(checkout(id), { recursive: true })
    put(checkout(id), { 'package-lock.json': 'lock' })
    const act = readyAct({
      sandbox: noSandbox(),
      checkout: checkout(id), cwd: checkout(id), argv: ['/bin/sh', '-c', script], excludes: `${checkout(id)}.excludes`, kept,
      logOf: (base) => join(root, `${id}-${base}.log`), limits: { wallSeconds: 60, silenceSeconds: 60, outputBytes: 100_000 },
    })
    const effect = { kind: 'workspace', action: 'setup', id: '1.setup', base: 'setup' } as Extract<Effect, { kind: 'workspace' }>
    return act({ id, turns } as Session, effect, new AbortController().signal)
  }
  return { root, kept, checkout, run }
}

const SCRIPT = 'mkdir -p node_modules; echo made >> node_modules/dep; echo ran >> ../ran; echo out > out.txt'

describe('setup', () => {
  it('runs once for the same lockfiles; its dependencies are given to the next checkout, and left out of its tree', async () => {
    const { root, kept, checkout, run } = bench(SCRIPT)
    expect(await run('s-1')).toMatchObject({ verdict: 'pass', note: expect.stringMatching(/node_modules kept for the next session$/) })
    expect(await run('s-2')).toMatchObject({ verdict: 'pass', note: expect.stringMatching(/^node_modules copied from an earlier setup/) })
    expect([textAt(root, 'ran'), textAt(checkout('s-2'), 'node_modules/dep'), existsSync(join(checkout('s-2'), 'out.txt'))]).toEqual(['ran\n', 'made\n', false])
    expect([textAt(root, 's-1.excludes'), textAt(root, 's-2.excludes')]).toEqual(['/node_modules/\n', '/node_modules/\n'])
    expect([keyUsedBy(kept, 's-1'), keyUsedBy(kept, 's-2')]).toEqual([keysIn(kept)[0], keysIn(kept)[0]])
  })

  it('is not kept for others where an agent has worked', async () => {
    const { kept, run } = bench(SCRIPT)
    expect(await run('s-1', { implementer: 1 })).toMatchObject({ verdict: 'pass', note: expect.stringMatching(/^done in [\d.]+ s$/) })
    expect(keysIn(kept)).toEqual([])
  })

  it('runs again when what was kept has been written to', async () => {
    const { root, kept, run } = bench(SCRIPT)
    await run('s-1')
    writeFileSync(join(kept, keysIn(kept)[0] ?? '', 'files/node_modules/dep'), 'by an agent')
    await run('s-2')
    expect([textAt(root, 'ran'), textAt(root, 's-2/node_modules/dep')]).toEqual(['ran\nran\n', 'made\n'])
  })

  it('that fails is an error of the gate with its last words, and keeps nothing', async () => {
    const { kept, run } = bench('mkdir node_modules; echo no network >&2; exit 3')
    const acted = await run('s-1')
    expect(acted).toMatchObject({ verdict: 'error', cause: 'gate', note: 'setup: exit 3: no network' })
    expect(keysIn(kept)).toEqual([])
  })
})
