import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clock, format, parse, parseIso, relative } from '../src/duration.js'

describe('parse', () => {
  it('reads every unit', () => {
    assert.equal(parse('5ms'), 5)
    assert.equal(parse('5s'), 5000)
    assert.equal(parse('5m'), 300_000)
    assert.equal(parse('2h'), 7_200_000)
    assert.equal(parse('1d'), 86_400_000)
    assert.equal(parse('1w'), 604_800_000)
  })

  it('adds terms up, with spaces and without', () => {
    assert.equal(parse('1h 30m'), 5_400_000)
    assert.equal(parse('1m30s'), 90_000)
    assert.equal(parse('1s 5 ms'), 1005)
  })

  it('takes a bare number for milliseconds', () => {
    assert.equal(parse('1500'), 1500)
    assert.equal(parse(' -20 '), -20)
  })

  it('reads fractions', () => {
    assert.equal(parse('1.5h'), 5_400_000)
    assert.equal(parse('0.0015s'), 2)
  })

  it('reads a sign for the whole', () => {
    assert.equal(parse('-1m 30s'), -90_000)
  })

  it('refuses what is no duration', () => {
    assert.throws(() => parse('soon'), SyntaxError)
    assert.throws(() => parse('1h soon'), /at soon/)
    assert.throws(() => parse('5y'), SyntaxError)
    assert.throws(() => parse(''), SyntaxError)
  })
})

describe('parseIso', () => {
  it('reads dates and times', () => {
    assert.equal(parseIso('P1DT2H'), 93_600_000)
    assert.equal(parseIso('PT1M'), 60_000)
    assert.equal(parseIso('P2W'), 1_209_600_000)
  })

  it('reads fractions of a second and signs', () => {
    assert.equal(parseIso('PT0.25S'), 250)
    assert.equal(parseIso('-PT5S'), -5000)
  })

  it('refuses texts without an amount', () => {
    for (const text of ['P', 'PT', 'P1DT', '1D', 'P1H']) assert.throws(() => parseIso(text), SyntaxError)
  })
})

describe('format', () => {
  it('writes the two largest units', () => {
    assert.equal(format(93_784_005), '1d 2h')
    assert.equal(format(90_000), '1m 30s')
    assert.equal(format(1005), '1s 5ms')
  })

  it('leaves out units that are zero', () => {
    assert.equal(format(3_605_000), '1h 5s')
    assert.equal(format(86_400_000), '1d')
  })

  it('writes as many parts as wanted', () => {
    assert.equal(format(93_784_005, { parts: 5 }), '1d 2h 3m 4s 5ms')
    assert.equal(format(93_784_005, { parts: 1 }), '1d')
  })

  it('writes nothing and less than nothing', () => {
    assert.equal(format(0), '0s')
    assert.equal(format(-1500), '-1s 500ms')
  })
})

describe('clock', () => {
  it('writes minutes and seconds', () => {
    assert.equal(clock(245_000), '4:05')
    assert.equal(clock(59_999), '0:59')
  })

  it('writes hours when there are any', () => {
    assert.equal(clock(3_845_000), '1:04:05')
    assert.equal(clock(3_600_000), '1:00:00')
  })
})

describe('relative', () => {
  it('tells what is to come and what has been', () => {
    assert.equal(relative(7_200_000), 'in 2 hours')
    assert.equal(relative(-172_800_000), '2 days ago')
  })

  it('knows one from many', () => {
    assert.equal(relative(-60_000), '1 minute ago')
    assert.equal(relative(30_000), 'in 30 seconds')
  })

  it('does not count the last seconds', () => {
    assert.equal(relative(9999), 'just now')
    assert.equal(relative(-9999), 'just now')
    assert.equal(relative(10_000), 'in 10 seconds')
  })

  it('rounds to the nearest', () => {
    assert.equal(relative(5_400_000), 'in 2 hours')
    assert.equal(relative(-80_000), '1 minute ago')
  })
})
