import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { CircuitBreaker, CircuitOpenError } from '../src/breaker.js'
import { OutcomeWindow } from '../src/window.js'

let time
let breaker
let calls

async function service(answer) {
  calls += 1
  if (answer instanceof Error) throw answer
  return answer
}

async function fail(times) {
  for (let turn = 0; turn < times; turn += 1) await assert.rejects(breaker.call(new Error('down')), /down/)
}

beforeEach(() => {
  time = 5000
  calls = 0
  breaker = new CircuitBreaker(service, { now: () => time })
})

describe('the window', () => {
  it('counts failures', () => {
    const window = new OutcomeWindow(3)
    assert.equal(window.failureRate, 0)
    for (const succeeded of [true, false, false, true]) window.add(succeeded)
    assert.deepEqual(window.outcomes, [false, false, true])
    assert.equal(window.failures, 2)
  })

  it('knows their share', () => {
    const window = new OutcomeWindow(4)
    for (const succeeded of [true, false, true, true]) window.add(succeeded)
    assert.equal(window.failureRate, 0.25)
    window.clear()
    assert.equal(window.failures, 0)
  })
})

describe('a closed circuit', () => {
  it('passes arguments and results on', async () => {
    assert.equal(await breaker.call(42), 42)
    assert.equal(breaker.state, 'closed')
    assert.equal(breaker.retryAt, null)
  })

  it('passes errors on', async () => {
    await assert.rejects(breaker.call(new Error('down')), /down/)
  })

  it('stays closed below the least number of calls', async () => {
    await fail(3)
    assert.equal(breaker.state, 'closed')
  })

  it('opens when half of the calls fail', async () => {
    await breaker.call(1)
    await breaker.call(1)
    await fail(1)
    assert.equal(breaker.state, 'closed')
    await fail(1)
    assert.equal(breaker.state, 'open')
    assert.equal(breaker.retryAt, 6000)
  })

  it('forgets calls that are long past', async () => {
    breaker = new CircuitBreaker(service, { now: () => time, windowSize: 4 })
    for (let turn = 0; turn < 8; turn += 1) await breaker.call(1)
    await fail(2)
    assert.equal(breaker.state, 'open')
  })

  it('does not count errors that are no failures', async () => {
    breaker = new CircuitBreaker(service, { now: () => time, isFailure: (error) => error.message !== 'not found' })
    for (let turn = 0; turn < 6; turn += 1) await assert.rejects(breaker.call(new Error('not found')))
    assert.equal(breaker.state, 'closed')
    assert.equal(breaker.window.failures, 0)
  })
})

describe('an open circuit', () => {
  beforeEach(() => fail(4))

  it('refuses calls without making them', async () => {
    await assert.rejects(breaker.call(1), CircuitOpenError)
    assert.equal(calls, 4)
  })

  it('says when to come back', async () => {
    await assert.rejects(breaker.call(1), { retryAt: 6000, message: 'circuit is open' })
  })

  it('stays open until it has cooled down', async () => {
    time = 5999
    await assert.rejects(breaker.call(1), CircuitOpenError)
    time = 6000
    assert.equal(await breaker.call(1), 1)
    assert.equal(breaker.state, 'half-open')
  })

  it('closes after enough trials', async () => {
    time = 6000
    await breaker.call(1)
    await breaker.call(1)
    assert.equal(breaker.state, 'closed')
    assert.equal(breaker.retryAt, null)
  })

  it('starts from nothing once it is closed', async () => {
    time = 6000
    await breaker.call(1)
    await breaker.call(1)
    await fail(3)
    assert.equal(breaker.state, 'closed')
  })

  it('opens anew when a trial fails', async () => {
    time = 7000
    await breaker.call(1)
    await fail(1)
    assert.equal(breaker.state, 'open')
    assert.equal(breaker.retryAt, 8000)
  })

  it('wants all trials again after that', async () => {
    time = 7000
    await breaker.call(1)
    await fail(1)
    time = 8000
    await breaker.call(1)
    assert.equal(breaker.state, 'half-open')
  })

  it('is answered for by a fallback', async () => {
    assert.equal(await breaker.callOr((answer) => `cached ${answer}`, 7), 'cached 7')
    time = 6000
    await assert.rejects(breaker.callOr(() => 'cached', new Error('still down')), /still down/)
  })
})

describe('listeners', () => {
  it('hear of every change', async () => {
    const heard = []
    breaker.onChange((state, previous) => heard.push(`${previous} > ${state}`))
    await fail(4)
    time = 6000
    await breaker.call(1)
    await breaker.call(1)
    assert.deepEqual(heard, ['closed > open', 'open > half-open', 'half-open > closed'])
  })

  it('can stop listening', async () => {
    const heard = []
    const stop = breaker.onChange((state) => heard.push(state))
    stop()
    await fail(4)
    assert.deepEqual(heard, [])
  })
})
