import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { comparePatterns, compile, matchPath, partsOf } from '../src/pattern.ts'
import { Router } from '../src/router.ts'

function shop(): Router {
  return new Router()
    .add('product', 'get', '/products/:id')
    .add('new-product', 'get', '/products/new')
    .add('save-product', 'put', '/products/:id')
    .add('review', 'get', '/products/:id/reviews/:review')
    .add('asset', 'get', '/assets/*file')
    .add('home', 'get', '/')
}

describe('patterns', () => {
  it('ignore slashes at the ends', () => {
    assert.deepEqual(partsOf('/a/b/'), ['a', 'b'])
    assert.deepEqual(partsOf('/'), [])
  })

  it('have segments of three kinds', () => {
    assert.deepEqual(compile('/a/:b/*c'), [{ kind: 'static', text: 'a' }, { kind: 'param', name: 'b' }, { kind: 'rest', name: 'c' }])
  })

  it('are refused when they are not clear', () => {
    assert.throws(() => compile('/a/:'), /needs a name/)
    assert.throws(() => compile('/:id/x/:id'), /id is there twice/)
    assert.throws(() => compile('/*all/x'), /\*all must come last/)
  })

  it('match whole paths alone', () => {
    assert.deepEqual(matchPath(compile('/a/b'), '/a/b'), {})
    assert.equal(matchPath(compile('/a/b'), '/a'), null)
    assert.equal(matchPath(compile('/a/b'), '/a/b/c'), null)
    assert.equal(matchPath(compile('/a/b'), '/a/x'), null)
  })

  it('take parameters out and decode them', () => {
    assert.deepEqual(matchPath(compile('/users/:id/:tab'), '/users/jo%20hn/posts'), { id: 'jo hn', tab: 'posts' })
  })

  it('take the rest, which may be empty', () => {
    assert.deepEqual(matchPath(compile('/files/*path'), '/files/a/b%20c.txt'), { path: 'a/b c.txt' })
    assert.deepEqual(matchPath(compile('/files/*path'), '/files'), { path: '' })
    assert.equal(matchPath(compile('/files/*path'), '/other/a'), null)
  })

  it('are sorted by how particular they are', () => {
    assert.ok(comparePatterns(compile('/a/b'), compile('/a/:b')) < 0)
    assert.ok(comparePatterns(compile('/a/*b'), compile('/a/:b')) > 0)
    assert.ok(comparePatterns(compile('/a/b/c'), compile('/a/b')) < 0)
    assert.equal(comparePatterns(compile('/a/:b'), compile('/a/:c')), 0)
  })
})

describe('matching', () => {
  it('finds a route and its parameters', () => {
    assert.deepEqual(shop().match('GET', '/products/42'), { kind: 'found', name: 'product', params: { id: '42' }, query: {} })
  })

  it('prefers plain text, whatever was added first', () => {
    assert.deepEqual(shop().match('GET', '/products/new'), { kind: 'found', name: 'new-product', params: {}, query: {} })
  })

  it('goes by the method', () => {
    const match = shop().match('PUT', '/products/new')
    assert.deepEqual(match, { kind: 'found', name: 'save-product', params: { id: 'new' }, query: {} })
  })

  it('reads the query', () => {
    const match = shop().match('GET', '/assets/app.js?v=3&min=')
    assert.deepEqual(match, { kind: 'found', name: 'asset', params: { file: 'app.js' }, query: { v: '3', min: '' } })
  })

  it('answers HEAD like GET', () => {
    assert.equal(shop().match('HEAD', '/').kind, 'found')
    assert.equal(shop().match('POST', '/').kind, 'method-not-allowed')
    assert.equal(new Router().add('login', 'post', '/login').match('HEAD', '/login').kind, 'method-not-allowed')
  })

  it('tells which methods there are', () => {
    assert.deepEqual(shop().match('DELETE', '/products/42'), { kind: 'method-not-allowed', allow: ['GET', 'PUT'] })
  })

  it('knows what is not there', () => {
    assert.deepEqual(shop().match('GET', '/orders'), { kind: 'not-found' })
  })

  it('refuses a name that is taken', () => {
    assert.throws(() => shop().add('home', 'get', '/start'), /home is there already/)
  })
})

describe('addresses', () => {
  it('are built from parameters', () => {
    assert.equal(shop().urlFor('review', { id: '7', review: 'a/b' }), '/products/7/reviews/a%2Fb')
    assert.equal(shop().urlFor('home'), '/')
  })

  it('keep the slashes of a rest', () => {
    assert.equal(shop().urlFor('asset', { file: 'css/my site.css' }), '/assets/css/my%20site.css')
  })

  it('have what is left over as a query', () => {
    assert.equal(shop().urlFor('product', { id: '7', tab: 'specs' }), '/products/7?tab=specs')
  })

  it('leave the parameters given alone', () => {
    const params = { id: '7' }
    shop().urlFor('product', params)
    assert.deepEqual(params, { id: '7' })
  })

  it('need a known name and all parameters', () => {
    assert.throws(() => shop().urlFor('cart'), /no route cart/)
    assert.throws(() => shop().urlFor('review', { id: '7' }), /review needs review/)
  })
})
