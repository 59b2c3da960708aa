import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../src/emitter.js';

test('nothing but functions may listen', () => {
  assert.throws(() => new Emitter().on('a', 'b'), TypeError);
  assert.throws(() => new Emitter().once('a'), TypeError);
});

test('nobody listening is no error', () => {
  const emitter = new Emitter();
  assert.equal(emitter.emit('none', 1), 0);
  assert.equal(emitter.off('none', () => {}), false);
  assert.equal(emitter.count('none'), 0);
  assert.equal(emitter.count(), 0);
});

test('the same function twice is taken off once at a time', () => {
  const emitter = new Emitter();
  const listener = () => {};
  emitter.on('a', listener);
  emitter.on('a', listener);
  assert.equal(emitter.off('a', listener), true);
  assert.equal(emitter.count('a'), 1);
  assert.equal(emitter.off('a', listener), true);
  assert.equal(emitter.off('a', listener), false);
});

test('taking one off leaves the others in order', () => {
  const emitter = new Emitter();
  const heard = [];
  const [a, b, c] = ['a', 'b', 'c'].map((name) => () => heard.push(name));
  for (const one of [a, b, c]) emitter.on('x', one);
  emitter.off('x', b);
  assert.equal(emitter.emit('x'), 2);
  assert.deepEqual(heard, ['a', 'c']);
  emitter.on('x', b, { first: true });
  emitter.emit('x');
  assert.deepEqual(heard.slice(2), ['b', 'a', 'c']);
});

test('one that joins meanwhile is not told yet', () => {
  const emitter = new Emitter();
  let late = 0;
  emitter.once('a', () => emitter.on('a', () => { late += 1; }));
  assert.equal(emitter.emit('a'), 1);
  assert.equal(late, 0);
  emitter.emit('a');
  assert.equal(late, 1);
});

test('a once listener that emits again is not told twice', () => {
  const emitter = new Emitter();
  let times = 0;
  emitter.once('a', () => { times += 1; if (times < 5) emitter.emit('a'); });
  emitter.emit('a');
  assert.equal(times, 1);
});

test('the star is told after the others, and once', () => {
  const emitter = new Emitter();
  const heard = [];
  emitter.on('*', (...args) => heard.push(args));
  emitter.on('a', () => heard.push('a'));
  emitter.emit('a', 1, 2);
  emitter.emit('*', 'direct');
  assert.deepEqual(heard, ['a', ['a', 1, 2], ['direct']]);
});

test('the limit itself is allowed', () => {
  let warned = 0;
  const emitter = new Emitter({ maxListeners: 3, onWarning: () => { warned += 1; } });
  for (let n = 0; n < 5; n += 1) emitter.on('a', () => {});
  emitter.on('b', () => {});
  assert.equal(warned, 2);
  assert.equal(emitter.count(), 6);
});

test('waiting for the next leaves nothing behind', async () => {
  const emitter = new Emitter();
  const waiting = [emitter.next('a'), emitter.next('a')];
  emitter.emit('a', 1);
  emitter.emit('a', 2);
  assert.deepEqual(await Promise.all(waiting), [[1], [1]]);
  assert.equal(emitter.count(), 0);
  assert.deepEqual(emitter.names(), []);
});
