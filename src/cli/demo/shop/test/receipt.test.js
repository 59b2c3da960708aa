import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receipt, total } from '../src/receipt.js'

const PENS = { name: 'pen', cents: 250, pieces: 2 }
const PAD = { name: 'pad', cents: 400, pieces: 1 }

test('the total counts every line', () => assert.equal(total([PENS, PAD], 0), 900))
test('the total has the tax in it', () => assert.equal(total([PAD], 10), 440))
test('a receipt ends with the total', () => assert.equal(receipt([PAD], 0), '1 x pad  4.00\ntotal  4.00'))
