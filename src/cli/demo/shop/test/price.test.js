import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priceOf, refund, withTax } from '../src/price.js'

test('a few pieces cost the full price', () => assert.equal(priceOf(250, 3), 750))
test('ten pieces are a tenth cheaper', () => assert.equal(priceOf(100, 10), 900))
test('so are more than ten', () => assert.equal(priceOf(100, 20), 1800))
test('tax comes on top', () => assert.equal(withTax(1000, 19), 1190))
test('a refund gives the price back', () => assert.equal(refund(250, 3), 750))
