import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add, applyVoucher, createCart, discount, remove, shipping, subtotal, total } from '../src/cart.js'
import { format, percentOf, split } from '../src/money.js'

const tea = { sku: 'T1', name: 'Tea', price: 450 }
const pot = { sku: 'P1', name: 'Pot', price: 2999 }

test('the same item is one line', () => {
  const cart = createCart()
  add(cart, tea)
  add(cart, tea, 2)
  assert.equal(cart.lines.length, 1)
  assert.equal(cart.lines[0].quantity, 3)
})

test('a quantity below one is refused', () => {
  assert.throws(() => add(createCart(), tea, 0), RangeError)
})

test('some or all of a line is taken out', () => {
  const cart = createCart()
  add(cart, tea, 3)
  assert.equal(remove(cart, 'T1', 2), true)
  assert.equal(cart.lines[0].quantity, 1)
  remove(cart, 'T1', 1)
  assert.equal(cart.lines.length, 0)
  assert.equal(remove(cart, 'T1'), false)
})

test('prices are multiplied by quantities', () => {
  const cart = createCart()
  add(cart, tea, 2)
  add(cart, pot)
  assert.equal(subtotal(cart), 3899)
})

test('a voucher in percent is rounded to cents', () => {
  const cart = createCart()
  add(cart, pot)
  applyVoucher(cart, { kind: 'percent', value: 15 })
  assert.equal(discount(cart), 450)
})

test('a voucher of an amount never exceeds the goods', () => {
  const cart = createCart()
  add(cart, tea)
  applyVoucher(cart, { kind: 'amount', value: 1000 })
  assert.equal(discount(cart), 450)
  assert.equal(total(cart), 490)
})

test('shipping is free from fifty euros on', () => {
  const cart = createCart()
  assert.equal(shipping(cart), 0)
  add(cart, tea)
  assert.equal(shipping(cart), 490)
  add(cart, { sku: 'X', name: 'Rest', price: 4550 })
  assert.equal(shipping(cart), 0)
})

test('a voucher with a minimum is refused below it', () => {
  const cart = createCart()
  add(cart, tea)
  assert.equal(applyVoucher(cart, { kind: 'percent', value: 10, minimum: 1000 }), false)
  assert.equal(applyVoucher(cart, { kind: 'percent', value: 10, minimum: 450 }), true)
})

test('money is written with two digits behind the point', () => {
  assert.equal(format(1205), '€12.05')
  assert.equal(format(1234567), '€12,345.67')
})

test('a sum is split without losing a cent', () => {
  assert.deepEqual(split(100, 3), [34, 33, 33])
  assert.equal(percentOf(250, 50), 125)
})
