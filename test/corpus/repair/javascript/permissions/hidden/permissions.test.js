import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assign, can, canAll, covers, createPolicy, lapsed, lineage, revoke, whoCan } from '../src/permissions.js'

function clinic() {
  return createPolicy({
    staff: { allow: ['rota:read'] },
    nurse: { inherits: ['staff'], allow: ['patients:*:read', 'patients:vitals:write'] },
    trainer: { inherits: ['staff'], allow: ['courses:*'] },
    doctor: { inherits: ['nurse', 'trainer'], allow: ['patients:*'] },
    student: { inherits: ['nurse'], deny: ['patients:*:write', 'patients:notes:*'] },
  })
}

test('two parents are walked level by level', () => {
  assert.deepEqual(lineage(clinic(), 'doctor'), ['doctor', 'nurse', 'trainer', 'staff'])
})

test('a role may inherit from itself', () => {
  assert.deepEqual(lineage(createPolicy({ a: { inherits: ['a'] } }), 'a'), ['a'])
})

test('any unknown parent is named', () => {
  assert.throws(() => createPolicy({ a: {}, b: { inherits: ['a', 'x'] } }), /role b inherits from unknown role x/)
})

test('patterns against actions', () => {
  const rows = [
    ['a:b:c', 'a:b:c', true], ['a:b', 'a:b:c', false], ['a:b:c', 'a:b', false], ['a:*', 'a:b:c', true], ['a:*', 'b:c', false],
    ['*:read', 'docs:read', true], ['*:read', 'docs:write', false], ['*:read', 'read', false], ['a:*:*', 'a:b', false],
    ['a:*:*', 'a:b:c:d', true], ['*', 'x', true], ['a:b:*', 'a:b', false],
  ]
  for (const [pattern, action, expected] of rows) assert.equal(covers(pattern, action), expected, `${pattern} ${action}`)
})

test('grants come from every level', () => {
  const policy = clinic()
  assign(policy, 'kim', 'doctor')
  assert.equal(canAll(policy, 'kim', ['rota:read', 'patients:notes:write', 'courses:first-aid:open']), true)
  assert.equal(canAll(policy, 'kim', ['rota:read', 'rota:write']), false)
  assert.equal(canAll(policy, 'kim', []), true)
})

test('denials win, whichever role came first', () => {
  for (const order of [['student', 'doctor'], ['doctor', 'student']]) {
    const policy = clinic()
    for (const role of order) assign(policy, 'lee', role)
    assert.equal(can(policy, 'lee', 'patients:vitals:write'), false)
    assert.equal(can(policy, 'lee', 'patients:notes:read'), false)
    assert.equal(can(policy, 'lee', 'patients:vitals:read'), true)
  }
})

test('a denial of another scope does not count', () => {
  const policy = clinic()
  assign(policy, 'lee', 'doctor')
  assign(policy, 'lee', 'student', { scope: 'ward-2' })
  assert.equal(can(policy, 'lee', 'patients:vitals:write', { scope: 'ward-1' }), true)
  assert.equal(can(policy, 'lee', 'patients:vitals:write', { scope: 'ward-2' }), false)
})

test('nobody has rights without an assignment', () => {
  assert.equal(can(clinic(), 'who', 'rota:read'), false)
  assert.deepEqual(whoCan(clinic(), 'rota:read'), [])
})

test('an assignment counts before its end, not at it', () => {
  const policy = clinic()
  assign(policy, 'kim', 'staff', { until: 1000, scope: 'ward-1' })
  const asks = (now) => can(policy, 'kim', 'rota:read', { scope: 'ward-1', now })
  assert.deepEqual([0, 999, 1000, 1001].map(asks), [true, true, false, false])
})

test('a shorter end replaces a longer one', () => {
  const policy = clinic()
  assign(policy, 'kim', 'staff')
  assign(policy, 'kim', 'staff', { until: 5 })
  assert.equal(can(policy, 'kim', 'rota:read', { now: 6 }), false)
})

test('two roles in one scope stand side by side', () => {
  const policy = clinic()
  assign(policy, 'kim', 'staff', { scope: 'x' })
  assign(policy, 'kim', 'trainer', { scope: 'x' })
  assert.equal(policy.members.get('kim').length, 2)
  assert.equal(revoke(policy, 'kim', 'trainer', 'y'), 0)
  assert.equal(revoke(policy, 'kim', 'trainer', 'x'), 1)
  assert.equal(can(policy, 'kim', 'rota:read', { scope: 'x' }), true)
})

test('revoking without a scope takes all scopes', () => {
  const policy = clinic()
  for (const scope of ['x', 'y', '*']) assign(policy, 'kim', 'nurse', { scope })
  assign(policy, 'kim', 'trainer')
  assert.equal(revoke(policy, 'kim', 'nurse'), 3)
  assert.deepEqual(policy.members.get('kim').map(({ role }) => role), ['trainer'])
})

test('names are in order and of that moment', () => {
  const policy = clinic()
  assign(policy, 'pat', 'nurse', { until: 50 })
  assign(policy, 'kim', 'doctor')
  assign(policy, 'bea', 'trainer')
  assert.deepEqual(whoCan(policy, 'patients:vitals:write', { now: 49 }), ['kim', 'pat'])
  assert.deepEqual(whoCan(policy, 'patients:vitals:write', { now: 50 }), ['kim'])
})

test('only who has nothing left is lapsed', () => {
  const policy = clinic()
  assign(policy, 'pat', 'nurse', { until: 50 })
  assign(policy, 'pat', 'staff', { until: 70 })
  assign(policy, 'kim', 'staff', { until: 20 })
  revoke(policy, 'kim', 'staff')
  assert.deepEqual(lapsed(policy, 60), [])
  assert.deepEqual(lapsed(policy, 70), ['pat'])
})

test('unknown roles cannot be assigned', () => {
  assert.throws(() => assign(clinic(), 'kim', 'Nurse'), /unknown role: Nurse/)
})
