// A run that is cut off while the deciding check is done: what stands there passes and is not proved, and every screen says just that.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { until } from './support/cli.js'
import { makeWorkshop } from './support/repositories.js'

it('a candidate that passed its check before the deciding one was cut off is told as passing, with one count of iterations, and resume comes first.', async () => {
  const shop = makeWorkshop({ a: 'x\n' })
  const gate = shop.program(
    'gate',
    'grep -q fixed a || { echo "FAIL case-1"; exit 1; }',
    'if [ -e "$ROOT/passed" ]; then : >"$ROOT/sealing"; while [ ! -e "$ROOT/go" ]; do sleep 0.05; done; fi',
    ': >"$ROOT/passed"',
  )
  const running = shop.start(['run', 'converge', 'x', '--ai-cmd', shop.program('agent', 'cat >/dev/null; echo fixed >a'), '--gate', gate])
  await until('the deciding check', () => existsSync(join(shop.root, 'sealing')))
  running.send('SIGTERM')
  expect((await running.ended).stderr).toMatch(/INTERRUPTED by SIGTERM · 1 iteration, 0 finished, /)

  const { stdout: status } = await shop.run(['status'])
  expect(status).toMatch(/^iteration {2}1 of 20 · 0 finished$/m)
  expect(status).toMatch(/^stands on {2}iteration 1 \(nothing failing\)\nfailing {4}nothing; the deciding check is not over$/m)
  const { stdout: explained } = await shop.run(['explain'])
  expect(explained).toContain('after 1 iteration, 0 finished. Nothing fails any more; the deciding check is not over.')
  expect(explained).toMatch(/## Best state\n\n {4}iteration 1, nothing failing; this is what you get\n/)
  expect(explained).toMatch(/## Next\n\n {4}greenlatch resume /)
  expect(explained).not.toContain('## Failing')

  const { stderr: accepted } = await shop.run(['accept'])
  expect(accepted).toMatch(/^iteration 1, nothing failing \(session interrupted, unverified\): /)
  expect(accepted).toMatch(/^warning: iteration 1 passes, and is not proved: the deciding check is not over: {2}greenlatch resume \S+$/m)
  expect(accepted).not.toMatch(/never checked|undo/)
})
