// A project in Rust, run by cargo with and without a backtrace.
import { inOrder } from './conditions.mjs'
import { readPlanted } from './planted.mjs'

export const FAMILIES = readPlanted('rust')

const MANIFEST = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n'
const USES = [
  'use std::collections::HashSet;',
  'use std::net::{TcpListener, TcpStream};',
  'use std::path::Path;',
  'use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};',
].join('\n')

function files(faultOf, condition) {
  const families = inOrder(condition, FAMILIES)
  const lib = families.map(([name, { part }]) => part('lib', faultOf(name), condition)).join('\n\n')
  const tests = families.map(([name, { part }]) => `    #[test]\n    fn ${name}_works() {\n        ${part('test', faultOf(name))}\n    }`)
  const text = `#![allow(unused)]\n${USES}\n\n${lib}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n${tests.join('\n\n')}\n}\n`
  return { 'Cargo.toml': MANIFEST, 'src/lib.rs': text }
}

const command = () => ['cargo', 'test', '--offline', '--lib', '--no-fail-fast']
const common = { format: 'cargo', ending: 'txt', output: 'merged', files, command, suffixOf: (name) => `tests::${name}_works` }

export const PROJECTS = [
  { ...common, runner: 'cargo' },
  { ...common, runner: 'cargo-backtrace', env: { RUST_BACKTRACE: '1' } },
]
