import { afterAll, describe, expect, it } from 'vitest'
import { syntaxAssets } from '../../../syntax/assets.js'
import { rowsOf, sourceOf } from '../fixture.js'
import { createParsers } from '../../../syntax/parsers.js'

const parsers = createParsers(syntaxAssets())
afterAll(() => parsers.close())

const PYTHON = `"""A cart."""
from __future__ import annotations
import os, sys as system
import shop.money
from . import models
from .models import (Cart, Item as I)
from ..rates import *
try:
    import json
except ImportError:
    json = None
if TYPE_CHECKING:
    from typing import Any

LIMIT: int = 10
TABLE = {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7, "h": 8}
lower = 1
type Pair[T] = tuple[T, T]

class Basket(Base, metaclass=Meta):
    """Holds things."""
    SIZE = 3
    def __init__(self, owner, *items: Item, tax=0.2, **rest) -> None:
        self.owner = owner
    @property
    def size(self): return len(self.items)
    class Inner:
        async def close(self): pass

@dataclass(frozen=True)
class Line: pass

@app.route("/a/very/long/address/that/goes/on", methods=["GET", "POST"])
async def total[T](
    items: list[T],  # all of them
    rate: str = "x",
) -> dict[str, int]:
    def nested(): pass
    return {}
`

describe('the outline of Python', () => {
  it('IS-01 has imports, signatures and the count of lines', async () => {
    const source = await sourceOf(parsers, 'shop/cart.py', PYTHON)
    expect(source).toMatchObject({ kind: 'source', language: 'Python', lines: 39, errors: 0, unlisted: 0 })
    expect(source.imports.join(' | ')).toBe(
      '__future__ (annotations) | os | sys | shop.money | . (models) | .models (Cart, Item) | ..rates (*) | json | typing (Any)',
    )
    expect(rowsOf(source)).toEqual([
      'constant | - | LIMIT | LIMIT: int = 10',
      'constant | - | TABLE | TABLE = …',
      'type | - | Pair | type Pair[T] = tuple[T, T]',
      'class | - | Basket | class Basket(Base, metaclass=Meta)',
      'method | Basket | __init__ | def __init__(self, owner, *items: Item, tax=0.2, **rest) -> None',
      'method | Basket | size | @property def size(self)',
      'class | Basket | Inner | class Inner',
      'method | Basket.Inner | close | async def close(self)',
      'class | - | Line | @dataclass(frozen=True) class Line',
      'function | - | total | @app.route(…) async def total[T](items: list[T], rate: str = "x") -> dict[str, int]',
    ])
  })

  it('goes on after a fault in the syntax and notes it', async () => {
    const source = await sourceOf(parsers, 'a.py', 'def before(): pass\ndef broken(:\n    pass\ndef after(): pass\n')
    expect(source.errors).toBeGreaterThan(0)
    expect(source.signatures.map(({ name }) => name)).toEqual(expect.arrayContaining(['before', 'after']))
  })
})

const TYPESCRIPT = `import type { A } from './a.js'
import b, { c as d } from "./b"
import e = require('legacy')
export * from './all'
export { x, y as z } from './some'
export interface Store<T> extends Base<T> {
  get(id: string): T | undefined
  readonly size: number
  new (x: number): T
}
export type Options = {
  /** How many. */
  limit?: number
  names: string[] // all of them
}
export type Found = { kind: 'a' } | { kind: 'b' };
export enum Colour { Red = 1, Green, 'blue' }
export declare function declared(a: number): string
@Component({ selector: 'a-long-selector', template: '<p>long</p>' })
export abstract class Shape<T> extends Other implements X, Y {
  static count = 0
  handler = async (e: Event): Promise<void> => { }
  constructor(private readonly name: string) { super() }
  abstract area(): number
  get size(): number { return 1 }
  async *all<U>(this: Shape<U>, ...rest: U[]): AsyncGenerator<U> { }
}
export const LIMIT: number = 10, other = 3
const hidden = 4
const late = 5
const local = (a: number, /* why */ b?: string): void => { }
namespace Outer.Inner { export function inside(): void {} ; const arrow = () => 1 }
declare module 'elsewhere' { export function there(): void }
function over(a: string): void
function over(a: any) {}
export { late }
export default function main() {}
`

describe('the outline of TypeScript', () => {
  it('IS-01 has imports, signatures and the count of lines', async () => {
    const source = await sourceOf(parsers, 'src/a.ts', TYPESCRIPT)
    expect(source).toMatchObject({ language: 'TypeScript', lines: 37, errors: 0 })
    expect(source.imports).toEqual(['./a.js', './b', 'legacy', './all', './some'])
    expect(rowsOf(source)).toEqual([
      'interface | - | Store | export interface Store<T> extends Base<T>',
      'method | Store | get | get(id: string): T | undefined',
      'method | Store | new | new (x: number): T',
      'type | - | Options | export type Options = { limit?: number; names: string[] }',
      "type | - | Found | export type Found = { kind: 'a' } | { kind: 'b' }",
      "enum | - | Colour | export enum Colour { Red, Green, 'blue' }",
      'function | - | declared | export declare function declared(a: number): string',
      'class | - | Shape | @Component(…) export abstract class Shape<T> extends Other implements X, Y',
      'method | Shape | handler | handler = async (e: Event): Promise<void> =>',
      'method | Shape | constructor | constructor(private readonly name: string)',
      'method | Shape | area | abstract area(): number',
      'method | Shape | size | get size(): number',
      'method | Shape | all | async *all<U>(this: Shape<U>, ...rest: U[]): AsyncGenerator<U>',
      'constant | - | LIMIT | export const LIMIT: number = 10',
      'constant | - | other | export const other = 3',
      'constant | - | late | const late = 5',
      'function | - | local | const local = (a: number, b?: string): void =>',
      'module | - | Outer.Inner | namespace Outer.Inner',
      'function | Outer.Inner | inside | export function inside(): void',
      'function | Outer.Inner | arrow | const arrow = () =>',
      "module | - | elsewhere | declare module 'elsewhere'",
      'function | elsewhere | there | export function there(): void',
      'function | - | over | function over(a: string): void',
      'function | - | over | function over(a: any)',
      'function | - | main | export default function main()',
    ])
  })

  it('tolerates `out` and `in out` before a type parameter, which the grammar does not know', async () => {
    const text = 'export interface Producer<out T> { make(): T }\nexport interface Both<in out T> { x: T }\nexport const after = 1\n'
    const source = await sourceOf(parsers, 'a.ts', text)
    expect(source.errors).toBeGreaterThan(0)
    expect(rowsOf(source)).toEqual([
      'interface | - | Producer | export interface Producer<out T>',
      'method | Producer | make | make(): T',
      'interface | - | Both | export interface Both<in out T>',
      'constant | - | after | export const after = 1',
    ])
  })

  it('reads components with markup in them', async () => {
    const text = 'export function Row({ name }: { name: string }): JSX.Element {\n  return <b>{name}</b>\n}\n'
    const source = await sourceOf(parsers, 'a.tsx', text)
    expect(source).toMatchObject({ language: 'TypeScript', errors: 0 })
    expect(rowsOf(source)).toEqual(['function | - | Row | export function Row({ name }: { name: string }): JSX.Element'])
  })
})

const JAVASCRIPT = `const fs = require('fs'), { a, b } = require("./b.js")
require('./side')
var part = require('whole').part
import * as data from './data.json' with { type: 'json' }
exports.f = function (a, b) { }
module.exports.g = (a) => a
module.exports = { f, g: 1 }
Old.prototype.method = function (x) {}
class A extends B { static x = 1; m(a, b = 2) {} get y() { return 1 } static async *z() {} #p() {} arrow = () => {} }
export const X = 1
export default class extends C { m() {} }
function* numbers() {}
const View = (props) => <p>{props.text}</p>
`

describe('the outline of JavaScript', () => {
  it.each(['js', 'jsx', 'mjs', 'cjs'])('IS-01 has imports, signatures and the count of lines of a file that ends in %s', async (ending) => {
    const source = await sourceOf(parsers, `a.${ending}`, JAVASCRIPT)
    expect(source).toMatchObject({ language: 'JavaScript', lines: 13, errors: 0 })
    expect(source.imports).toEqual(['fs', './b.js', './side', 'whole', './data.json'])
    expect(rowsOf(source)).toEqual([
      'function | - | f | exports.f = function (a, b)',
      'function | - | g | module.exports.g = (a) =>',
      'constant | - | module.exports | module.exports = { f, g: 1 }',
      'method | Old | method | Old.prototype.method = function (x)',
      'class | - | A | class A extends B',
      'method | A | m | m(a, b = 2)',
      'method | A | y | get y()',
      'method | A | z | static async *z()',
      'method | A | #p | #p()',
      'method | A | arrow | arrow = () =>',
      'constant | - | X | export const X = 1',
      'class | - | default | export default class extends C',
      'method | default | m | m()',
      'function | - | numbers | function* numbers()',
      'function | - | View | const View = (props) =>',
    ])
  })
})

const GO = `package cart

import "fmt"
import (
	m "example.com/app/money"
	_ "embed"
)

const Max = 10
const (
	A, B = iota, 2
	private
)
var ErrFull = errors.New("full")
type Cart struct { items []Item }
type (
	Store interface { Get(id string) (Item, error); fmt.Stringer }
	ID = string
)
func (c *Cart) Add(i Item, n int) error { return nil }
func (s Set[T]) Has(x T) bool { return true }
func Map[T any, U any](xs []T, f func(T) U) []U { return nil }
`

const RUST = `use std::collections::{HashMap, HashSet};
use crate::money::Rate as R;
extern crate serde;
mod inner;
pub mod nested { pub fn deep() {} }
#[cfg(test)]
mod tests { fn t() {} }
pub const MAX: usize = 10;
const PRIVATE: u8 = 1;
#[derive(Debug)]
pub struct Cart<T> where T: Clone { items: Vec<T> }
pub struct Point(f64, pub f64);
pub enum Kind { A, B(u8), C { x: i32 } }
pub trait Shape: Send { type Out; fn area(&self) -> f64; fn name(&self) -> String { String::new() } }
impl<T: Clone> Cart<T> { pub fn new() -> Self { todo!() } }
impl fmt::Display for Cart<u8> { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { } }
type Alias = u8;
macro_rules! twice { () => {} }
pub(crate) unsafe extern "C" fn ffi(x: i32) -> i32 { x }
`

const JAVA = `package shop.cart;
import java.util.List;
import static shop.Rates.vat;
import shop.money.*;
@Service
public abstract class Cart<T extends X> extends Base implements I, J {
  public static final int MAX = 10, MIN = 1;
  private static final int HIDDEN = 1;
  private int x;
  public Cart(int a) { }
  @Override public <U> List<U> map(Function<T, U> f) throws E { return null; }
  static class Inner { void z() {} }
  enum Kind { A, B(1) { void m() {} }; void k() {} }
}
interface I { int N = 1; void a(int... xs); }
record Pair(int a, String b) implements X { static Pair of() { return null; } }
@interface Marked { String value() default ""; }
`

describe('the outlines of Go, Rust and Java', () => {
  it('IS-01 have imports, signatures and the count of lines of Go', async () => {
    const source = await sourceOf(parsers, 'cart.go', GO)
    expect(source).toMatchObject({ language: 'Go', lines: 22, errors: 0 })
    expect(source.imports).toEqual(['fmt', 'example.com/app/money', 'embed'])
    expect(rowsOf(source)).toEqual([
      'constant | - | Max | const Max = 10',
      'constant | - | A, B | const A, B = iota, 2',
      'constant | - | ErrFull | var ErrFull = errors.New("full")',
      'struct | - | Cart | type Cart struct',
      'interface | - | Store | type Store interface',
      'method | Store | Get | Get(id string) (Item, error)',
      'type | - | ID | type ID = string',
      'method | Cart | Add | func (c *Cart) Add(i Item, n int) error',
      'method | Set | Has | func (s Set[T]) Has(x T) bool',
      'function | - | Map | func Map[T any, U any](xs []T, f func(T) U) []U',
    ])
  })

  it('IS-01 have imports, signatures and the count of lines of Rust', async () => {
    const source = await sourceOf(parsers, 'src/cart.rs', RUST)
    expect(source).toMatchObject({ language: 'Rust', lines: 19, errors: 0 })
    expect(source.imports).toEqual(['std::collections::{HashMap, HashSet}', 'crate::money::Rate as R', 'serde', 'mod inner'])
    expect(rowsOf(source)).toEqual([
      'module | - | nested | pub mod nested',
      'function | nested | deep | pub fn deep()',
      'constant | - | MAX | pub const MAX: usize = 10',
      'struct | - | Cart | pub struct Cart<T> where T: Clone',
      'struct | - | Point | pub struct Point(f64, pub f64)',
      'enum | - | Kind | pub enum Kind { A, B, C }',
      'trait | - | Shape | pub trait Shape: Send',
      'type | Shape | Out | type Out',
      'method | Shape | area | fn area(&self) -> f64',
      'method | Shape | name | fn name(&self) -> String',
      'impl | - | Cart | impl<T: Clone> Cart<T>',
      'method | Cart | new | pub fn new() -> Self',
      'impl | - | Cart | impl fmt::Display for Cart<u8>',
      "method | Cart | fmt | fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result",
      'type | - | Alias | type Alias = u8',
      'macro | - | twice | macro_rules! twice',
      'function | - | ffi | pub(crate) unsafe extern "C" fn ffi(x: i32) -> i32',
    ])
  })

  it('IS-01 have imports, signatures and the count of lines of Java', async () => {
    const source = await sourceOf(parsers, 'Cart.java', JAVA)
    expect(source).toMatchObject({ language: 'Java', lines: 17, errors: 0 })
    expect(source.imports).toEqual(['java.util.List', 'shop.Rates.vat', 'shop.money.*'])
    expect(rowsOf(source)).toEqual([
      'class | - | Cart | @Service public abstract class Cart<T extends X> extends Base implements I, J',
      'constant | Cart | MAX | public static final int MAX = 10',
      'constant | Cart | MIN | public static final int MIN = 1',
      'method | Cart | Cart | public Cart(int a)',
      'method | Cart | map | @Override public <U> List<U> map(Function<T, U> f) throws E',
      'class | Cart | Inner | static class Inner',
      'method | Cart.Inner | z | void z()',
      'enum | Cart | Kind | enum Kind { A, B }',
      'method | Cart.Kind | k | void k()',
      'interface | - | I | interface I',
      'constant | I | N | int N = 1',
      'method | I | a | void a(int... xs)',
      'class | - | Pair | record Pair(int a, String b) implements X',
      'method | Pair | of | static Pair of()',
      'interface | - | Marked | @interface Marked',
      'method | Marked | value | String value() default ""',
    ])
  })

  it.each([
    ['a.go', 'package a\nfunc Before() {}\nfunc broken( {\n}\nfunc After() {}\n', 'Before'],
    ['a.rs', 'fn before() {}\nfn broken( {}\nfn after() {}\n', 'before'],
    ['A.java', 'class A { void before() {} void broken( {} void after() {} }\n', 'before'],
    ['a.ts', 'export function before() {}\nexport class { = }\nexport function after() {}\n', 'before'],
  ])('note a fault in the syntax of %s and keep what stands before it', async (path, text, name) => {
    const source = await sourceOf(parsers, path, text)
    expect(source.errors).toBeGreaterThan(0)
    expect(source.signatures.map((signature) => signature.name)).toContain(name)
  })
})

describe('every outline', () => {
  it('is bounded: long signatures are cut, and of many declarations the rest is counted', async () => {
    const long = `def wide(${Array.from({ length: 200 }, (_, at) => `argument_${at}`).join(', ')}): pass\n`
    const many = Array.from({ length: 1000 }, (_, at) => `def f${at}(): pass\n`).join('')
    const source = await sourceOf(parsers, 'a.py', long + many)
    expect(source.signatures).toHaveLength(400)
    expect(source.unlisted).toBe(601)
    expect(source.signatures[0]?.text).toMatch(/^def wide\(argument_0, .*…$/)
    expect(Math.max(...source.signatures.map(({ text }) => text.length))).toBeLessThanOrEqual(200)
  })

  it('is that of its own file when files of several languages wait at once', async () => {
    const endings = ['py', 'ts', 'go', 'rs', 'java', 'js']
    const paths = Array.from({ length: 144 }, (_, at) => `f${at}.${endings[at % endings.length]}`)
    const own = { py: 'def NAME(): pass', go: 'package a\nfunc NAME() {}', rs: 'fn NAME() {}', java: 'class NAME {}' }
    const texts: Readonly<Record<string, string>> = own
    const fresh = createParsers(syntaxAssets())
    const found = await Promise.all(
      paths.map(async (path) => {
        const [name = '', ending = ''] = path.split('.')
        const source = await sourceOf(fresh, path, (texts[ending] ?? 'function NAME() {}').replace('NAME', name))
        return `${source.signatures.map((signature) => signature.name).join()}.${ending}`
      }),
    )
    await fresh.close()
    expect(found).toEqual(paths)
  })
})
