import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparePatterns, compile, matchPath, partsOf } from '../src/pattern.ts'
import { Router } from '../src/router.ts'

function api(): Router {
  return new Router()
    .add('catch-all', 'GET', '/*path')
    .add('team', 'GET', '/teams/:team')
    .add('member', 'GET', '/teams/:team/members/:member')
    .add('me', 'GET', '/teams/:team/members/me')
    .add('join', 'POST', '/teams/:team/members')
    .add('leave', 'DELETE', '/teams/:team/members/:member')
    .add('login', 'POST', '/login')
}

test('parts of untidy paths', () => {
  assert.deepEqual(partsOf('a//b'), ['a', 'b'])
  assert.deepEqual(partsOf(''), [])
})

test('compiled patterns', () => {
  assert.deepEqual(compile('/'), [])
  assert.deepEqual(compile('x/:y/z'), [{ kind: 'static', text: 'x' }, { kind: 'param', name: 'y' }, { kind: 'static', text: 'z' }])
})

test('unclear patterns', () => {
  assert.throws(() => compile('/:a/*a'), /a is there twice/)
  assert.throws(() => compile('/x/*'), /needs a name/)
  assert.throws(() => compile('/*x/:y'), /\*x must come last/)
})

test('paths that are too short or too long', () => {
  const segments = compile('/a/:b/c')
  assert.equal(matchPath(segments, '/a/1'), null)
  assert.equal(matchPath(segments, '/a/1/c/d'), null)
  assert.equal(matchPath(segments, '/b/1/c'), null)
  assert.deepEqual(matchPath(segments, '/a/1/c/'), { b: '1' })
  assert.equal(matchPath(segments, '/'), null)
})

test('the empty pattern', () => {
  assert.deepEqual(matchPath([], '/'), {})
  assert.equal(matchPath([], '/a'), null)
})

test('encoded texts', () => {
  assert.deepEqual(matchPath(compile('/:a/*b'), '/%C3%A4/x%3Fy/%2F'), { a: 'ä', b: 'x?y//' })
})

test('an order of patterns', () => {
  const patterns = ['/*x', '/:a', '/a/*x', '/a/:b', '/a/b', '/a', '/a/b/c']
  const sorted = patterns.toSorted((a, b) => comparePatterns(compile(a), compile(b)))
  assert.deepEqual(sorted, ['/a/b/c', '/a/b', '/a/:b', '/a/*x', '/a', '/:a', '/*x'])
})

test('the more particular route answers', () => {
  const names = ['/teams/5', '/teams/5/members/me', '/teams/5/members/9', '/teams/5/other', '/'].map((url) => {
    const match = api().match('GET', url)
    return match.kind === 'found' ? match.name : match.kind
  })
  assert.deepEqual(names, ['team', 'me', 'member', 'catch-all', 'catch-all'])
})

test('parameters are those of the route that answers', () => {
  const left = api().match('DELETE', '/teams/5/members/me')
  assert.deepEqual(left, { kind: 'found', name: 'leave', params: { team: '5', member: 'me' }, query: {} })
  assert.deepEqual(api().match('GET', '/x/y'), { kind: 'found', name: 'catch-all', params: { path: 'x/y' }, query: {} })
})

test('methods that are allowed are listed once, in order', () => {
  assert.deepEqual(api().match('PUT', '/teams/5/members/9'), { kind: 'method-not-allowed', allow: ['DELETE', 'GET'] })
  assert.deepEqual(api().match('PATCH', '/login'), { kind: 'method-not-allowed', allow: ['GET', 'POST'] })
})

test('HEAD is for GET alone', () => {
  const router = new Router().add('login', 'post', '/login').add('page', 'get', '/page')
  assert.deepEqual(router.match('HEAD', '/login'), { kind: 'method-not-allowed', allow: ['POST'] })
  assert.equal(router.match('HEAD', '/page').kind, 'found')
  assert.deepEqual(router.match('GET', '/'), { kind: 'not-found' })
})

test('queries', () => {
  const match = api().match('GET', '/teams/5?sort=name&q=a%20b')
  assert.deepEqual(match.kind === 'found' && match.query, { sort: 'name', q: 'a b' })
})

test('addresses lead back to their routes', () => {
  const router = api()
  const samples = { member: { team: 'r&d', member: 'ann lee' }, team: { team: 'a/b' }, 'catch-all': { path: 'p q/r' } }
  for (const [name, params] of Object.entries(samples)) {
    const match = router.match('GET', router.urlFor(name, { ...params }))
    assert.deepEqual(match, { kind: 'found', name, params, query: {} })
  }
})

test('leftovers become the query', () => {
  const given = { team: '1', page: '2', q: 'x y' }
  assert.equal(api().urlFor('team', given), '/teams/1?page=2&q=x+y')
  assert.deepEqual(given, { team: '1', page: '2', q: 'x y' })
  assert.equal(api().urlFor('login'), '/login')
})

test('addresses that cannot be built', () => {
  assert.throws(() => api().urlFor('member', { member: '1' }), /member needs team/)
  assert.throws(() => api().urlFor('Team'), /no route Team/)
})

test('names are unique, patterns need not be', () => {
  assert.throws(() => api().add('login', 'GET', '/x'), /login is there already/)
  assert.equal(api().add('login-form', 'GET', '/login').match('GET', '/login').kind, 'found')
})
