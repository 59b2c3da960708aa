import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTask, allNeeds, createGraph, criticalTime, findCycle, finishTimes, missing, order } from '../src/graph.js'

function build() {
  const graph = createGraph()
  addTask(graph, 'test', { needs: ['compile', 'fixtures'], cost: 5 })
  addTask(graph, 'compile', { needs: ['fetch'], cost: 3 })
  addTask(graph, 'fetch', { cost: 2 })
  addTask(graph, 'fixtures', { cost: 4 })
  return graph
}

test('each task stands behind what it needs', () => {
  assert.deepEqual(order(build()), ['fetch', 'compile', 'fixtures', 'test'])
})

test('a task cannot be added twice', () => {
  assert.throws(() => addTask(build(), 'fetch'), /already/)
})

test('what is needed but not there is named', () => {
  const graph = addTask(build(), 'deploy', { needs: ['sign', 'test', 'approve'] })
  assert.deepEqual(missing(graph), ['approve', 'sign'])
})

test('a cycle is found', () => {
  const graph = createGraph()
  addTask(graph, 'a', { needs: ['b'] })
  addTask(graph, 'b', { needs: ['c'] })
  addTask(graph, 'c', { needs: ['b'] })
  assert.deepEqual(findCycle(graph), ['b', 'c', 'b'])
  assert.throws(() => order(graph), /cycle: b → c → b/)
})

test('there is no cycle in a diamond', () => {
  const graph = createGraph()
  addTask(graph, 'a', { needs: ['b', 'c'] })
  addTask(graph, 'b', { needs: ['d'] })
  addTask(graph, 'c', { needs: ['d'] })
  addTask(graph, 'd')
  assert.equal(findCycle(graph), null)
  assert.deepEqual(order(graph), ['d', 'b', 'c', 'a'])
})

test('all needs are followed', () => {
  assert.deepEqual(allNeeds(build(), 'test'), ['compile', 'fetch', 'fixtures'])
  assert.deepEqual(allNeeds(build(), 'fetch'), [])
})

test('tasks end after the slowest they wait for', () => {
  const times = finishTimes(build())
  assert.equal(times.get('compile'), 5)
  assert.equal(times.get('test'), 10)
})

test('the critical time is that of the last task', () => {
  assert.equal(criticalTime(build()), 10)
  assert.equal(criticalTime(createGraph()), 0)
})
