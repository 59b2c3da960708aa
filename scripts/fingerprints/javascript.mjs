// Projects in JavaScript and TypeScript, for node:test, vitest, jest and mocha.
import { inOrder } from './conditions.mjs'
import { readPlanted } from './planted.mjs'

const TESTS = readPlanted('javascript')
const FILES = readPlanted('javascript-files')
export const FAMILIES = { ...TESTS, ...FILES }

const MODULES = { fc: 'fast-check', crypto: 'node:crypto', fs: 'node:fs', net: 'node:net', os: 'node:os', path: 'node:path' }
const ASSERT = { equal: (a, b) => `assert.strictEqual(${a}, ${b})`, deep: (a, b) => `assert.deepStrictEqual(${a}, ${b})` }
const EXPECT = { equal: (a, b) => `expect(${a}).toBe(${b})`, deep: (a, b) => `expect(${a}).toEqual(${b})` }

const ESM = {
  load: (path) => `import '${path}'`,
  take: (name, path) => `import ${name} from '${path}'`,
  takeAll: (names, path) => `import { ${names.join(', ')} } from '${path}'`,
  offer: (lib) => lib,
}
const COMMONJS = {
  load: (path) => `require('${path}')`,
  take: (name, path) => `const ${name} = require('${path}')`,
  takeAll: (names, path) => `const { ${names.join(', ')} } = require('${path}')`,
  offer: (lib) => `${lib.replaceAll(/^export /gm, '')}\nmodule.exports = { ${exportsOf(lib).join(', ')} }`,
}

const inJest = (name, body, limitMs) => `  it('${name}', async () => {\n    ${body}\n  }${limitMs ? `, ${limitMs}` : ''})`
const inNode = (name, body, limitMs) => `  it('${name}', ${limitMs ? `{ timeout: ${limitMs} }, ` : ''}async () => {\n    ${body}\n  })`
const inMocha = (name, body, limitMs) =>
  `  it('${name}', async function () {\n    ${limitMs ? `this.timeout(${limitMs})\n    ` : ''}${body}\n  })`

const NODE_OPENING = "import assert from 'node:assert'\nimport { before, describe, it } from 'node:test'"
const VITEST_OPENING = "import { beforeAll, describe, expect, it } from 'vitest'"
const NODE = { ...ESM, ending: 'mjs', opening: NODE_OPENING, assertion: ASSERT, test: inNode, hook: 'before' }
const VITEST = { ...ESM, ending: 'ts', opening: VITEST_OPENING, assertion: EXPECT, test: inJest, hook: 'beforeAll' }
const JEST = { ...COMMONJS, ending: 'cjs', opening: '', assertion: EXPECT, test: inJest, hook: 'beforeAll' }
const MOCHA = { ...COMMONJS, ending: 'cjs', opening: "const assert = require('node:assert')", assertion: ASSERT, test: inMocha }

function exportsOf(lib) {
  return Array.from(lib.matchAll(/^export (?:async )?function (\w+)/gm), (found) => found[1])
}

/** A library, the file of its tests, and the files that cannot be loaded. mocha ends at the first of these, so it has none. */
function filesOf(form, faultOf, condition) {
  const { ending, opening } = form
  const families = inOrder(condition, TESTS)
  const lib = families.map(([name, { part }]) => part('lib', faultOf(name), condition)).join('\n\n')
  const tests = families.map(([name, family]) => testOf(form, name, family, faultOf(name))).join('\n')
  const modules = Object.entries(MODULES).map(([name, path]) => form.take(name, path)).join('\n')
  const shop = form.takeAll(exportsOf(lib), `../src/shop.${ending}`)
  return {
    ...(form.hook ? wholeFiles(form, faultOf) : {}),
    [`src/shop.${ending}`]: `${modules}\n\n${form.offer(lib)}\n`,
    [`test/shop.test.${ending}`]: `${opening}\n${modules}\n${shop}\n\ndescribe('shop', () => {\n${tests}\n})\n`,
  }
}

function testOf(form, name, { part }, fault) {
  const [assertion, call, want] = part('test', fault).split('\n')
  return form.test(name, form.assertion[assertion](call, want), part('limitMs'))
}

function wholeFiles({ ending, opening, hook, load }, faultOf) {
  return Object.fromEntries(Object.entries(FILES).map(([name, { part }]) => {
    const text = part('text', faultOf(name)).replace('{ending}', ending).replace('{hook}', hook)
    return [`test/${name}.test.${ending}`, `${opening}\n${text.replace(/\{load (.*)\}/, (_, path) => load(path))}\n`]
  }))
}

const WHOLE = Object.keys(FILES)
const SHOP_CJS = 'test/shop.test.cjs'
const suffixOf = (name) => (FILES[name] ? `test/${name}.test.` : `shop > ${name}`)
/** Node's JUnit report has no files; what went wrong in a hook is told by the test it was for. */
const inNodeJunit = (name) => (name === 'hook' ? 'hook > asks' : suffixOf(name))
const node = (reporter) => (report) => ['node', '--test', `--test-reporter=${reporter}`, `--test-reporter-destination=${report}`, 'test']
const vitest = (reporter) => (report) => ['node_modules/.bin/vitest', 'run', `--reporter=${reporter}`, `--outputFile=${report}`]
const jest = (report) => ['node_modules/.bin/jest', '--json', `--outputFile=${report}`]
const mocha = (report) => ['node_modules/.bin/mocha', '--exit', '--reporter=json', '--reporter-option', `output=${report}`, SHOP_CJS]
const jestFiles = (...args) => ({ ...filesOf(JEST, ...args), 'package.json': '{"jest":{"testMatch":["**/test/*.test.cjs"]}}' })
const common = { modules: true, suffixOf }

/** `command` gets the path the report has to go to; a project whose report is what it prints says in `output` which of it. */
export const PROJECTS = [
  { ...common, runner: 'node-tap', format: 'tap', ending: 'tap', files: filesOf.bind(null, NODE), command: node('tap') },
  { ...common, runner: 'node-junit', format: 'junit', ending: 'xml', files: filesOf.bind(null, NODE), command: node('junit'), suffixOf: inNodeJunit },
  { ...common, runner: 'vitest', format: 'jest', ending: 'json', files: filesOf.bind(null, VITEST), command: vitest('json') },
  { ...common, runner: 'vitest-junit', format: 'junit', ending: 'xml', files: filesOf.bind(null, VITEST), command: vitest('junit') },
  { ...common, runner: 'jest', format: 'jest', ending: 'json', files: jestFiles, command: jest },
  { ...common, runner: 'mocha', format: 'mocha', ending: 'json', without: WHOLE, files: filesOf.bind(null, MOCHA), command: mocha },
]
