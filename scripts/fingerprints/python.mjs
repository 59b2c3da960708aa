// Projects in Python, for pytest in three styles of traceback and for unittest.
import { inOrder } from './conditions.mjs'
import { readPlanted } from './planted.mjs'

const TESTS = readPlanted('python')
const FILES = readPlanted('python-files')
export const FAMILIES = { ...TESTS, ...FILES }

const IMPORTS = 'import argparse, asyncio, datetime, hashlib, json, os, random, secrets, socket, tempfile, time, uuid'
const HYPOTHESIS = 'from hypothesis import given, settings\nfrom hypothesis.strategies import integers, lists'
const PYTEST_IMPORTS = `import tempfile\n${HYPOTHESIS}\nfrom shop import *`
const SETTINGS = '@settings(database=None, deadline=None, max_examples=60)'

function libOf(faultOf, condition) {
  return `${IMPORTS}\n\n${inOrder(condition, TESTS).map(([name, { part }]) => part('lib', faultOf(name), condition)).join('\n\n')}\n`
}

function pytestFiles(faultOf, condition) {
  const tests = inOrder(condition, TESTS).map(([name, { part }]) => {
    const [call, want] = part('test', faultOf(name)).split('\n')
    const given = part('given')
    return `${given ? `${SETTINGS}\n@${given}\n` : ''}def test_${name}(${given ? 'numbers' : ''}):\n    assert ${call} == ${want}\n`
  })
  return { 'shop.py': libOf(faultOf, condition), 'conftest.py': '', 'test_shop.py': `${PYTEST_IMPORTS}\n\n${tests.join('\n')}` }
}

function unittestFiles(faultOf, condition) {
  const tests = inOrder(condition, TESTS).filter(([, { part }]) => !part('given')).map(([name, { part }]) => {
    const [call, want] = part('test', faultOf(name)).split('\n')
    return `    def test_${name}(self):\n        self.assertEqual(${call}, ${want})\n`
  })
  const body = `class Shop(unittest.TestCase):\n${tests.join('\n')}`
  return { 'shop.py': libOf(faultOf, condition), 'test_shop.py': `import tempfile\nimport unittest\nfrom shop import *\n\n${body}` }
}

function brokenFiles(faultOf) {
  return Object.fromEntries(Object.entries(FILES).map(([name, { part }]) => [`test_${name}.py`, `${part('text', faultOf(name))}\n`]))
}

const [tests, broken] = [Object.keys(TESTS), Object.keys(FILES)]
const QUIET = ['-q', '-p', 'no:cacheprovider', '-p', 'no:benchmark']
const pytest = (style) => (report) => ['pytest', ...QUIET, `--tb=${style}`, `--junit-xml=${report}`]
const unittest = (what) => () => ['python3', '-m', 'unittest', what, '-v']
const ofPytest = { format: 'junit', ending: 'xml', without: broken, files: pytestFiles, suffixOf: (name) => `::test_${name}` }
const ofUnittest = { format: 'unittest', ending: 'txt', output: 'merged', suffixOf: (name) => `.test_${name}` }
const ofBroken = { without: tests, files: brokenFiles, suffixOf: (name) => `test_${name}` }

export const PROJECTS = [
  { ...ofPytest, runner: 'pytest', command: pytest('auto') },
  { ...ofPytest, runner: 'pytest-short', command: pytest('short') },
  { ...ofPytest, runner: 'pytest-native', command: pytest('native') },
  { ...ofPytest, ...ofBroken, runner: 'pytest-broken', command: pytest('auto') },
  { ...ofUnittest, runner: 'unittest', without: [...broken, 'property'], files: unittestFiles, command: unittest('test_shop') },
  { ...ofUnittest, ...ofBroken, runner: 'unittest-broken', command: unittest('discover') },
]
