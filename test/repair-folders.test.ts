// The built-in repair agent where the gate runs below the top of the tree, and the fault lies outside its folder.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeWorkshop, type Workshop } from './support/repositories.js'

const testOf = (from: string): string =>
  `import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { add } from '${from}'\n\ntest('adds', () => assert.equal(add(2, 3), 5))\n`
const PACKAGE = '{ "private": true, "type": "module", "scripts": { "test": "node --test" } }\n'
const WRONG = 'export const add = (a, b) => a - b\n'
const ADDER = { 'package.json': PACKAGE, 'src/add.js': WRONG, 'test/add.test.js': testOf('../src/add.js') }

function monorepo(settings: string): Workshop {
  const web = { 'packages/web/package.json': PACKAGE, 'packages/web/add.test.js': testOf('../shared/add.js') }
  return makeWorkshop({ 'greenlatch.yaml': settings, ...web, 'packages/shared/package.json': '{ "type": "module" }\n', 'packages/shared/add.js': WRONG })
}

async function expectMended(shop: Workshop, flags: readonly string[], how: Parameters<Workshop['run']>[1] = {}, path = 'src/add.js'): Promise<void> {
  const ended = await shop.run(['run', 'make the tests pass', '--agent', 'repair', ...flags], how)
  expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining(`changed "${path}"`)])
}

describe('the repair agent, where the gate runs in a folder of the tree', () => {
  it('GL-06 mends what lies outside it, where npm looks for a package above', async () => {
    const shop = makeWorkshop(ADDER)
    await expectMended(shop, ['--gate', 'npm test'], { cwd: join(shop.repo, 'test') })
  })

  it('GL-06 does so in the sandbox too, where each candidate takes a run of the command', async () => {
    const shop = makeWorkshop(ADDER)
    await expectMended(shop, ['--gate', 'cd .. && npm test'], { cwd: join(shop.repo, 'src'), env: { GREENLATCH_SANDBOX: 'bubblewrap' } })
  })

  it('GL-06 mends what another package shares with the one whose gate fails, in the sandbox too', async () => {
    const shop = monorepo('gates: [{ name: web, run: npm test, cwd: packages/web }]\n')
    await expectMended(shop, [], { env: { GREENLATCH_SANDBOX: 'bubblewrap' } }, 'packages/shared/add.js')
  })

  it.each([
    ['python3 -m unittest', {}],
    ['python3 -m pytest', {}],
    ['python3 -m pytest', { 'pytest.ini': '[pytest]\npythonpath = .\n' }],
  ])('GL-06 mends a source of Python above the tests: %s', async (run, more) => {
    const shop = makeWorkshop({
      ...more,
      'greenlatch.yaml': `gates: [{ name: tests, run: ${run}, cwd: tests }]\n`,
      'calc.py': 'def add(a, b):\n    return a - b\n',
      'tests/test_calc.py': 'import os\nimport sys\nimport unittest\n\nsys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))\nfrom calc import add\n\n\nclass Adds(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(2, 3), 5)\n',
    })
    await expectMended(shop, [], {}, 'calc.py')
  })
})
