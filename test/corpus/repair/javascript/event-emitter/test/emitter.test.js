import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../src/emitter.js';

test('a listener gets the arguments', () => {
  const emitter = new Emitter();
  const heard = [];
  emitter.on('a', (...args) => heard.push(args));
  assert.equal(emitter.emit('a', 1, 2), 1);
  assert.deepEqual(heard, [[1, 2]]);
});

test('listeners are told in order, the first ones first', () => {
  const emitter = new Emitter();
  const heard = [];
  emitter.on('a', () => heard.push('x'));
  emitter.on('a', () => heard.push('y'));
  emitter.on('a', () => heard.push('z'), { first: true });
  emitter.emit('a');
  assert.deepEqual(heard, ['z', 'x', 'y']);
});

test('once is once', () => {
  const emitter = new Emitter();
  let times = 0;
  emitter.once('a', () => { times += 1; });
  emitter.emit('a');
  emitter.emit('a');
  assert.equal(times, 1);
  assert.equal(emitter.count('a'), 0);
});

test('a listener is taken off by what on gave back', () => {
  const emitter = new Emitter();
  const off = emitter.on('a', () => {});
  assert.equal(off(), true);
  assert.equal(off(), false);
  assert.deepEqual(emitter.names(), []);
});

test('one that leaves meanwhile does not hide the next', () => {
  const emitter = new Emitter();
  const heard = [];
  const off = emitter.on('a', () => { heard.push(1); off(); });
  emitter.on('a', () => heard.push(2));
  emitter.emit('a');
  assert.deepEqual(heard, [1, 2]);
});

test('the star hears everything', () => {
  const emitter = new Emitter();
  const heard = [];
  emitter.on('*', (name, value) => heard.push([name, value]));
  emitter.emit('a', 7);
  assert.deepEqual(heard, [['a', 7]]);
});

test('too many listeners are warned of', () => {
  const warnings = [];
  const emitter = new Emitter({ maxListeners: 1, onWarning: (text) => warnings.push(text) });
  emitter.on('a', () => {});
  assert.deepEqual(warnings, []);
  emitter.on('a', () => {});
  assert.deepEqual(warnings, ['2 listeners for a']);
});

test('all listeners are counted', () => {
  const emitter = new Emitter();
  emitter.on('b', () => {});
  emitter.on('a', () => {});
  emitter.on('a', () => {});
  assert.equal(emitter.count(), 3);
  assert.deepEqual(emitter.names(), ['a', 'b']);
});

test('the next event can be waited for', async () => {
  const emitter = new Emitter();
  const waiting = emitter.next('a');
  emitter.emit('a', 'x', 'y');
  assert.deepEqual(await waiting, ['x', 'y']);
});
