import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, records, stringify } from '../src/csv.js';

test('fields are separated by commas, rows by lines', () => {
  assert.deepEqual(parse('a,b\n1,2\n'), [['a', 'b'], ['1', '2']]);
});

test('the last line needs no end', () => {
  assert.deepEqual(parse('a,b'), [['a', 'b']]);
  assert.deepEqual(parse('a'), [['a']]);
  assert.deepEqual(parse(''), []);
});

test('a quoted field may hold separators and lines', () => {
  assert.deepEqual(parse('"a,b","c\nd"\n'), [['a,b', 'c\nd']]);
});

test('a doubled quote stands for one', () => {
  assert.deepEqual(parse('"say ""hi""",x\n'), [['say "hi"', 'x']]);
});

test('lines may end with carriage returns', () => {
  assert.deepEqual(parse('a,b\r\nc,d\r\n'), [['a', 'b'], ['c', 'd']]);
});

test('empty fields are kept', () => {
  assert.deepEqual(parse('a,,c\n,\n'), [['a', '', 'c'], ['', '']]);
});

test('an open quote is an error', () => {
  assert.throws(() => parse('"abc'), SyntaxError);
});

test('records are named by the header', () => {
  assert.deepEqual(records('name, age\nAnn,7\nBob\n'), [{ name: 'Ann', age: '7' }, { name: 'Bob', age: '' }]);
});

test('values are quoted where needed', () => {
  assert.equal(stringify([['a', 'b,c'], ['say "x"', null]]), 'a,"b,c"\n"say ""x""",\n');
});

test('another separator can be given', () => {
  assert.deepEqual(parse('a;b,c\n', { separator: ';' }), [['a', 'b,c']]);
  assert.equal(stringify([['a;b', 'c']], { separator: ';' }), '"a;b";c\n');
});
