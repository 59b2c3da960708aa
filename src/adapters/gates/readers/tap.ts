// Reads TAP 13 and 14 with nested tests, as node:test, tap, tape, bats and prove write it.
import type { TestRun } from '../../../text/failures/test-run.js'
import { createCollector, type Collector, type Reader } from './collect.js'
import { lineFeed } from '../../../text/line-feed.js'
import { readerOf } from './reader-of.js'
import { detached, type Names } from './names.js'
import { fileOf, pointOf, unescaped, type Point } from './tap-point.js'
import { fileFault } from './tap-fault.js'
import { emitTest, type Held } from './tap-emit.js'
import { createYamlBlock, takeYamlLine, type YamlBlock, type YamlDetails } from './tap-yaml.js'

type Level = { tests: Held[]; points: number; plan: number | null; failed: boolean }

type State = {
  names: Names
  collector: Collector
  levels: Level[]
  /** Names of the tests that are open, by depth: most writers say them before what is inside, and all of them after it. */
  announced: string[]
  held: number
  /** The last point, until it is known what belongs to it. */
  open: { point: Point; depth: number } | null
  yaml: YamlBlock | null
  /** Points that were announced with a brace and have their tests after them. */
  braces: { point: Point; depth: number }[]
  /** What was printed since the last point. */
  comments: string[]
  sawTap: boolean
  bailedOut: boolean
}

const SPACES_PER_LEVEL = 4
const DEEPEST = 50
const MOST_COMMENTS = 60
const SUBTEST = ' Subtest:'
const MOST_HELD = 50_000
const LONGEST_COMMENT_CHARS = 500

export function tapReader(names: Names): Reader {
  const state: State = {
    names, collector: createCollector(names), levels: [], announced: [], held: 0,
    open: null, yaml: null, braces: [], comments: [], sawTap: false, bailedOut: false,
  }
  const feed = lineFeed((line) => takeLine(state, line))
  return readerOf(feed, () => end(state))
}

function takeLine(state: State, line: string): void {
  if (state.yaml !== null) {
    if (takeYamlLine(state.yaml, line) === 'more') return
    if (state.open) state.open.point.details = state.yaml.details
    state.yaml = null
    return
  }
  const indent = indentOf(line)
  switch (line.charCodeAt(indent)) {
    case 0x6e: // n
    case 0x6f: // o
      return takePoint(state, line, indent)
    case 0x23: // #
      return takeComment(state, line, indent)
    case 0x2d: // -
      if (state.open && line.trimEnd() === `${' '.repeat(indent)}---`) state.yaml = createYamlBlock(indent)
      return
    case 0x7d: // }
      return line.trimEnd().length === indent + 1 ? closeBrace(state, depthOf(indent)) : undefined
    case 0x42: // B
      return takeBailOut(state, line, indent)
    default:
      if (/^\d+\.\.\d/.test(line.slice(indent, indent + 20))) takePlan(state, line, indent)
  }
}

function indentOf(line: string): number {
  let indent = 0
  while (line.charCodeAt(indent) === 0x20) indent += 1
  return indent
}

function depthOf(indent: number): number {
  return Math.min(Math.floor(indent / SPACES_PER_LEVEL), DEEPEST)
}

function levelAt(state: State, depth: number): Level {
  while (state.levels.length <= depth) state.levels.push({ tests: [], points: 0, plan: null, failed: false })
  return state.levels[depth] as Level
}

function takePoint(state: State, line: string, indent: number): void {
  const point = pointOf(line, indent)
  if (point === null) return
  settle(state)
  if (indent === 0) {
    point.before = state.comments
    state.comments = []
  }
  state.sawTap = true
  const depth = depthOf(indent)
  if (!point.opensBrace) state.open = { point, depth }
  else {
    state.braces.push({ point, depth })
    announce(state, depth, point.name)
  }
}

function announce(state: State, depth: number, name: string): void {
  shortenAnnounced(state, depth)
  if (state.announced.length === depth) state.announced.push(name)
}

function shortenAnnounced({ announced }: State, depth: number): void {
  if (announced.length > depth) announced.length = depth
}

function closeBrace(state: State, depth: number): void {
  const brace = state.braces.at(-1)
  if (brace?.depth !== depth) return
  settle(state)
  state.braces.pop()
  state.open = brace
}

function takeComment(state: State, line: string, indent: number): void {
  const text = line.slice(indent + 1, indent + 1 + LONGEST_COMMENT_CHARS)
  if (text.startsWith(SUBTEST)) {
    settle(state)
    announce(state, depthOf(indent), unescaped(line.slice(indent + 1 + SUBTEST.length).trim()))
    return
  }
  if (state.open && state.open.point.details === null && !state.open.point.ok) {
    if (state.open.point.comments.length < MOST_COMMENTS) state.open.point.comments.push(text)
    return
  }
  state.comments.push(text)
  if (state.comments.length > MOST_COMMENTS) state.comments.splice(0, MOST_COMMENTS / 2)
}

function takeBailOut(state: State, line: string, indent: number): void {
  if (!line.startsWith('Bail out!', indent)) return
  settle(state)
  state.bailedOut = true
  const message = line.slice(indent + 9).trim()
  state.collector.trouble('test run', { kind: 'crash', type: 'Bail out!', message, stack: '' })
  state.collector.doubt('the runner gave up')
}

function takePlan(state: State, line: string, indent: number): void {
  const plan = /^(\d+)\.\.(\d+)\s*(?:#.*)?$/.exec(line.slice(indent))
  if (plan === null) return
  settle(state)
  state.sawTap = true
  const level = levelAt(state, depthOf(indent))
  // `2..1` is an empty plan too.
  level.plan = Math.max(0, Number(plan[2]) - Number(plan[1]) + 1)
}

const NOTHING_BELOW: readonly Level[] = []
const NOTHING_HELD: readonly Held[] = []

/** Now it is known what belongs to the last point: its details came before this, and the tests inside it before them. */
function settle(state: State): void {
  const { open } = state
  if (open === null) return
  state.open = null
  const { point, depth } = open
  const level = levelAt(state, depth)
  level.points += 1
  const below = state.levels.length > depth + 1 ? state.levels.splice(depth + 1) : NOTHING_BELOW
  for (const inner of below) checkPlan(state, inner)
  const inside = below.length === 0 ? NOTHING_HELD : below.flatMap((inner) => inner.tests)
  const failedBelow = below.some((inner) => inner.failed)
  const isFailed = !point.ok && point.directive === null
  level.failed ||= isFailed
  placeTests(state, level, depth, { names: [point.name], point, file: null, failedBelow }, inside)
}

function placeTests(state: State, level: Level, depth: number, own: Held, inside: readonly Held[]): void {
  const { point } = own
  const path = depth === 0 ? fileOf(point.name) : null
  state.held -= inside.length
  if (path !== null) {
    for (const held of inside) emitTest(state, { ...held, file: path })
    const fault = fileFault(point, own.failedBelow ? 'in tests' : 'elsewhere')
    if (fault !== null) state.collector.trouble(state.names.file(path), fault)
  } else {
    for (const test of inside) place(state, level, depth, { ...test, names: [point.name, ...test.names] })
    place(state, level, depth, own)
  }
  shortenAnnounced(state, depth)
}

/** Held back when a name around it is still to come. */
function place(state: State, level: Level, depth: number, test: Held): void {
  if (depth === 0) emitTest(state, test)
  else if (state.announced.length >= depth) emitTest(state, { ...test, ...around(state, depth, test.names) })
  else if (state.held >= MOST_HELD) state.collector.doubt('too many tests inside one that is not named')
  else {
    state.held += 1
    level.tests.push(keptTest(test))
  }
}

/** Without hold on the piece of the report that it was cut from. */
function keptTest(test: Held): Held {
  const { point } = test
  const texts = Object.entries(point.details ?? {}).map(([key, value]) => [key, typeof value === 'string' ? detached(value) : value])
  const details = point.details && (Object.fromEntries(texts) as YamlDetails)
  const kept = { ...point, name: detached(point.name), comments: point.comments.map(detached), details }
  return { ...test, names: test.names.map(detached), point: kept }
}

function around(state: State, depth: number, names: readonly string[]): { names: string[]; file: string | null } {
  const outer = state.announced.slice(0, depth)
  const file = outer[0] === undefined ? null : fileOf(outer[0])
  return { names: [...(file === null ? outer : outer.slice(1)), ...names], file }
}

function checkPlan(state: State, level: Level): void {
  if (level.plan !== null && level.plan !== level.points) {
    state.collector.doubt(`${level.plan} tests were planned and ${level.points} reported`)
  }
}

function end(state: State): TestRun {
  if (state.yaml !== null) {
    if (state.open) state.open.point.details = state.yaml.details
    state.collector.doubt('the report is cut off')
  }
  settle(state)
  const [top, ...inner] = state.levels
  const isOpen = inner.some((level) => level.points > 0) || state.braces.length > 0
  for (const test of inner.flatMap((level) => level.tests)) emitTest(state, test)
  if (!state.sawTap) state.collector.doubt('the report is no TAP')
  else if (isOpen) state.collector.doubt('the report is cut off')
  else if (top?.plan === null && !state.bailedOut) state.collector.doubt('the report has no plan: it is cut off')
  if (top) checkPlan(state, top)
  return state.collector.finish('is wrong')
}
