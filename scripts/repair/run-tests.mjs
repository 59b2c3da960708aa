// Runs the tests of a program in a copy of it, ends what hangs, and counts.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Processor time ends what loops, whatever else the machine does; the clock is only for what waits for ever. */
const CPU_SECONDS = 10
const WALL_SECONDS = 60
const MOST_OUTPUT = 4 * 1024 * 1024
const TYPESCRIPT = join(import.meta.dirname, 'typescript.mjs')

/** The command that a gate would run, as words. `which` is the folder of the tests. */
export function testCommand({ language }, folder, which) {
  if (language === 'python') return ['python3', '-m', 'unittest', 'discover', '-s', which]
  const files = readdirSync(join(folder, which)).toSorted().map((name) => `${which}/${name}`)
  return ['node', ...(language === 'typescript' ? ['--import', TYPESCRIPT] : []), '--test', ...files]
}

/** `{ total, passed, ended }`; a run that could not be read counts no test as passed. */
export async function runTests(program, folder, which) {
  const { output, ended } = await bounded(testCommand(program, folder, which), folder)
  const counts = program.language === 'python' ? countUnittest(output) : countNode(output)
  return { ...counts, ended }
}

function countNode(output) {
  const count = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? 0)
  return { total: count('tests'), passed: count('pass') }
}

function countUnittest(output) {
  const total = Number(/^Ran (\d+) tests?/m.exec(output)?.[1] ?? 0)
  const bad = [...(/^FAILED \((.*)\)$/m.exec(output)?.[1] ?? '').matchAll(/(?:failures|errors)=(\d+)/g)]
  return { total, passed: Math.max(0, total - bad.reduce((sum, match) => sum + Number(match[1]), 0)) }
}

/** In a process group of its own, so that nothing of it is left behind. */
function bounded(command, cwd) {
  const limited = ['sh', '-c', `ulimit -t ${CPU_SECONDS}; exec "$@"`, 'sh', ...withPlainOutput(command)]
  return new Promise((resolve) => {
    const child = spawn(limited[0], limited.slice(1), { cwd, detached: true, stdio: ['pipe', 'pipe', 'pipe'], env: environment() })
    let output = ''
    let ended = true
    const end = () => {
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It is gone already.
      }
    }
    const timer = setTimeout(() => {
      ended = false
      end()
    }, WALL_SECONDS * 1000)
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (text) => {
        if (output.length < MOST_OUTPUT) output += text
      })
    }
    child.stdin.on('error', () => {})
    child.stdin.end()
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      end()
      resolve({ output, code, ended: ended && signal === null })
    })
  })
}

function withPlainOutput([program, ...args]) {
  return program === 'node' && args.includes('--test') ? [process.execPath, '--test-reporter=tap', ...args] : [program, ...args]
}

/** Nothing of a test runner that this one runs in. */
export function environment() {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, VITEST: _vitest, FORCE_COLOR: _colour, ...rest } = process.env
  return { ...rest, NO_COLOR: '1', PYTHONDONTWRITEBYTECODE: '1' }
}
