import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { assign, can, canAll, covers, createPolicy, lapsed, lineage, revoke, whoCan } from '../src/permissions.js'

const ROLES = {
  reader: { allow: ['docs:read', 'comments:*'] },
  writer: { inherits: ['reader'], allow: ['docs:write'] },
  admin: { inherits: ['writer'], allow: ['*'] },
  guest: { inherits: ['reader'], deny: ['comments:write'] },
}

let policy
beforeEach(() => {
  policy = createPolicy(ROLES)
})

describe('roles', () => {
  it('are refused when they inherit from nobody known', () => {
    assert.throws(() => createPolicy({ a: { inherits: ['b'] } }), /role a inherits from unknown role b/)
  })

  it('know all they inherit from, nearest first', () => {
    assert.deepEqual(lineage(policy, 'admin'), ['admin', 'writer', 'reader'])
    assert.deepEqual(lineage(policy, 'reader'), ['reader'])
  })

  it('may form a circle', () => {
    const circle = createPolicy({ a: { inherits: ['b'] }, b: { inherits: ['a'] } })
    assert.deepEqual(lineage(circle, 'a'), ['a', 'b'])
  })
})

describe('patterns', () => {
  it('cover what they spell out', () => {
    assert.equal(covers('docs:read', 'docs:read'), true)
    assert.equal(covers('docs:read', 'docs:write'), false)
  })

  it('are not prefixes', () => {
    assert.equal(covers('docs', 'docs:read'), false)
    assert.equal(covers('docs:read', 'docs'), false)
  })

  it('cover all below with a star at the end', () => {
    assert.equal(covers('docs:*', 'docs:page:read'), true)
    assert.equal(covers('*', 'docs:read'), true)
    assert.equal(covers('docs:*', 'docs'), false)
  })

  it('cover one part with a star in the middle', () => {
    assert.equal(covers('docs:*:read', 'docs:page:read'), true)
    assert.equal(covers('docs:*:read', 'docs:page:write'), false)
    assert.equal(covers('docs:*:read', 'docs:a:b:read'), false)
  })
})

describe('assignments', () => {
  it('of unknown roles are refused', () => {
    assert.throws(() => assign(policy, 'ann', 'king'), /unknown role: king/)
  })

  it('grant what the role and its parents allow', () => {
    assign(policy, 'ann', 'writer')
    assert.equal(can(policy, 'ann', 'docs:write'), true)
    assert.equal(can(policy, 'ann', 'docs:read'), true)
    assert.equal(can(policy, 'ann', 'docs:delete'), false)
    assert.equal(can(policy, 'bob', 'docs:read'), false)
  })

  it('of one scope count in it alone', () => {
    assign(policy, 'ann', 'writer', { scope: 'wiki' })
    assert.equal(can(policy, 'ann', 'docs:write', { scope: 'wiki' }), true)
    assert.equal(can(policy, 'ann', 'docs:write', { scope: 'blog' }), false)
    assert.equal(can(policy, 'ann', 'docs:write'), false)
  })

  it('of all scopes count in each', () => {
    assign(policy, 'ann', 'reader')
    assert.equal(can(policy, 'ann', 'docs:read', { scope: 'blog' }), true)
  })

  it('end', () => {
    assign(policy, 'ann', 'reader', { until: 100 })
    assert.equal(can(policy, 'ann', 'docs:read', { now: 99 }), true)
    assert.equal(can(policy, 'ann', 'docs:read', { now: 100 }), false)
  })

  it('replace an earlier one of the same role and scope', () => {
    assign(policy, 'ann', 'reader', { until: 100 })
    assign(policy, 'ann', 'reader', { until: 200 })
    assert.equal(policy.members.get('ann').length, 1)
    assert.equal(can(policy, 'ann', 'docs:read', { now: 150 }), true)
  })

  it('add up over scopes', () => {
    assign(policy, 'ann', 'reader', { scope: 'wiki' })
    assign(policy, 'ann', 'reader', { scope: 'blog' })
    assert.equal(can(policy, 'ann', 'docs:read', { scope: 'wiki' }), true)
    assert.equal(can(policy, 'ann', 'docs:read', { scope: 'blog' }), true)
  })

  it('are taken away in one scope or in all', () => {
    assign(policy, 'ann', 'reader', { scope: 'wiki' })
    assign(policy, 'ann', 'reader', { scope: 'blog' })
    assign(policy, 'ann', 'writer', { scope: 'shop' })
    assert.equal(revoke(policy, 'ann', 'reader', 'wiki'), 1)
    assert.equal(can(policy, 'ann', 'docs:read', { scope: 'blog' }), true)
    assert.equal(revoke(policy, 'ann', 'reader'), 1)
    assert.equal(can(policy, 'ann', 'docs:write', { scope: 'shop' }), true)
    assert.equal(revoke(policy, 'bob', 'reader'), 0)
  })
})

describe('decisions', () => {
  it('let a denial win', () => {
    assign(policy, 'eve', 'guest')
    assert.equal(can(policy, 'eve', 'comments:read'), true)
    assert.equal(can(policy, 'eve', 'comments:write'), false)
    assign(policy, 'eve', 'admin')
    assert.equal(can(policy, 'eve', 'comments:write'), false)
  })

  it('want every action of several', () => {
    assign(policy, 'ann', 'reader')
    assert.equal(canAll(policy, 'ann', ['docs:read', 'comments:write']), true)
    assert.equal(canAll(policy, 'ann', ['docs:read', 'docs:write']), false)
  })

  it('tell who may do something, by name', () => {
    assign(policy, 'zoe', 'writer')
    assign(policy, 'ann', 'admin')
    assign(policy, 'eve', 'guest')
    assert.deepEqual(whoCan(policy, 'docs:write'), ['ann', 'zoe'])
  })

  it('tell whose assignments have all ended', () => {
    assign(policy, 'zoe', 'reader', { until: 10 })
    assign(policy, 'ann', 'reader', { until: 5 })
    assign(policy, 'eve', 'reader', { until: 5 })
    assign(policy, 'eve', 'guest')
    assert.deepEqual(lapsed(policy, 10), ['ann', 'zoe'])
    assert.deepEqual(lapsed(policy, 9), ['ann'])
  })
})
