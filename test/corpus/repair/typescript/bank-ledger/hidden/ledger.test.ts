import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compound, interest } from '../src/interest.ts'
import { Ledger } from '../src/ledger.ts'

test('all balances together are zero', () => {
  const ledger = new Ledger()
  const names = ['a', 'b', 'c', 'd']
  let state = 3
  for (let step = 0; step < 60; step += 1) {
    state = (state * 48271) % 2147483647
    ledger.transfer(`2024-0${1 + (state % 9)}-01`, names[state % 4] ?? 'a', names[(state >> 3) % 4] ?? 'b', 1 + (state % 500))
  }
  assert.equal(names.reduce((sum, name) => sum + ledger.balance(name), 0), 0)
  for (const name of names) assert.equal(ledger.statement(name).at(-1)?.balance, ledger.balance(name))
})

test('a single posting is refused', () => {
  assert.throws(() => new Ledger().post('2024-01-01', 'x', [{ account: 'a', amount: 0 }]), /two/)
})

test('an entry may have many postings', () => {
  const ledger = new Ledger()
  ledger.post('2024-01-01', 'split', [{ account: 'a', amount: -30 }, { account: 'b', amount: 10 }, { account: 'b', amount: 5 }, { account: 'c', amount: 15 }])
  assert.equal(ledger.balance('b'), 15)
  assert.deepEqual(ledger.statement('b'), [{ day: '2024-01-01', text: 'split', amount: 15, balance: 15 }])
})

test('postings are copied', () => {
  const ledger = new Ledger()
  const postings = [{ account: 'a', amount: -1 }, { account: 'b', amount: 1 }]
  ledger.post('2024-01-01', 'x', postings)
  postings[1]!.amount = 1000
  assert.equal(ledger.balance('b'), 1)
})

test('the day itself is counted', () => {
  const ledger = new Ledger()
  ledger.transfer('2024-03-01', 'a', 'b', 5)
  assert.deepEqual(['2024-02-29', '2024-03-01', '2024-03-02'].map((day) => ledger.balance('b', day)), [0, 5, 5])
  ledger.transfer('2024-02-01', 'a', 'b', 2)
  assert.equal(ledger.balance('b', '2024-02-15'), 2)
})

test('a refused entry leaves nothing behind', () => {
  const ledger = new Ledger()
  ledger.setLimit('a', 0)
  assert.throws(() => ledger.transfer('2024-01-01', 'a', 'b', 1))
  assert.deepEqual([ledger.balance('a'), ledger.balance('b')], [0, 0])
  assert.equal(ledger.transfer('2024-01-01', 'b', 'a', 7).id, 1)
  assert.equal(ledger.transfer('2024-01-01', 'a', 'b', 7).id, 2)
})

test('a limit looks at the whole entry', () => {
  const ledger = new Ledger()
  ledger.setLimit('a', 10)
  assert.throws(() => ledger.post('2024-01-01', 'x', [{ account: 'a', amount: -6 }, { account: 'a', amount: -6 }, { account: 'b', amount: 12 }]))
  ledger.post('2024-01-01', 'y', [{ account: 'a', amount: -60 }, { account: 'a', amount: 50 }, { account: 'b', amount: 10 }])
  assert.equal(ledger.balance('a'), -10)
})

test('entries of one day keep their order', () => {
  const ledger = new Ledger()
  for (const amount of [3, 1, 2]) ledger.transfer('2024-01-01', 'a', 'b', amount)
  ledger.transfer('2023-12-31', 'b', 'c', 9)
  assert.deepEqual(ledger.statement('b').map(({ amount }) => amount), [-9, 3, 1, 2])
  assert.equal(ledger.statement('b')[1]?.text, 'a to b')
})

test('a reversal is told as one', () => {
  const ledger = new Ledger()
  const { id } = ledger.transfer('2024-01-01', 'a', 'b', 40)
  assert.equal(ledger.reverse(id, '2024-01-02').text, 'reversal of a to b')
  assert.deepEqual(ledger.statement('b').map(({ balance }) => balance), [40, 0])
})

test('interest is rounded half away from zero', () => {
  assert.equal(interest(50, 1, 365), 1)
  assert.equal(interest(-50, 1, 365), -1)
  assert.equal(interest(149, 1, 365), 1)
  assert.equal(interest(0, 5, 100), 0)
  assert.equal(interest(365000, 2, 1), 20)
})

test('years are rounded one by one', () => {
  assert.deepEqual(compound(999, 5, 4), [1049, 1101, 1156, 1214])
  assert.deepEqual(compound(100, 5, 0), [])
})
