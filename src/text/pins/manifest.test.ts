// Tests of what counts as pinned in manifests.
import { describe, expect, it } from 'vitest'
import { tomlEntries } from './entries.js'
import { configparserEntries, iniconfigEntries } from './ini.js'
import { manifestChanges } from './manifest.js'

function said(path: string, before: string, after: string): string[] {
  return manifestChanges(path, before, after).map(({ allowance, key, line, what }) => `${line} ${allowance} ${key} ${what}`)
}

const PACKAGE = `{
  "name": "a",
  "version": "1.0.0",
  "scripts": {
    "test": "vitest run",
    "build": "tsc"
  },
  "dependencies": { "zod": "1" },
  "jest": { "coverageThreshold": { "lines": 9, "files": 8 } }
}
`

describe('package.json', () => {
  it.each<[string, (text: string) => string, string[]]>([
    ['a script', (text) => text.replace('vitest run', 'true'), ['5 runner scripts.test changed']],
    ['a script written with escapes', (text) => text.replace('"test": "vitest run"', '"\\u0074est": "true"'), ['4 runner scripts.test changed']],
    ['the same key twice', (text) => text.replace('"build"', '"test": "true",\n    "build"'), ['5 runner scripts.test changed']],
    ['a script that runs before', (text) => text.replace('"build"', '"pretest": "cheat", "build"'), ['6 runner scripts.pretest added']],
    ['a script less', (text) => text.replace(',\n    "build": "tsc"', ''), ['6 runner scripts.build removed']],
    ['settings of a runner', (text) => text.replace('"name"', '"mocha": { "spec": [] },\n  "name"'), ['2 runner mocha.spec added']],
    ['settings of an unknown tool', (text) => text.replace('"name"', '"wireit": {},\n  "name"'), ['2 runner wireit added']],
    ['a dependency', (text) => text.replace('"1" }', '"2" }'), ['8 dependencies dependencies.zod changed']],
    ['no dependency', (text) => text.replace('{ "zod": "1" }', '{}'), ['8 dependencies dependencies.zod removed', '8 dependencies dependencies added']],
    ['an override', (text) => text.replace('"name"', '"overrides": { "vitest": "npm:cheat@1" },\n  "name"'), ['2 dependencies overrides.vitest added']],
    ['a program that is called as a runner', (text) => text.replace('"name"', '"bin": { "vitest": "x.js", "a": "a.js" },\n  "name"'), ['2 runner bin.vitest added']],
    ['something that is no JSON', (text) => `${text}}`, ['1 runner null unreadable']],
    ['what is nested beyond all measure', () => `{ "ava": ${'['.repeat(100_000)}${']'.repeat(100_000)} }`, ['1 runner null unreadable']],
    ['a list', () => '[]', ['1 runner null unreadable']],
    ['nothing at all', () => '', [
      '5 runner scripts.test removed', '6 runner scripts.build removed', '8 dependencies dependencies.zod removed', '9 runner jest.coverageThreshold removed',
    ]],
  ])('is pinned: %s.', (_, edit, expected) => {
    expect(edit(PACKAGE)).not.toBe(PACKAGE)
    expect(said('packages/a/package.json', PACKAGE, edit(PACKAGE))).toEqual(expected)
  })

  it.each<[string, (text: string) => string]>([
    ['a version', (text) => text.replace('1.0.0', '1.1.0')],
    ['exports and files', (text) => text.replace('"name"', '"exports": { ".": "./a.js" }, "files": ["a"], "name"')],
    ['another order and layout', (text) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).toReversed()))],
    ['another order further inside', (text) => text.replace('"coverageThreshold": { "lines": 9, "files": 8 }', '"coverageThreshold": { "files": 8, "lines": 9 }')],
  ])('is free: %s.', (_, edit) => {
    expect(edit(PACKAGE)).not.toBe(PACKAGE)
    expect(said('package.json', PACKAGE, edit(PACKAGE))).toEqual([])
  })

  it('that is new is pinned by what stands in it.', () => {
    expect(said('a/package.json', '', '{ "type": "module", "name": "a" }')).toEqual([])
    expect(said('a/package.json', '', '{ "scripts": { "test": "true" } }')).toEqual(['1 runner scripts.test added'])
  })
})

const PYPROJECT = `[project]
name = "a"
dependencies = [
  "requests", # a comment
]

[build-system]
requires = ["hatchling"]

[tool.pytest.ini_options]
addopts = "-q"

[tool.poetry.dependencies]
python = "^3"

[tool.hatch.version]
path = "a.py"
`

describe('pyproject.toml', () => {
  it.each<[string, (text: string) => string, string[]]>([
    ['settings of pytest', (text) => text.replace('-q', '-k zero'), ['11 runner tool.pytest.ini_options.addopts changed']],
    ['settings by a quoted header', (text) => `${text}[ "tool" . 'coverage'.run]\nomit = ["*"]\n`, ['19 runner tool.coverage.run.omit added']],
    ['settings by a header with escapes', (text) => `${text}["t\\u006fol".coverage]\nomit = ["*"]\n`, ['19 runner tool.coverage.omit added']],
    ['settings by dots', (text) => `tool.coverage.run.omit = ["*"]\n${text}`, ['1 runner tool.coverage.run.omit added']],
    ['settings in braces', (text) => `tool = { coverage = 1 }\n${text}`, ['1 runner tool added']],
    ['an environment of hatch', (text) => `${text}[tool.hatch.envs.default]\nscripts = {}\n`, ['19 runner tool.hatch.envs.default.scripts added']],
    ['the build system', (text) => text.replace('hatchling', 'cheat'), ['8 runner build-system.requires changed']],
    ['a plugin of pytest', (text) => `${text}[project.entry-points.pytest11]\na = "a"\n`, ['19 runner project.entry-points.pytest11.a added']],
    ['a dependency', (text) => text.replace('"requests"', '"requests", "cheat"'), ['3 dependencies project.dependencies changed']],
    ['a dependency of poetry', (text) => text.replace('^3', '^2'), ['14 dependencies tool.poetry.dependencies.python changed']],
    ['a group of dependencies', (text) => `${text}[dependency-groups]\ndev = []\n`, ['19 dependencies dependency-groups.dev added']],
    ['a bracket in a string', (text) => text.replace('"-q"', '"]["\naddopts2 = """\n[x]"""'), ['11 runner tool.pytest.ini_options.addopts changed', '12 runner tool.pytest.ini_options.addopts2 added']],
    ['something that is no TOML', (text) => text.replace('"-q"', '"-q'), ['1 runner null unreadable']],
  ])('is pinned: %s.', (_, edit, expected) => {
    expect(edit(PYPROJECT)).not.toBe(PYPROJECT)
    expect(said('pyproject.toml', PYPROJECT, edit(PYPROJECT))).toEqual(expected)
  })

  it.each<[string, (text: string) => string]>([
    ['a name', (text) => text.replace('"a"', '"b"')],
    ['comments and blanks', (text) => text.replace('"requests", # a comment', '# none\n\n  "requests",').replace('addopts = "-q"', 'addopts="-q" # quiet')],
    ['the version by hatch', (text) => text.replace('a.py', 'b.py')],
    ['a script of its own', (text) => `${text}[project.scripts]\na = "a:main"\n`],
  ])('is free: %s.', (_, edit) => {
    expect(edit(PYPROJECT)).not.toBe(PYPROJECT)
    expect(said('pyproject.toml', PYPROJECT, edit(PYPROJECT))).toEqual([])
  })
})

const CARGO = `[package]
name = "a"
version = { workspace = true }

[features]
default = ["std"]
extra = []

[dependencies]
serde = { version = "1" }

[[test]]
name = "one"

[[test]]
name = "two"
`

describe('Cargo.toml', () => {
  it.each<[string, (text: string) => string, string[]]>([
    ['a test target without a harness', (text) => `${text}harness = false\n`, ['17 runner test.#2.harness added']],
    ['a library without tests', (text) => `${text}[lib]\ntest = false\n`, ['18 runner lib.test added']],
    ['tests that are not looked for', (text) => text.replace('name = "a"', 'name = "a"\nautotests = false'), ['3 runner package.autotests added']],
    ['a profile', (text) => `${text}[profile.test]\noverflow-checks = false\n`, ['18 runner profile.test.overflow-checks added']],
    ['default features', (text) => text.replace('"std"', ''), ['6 runner features.default changed']],
    ['lints', (text) => `${text}[lints.clippy]\nall = "allow"\n`, ['18 runner lints.clippy.all added']],
    ['a dependency', (text) => text.replace('"1"', '"2"'), ['10 dependencies dependencies.serde changed']],
    ['a patch', (text) => `${text}[patch.crates-io]\nserde = { path = "x" }\n`, ['18 dependencies patch.crates-io.serde added']],
    ['a dependency of a target', (text) => `${text}[target.'cfg(unix)'.dependencies]\na = "1"\n`, ['18 dependencies target.cfg(unix).dependencies.a added']],
  ])('is pinned: %s.', (_, edit, expected) => {
    expect(edit(CARGO)).not.toBe(CARGO)
    expect(said('Cargo.toml', CARGO, edit(CARGO))).toEqual(expected)
  })

  it('is free: names, and features that nobody has by default.', () => {
    expect(said('Cargo.toml', CARGO, CARGO.replace('"a"', '"b"').replace('extra = []', 'extra = ["std"]'))).toEqual([])
  })
})

describe('other manifests', () => {
  const SETUP = '[metadata]\nname = a\n[options]\ninstall_requires =\n  requests\n[tool:pytest]\naddopts = -q\n'

  it('of Python are pinned by section.', () => {
    expect(said('setup.cfg', SETUP, SETUP.replace('-q', '-x'))).toEqual(['7 runner tool:pytest.addopts changed'])
    expect(said('setup.cfg', SETUP, SETUP.replace('requests', 'requests\n  cheat'))).toEqual(['4 dependencies options.install_requires changed'])
    expect(said('setup.cfg', SETUP, SETUP.replace('= a', '= b'))).toEqual([])
  })

  it.each<[string, (text: string) => string, string[]]>([
    ['below an indented header', (text) => `${text}    [metadata]\naddopts = -p cheat\n`, ['9 runner tool:pytest.addopts changed']],
    ['below an indented header after a list', (text) => `${text}markers =\n    slow: takes long\n    [metadata]\nusefixtures = cheat\n`, [
      '8 runner tool:pytest.markers added', '11 runner tool:pytest.usefixtures added',
    ]],
    ['below an indented header that only one reader sees', (text) => text.replace('name = a', '  [flake8]\n  ignore = E'), ['3 runner flake8.ignore added']],
    ['below a header that only one reader sees', (text) => `${text}[options.x # ]\nusefixtures = cheat\n`, ['7 runner tool:pytest.addopts changed', '9 runner tool:pytest.usefixtures added']],
    ['behind other ends of lines', (text) => text.replace('name = a', '# a\u2028[mypy]\u2028strict = 0\u2028[metadata]\nname = a'), ['4 runner mypy.strict added']],
    ['under a name that differs by case alone', (text) => text.replace('addopts = -q', 'addopts = -p cheat\nADDOPTS = -q'), ['8 runner tool:pytest.addopts changed', '8 runner tool:pytest.ADDOPTS added']],
    ['by a list that goes on', (text) => text.replace('addopts = -q', 'addopts = -q\n  -p cheat'), ['7 runner tool:pytest.addopts changed']],
  ])('of Python are pinned whoever reads them: %s.', (_, edit, expected) => {
    expect(edit(SETUP)).not.toBe(SETUP)
    expect(said('setup.cfg', SETUP, edit(SETUP))).toEqual(expected)
  })

  it('of PHP are pinned by key.', () => {
    const text = '{ "require": { "php": "8" }, "scripts": { "test": "phpunit" }, "name": "a" }'
    expect(said('composer.json', text, text.replace('phpunit', 'true'))).toEqual(['1 runner scripts.test changed'])
    expect(said('composer.json', text, text.replace('"8"', '"9"').replace('"a"', '"b"'))).toEqual(['1 dependencies require.php changed'])
  })

  it('of which no part can be told from another are dependencies as a whole.', () => {
    expect(said('go.mod', 'module a\ngo 1.22\n', 'module a\ngo 1.21\n')).toEqual(['2 dependencies null changed'])
    expect(said('requirements.txt', '', 'cheat\n')).toEqual(['1 dependencies null changed'])
    expect(said('Gemfile', 'a', 'a')).toEqual([])
  })
})

describe('entries', () => {
  it('are read from TOML with all its ways of writing, and not from what is none.', () => {
    const text = '\uFEFFa."b c".\'d\' = 1 # x\r\n[ t ]\r\nk = [ 1, # one\n 2 ]\ns = \'\'\'\n[no]\n\'\'\'\n[[l]]\nx = { y = "}" }\n[[l]]\nx = 2024-01-01\n'
    expect(tomlEntries(text)?.map(({ path, value, line }) => `${line} ${path.join('|')}=${value}`)).toEqual([
      '1 a|b c|d=1', "3 t|k=[1,2]", "5 t|s='''\n[no]\n'''", '9 l|#1|x={y="}"}', '11 l|#2|x=2024-01-01',
    ])
    expect(['a', 'a =', '[a', 'a = [1', 'a = "x', '= 1', '[a] b = 1'].map((bad) => tomlEntries(bad))).toEqual(Array.from({ length: 7 }, () => null))
  })

  it('are read from INI with lines that go on.', () => {
    for (const read of [configparserEntries, iniconfigEntries]) {
      expect(read('; x\n[a]\nb = 1\nc: 2\n  3\n\nd\n')).toEqual([
        { path: ['a', 'b'], value: '1', line: 3 }, { path: ['a', 'c'], value: '2\n3', line: 4 }, { path: ['a', 'd'], value: '', line: 7 },
      ])
    }
  })

  it('are read from INI as each of its readers does.', () => {
    const paths = (read: typeof iniconfigEntries, text: string): string[] => read(text).map(({ path, value }) => `${path.join('.')}=${value}`)
    const indented = '[a]\nx = 1\n  [b]\ny = 2\n'
    expect(paths(configparserEntries, indented)).toEqual(['a.x=1\n[b]', 'a.y=2'])
    expect(paths(iniconfigEntries, indented)).toEqual(['a.x=1\n[b]', 'a.y=2'])
    const afterHeader = '[a]\n  [b]\n  y = 2\n z = 3\n'
    expect(paths(configparserEntries, afterHeader)).toEqual(['b.y=2', 'b.z=3'])
    expect(paths(iniconfigEntries, afterHeader)).toEqual(['a.[b]=\ny = 2\nz = 3'])
    expect(paths(iniconfigEntries, '[a]\nx = 1\n[b #]\ny = 2\n')).toEqual(['a.x=1\n[b #]', 'a.y=2'])
    expect(paths(iniconfigEntries, '[a]\n# \u2028[b]\u2028y = 2\n')).toEqual(['b.y=2'])
  })
})
