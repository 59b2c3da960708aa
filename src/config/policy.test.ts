// Tests that the page about back-tests shows a policy that can be used.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Procedure } from '../core/types.js'
import { temporaryFolder } from '../files/fixture.js'
import { builtinProcedures } from '../procedures/index.js'
import { examplesOf } from '../../test/support/docs/lists.js'
import { loadPolicy, withPolicy } from './policy.js'

it.each(Object.keys(builtinProcedures))('The example of a policy in the documentation fits %s.', async (name) => {
  const [{ text: example }, ...others] = examplesOf('a policy')
  expect(others).toEqual([])
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'policy.yaml'), example)
  const policy = await loadPolicy('policy.yaml', folder)
  expect(withPolicy(builtinProcedures[name] as Procedure, policy)).not.toHaveProperty('unfit')
})
