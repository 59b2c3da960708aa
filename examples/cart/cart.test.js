import assert from 'node:assert/strict'
import { test } from 'node:test'
import { discounted, total } from './cart.js'

test('the total counts how many of each item there are', () => {
  assert.equal(total([{ price: 5, count: 2 }, { price: 1, count: 3 }]), 13)
})

test('a discount is a share of the amount', () => {
  assert.equal(discounted(200, 10), 180)
})
