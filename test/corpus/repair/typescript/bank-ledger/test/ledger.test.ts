import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compound, interest } from '../src/interest.ts'
import { Ledger } from '../src/ledger.ts'

function filled(): Ledger {
  const ledger = new Ledger()
  ledger.transfer('2024-01-05', 'employer', 'giro', 250000)
  ledger.transfer('2024-01-20', 'giro', 'rent', 90000)
  ledger.transfer('2024-01-10', 'giro', 'shop', 4550)
  return ledger
}

test('transfers move money', () => {
  const ledger = filled()
  assert.equal(ledger.balance('giro'), 155450)
  assert.equal(ledger.balance('employer'), -250000)
})

test('a balance can be asked for a day', () => {
  assert.equal(filled().balance('giro', '2024-01-10'), 245450)
})

test('entries must balance', () => {
  assert.throws(() => new Ledger().post('2024-01-01', 'x', [{ account: 'a', amount: 5 }, { account: 'b', amount: -4 }]), /out of balance by 1/)
})

test('amounts are whole and above zero', () => {
  for (const amount of [0, -5, 1.5]) assert.throws(() => new Ledger().transfer('2024-01-01', 'a', 'b', amount))
})

test('limits are kept', () => {
  const ledger = new Ledger()
  ledger.setLimit('giro', 100)
  ledger.transfer('2024-01-01', 'giro', 'shop', 100)
  assert.throws(() => ledger.transfer('2024-01-01', 'giro', 'shop', 1), /limit/)
  assert.equal(ledger.balance('giro'), -100)
})

test('a statement runs through the days', () => {
  assert.deepEqual(filled().statement('giro').map(({ amount, balance }) => [amount, balance]), [[250000, 250000], [-4550, 245450], [-90000, 155450]])
})

test('an entry is reversed by another', () => {
  const ledger = filled()
  const reversal = ledger.reverse(2, '2024-02-01')
  assert.equal(reversal.id, 4)
  assert.equal(ledger.balance('rent'), 0)
  assert.throws(() => ledger.reverse(99, '2024-02-01'))
})

test('interest for days', () => {
  assert.equal(interest(100000, 3, 365), 3000)
  assert.equal(interest(100000, 3, 73), 600)
})

test('interest on interest', () => {
  assert.deepEqual(compound(10000, 10, 3), [11000, 12100, 13310])
})
