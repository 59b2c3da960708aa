// Tests that the page about back-tests shows a policy that can be used.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Procedure } from '../core/types.js'
import { temporaryFolder } from '../files/fixture.js'
import { builtinProcedures } from '../procedures/index.js'
import { loadPolicy, withPolicy } from './policy.js'

it.each(Object.keys(builtinProcedures))('The example of a policy in the documentation fits %s.', async (name) => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/replay.md'), 'utf8')
  const [, example = ''] = /```yaml\n([^]*?)```/.exec(page) ?? []
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'policy.yaml'), example)
  const policy = await loadPolicy('policy.yaml', folder)
  expect(withPolicy(builtinProcedures[name] as Procedure, policy)).not.toHaveProperty('unfit')
})
