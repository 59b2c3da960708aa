// The one door between the benchmark and the repair agent: what it is asked for each bug, and what it answers.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const AGENT = './src/adapters/agents/repair'
/** What the benchmark takes from the agent, by file. */
const TAKEN = {
  [`${AGENT}/repair.js`]: 'prepare',
  [`${AGENT}/search.js`]: 'search',
  [`${AGENT}/choose.js`]: 'chooseFrom',
  [`${AGENT}/copy.js`]: 'copiesOf',
  [`${AGENT}/parse.js`]: 'openReader',
  [`${AGENT}/operators/index.js`]: 'proposalsIn',
  [`${AGENT}/runners/open.js`]: 'openChecker',
  './src/adapters/gates/command.js': 'commandGate',
}
const PROCESS_LIMITS = { silenceSeconds: 0, outputBytes: 64 * 1024 * 1024 }

/** Bundles the agent as it stands in the sources under `root`; trials import what comes out. */
export async function bundleEngine(root, outfile) {
  if (!existsSync(join(root, AGENT, 'repair.ts'))) throw new Error(`there is no repair agent in ${join(root, AGENT)}; --engine names a checkout that has one`)
  const { build } = await import('esbuild')
  const contents = Object.entries(TAKEN).map(([path, name]) => `export { ${name} } from '${path}'`).join('\n')
  await build({
    absWorkingDir: root, stdin: { contents, resolveDir: root, loader: 'ts' }, outfile, bundle: true, format: 'esm', platform: 'node', target: 'node20.19', logLevel: 'error',
    // The only file that asks where it stands is the one that looks for the grammars.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'src/syntax/assets.ts')).href) },
  })
}

/**
 * `limits`: `{ candidates, seconds, more }`; `mode`: `ranked`, or `exhaustive` for every change that any operator offers in `files`, in the order of
 * the sources. The answer: `patch` `{ path, text, kind, line }` or null, `solvedVisible`, `first` the place of the first candidate that passes, `tried`,
 * `seconds`, and `end`, why the search stopped.
 */
export async function repairOnce({ engine, folder, files, testCommand, limits, mode, signal }) {
  const began = performance.now()
  const copies = engine.copiesOf(folder, 1)
  const reader = engine.openReader()
  const task = taskOf(engine, folder, testCommand, limits, signal)
  const answer = (rest) => ({ patch: null, solvedVisible: false, first: null, tried: 0, end: 'over', ...rest, seconds: (performance.now() - began) / 1000 })
  try {
    const opened = await engine.openChecker(task, copies)
    if (opened === null) return answer({ end: 'nothing to try against' })
    try {
      const { ranked, messages } = mode === 'ranked' ? await engine.prepare(task, reader, opened) : await everything(engine, reader, folder, files)
      opened.checker.aim(opened.targets)
      const found = await engine.search({ ranked, checker: opened.checker, reader, targets: opened.targets, bounds: limits, known: new Set(), signal })
      const [chosen] = engine.chooseFrom(found.passing, messages)
      const patch = chosen ? { path: chosen.unit.path, text: chosen.text, kind: chosen.kind, line: chosen.line } : null
      return answer({ patch, solvedVisible: patch !== null, first: found.passing.length > 0 ? found.passing[0].place + 1 : null, tried: found.tried, end: found.end })
    } finally {
      await opened.checker.close()
    }
  } finally {
    await reader.close()
    copies.remove()
  }
}

function taskOf(engine, cwd, testCommand, { seconds }, signal) {
  const gate = { entry: { name: 'test', run: testCommand }, gate: engine.commandGate({ name: 'test', run: testCommand }) }
  const effect = { kind: 'ask', id: 'bench', iteration: 1, base: 'bench', yields: 'candidate' }
  const request = { session: 'bench', effect, cwd, prompt: '', responsePath: join(cwd, '.bench'), failing: [], limits: { ...PROCESS_LIMITS, wallSeconds: seconds + 30 }, left: {}, onActivity: () => {} }
  return { request, entry: { repair: true }, gates: [gate], lanes: 1, signal }
}

/** No suspicion, no order but that of the sources. */
async function everything(engine, reader, folder, files) {
  const units = await Promise.all(files.map((path) => reader.unit(path, readFileSync(join(folder, path), 'utf8'))))
  const ranked = units.filter((unit) => unit !== null).flatMap((unit) =>
    engine.proposalsIn(unit, () => true).toSorted((one, other) => one.at - other.at).map((proposal) => ({ ...proposal, unit, line: lineAt(unit.source, proposal.at), score: 1 })))
  return { ranked, messages: [] }
}

function lineAt(source, at) {
  return source.slice(0, at).split('\n').length
}
