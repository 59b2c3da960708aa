// What shims hand to runners, as text of small programs in the runners' own languages.

/** The first line of what an error comes from in the end, as text of JavaScript. Errors may have been sent here from another process. */
const ROOT_CAUSE = `function rootCause(error) {
  let cause = error?.cause
  for (let depth = 0; depth < 20 && cause?.cause != null; depth += 1) cause = cause.cause
  if (cause == null) return undefined
  const text = typeof cause === 'object' ? (cause.name ?? 'Error') + ': ' + (cause.message ?? '') : String(cause)
  return text.split('\\n', 1)[0].slice(0, 1000)
}
`

/**
 * Node's TAP with the file of every test, without which two files with a test of the same name could not be told apart, and with what
 * an error comes from. What stands for a whole file is named by its path in every version.
 */
const NODE_REPORT = `import { resolve } from 'node:path'
import { tap } from 'node:test/reporters'

export default async function* report(source) {
  let file, cause
  async function* watched() {
    for await (const event of source) {
      const { data, type } = event
      const isFile = data?.nesting === 0 && data.file !== undefined && resolve(data.name ?? '') === data.file
      file = type === 'test:pass' || type === 'test:fail' ? data.file : undefined
      cause = rootCause(data?.details?.error?.cause)
      yield isFile ? { ...event, data: { ...data, name: data.file } } : event
    }
  }
  for await (const text of tap(watched())) yield file === undefined ? text : text.replace(/^( *)---\\n/m, placed({ file, cause }))
}

function placed(entries) {
  const known = Object.entries(entries).filter(([, value]) => value !== undefined)
  return (start, indent) => start + known.map(([key, value]) => indent + key + ": '" + value.replaceAll("'", "''") + "'\\n").join('')
}

${ROOT_CAUSE}`

/** What Node prints when nobody names a reporter. */
const NODE_DEFAULT = `import { spec, tap } from 'node:test/reporters'

export default Number(process.versions.node.split('.')[0]) >= 23 || process.stdout.isTTY ? spec : tap
`

/**
 * vitest's own JSON with what that leaves out: differences, causes, and what went wrong in a hook around tests. It says itself where
 * it writes, because vitest takes one file for all reporters or one for each, and the user may have chosen.
 */
const VITEST_REPORT = `import { createRequire } from 'node:module'
import { realpathSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const outputFile = process.env.GREENLATCH_REPORT
delete process.env.GREENLATCH_REPORT
const { JsonReporter } = await reporters().catch(() => ({}))

function reporters() {
  const path = createRequire(realpathSync(process.argv[1])).resolve('vitest/reporters')
  return import(pathToFileURL(path).href)
}

export default JsonReporter
  ? class extends JsonReporter {
      constructor() {
        super({ outputFile })
      }
      writeReport(text) {
        writeFileSync(outputFile, detailed(text, this.ctx))
      }
    }
  : class {}

function detailed(text, context) {
  try {
    const report = JSON.parse(text)
    const files = new Map(context.state.getFiles().map((file) => [file.filepath, file]))
    for (const result of report.testResults) if (files.has(result.name)) addDetails(result, files.get(result.name))
    return JSON.stringify(report)
  } catch {
    return text
  }
}

function addDetails(result, file) {
  const tasks = allBelow(file)
  const tests = tasks.filter((task) => task.tasks === undefined)
  result.hook = tasks.find((task) => task.tasks !== undefined && task.result?.errors?.length > 0)?.result.errors[0].stack
  if (tests.length !== result.assertionResults.length) return
  for (const [at, { result: told }] of tests.entries()) {
    const error = told?.errors?.[0]
    if (error) Object.assign(result.assertionResults[at], { diff: error.diff, cause: rootCause(error) })
  }
}

function allBelow(suite) {
  return suite.tasks.flatMap((task) => (task.tasks === undefined ? [task] : [task, ...allBelow(task)]))
}

${ROOT_CAUSE}`

/** mocha has one reporter at a time, and that is the user's: this only listens, and writes what mocha's own JSON reporter would. */
const MOCHA_REPORT = `const { realpathSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')

const path = process.env.GREENLATCH_REPORT
delete process.env.GREENLATCH_REPORT
const found = { tests: [], pending: [], failures: [], passes: [] }
const LISTS = { 'test end': 'tests', pass: 'passes', fail: 'failures', pending: 'pending' }
let runner = null
let isOver = false

function listen(emitter, event, test, error) {
  if (event === 'start' && !isOver) runner ??= emitter
  if (emitter !== runner) return
  if (event in LISTS) found[LISTS[event]].push(plain(test, error))
  if (event === 'end') write()
}

/** Without the time of its end it is a run that broke off, and is taken for that. */
function write() {
  writeFileSync(path, JSON.stringify({ stats: runner.stats ?? {}, ...found }))
  runner = null
  isOver = true
}

function plain(test, error) {
  const err = error ?? test.err
  return {
    title: test.title,
    fullTitle: test.fullTitle(),
    titlePath: test.titlePath?.() ?? [test.title],
    file: test.file ?? fileOf(test.parent),
    type: test.type,
    duration: test.duration,
    currentRetry: test.currentRetry?.(),
    err: err ? { name: err.name, message: err.message ?? String(err), stack: err.stack, code: err.code, cause: rootCause(err) } : {},
  }
}

function fileOf(suite) {
  return suite ? suite.file ?? fileOf(suite.parent) : undefined
}

${ROOT_CAUSE}
function runnerClass() {
  const loaded = Object.keys(require.cache).find((name) => /[\\\\/]mocha[\\\\/]lib[\\\\/]runner\\.c?js$/.test(name))
  return loaded ? require.cache[loaded].exports : createRequire(realpathSync(process.argv[1]))('mocha/lib/runner')
}

if (path) {
  process.on('exit', () => runner && write())
  const { prototype } = runnerClass()
  const emit = prototype.emit
  prototype.emit = function (event, ...details) {
    const heard = emit.call(this, event, ...details)
    listen(this, event, ...details)
    return heard
  }
}
`

/**
 * Passes on what a runner prints, keeps it as a report, and ends as the runner does. Both streams come through one pipe, because only
 * their order tells what belongs together. Go's events are shown as people know them; what else it says is from its standard error.
 */
const RELAY = `import { spawn } from 'node:child_process'
import { openSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [mode, path, program, ...args] = process.argv.slice(2)
const MOST_KEPT_CHARS = 65536
const kept = new Map()
const report = openSync(path, 'w', 0o600)
const child = spawn('/bin/sh', ['-c', 'exec "$0" "$@" 2>&1', program, ...args], { stdio: ['inherit', 'pipe', 'inherit'] })

const show = (text) => process.stdout.write(text)
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
child.stdout.on('data', (chunk) => {
  writeAll(chunk)
  if (mode === 'plain') show(chunk)
})
if (mode !== 'plain') createInterface({ input: child.stdout }).on('line', showEvent)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  console.error(error.message)
  process.exitCode = 127
})
child.on('close', (code, signal) => {
  if (signal === null) process.exitCode = code
  else {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  }
})

function writeAll(chunk) {
  for (let at = 0; at < chunk.length; ) at += writeSync(report, chunk, at)
}

function showEvent(line) {
  let event
  try {
    event = JSON.parse(line)
  } catch {
    return void process.stderr.write(line + '\\n')
  }
  if (mode === 'raw') return void show(line + '\\n')
  const { Action: action, Test: test, Package: name, Output: output = '' } = event
  if (action === 'build-output') return void process.stderr.write(output)
  if (mode === 'long') return void show(output)
  if (test === undefined) return void (output === 'PASS\\n' || show(output))
  const key = name + ' ' + test
  if (action === 'output' && !output.startsWith('=== ')) kept.set(key, ((kept.get(key) ?? '') + output).slice(0, MOST_KEPT_CHARS))
  if (action === 'fail') show(kept.get(key) ?? '')
  if (action === 'fail' || action === 'pass' || action === 'skip') kept.delete(key)
}
`

/** Runs unittest as `python -m unittest` does, and keeps what its runner says, without what tests print in between. */
const UNITTEST_REPORT = `import os
import runpy
import sys
import unittest.runner

path = os.environ.pop('GREENLATCH_REPORT', None)


class Both:
    def __init__(self, stream):
        self.stream = stream
        self.report = open(path, 'a', encoding='utf-8', errors='backslashreplace')

    def write(self, text):
        self.report.write(text)
        self.report.flush()
        return self.stream.write(text)

    def __getattr__(self, name):
        return getattr(self.stream, name)


if __name__ == '__main__':
    begin = unittest.runner.TextTestRunner.__init__

    def begin_with_report(self, stream=None, *rest, **named):
        begin(self, Both(sys.stderr if stream is None else stream), *rest, **named)

    unittest.runner.TextTestRunner.__init__ = begin_with_report
    if sys.path and sys.path[0] == os.path.dirname(os.path.abspath(__file__)):
        sys.path[0] = os.getcwd()
    runpy.run_module('unittest', run_name='__main__', alter_sys=True)
`

/** Leaves out every test that is not wanted. A pytest that a test starts is left alone. */
const PYTEST_ONLY = `import os

import pytest

nested = 'PYTEST_CURRENT_TEST' in os.environ
path = os.environ.get('GREENLATCH_ONLY')
emptied = False


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    global emptied
    if nested or not path or not items:
        return
    with open(path, encoding='utf-8') as lines:
        wanted = {line.rstrip('\\n') for line in lines}
    ends = {id[at + 1:] for id in wanted for at in range(len(id)) if id[at] == '/'} | wanted
    kept = [item for item in items if item.nodeid in ends]
    if len(kept) < len(items):
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in ends])
        items[:] = kept
    emptied = not kept


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    if emptied and exitstatus == 5:
        session.exitstatus = 0
`

/** Path below the folder of helpers → text. */
export const HELPERS: Readonly<Record<string, string>> = {
  'node-report.mjs': NODE_REPORT,
  'node-default.mjs': NODE_DEFAULT,
  'vitest-report.mjs': VITEST_REPORT,
  'mocha-report.cjs': MOCHA_REPORT,
  'relay.mjs': RELAY,
  'unittest-report.py': UNITTEST_REPORT,
  'python/greenlatch_only.py': PYTEST_ONLY,
}
