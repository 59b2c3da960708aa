import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidTransition, Machine, problemsOf, unreachable } from '../src/machine.ts'
import type { Definition } from '../src/machine.ts'

type Door = { locked: boolean; opened: number; owner: string }

const door: Definition<Door> = {
  initial: 'closed',
  states: {
    closed: {
      on: {
        open: { to: 'open', guard: ({ locked }) => !locked, effect: ({ opened }) => ({ opened: opened + 1 }) },
        lock: { to: 'closed', effect: () => ({ locked: true }) },
        unlock: { to: 'closed', effect: () => ({ locked: false }) },
        kick: [{ to: 'broken', guard: ({ opened }) => opened >= 2 }, { to: 'closed', guard: ({ locked }) => locked }],
      },
    },
    open: { on: { close: { to: 'closed' } }, timeout: { after: 30, to: 'alarm' } },
    alarm: { on: { close: { to: 'closed' } }, timeout: { after: 10, to: 'broken' } },
    broken: { final: true },
  },
}

const fresh = (more: Partial<Door> = {}): Machine<Door> => new Machine(door, { locked: false, opened: 0, owner: 'ann', ...more })

test('all problems are told', () => {
  const problems = problemsOf({
    initial: 'x',
    states: {
      a: { on: { go: [{ to: 'b' }, { to: 'c' }] }, timeout: { after: 1, to: 'd' } },
      b: { final: true, on: { back: { to: 'a' } } },
    },
  })
  assert.deepEqual(problems, [
    'initial state x is not defined',
    'a leads to c, which is not defined',
    'a leads to d, which is not defined',
    'final state b has transitions',
  ])
})

test('a final state may be without transitions', () => {
  assert.deepEqual(problemsOf({ initial: 'a', states: { a: { final: true, on: {} } } }), [])
  assert.deepEqual(problemsOf(door), [])
})

test('a bad machine is not made', () => {
  assert.throws(() => new Machine({ initial: 'a', states: { a: { on: { x: { to: 'y' } } } } }, {}), /a leads to y/)
})

test('reached by a timeout counts as reached', () => {
  assert.deepEqual(unreachable(door), [])
  const { open, ...others } = door.states
  assert.deepEqual(unreachable({ initial: 'broken', states: { open, ...others } }), ['alarm', 'closed', 'open'])
})

test('guards and effects', () => {
  const machine = fresh()
  assert.equal(machine.send('lock', 1), 'closed')
  assert.equal(machine.can('open'), false)
  assert.throws(() => machine.send('open', 2), InvalidTransition)
  machine.send('unlock', 3)
  assert.equal(machine.send('open', 4), 'open')
  assert.deepEqual(machine.context, { locked: false, opened: 1, owner: 'ann' })
})

test('of several ways the first that fits', () => {
  assert.equal(fresh({ opened: 2, locked: true }).send('kick', 0), 'broken')
  assert.equal(fresh({ opened: 1, locked: true }).send('kick', 0), 'closed')
  assert.throws(() => fresh().send('kick', 0), /kick is not possible in closed/)
})

test('what is possible', () => {
  assert.deepEqual(fresh().events(), ['lock', 'open', 'unlock'])
  assert.deepEqual(fresh({ locked: true }).events(), ['kick', 'lock', 'unlock'])
  assert.equal(fresh().can('close'), false)
})

test('the context given is copied', () => {
  const given = { locked: false, opened: 0, owner: 'bob' }
  const machine = new Machine(door, given)
  machine.send('lock', 0)
  machine.context.owner = 'eve'
  assert.deepEqual(given, { locked: false, opened: 0, owner: 'bob' })
})

test('a refused event leaves no trace', () => {
  const machine = fresh({ locked: true })
  assert.throws(() => machine.send('open', 9))
  assert.deepEqual(machine.history, [])
  assert.equal(machine.context.opened, 0)
})

test('a timeout at its very moment', () => {
  const machine = fresh()
  machine.send('open', 100)
  machine.tick(129)
  assert.equal(machine.state, 'open')
  machine.tick(130)
  assert.equal(machine.state, 'alarm')
  machine.tick(139)
  assert.equal(machine.state, 'alarm')
  machine.tick(140)
  assert.equal(machine.isDone, true)
})

test('late events find the state of then', () => {
  const machine = fresh()
  machine.send('open', 0)
  assert.equal(machine.send('close', 35), 'closed')
  assert.deepEqual(machine.history.map(({ from, at }) => [from, at]), [['closed', 0], ['open', 30], ['alarm', 35]])
  machine.send('open', 40)
  assert.throws(() => machine.send('close', 500), /close is not possible in broken/)
})

test('a start later than zero', () => {
  const machine = new Machine<object>({ initial: 'a', states: { a: { timeout: { after: 5, to: 'b' } }, b: {} } }, {}, 100)
  machine.tick(104)
  assert.equal(machine.state, 'a')
  machine.tick(105)
  assert.deepEqual(machine.history, [{ event: 'timeout', from: 'a', to: 'b', at: 105 }])
  assert.deepEqual(machine.timeIn(110, 100), { a: 5, b: 5 })
})

test('a state without a timeout lasts', () => {
  const machine = fresh()
  machine.tick(1e9)
  assert.equal(machine.state, 'closed')
})

test('times add up to all the time there was', () => {
  const machine = fresh()
  machine.send('open', 10)
  machine.send('close', 25)
  machine.send('open', 60)
  assert.deepEqual(machine.timeIn(80), { closed: 45, open: 35 })
  machine.tick(95)
  assert.deepEqual(machine.timeIn(95), { closed: 45, open: 45, alarm: 5 })
  machine.tick(200)
  assert.deepEqual(machine.timeIn(500), { closed: 45, open: 45, alarm: 10 })
})
