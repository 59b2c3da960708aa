// The one door between the benchmark and the repair agent: what it is asked for each bug, and what it answers.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleText } from '../source.mjs'
import { hashOf } from './kept.mjs'

const AGENT = './src/adapters/agents/repair'
/** What the benchmark takes from the agent, by file. */
const TAKEN = {
  [`${AGENT}/repair.js`]: 'prepare',
  [`${AGENT}/search.js`]: 'search',
  [`${AGENT}/choose.js`]: 'chooseFrom, moreAfter',
  [`${AGENT}/copy.js`]: 'copiesOf',
  [`${AGENT}/parse.js`]: 'openReader',
  [`${AGENT}/dedupe.js`]: 'applied',
  [`${AGENT}/operators/index.js`]: 'proposalsIn',
  [`${AGENT}/tree.js`]: 'functionAround, lineOf',
  [`${AGENT}/runners/open.js`]: 'openChecker',
  './src/adapters/gates/command.js': 'commandGate',
  './src/adapters/sandbox/none.js': 'noSandbox',
}
const PROCESS_LIMITS = { silenceSeconds: 0, outputBytes: 64 * 1024 * 1024 }

/** Bundles the agent as it stands in the sources under `root`; trials import what comes out. */
export async function bundleEngine(root, outfile) {
  const agent = join(root, AGENT)
  if (!existsSync(join(agent, 'repair.ts'))) throw new Error(`there is no repair agent in ${agent}; --engine names a checkout that has one`)
  const contents = Object.entries(TAKEN).map(([path, names]) => `export { ${names} } from '${path}'`).join('\n')
  // The only file that asks where it stands is the one that looks for the grammars.
  const define = { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'src/syntax/assets.ts')).href) }
  await bundleText(contents, outfile, { checkout: root, define })
  const textsOf = (folder) => readdirSync(join(agent, folder)).filter((name) => /(?<!\.test)\.ts$/.test(name)).toSorted().map((name) => readFileSync(join(agent, folder, name), 'utf8'))
  return { runners: hashOf(textsOf('runners')), shapes: hashOf(readFileSync(join(agent, 'dedupe.ts'), 'utf8')) }
}

/**
 * `limits`: `{ candidates, seconds }`; `mode`: `ranked`, or `exhaustive` for every change that any operator offers where it could matter. The
 * answer: `patch` `{ path, text, kind, line }` or null, `first` the place of the first candidate that passes, `tried`, `seconds`, and `end`, why the
 * search stopped. `kept` knows what became of candidates before; `versions` are those of the parts of the agent it depends on.
 */
export async function repairOnce({ engine, folder, files, testCommand, limits, mode, kept, versions, signal }) {
  const began = performance.now()
  const task = taskOf(engine, folder, testCommand, limits, signal)
  const reader = keptReader(engine.openReader(), kept, versions)
  const lazy = lazyChecker(engine, task, reader)
  const answer = (rest) => ({ patch: null, first: null, tried: 0, end: 'over', ...rest, seconds: (performance.now() - began) / 1000 })
  try {
    const first = await kept.once(`first ${versions.runners}`, async () => firstOf(await lazy.opened()))
    if (first === null) return answer({ end: 'nothing to try against' })
    const prepared = await engine.prepare(task, reader, { ...first, checker: asking(lazy, kept, versions) })
    const ranked = mode === 'ranked' ? prepared.ranked : await everything(engine, { reader, folder, files, first, prepared })
    const checker = { lanes: 1, try: (trial) => kept.once(`try ${versions.runners} ${hashOf(trial)}`, () => lazy.try(trial, first.targets)) }
    const bounds = { ...limits, more: mode === 'ranked' ? engine.moreAfter : () => 0 }
    const found = await engine.search({ ranked, checker, reader, targets: first.targets, bounds, known: new Set(), signal })
    const [chosen] = engine.chooseFrom(found.passing, prepared.messages)
    const patch = chosen ? { path: chosen.unit.path, text: chosen.text, kind: chosen.kind, line: chosen.line } : null
    const passing = found.passing.map(({ place, kind, line, score, text, unit }) => ({ place: place + 1, kind, line, score, path: unit.path, text }))
    return answer({ patch, first: passing[0]?.place ?? null, tried: found.tried, end: found.end, passing })
  } finally {
    await lazy.close()
    await reader.close()
  }
}

/** Where the repair that was meant stands among all different texts, before anything is tried; `place` is null where no operator makes it. */
export async function placeOfRepair({ engine, folder, file, meant, testCommand, kept, versions }) {
  const task = taskOf(engine, folder, testCommand, { seconds: 60 }, new AbortController().signal)
  const reader = engine.openReader()
  const lazy = lazyChecker(engine, task, reader)
  try {
    const first = await kept.once(`first ${versions.runners}`, async () => firstOf(await lazy.opened()))
    if (first === null) return null
    const { ranked } = await engine.prepare(task, reader, { ...first, checker: asking(lazy, kept, versions) })
    const texts = [...new Set(ranked.map(({ unit, edits }) => `${unit.path}\n${unspaced(engine.applied(unit.source, edits))}`))]
    const place = texts.indexOf(`${file}\n${unspaced(meant)}`)
    return { place: place < 0 ? null : place + 1, all: texts.length }
  } finally {
    await lazy.close()
    await reader.close()
  }
}

/** How soon changes are tried as users have it: every copy at work, nothing known beforehand. Without `isWarm` each takes a run of the command. */
export async function trialsOnce({ engine, folder, testCommand, limits, lanes, isWarm, signal }) {
  const task = { ...taskOf(engine, folder, testCommand, limits, signal), lanes, entry: { repair: true, warm: isWarm } }
  const reader = engine.openReader()
  const copies = await engine.copiesOf(folder, lanes)
  const opened = await engine.openChecker(task, copies, reader)
  try {
    const { ranked } = await engine.prepare(task, reader, opened)
    const { checker, targets } = opened
    checker.aim(targets)
    const began = performance.now()
    const bounds = { ...limits, more: () => limits.candidates }
    const { tried } = await engine.search({ ranked, checker, reader, targets, bounds, known: new Set(), signal })
    return { tried, seconds: (performance.now() - began) / 1000 }
  } finally {
    await opened?.checker.close()
    copies.remove()
    await reader.close()
  }
}

const asking = (lazy, kept, { runners }) => ({ whatIf: (texts) => kept.once(`what if ${runners} ${hashOf(texts)}`, () => lazy.whatIf(texts)) })

const unspaced = (text) => text.replaceAll(/\s+/g, '')

function taskOf(engine, cwd, testCommand, { seconds }, signal) {
  const sandbox = engine.noSandbox()
  const gate = { entry: { name: 'test', run: testCommand }, gate: engine.commandGate({ name: 'test', run: testCommand, sandbox }) }
  const effect = { kind: 'ask', id: 'bench', iteration: 1, base: 'bench', yields: 'candidate' }
  const request = {
    session: 'bench', effect, cwd, top: cwd, prompt: '', responsePath: join(cwd, '.bench'), failing: [], limits: { ...PROCESS_LIMITS, wallSeconds: seconds + 30 }, left: {},
    onActivity: () => {},
  }
  return { request, entry: { repair: true }, gates: [gate], lanes: 1, signal, sandbox }
}

const firstOf = (opened) => opened && { run: opened.run, targets: opened.targets }

/** Runs nothing before something has to be run. */
function lazyChecker(engine, task, reader) {
  let [copies, opening] = [null, null]
  const open = async () => {
    copies = await engine.copiesOf(task.request.top, 1)
    return engine.openChecker(task, copies, reader)
  }
  const opened = () => (opening ??= open())
  return {
    opened,
    async try(trial, targets) {
      const { checker } = await opened()
      checker.aim(targets)
      return checker.try(trial, 0)
    },
    whatIf: async (texts) => (await opened()).checker.whatIf(texts),
    async close() {
      await (await opening)?.checker.close()
      copies?.remove()
    },
  }
}

function keptReader(reader, kept, { shapes }) {
  return { ...reader, shape: (path, text) => kept.once(`shape ${shapes} ${hashOf(path, text)}`, () => reader.shape(path, text)) }
}

/** Everything that the agent ranks, and then what it would not look at: other lines of the functions that failing tests enter. */
async function everything(engine, { reader, folder, files, first: { run, targets }, prepared }) {
  const units = (await Promise.all(files.map((path) => reader.unit(path, readFileSync(join(folder, path), 'utf8'))))).filter((unit) => unit !== null)
  const failing = run.tests.filter(({ id }) => targets.includes(id))
  const rest = units.flatMap((unit) => {
    const entered = new Set(failing.flatMap(({ lines }) => lines[unit.path] ?? []))
    const isEntered = (node) => {
      const around = engine.functionAround(node)
      if (around === null || failing.length === 0) return true
      for (let line = engine.lineOf(unit, around.start); line <= engine.lineOf(unit, around.end); line += 1) if (entered.has(line)) return true
      return false
    }
    const line = (at) => engine.lineOf(unit, at)
    return engine.proposalsIn(unit, isEntered).toSorted((one, other) => one.at - other.at).map((proposal) => ({ ...proposal, unit, line: line(proposal.at), score: 0, worth: 0 }))
  })
  return [...prepared.ranked, ...rest]
}
