// Property tests: whatever stands in the file or the environment, the answer is settings or one clear line.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { makePlace, type Place, PROJECT, refusalOf } from './fixture.js'
import { jsonSchemas } from './schema.js'

let place: Place
beforeAll(() => {
  place = makePlace()
})
afterAll(() => place.remove())

const NAMES = [...new Set(JSON.stringify(jsonSchemas().config).match(/"[a-zA-Z_]+"(?=:)/g))].map((name) => name.slice(1, -1))
const name = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: fc.string({ unit: 'binary' }) })
const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 1e300, Infinity, Number.NaN),
  fc.constantFrom('', ' ', 'x', '@done', '@failed', '__proto__', 'null', '\0', '\u2028'),
  fc.integer(),
  fc.double(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...NAMES),
)
const { tree } = fc.letrec<{ tree: unknown; list: unknown; map: unknown }>((tie) => ({
  tree: fc.oneof({ maxDepth: 6, withCrossShrink: true }, scalar, tie('list'), tie('map'), tie('map')),
  list: fc.array(tie('tree'), { maxLength: 3 }),
  map: fc.dictionary(name, tie('tree'), { maxKeys: 3 }),
}))
const wholeFile = fc.dictionary(fc.constantFrom(...Object.keys((jsonSchemas().config as { properties: object }).properties)), tree)
const piece = fc.constantFrom(
  'gates', 'agents', 'a', ':', ': ', '- ', '\n', '\n  ', '\t', '[', ']', '{', '}', ',', '"', "'", '&a ', '*a', '!', '!!str ',
  '|', '>', '#', '%', '---\n', '...', '? ', '<<', '@', '`', '0x1', '\ufeff', '\r\n', '\\u0000', '1', 'null', 'true',
)

async function expectTakenOrOneLine(content: string | Uint8Array): Promise<void> {
  place.write(PROJECT, content)
  await expectOneLine(place.load())
}

async function expectOneLine(loading: Promise<unknown>): Promise<void> {
  const refusal = await refusalOf(loading)
  if (refusal === null) return
  expect(refusal.code).toBe(2)
  expect(refusal.next).not.toBe('')
  expect(refusal.message).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Surrogate}]|Invalid input|Unrecognized key|unused/u)
  expect(refusal.message.length).toBeLessThan(2000)
}

test('Random bytes are taken or refused in one line.', async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), expectTakenOrOneLine), { numRuns: 300 })
})

test('Random text is taken or refused in one line.', async () => {
  await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), expectTakenOrOneLine), { numRuns: 300 })
})

test('Random pieces of YAML are taken or refused in one line.', async () => {
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
  await fc.assert(fc.asyncProperty(text, expectTakenOrOneLine), { numRuns: 400 })
})

test('Random settings under known keys are taken or refused in one line.', async () => {
  await fc.assert(fc.asyncProperty(wholeFile, (value) => expectTakenOrOneLine(JSON.stringify(value))), { numRuns: 400 })
})

test('Random settings written with anchors and block text are taken or refused in one line.', async () => {
  await fc.assert(fc.asyncProperty(wholeFile, (value) => expectTakenOrOneLine(stringify(value))), { numRuns: 300 })
})

test('Random variables are taken or refused in one line.', async () => {
  place.write(PROJECT, '')
  const variable = fc.oneof(
    fc.constantFrom('GREENLATCH_FLOOR', 'GREENLATCH_AGENT', 'GREENLATCH_STATE_HOME', 'GREENLATCH_BUDGET_USD', 'GREENLATCH_TREE'),
    fc.string({ unit: 'binary' }).map((text) => `GREENLATCH_${text}`),
  )
  const environment = fc.dictionary(variable, fc.oneof(fc.string({ unit: 'binary' }), fc.double().map(String)), { maxKeys: 3 })
  await fc.assert(fc.asyncProperty(environment, (env) => expectOneLine(place.load({ env }))), { numRuns: 500 })
})
