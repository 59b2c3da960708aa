import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { InvalidTransition, Machine, problemsOf, unreachable } from '../src/machine.ts'
import type { Definition } from '../src/machine.ts'

type Order = { paid: number; price: number; notes: string }

const order: Definition<Order> = {
  initial: 'draft',
  states: {
    draft: { on: { submit: { to: 'pending' }, discard: { to: 'cancelled' } } },
    pending: {
      on: {
        pay: [
          { to: 'paid', guard: ({ paid, price }) => paid >= price },
          { to: 'pending', effect: ({ paid }) => ({ paid: paid + 50 }) },
        ],
        cancel: { to: 'cancelled' },
        hold: { to: 'held', guard: ({ price }) => price > 1000 },
      },
      timeout: { after: 100, to: 'reminded' },
    },
    reminded: { on: { pay: { to: 'paid' } }, timeout: { after: 200, to: 'cancelled' } },
    held: {},
    paid: { on: { ship: { to: 'done' } } },
    done: { final: true },
    cancelled: { final: true },
  },
}

const started = (): Machine<Order> => new Machine(order, { paid: 0, price: 80, notes: 'x' })

describe('definitions', () => {
  it('are sound', () => {
    assert.deepEqual(problemsOf(order), [])
  })

  it('name states that are not there', () => {
    assert.deepEqual(problemsOf({ initial: 'a', states: {} }), ['initial state a is not defined'])
    assert.deepEqual(problemsOf({ initial: 'a', states: { a: { on: { x: { to: 'b' }, y: { to: 'b' } } } } }), [
      'a leads to b, which is not defined',
    ])
  })

  it('name timeouts that lead nowhere', () => {
    const definition = { initial: 'a', states: { a: { timeout: { after: 1, to: 'b' } } } }
    assert.deepEqual(problemsOf(definition), ['a leads to b, which is not defined'])
  })

  it('let nothing leave a final state', () => {
    const definition = { initial: 'a', states: { a: { final: true, on: { x: { to: 'a' } } } } }
    assert.deepEqual(problemsOf(definition), ['final state a has transitions'])
  })

  it('stop a machine that is not sound', () => {
    assert.throws(() => new Machine({ initial: 'a', states: {} }, {}), /initial state a/)
  })

  it('know states that cannot be reached', () => {
    assert.deepEqual(unreachable(order), [])
    const lonely = { initial: 'a', states: { z: {}, a: { on: { go: { to: 'b' } } }, b: {}, c: { on: { go: { to: 'z' } } } } }
    assert.deepEqual(unreachable(lonely), ['c', 'z'])
  })
})

describe('events', () => {
  it('lead from state to state', () => {
    const machine = started()
    assert.equal(machine.state, 'draft')
    assert.equal(machine.send('submit', 5), 'pending')
    assert.equal(machine.send('cancel', 6), 'cancelled')
  })

  it('that are not possible are refused', () => {
    const machine = started()
    assert.throws(() => machine.send('pay', 1), InvalidTransition)
    assert.throws(() => machine.send('pay', 1), /pay is not possible in draft/)
    assert.equal(machine.state, 'draft')
  })

  it('go the first way whose guard agrees', () => {
    const machine = started()
    machine.send('submit', 0)
    assert.equal(machine.send('pay', 1), 'pending')
    assert.equal(machine.send('pay', 2), 'pending')
    assert.equal(machine.send('pay', 3), 'paid')
  })

  it('change the context', () => {
    const given = { paid: 0, price: 80, notes: 'x' }
    const machine = new Machine(order, given)
    machine.send('submit', 0)
    machine.send('pay', 1)
    assert.deepEqual(machine.context, { paid: 50, price: 80, notes: 'x' })
    assert.equal(given.paid, 0)
  })

  it('are listed when they are possible', () => {
    const machine = started()
    assert.deepEqual(machine.events(), ['discard', 'submit'])
    machine.send('submit', 0)
    assert.deepEqual(machine.events(), ['cancel', 'pay'])
    assert.equal(machine.can('hold'), false)
    assert.equal(machine.can('submit'), false)
  })

  it('end in a final state', () => {
    const machine = started()
    assert.equal(machine.isDone, false)
    machine.send('discard', 0)
    assert.equal(machine.isDone, true)
    assert.deepEqual(machine.events(), [])
  })

  it('are remembered', () => {
    const machine = started()
    machine.send('submit', 5)
    machine.send('cancel', 9)
    assert.deepEqual(machine.history, [
      { event: 'submit', from: 'draft', to: 'pending', at: 5 },
      { event: 'cancel', from: 'pending', to: 'cancelled', at: 9 },
    ])
  })
})

describe('timeouts', () => {
  it('happen when they are due', () => {
    const machine = started()
    machine.send('submit', 10)
    machine.tick(109)
    assert.equal(machine.state, 'pending')
    machine.tick(110)
    assert.equal(machine.state, 'reminded')
  })

  it('happen one after another, each at its moment', () => {
    const machine = started()
    machine.send('submit', 10)
    machine.tick(999)
    assert.deepEqual(machine.history.slice(1), [
      { event: 'timeout', from: 'pending', to: 'reminded', at: 110 },
      { event: 'timeout', from: 'reminded', to: 'cancelled', at: 310 },
    ])
  })

  it('come before an event that is late', () => {
    const machine = started()
    machine.send('submit', 0)
    assert.equal(machine.send('pay', 150), 'paid')
    assert.equal(machine.history[1].event, 'timeout')
  })

  it('begin anew when a state is entered again', () => {
    const machine = started()
    machine.send('submit', 0)
    machine.send('pay', 90)
    machine.tick(150)
    assert.equal(machine.state, 'pending')
  })
})

describe('times', () => {
  it('are added up by state', () => {
    const machine = started()
    machine.send('submit', 5)
    machine.send('pay', 15)
    machine.send('pay', 30)
    assert.deepEqual(machine.timeIn(50), { draft: 5, pending: 45 })
  })

  it('leave final states out', () => {
    const machine = started()
    machine.send('discard', 7)
    assert.deepEqual(machine.timeIn(50), { draft: 7 })
  })
})
