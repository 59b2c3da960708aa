// Tests of which new Python modules take the place of others.
import { describe, expect, it } from 'vitest'
import { shadowing, type Shadows } from './shadows.js'

const BEFORE = [
  'calc.py', 'test_calc.py', 'conftest.py', 'own/queue.py', 'queue.py', 'tests/test_more.py', 'tests/helper.py', 'app/__init__.py', 'app/core.py',
  'src/pkg/__init__.py', 'src/pkg/tests/__init__.py', 'src/pkg/tests/test_pkg.py', 'checks/run.py',
]

function shadows(added: readonly (string | { name: string; isLink: boolean })[], more: Partial<Shadows> = {}): string[] {
  const isPinned = (path: string): boolean => /(?:^|\/)tests\/|test_|conftest/.test(path)
  const entries = added.map((each) => (typeof each === 'string' ? { name: each, isLink: false } : each))
  return [...shadowing({ before: BEFORE, added: entries, deleted: [], folders: ['checks'], isPinned, ...more })]
}

describe('a new module', () => {
  it.each([
    ['of the standard library in the root', ['argparse.py', 'json/__init__.py', 'types.pyc', '_json.so', 'xml/__init__.pyc', 'struct.abi3.so', 'zlib.cpython-311-x86_64-linux-gnu.so']],
    ['of the standard library beside tests', ['tests/argparse.py', 'tests/email/__init__.py']],
    ['of the standard library where a package of tests is found', ['src/argparse.py']],
    ['of the standard library beside what a gate runs', ['checks/json.py']],
    ['of what pytest is made of', ['pytest.pyc', 'pluggy.so', '_pytest/__init__.py', 'iniconfig/__init__.py', 'packaging.py', 'sitecustomize/__init__.py', 'usercustomize.abi3.so', 'unittest.pyc']],
    ['that is a package by the name of a test', ['test_calc/__init__.py', 'test_calc.pyc', 'test_calc.so', 'tests/test_more/__init__.so']],
    ['that is a package by the name of a conftest or helper', ['conftest/__init__.py', 'conftest.abi3.so', 'tests/helper/__init__.py']],
  ])('takes the place of another: %s.', (_, added) => {
    expect(shadows(added)).toEqual(added)
  })

  it.each([
    ['deep inside a package', ['app/types.py', 'app/queue.py', 'app/json/__init__.py', 'src/pkg/types.py', 'src/pkg/tests/types.py', 'own/types.py']],
    ['with a name of its own', ['compute.py', 'tests/test_new.py', 'tests/more.py', 'test_new/__init__.py', 'argparse_more.py']],
    ['where the project has one of the name', ['queue/__init__.py', 'queue.pyc']],
    ['that is no module', ['json/a.py', 'http/server.js', 'types.ts', 'argparse', 'html/index.html', 'code.py.txt']],
  ])('takes no place: %s.', (_, added) => {
    expect(shadows(added)).toEqual([])
  })

  it('may be a link to a folder.', () => {
    expect(shadows([{ name: 'json', isLink: true }, { name: 'test_calc', isLink: true }, { name: 'data', isLink: true }, { name: 'app/json', isLink: true }])).toEqual(['json', 'test_calc'])
    expect(shadows([{ name: 'site', isLink: true }], { before: ['package.json'] })).toEqual([])
  })

  it('is looked at with the packages as they were and as they are.', () => {
    const before = ['lib/__init__.py', 'lib/test_a.py']
    expect(shadows(['lib/json.py'], { before })).toEqual([])
    expect(shadows(['lib/json.py'], { before, deleted: ['lib/__init__.py'] })).toEqual(['lib/json.py'])
    expect(shadows(['more/__init__.py', 'more/test_b.py', 'json.py', 'new/test_c.py', 'new/json.py'])).toEqual(['json.py', 'new/json.py'])
  })
})
