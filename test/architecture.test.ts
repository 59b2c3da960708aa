// Walks the syntax trees of all sources and fails on a breach of the dependency rule, of purity or of a size limit.
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, posix } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/** Path under src → text. Tests and their fixtures are not in it: they may import what they like. */
type Sources = Record<string, string>
type Import = { from: string; specifier: string; typeOnly: boolean }

/** Room → rooms it may import besides itself. A folder of adapters is a room of its own. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: [],
  errors: [],
  'agent-entry': [],
  text: ['core', 'ports'],
  procedures: ['core', 'text'],
  ports: ['core', 'process'],
  files: ['errors'],
  process: ['files', 'text', 'errors'],
  git: ['process', 'files', 'text', 'errors'],
  syntax: [],
  shell: ['ports', 'core', 'text', 'files', 'errors'],
  adapters: ['agent-entry', 'ports', 'syntax', 'git', 'process', 'files', 'core', 'text', 'errors'],
  config: ['agent-entry', 'core', 'text', 'files', 'errors'],
  fleet: ['shell', 'ports', 'core', 'text', 'files', 'errors'],
  simulate: ['procedures', 'core', 'text'],
  web: ['core', 'text'],
  serve: ['web', 'text', 'errors'],
  testing: ['agent-entry', 'index', 'shell', 'adapters', 'config', 'procedures', 'ports', 'syntax', 'git', 'process', 'files', 'core', 'text', 'errors'],
  index: ['library', 'agent-entry', 'shell', 'adapters', 'config', 'procedures', 'ports', 'syntax', 'git', 'process', 'files', 'core', 'text', 'errors'],
  library: ['cli', 'agent-entry', 'shell', 'config', 'procedures', 'ports', 'files', 'core', 'text', 'errors'],
  cli: ['web', 'serve', 'fleet', 'agent-entry', 'index', 'testing', 'simulate', 'shell', 'adapters', 'config', 'procedures', 'ports', 'syntax', 'git', 'process', 'files', 'core', 'text', 'errors'],
}
const TYPES_ONLY = new Set(['text → core', 'text → ports', 'procedures → core', 'ports → core', 'ports → process', 'web → core', 'cli → web', 'serve → web'])
const TIMERS = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']
const IMPURE_NAMES = new Set(['Date', 'Promise', 'crypto', 'fetch', 'performance', 'process', ...TIMERS])
const CORE_LINES = 1500
const LOOP_LINES = 80

const trees = new Map<string, { text: string; tree: ts.SourceFile }>()

/** Each source is parsed once for all rules. */
function parse(path: string, text: string): ts.SourceFile {
  const known = trees.get(path)
  if (known?.text === text) return known.tree
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  trees.set(path, { text, tree })
  return tree
}

function nodesOf(source: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    nodes.push(node)
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
  return nodes
}

function importsOf(from: string, text: string): Import[] {
  return nodesOf(parse(from, text)).flatMap((node): Import[] => {
    const found = importIn(node)
    return found && ts.isStringLiteralLike(found.module) ? [{ from, specifier: found.module.text, typeOnly: found.typeOnly }] : []
  })
}

function importIn(node: ts.Node): { module: ts.Node; typeOnly: boolean } | undefined {
  if (ts.isImportDeclaration(node)) {
    return { module: node.moduleSpecifier, typeOnly: node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword }
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) return { module: node.moduleSpecifier, typeOnly: node.isTypeOnly }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return { module: node.argument.literal, typeOnly: true }
  const argument = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments[0] : undefined
  return argument && { module: argument, typeOnly: false }
}

/** The top folder or file under src; for an adapter with its own folder, `adapters/agents`. */
function roomOf(path: string): string {
  const [top = '', second = ''] = path.replace(/\.[jt]s$/, '').split('/')
  return top === 'adapters' ? `adapters/${second}` : top
}

function dependencyBreaches(sources: Sources): string[] {
  return Object.entries(sources).flatMap(([path, text]) => importsOf(path, text).flatMap((found) => breachesOf(found)))
}

function breachesOf({ from, specifier, typeOnly }: Import): string[] {
  const room = roomOf(from)
  if (!specifier.startsWith('.')) return packageBreaches(from, specifier)
  if (/\bfixture\.js$/.test(specifier)) return [`${from}: fixtures are for tests alone`]
  const target = roomOf(posix.join(posix.dirname(from), specifier))
  const [kind, targetKind] = [room.split('/')[0] ?? '', target.split('/')[0] ?? '']
  const allowed = MAY_IMPORT[kind]
  if (!allowed) return [`${from}: no rule says what ${kind} may import`]
  if (target === room) return []
  if (!allowed.includes(targetKind)) return [`${from}: ${room} may not import ${target}`]
  const rule = `${kind} → ${targetKind}`
  return TYPES_ONLY.has(rule) && !typeOnly ? [`${from}: ${room} may import only types of ${target}`] : []
}

function packageBreaches(from: string, specifier: string): string[] {
  const room = roomOf(from)
  const name = specifier.replace(/^node:/, '')
  if (['child_process', 'cluster', 'execa'].includes(name) && room !== 'process') return [`${from}: only process may start processes`]
  if (room === 'core') return [`${from}: core may not import ${specifier}`]
  return (room === 'text' || room === 'simulate') && builtinModules.includes(name) ? [`${from}: ${room} may not import ${specifier}`] : []
}

/** Whatever begins like a command line of git: `['git', …]` and `spawn('git', …)`. */
function gitBreaches(sources: Sources): string[] {
  const others = Object.entries(sources).filter(([path]) => roomOf(path) !== 'git')
  return others.flatMap(([path, text]) => nodesOf(parse(path, text)).flatMap((node) => {
    const first = ts.isArrayLiteralExpression(node) ? node.elements[0] : ts.isCallExpression(node) ? node.arguments[0] : undefined
    return first && ts.isStringLiteralLike(first) && /(^|\/)git$/.test(first.text) ? [`${path}: only git may start git`] : []
  }))
}

/** Whoever starts what a model has chosen or written goes through the sandbox; short commands of our own have a runner of their own, and what is for tests starts us. */
function sandboxBreaches(sources: Sources): string[] {
  const others = Object.entries(sources).filter(([path]) => !['process', 'adapters/sandbox', 'testing'].includes(roomOf(path)))
  return others.flatMap(([path, text]) => importsOf(path, text).flatMap(({ specifier, typeOnly }) => {
    const isRunner = /(^|\/)process\/(run|start)\.js$/.test(specifier) && !typeOnly
    return isRunner ? [`${path}: only adapters/sandbox may run processes that are not our own`] : []
  }))
}

function purityBreaches(sources: Sources): string[] {
  const pure = Object.entries(sources).filter(([path]) => ['core', 'text', 'simulate'].includes(roomOf(path)))
  return pure.flatMap(([path, text]) => nodesOf(parse(path, text)).flatMap((node) => {
    const what = impurityOf(node)
    return what === undefined ? [] : [`${path}: ${what} is not pure`]
  }))
}

function impurityOf(node: ts.Node): string | undefined {
  if (ts.isClassLike(node)) return 'class'
  if (node.kind === ts.SyntaxKind.AsyncKeyword) return 'async'
  if (node.kind === ts.SyntaxKind.AwaitKeyword || ts.isAwaitExpression(node)) return 'await'
  if (ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random') return 'Math.random'
  return ts.isIdentifier(node) && IMPURE_NAMES.has(node.text) && !isName(node) ? node.text : undefined
}

/** `x.process` and `{ process: … }` only name a property; they reach for nothing outside. */
function isName(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node && parent.expression.getText() !== 'globalThis'
  return (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === node
}

function linesOf(text: string): number {
  return text.split('\n').length - 1
}

function sizeBreaches(sources: Sources): string[] {
  const core = Object.entries(sources).filter(([path]) => roomOf(path) === 'core').reduce((sum, [, text]) => sum + linesOf(text), 0)
  const loop = linesOf(sources['shell/run.ts'] ?? '')
  return [
    ...(core > CORE_LINES ? [`core has ${core} lines of ${CORE_LINES}`] : []),
    ...(loop > LOOP_LINES ? [`shell/run.ts has ${loop} lines of ${LOOP_LINES}`] : []),
  ]
}

function readSources(): Sources {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
  const sources = paths.filter((path) => /(?<!\.test|\bfixture)\.ts$/.test(path))
  return Object.fromEntries(sources.map((path) => [path, readFileSync(join('src', path), 'utf8')]))
}

describe('the sources', () => {
  const sources = readSources()

  it('keep the dependency rule', () => {
    expect(Object.keys(sources)).toContain('core/types.ts')
    expect(dependencyBreaches(sources)).toEqual([])
  })

  it('start git nowhere but in its own room', () => {
    expect(gitBreaches(sources)).toEqual([])
  })

  it('AC-07 run nothing round the sandbox', () => {
    expect(Object.keys(sources)).toContain('adapters/sandbox/none.ts')
    expect(sandboxBreaches(sources)).toEqual([])
    const breach = { 'adapters/gates/command.ts': "import { runProcess } from '../../process/run.js'", 'adapters/gates/x.ts': "import type { Run } from '../../process/run.js'" }
    expect(sandboxBreaches(breach)).toEqual(['adapters/gates/command.ts: only adapters/sandbox may run processes that are not our own'])
  })

  it('are pure in core, text and simulate: no clock, no chance, no waiting, no class', () => {
    expect(purityBreaches(sources)).toEqual([])
  })

  it(`keep the core within ${CORE_LINES} lines and the loop within ${LOOP_LINES}`, () => {
    expect(Object.keys(sources)).toContain('shell/run.ts')
    expect(sizeBreaches(sources)).toEqual([])
  })
})

describe('the checker of dependencies', () => {
  it.each([
    ['core/step.ts', "import { EXIT } from '../errors.js'", 'core may not import errors'],
    ['core/step.ts', "import { z } from 'zod'", 'core may not import zod'],
    ['core/step.ts', "import type { Stats } from 'node:fs'", 'core may not import node:fs'],
    ['errors.ts', "import type { Tree } from './core/types.js'", 'errors may not import core'],
    ['text/prompt.ts', "import { hash } from 'crypto'", 'text may not import crypto'],
    ['text/prompt.ts', "import { clean } from '../process/clean.js'", 'text may not import process'],
    ['text/prompt.ts', "import { hash } from '../core/hash.js'", 'text may import only types of core'],
    ['text/prompt.ts', "import { read } from '../ports.js'", 'text may import only types of ports'],
    ['procedures/ooda.ts', "import { resolve } from '../core/procedure.js'", 'procedures may import only types of core'],
    ['procedures/ooda.ts', "import { open } from '../shell/open.js'", 'procedures may not import shell'],
    ['ports.ts', "import { run } from './process/run.js'", 'ports may import only types of process'],
    ['files/atomic.ts', "import type { Tree } from '../core/types.js'", 'files may not import core'],
    ['process/run.ts', "import type { Agent } from '../ports.js'", 'process may not import ports'],
    ['git/git.ts', "import { x } from '../adapters/workspace/store.js'", 'git may not import adapters/workspace'],
    ['git/git.ts', "import type { Tree } from '../core/types.js'", 'git may not import core'],
    ['shell/run.ts', "import { git } from '../git/git.js'", 'shell may not import git'],
    ['process/run.ts', "import { git } from '../git/git.js'", 'process may not import git'],
    ['shell/run.ts', "export { open } from '../adapters/journal/files.js'", 'shell may not import adapters/journal'],
    ['shell/run.ts', "import { run } from '../process/run.js'", 'shell may not import process'],
    ['shell/run.ts', "const load = () => import('../config/load.js')", 'shell may not import config'],
    ['adapters/agents/command.ts', "import { x } from '../gates/command.js'", 'adapters/agents may not import adapters/gates'],
    ['adapters/agents/command.ts', "type X = import('../../shell/run.js').X", 'adapters/agents may not import shell'],
    ['syntax/parser.ts', "import { run } from '../process/run.js'", 'syntax may not import process'],
    ['config/load.ts', "import { run } from '../shell/run.js'", 'config may not import shell'],
    ['simulate/play.ts', "import { run } from '../shell/run.js'", 'simulate may not import shell'],
    ['simulate/play.ts', "import { readFileSync } from 'node:fs'", 'simulate may not import node:fs'],
    ['fleet/worker.ts', "import { git } from '../git/git.js'", 'fleet may not import git'],
    ['fleet/worker.ts', "import { createSession } from '../cli/wire.js'", 'fleet may not import cli'],
    ['testing/index.ts', "import { main } from '../cli/main.js'", 'testing may not import cli'],
    ['index.ts', "export * from './cli/main.js'", 'index may not import cli'],
    ['cli/main.ts', "import { spawn } from 'node:child_process'", 'only process may start processes'],
    ['shell/run.ts', "import pack from '../../package.json'", 'shell may not import ..'],
    ['adapters/journal/files.ts', "import { sample } from './fixture.js'", 'fixtures are for tests alone'],
    ['extras/new.ts', "import { run } from '../shell/run.js'", 'no rule says what extras may import'],
  ])('catches in %s: %s', (path, text, breach) => {
    expect(dependencyBreaches({ [path]: text })).toEqual([`${path}: ${breach}`])
  })

  it('lets through what the rule allows', () => {
    const sources = {
      'core/step.ts': "import { judge } from './judge.js'",
      'text/prompt.ts': "import type { Session } from '../core/types.js'\nimport { size } from './size.js'",
      'shell/run.ts': "import { step } from '../core/step.js'\nimport type { Agent } from '../ports.js'",
      'shell/perform.ts': "import { compose } from '../text/prompt.js'\nimport { readFile } from 'node:fs/promises'",
      'adapters/gates/command.ts': "import { run } from '../../process/run.js'\nimport { parse } from './parsers/junit.js'",
      'process/run.ts': "import { spawn } from 'node:child_process'",
      'git/git.ts': "import { runShort } from '../process/short.js'\nimport { EXIT } from '../errors.js'",
      'adapters/workspace/store.ts': "import { git } from '../../git/git.js'",
      'cli/main.ts': "import { command } from '../adapters/agents/command.js'\nexport * from './commands/run.js'",
    }
    expect(dependencyBreaches(sources)).toEqual([])
  })

  it('is not misled by an import that stands in a comment or a string', () => {
    expect(dependencyBreaches({ 'core/step.ts': "// import x from 'node:fs'\nconst text = \"import x from 'node:fs'\"\n" })).toEqual([])
  })
})

describe('the checker of git', () => {
  it.each(["run(['git', 'status'])", "spawn('git', ['status'])", "const argv = ['/usr/bin/git']", 'exec(`git`)'])('catches %s', (text) => {
    expect(gitBreaches({ 'adapters/workspace/store.ts': text })).toEqual(['adapters/workspace/store.ts: only git may start git'])
    expect(gitBreaches({ 'git/git.ts': text })).toEqual([])
  })

  it('lets through the word where it starts nothing', () => {
    const text = "// run(['git'])\nconst next = 'git status'\nconst names = ['.git', 'git-lfs', 'x', 'git']\nconst kind = { git: 'git' }"
    expect(gitBreaches({ 'cli/main.ts': text })).toEqual([])
  })
})

describe('the checker of purity', () => {
  it.each([
    ['const now = Date.now()', 'Date'],
    ['const now = new globalThis.Date()', 'Date'],
    ['const luck = Math.random()', 'Math.random'],
    ['const home = process.env.HOME', 'process'],
    ['const began = performance.now()', 'performance'],
    ['setTimeout(() => {}, 1)', 'setTimeout'],
    ['const wait = async () => {}', 'async'],
    ['const value = await other', 'await'],
    ['class Session {}', 'class'],
    ['const Session = class {}', 'class'],
  ])('catches %s', (text, what) => {
    expect(purityBreaches({ 'core/step.ts': text })).toContain(`core/step.ts: ${what} is not pure`)
    expect(purityBreaches({ 'text/prompt.ts': text })).toContain(`text/prompt.ts: ${what} is not pure`)
    expect(purityBreaches({ 'simulate/play.ts': text })).toContain(`simulate/play.ts: ${what} is not pure`)
    expect(purityBreaches({ 'shell/run.ts': text })).toEqual([])
  })

  it('lets through the same words as names of properties, in strings and in comments', () => {
    const text = "// Date, process.exit\nconst failure = { class: 'async class', process: /await Date/ }"
    expect(purityBreaches({ 'core/judge.ts': `${text}\nconst name = failure.class + failure.process` })).toEqual([])
  })
})

function lines(count: number): string {
  return 'x\n'.repeat(count)
}

describe('the checker of sizes', () => {
  it('catches a core that outgrows its limit over several files', () => {
    expect(sizeBreaches({ 'core/a.ts': lines(CORE_LINES), 'core/b.ts': '' })).toEqual([])
    expect(sizeBreaches({ 'core/a.ts': lines(CORE_LINES), 'core/b.ts': lines(1) })).toEqual(['core has 1501 lines of 1500'])
  })

  it('catches a loop that outgrows its limit', () => {
    expect(sizeBreaches({ 'shell/run.ts': lines(LOOP_LINES) })).toEqual([])
    expect(sizeBreaches({ 'shell/run.ts': lines(LOOP_LINES + 1) })).toEqual(['shell/run.ts has 81 lines of 80'])
  })
})
