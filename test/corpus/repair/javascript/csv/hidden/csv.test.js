import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, records, stringify } from '../src/csv.js';

test('an empty quoted field is a field', () => {
  assert.deepEqual(parse('""\n'), [['']]);
  assert.deepEqual(parse('""'), [['']]);
  assert.deepEqual(parse('"",a'), [['', 'a']]);
});

test('a quote inside a bare field is text', () => {
  assert.deepEqual(parse('5" pipe,2\n'), [['5" pipe', '2']]);
});

test('a row of one separator has two fields', () => {
  assert.deepEqual(parse(','), [['', '']]);
  assert.deepEqual(parse('a,'), [['a', '']]);
});

test('a carriage return alone is text', () => {
  assert.deepEqual(parse('a\rb,c\n'), [['a\rb', 'c']]);
});

test('two quotes in a row inside quotes', () => {
  assert.deepEqual(parse('"""",""""""\n'), [['"', '""']]);
});

test('quotes are only closed by quotes', () => {
  assert.throws(() => parse('a,"b\nc,d\n'), SyntaxError);
  assert.deepEqual(parse('"a\r\nb"\r\n'), [['a\r\nb']]);
});

test('records without rows or header', () => {
  assert.deepEqual(records(''), []);
  assert.deepEqual(records('a,b\n'), []);
  assert.deepEqual(records(' a ,b c\n 1 ,2\n'), [{ a: ' 1 ', 'b c': '2' }]);
  assert.deepEqual(records('a\tb\n1\t2', { separator: '\t' }), [{ a: '1', b: '2' }]);
});

test('numbers and missing values are written', () => {
  assert.equal(stringify([[1, undefined, 0, false]]), '1,,0,false\n');
  assert.equal(stringify([]), '');
  assert.equal(stringify([['a,b']], { separator: ';' }), 'a,b\n');
});

test('what is written is read back', () => {
  const pieces = ['', 'x', '"', ',', '\n', 'a"b', ' ', '\r\n', '""', 'long, "quoted"\ntext'];
  for (const a of pieces) {
    for (const b of pieces) {
      const rows = [[a, b], [b, 'end', a]];
      assert.deepEqual(parse(stringify(rows)), rows);
    }
  }
});
