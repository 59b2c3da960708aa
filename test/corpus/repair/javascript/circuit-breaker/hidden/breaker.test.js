import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CircuitBreaker, CircuitOpenError } from '../src/breaker.js'
import { OutcomeWindow } from '../src/window.js'

/** A service that plays a script: letters for answers, `!` for failures. */
function scripted(script, options = {}) {
  const clock = { time: 0 }
  const letters = [...script]
  const breaker = new CircuitBreaker(
    async (...args) => {
      const letter = letters.shift()
      if (letter === '!') throw new Error('boom')
      return [letter, ...args]
    },
    { now: () => clock.time, ...options },
  )
  const play = async (times) => {
    const states = []
    for (let turn = 0; turn < times; turn += 1) {
      await breaker.call().catch(() => {})
      states.push(breaker.state)
    }
    return states
  }
  return { breaker, clock, letters, play }
}

test('windows keep the latest', () => {
  const window = new OutcomeWindow(2)
  for (const outcome of [false, true, true]) window.add(outcome)
  assert.deepEqual(window.outcomes, [true, true])
  assert.equal(window.failureRate, 0)
  window.add(false)
  assert.equal(window.failureRate, 0.5)
})

test('an empty window has no failures', () => {
  const window = new OutcomeWindow(2)
  assert.deepEqual([window.failures, window.failureRate], [0, 0])
})

test('all arguments arrive', async () => {
  const { breaker } = scripted('a')
  assert.deepEqual(await breaker.call(1, 'two'), ['a', 1, 'two'])
})

test('a lower rate opens sooner', async () => {
  const { play } = scripted('aaa!', { failureRate: 0.25 })
  assert.deepEqual(await play(4), ['closed', 'closed', 'closed', 'open'])
})

test('a higher rate opens later', async () => {
  const { play } = scripted('a!!!', { failureRate: 0.8 })
  assert.deepEqual((await play(4)).at(-1), 'closed')
})

test('the least number of calls can be one', async () => {
  const { play } = scripted('!', { minimumCalls: 1 })
  assert.deepEqual(await play(1), ['open'])
})

test('what is past the window does not count', async () => {
  const { breaker, play } = scripted('!aaaaa!a', { windowSize: 4 })
  assert.equal((await play(8)).includes('open'), false)
  assert.equal(breaker.window.failures, 1)
})

test('a refused call is not counted as a failure', async () => {
  const { breaker, letters, play } = scripted('!!!!ab', { minimumCalls: 4 })
  await play(10)
  assert.equal(letters.length, 2)
  assert.equal(breaker.window.outcomes.length, 4)
  await assert.rejects(breaker.call(), { name: 'CircuitOpenError' })
})

test('it opens from the moment of the last failure', async () => {
  const { breaker, clock, play } = scripted('!!!!a', { coolDown: 50 })
  await play(3)
  clock.time = 70
  await play(1)
  assert.equal(breaker.retryAt, 120)
  clock.time = 119
  await assert.rejects(breaker.call(), CircuitOpenError)
  clock.time = 120
  assert.deepEqual(await breaker.call(), ['a'])
})

test('trials are counted', async () => {
  const { clock, play } = scripted('!!!!abcd', { trials: 3, coolDown: 10 })
  await play(4)
  clock.time = 10
  assert.deepEqual(await play(4), ['half-open', 'half-open', 'closed', 'closed'])
})

test('one trial may be enough', async () => {
  const { breaker, clock, play } = scripted('!!!!a', { trials: 1, coolDown: 10 })
  await play(4)
  clock.time = 10
  assert.deepEqual(await play(1), ['closed'])
  assert.equal(breaker.retryAt, null)
  assert.deepEqual(breaker.window.outcomes, [])
})

test('trials begin again after each failure', async () => {
  const { clock, play } = scripted('!!!!a!b!cd', { coolDown: 10 })
  await play(4)
  for (const at of [10, 20]) {
    clock.time = at
    assert.deepEqual(await play(2), ['half-open', 'open'])
  }
  clock.time = 30
  assert.deepEqual(await play(2), ['half-open', 'closed'])
})

test('errors that are no failures help to close', async () => {
  const { clock, play } = scripted('!!!!!!', { coolDown: 10, isFailure: () => clock.time === 0 })
  await play(4)
  clock.time = 10
  assert.deepEqual(await play(2), ['half-open', 'closed'])
})

test('fallbacks get the arguments and answer refused calls alone', async () => {
  const { breaker, play } = scripted('!!!!', { minimumCalls: 4 })
  await assert.rejects(breaker.callOr(() => 'no'), /boom/)
  await play(3)
  assert.equal(await breaker.callOr(async (a, b) => a + b, 2, 3), 5)
})

test('only the listener that stops is gone', async () => {
  const { breaker, play } = scripted('!!!!')
  const heard = []
  const stop = breaker.onChange(() => heard.push('first'))
  breaker.onChange((state, previous) => heard.push(previous, state))
  stop()
  await play(4)
  assert.deepEqual(heard, ['closed', 'open'])
})

test('a reset of a closed circuit is no change', () => {
  const { breaker } = scripted('')
  const heard = []
  breaker.onChange((state) => heard.push(state))
  breaker.reset()
  assert.deepEqual(heard, [])
})
