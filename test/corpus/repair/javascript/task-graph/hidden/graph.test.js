import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTask, allNeeds, createGraph, criticalTime, findCycle, finishTimes, missing, order } from '../src/graph.js'

function graphOf(needs) {
  const graph = createGraph()
  for (const [name, list] of Object.entries(needs)) addTask(graph, name, { needs: list })
  return graph
}

test('free tasks come by name', () => {
  assert.deepEqual(order(graphOf({ z: [], m: [], a: ['z'] })), ['m', 'z', 'a'])
  assert.deepEqual(order(graphOf({ c: [], b: ['c'], d: [] })), ['c', 'b', 'd'])
  assert.deepEqual(order(createGraph()), [])
})

test('ordering leaves the graph alone', () => {
  const graph = graphOf({ a: ['b'], b: [] })
  order(graph)
  assert.deepEqual(graph.get('a').needs, ['b'])
  assert.deepEqual(order(graph), ['b', 'a'])
})

test('the list that was given is copied', () => {
  const needs = ['b']
  const graph = addTask(createGraph(), 'a', { needs })
  needs.push('c')
  assert.deepEqual(missing(graph), ['b'])
})

test('a task that needs itself is a cycle', () => {
  assert.deepEqual(findCycle(graphOf({ b: [], a: ['a'] })), ['a', 'a'])
  assert.throws(() => order(graphOf({ a: ['a'] })), /a → a/)
})

test('a cycle far from the start is found', () => {
  assert.deepEqual(findCycle(graphOf({ s: ['t'], t: ['u', 'v'], u: [], v: ['w'], w: ['x'], x: ['v'] })), ['v', 'w', 'x', 'v'])
})

test('needs are told once each, also in a cycle', () => {
  assert.deepEqual(allNeeds(graphOf({ a: ['b', 'c'], b: ['c', 'd'], c: ['d'], d: [] }), 'a'), ['b', 'c', 'd'])
  assert.deepEqual(allNeeds(graphOf({ a: ['b'], b: ['a'] }), 'a'), ['a', 'b'])
  assert.deepEqual(allNeeds(graphOf({ a: ['gone'] }), 'a'), ['gone'])
})

test('missing names come once and sorted', () => {
  assert.deepEqual(missing(graphOf({ a: ['y', 'x'], b: ['x'] })), ['x', 'y'])
  assert.deepEqual(missing(graphOf({ a: ['b'], b: [] })), [])
})

test('times add up along the longest way', () => {
  const graph = createGraph()
  addTask(graph, 'a', { cost: 4 })
  addTask(graph, 'b', { cost: 1 })
  addTask(graph, 'c', { needs: ['a', 'b'], cost: 2 })
  addTask(graph, 'd', { needs: ['b'], cost: 9 })
  assert.deepEqual([...finishTimes(graph)].sort(), [['a', 4], ['b', 1], ['c', 6], ['d', 10]])
  assert.equal(criticalTime(graph), 10)
})

test('a task costs one unless told', () => {
  assert.equal(criticalTime(graphOf({ a: [], b: ['a'], c: ['b'] })), 3)
})

test('in random graphs the order holds', () => {
  let state = 11
  const next = (most) => {
    state = (state * 48271) % 2147483647
    return state % most
  }
  for (let round = 0; round < 15; round += 1) {
    const needs = {}
    for (let at = 0; at < 9; at += 1) needs[`t${at}`] = Array.from({ length: next(3) }, () => `t${at + 1 + next(9 - at)}`).filter((name) => name < 't9')
    const sorted = order(graphOf(needs))
    assert.equal(sorted.length, 9)
    for (const [name, list] of Object.entries(needs)) {
      for (const need of list) assert.ok(sorted.indexOf(need) < sorted.indexOf(name))
    }
  }
})
