// The gate of a session that has none of its own: the test files that plans brought, run by the runner that fits them.
import { dirname, extname, join, resolve } from 'node:path'
import { readPlainFile } from '../../files/plain-file.js'
import type { Gate } from '../../ports.js'
import { commandGate, unusable, type CommandGateOptions } from './command.js'

type Argv = [string, ...string[]]
const LONGEST_MANIFEST_BYTES = 1024 * 1024

type Options = Omit<CommandGateOptions, 'run'>

export function plannedGate(options: Options): Gate {
  const { name } = options
  return {
    name,
    describe: 'the planned tests, by the runner that fits them',
    async run(request, signal) {
      const argv = runnerFor(request.tests, resolve(request.cwd, options.cwd ?? '.'))
      return 'fault' in argv ? unusable(name, argv.fault) : commandGate({ ...options, run: argv.argv }).run(request, signal)
    },
  }
}

/** By what the files are, and for scripts by what the project has installed. */
export function runnerFor(tests: readonly string[], cwd: string): { argv: Argv } | { fault: string } {
  // What begins like an option would be taken for one.
  const files = tests.map((path) => (path.startsWith('-') ? `./${path}` : path))
  const kinds = new Set(files.map((path) => extname(path)))
  const all = (...endings: string[]): boolean => [...kinds].every((kind) => endings.includes(kind))
  if (files.length === 0) return { fault: 'no tests are planned yet' }
  if (all('.py')) return { argv: ['python3', '-m', 'pytest', ...files, '-v', '--tb=short'] }
  if (all('.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.jsx', '.tsx')) return scriptRunner(files, cwd, [...kinds].every((kind) => /^\.[cm]?js$/.test(kind)))
  if (all('.go')) return { argv: ['go', 'test', ...new Set(files.map((path) => `./${dirname(path)}`))] }
  if (all('.rs')) return { argv: ['cargo', 'test'] }
  const text = `no runner is known that runs ${[...kinds].join(' and ')} files together; name one: greenlatch run --gate "<your test command>"`
  return { fault: text }
}

const RUNNERS: Record<string, Argv> = {
  vitest: ['npx', '--no-install', 'vitest', 'run'],
  jest: ['npx', '--no-install', 'jest'],
  mocha: ['npx', '--no-install', 'mocha'],
}

function scriptRunner(files: readonly string[], cwd: string, plain: boolean): { argv: Argv } | { fault: string } {
  const wanted = dependenciesOf(cwd)
  const name = Object.keys(RUNNERS).find((runner) => wanted.includes(runner))
  const runner = RUNNERS[name ?? '']
  if (runner) return { argv: [...runner, ...files] }
  if (plain) return { argv: ['node', '--test', ...files] }
  return { fault: 'no test runner is installed that reads TypeScript or JSX; name one: greenlatch run --gate "<your test command>"' }
}

function dependenciesOf(cwd: string): string[] {
  const text = readPlainFile(join(cwd, 'package.json'), { mostBytes: LONGEST_MANIFEST_BYTES })
  if (text === null) return []
  try {
    const manifest = JSON.parse(text.toString('utf8')) as Record<string, Record<string, string> | undefined>
    return ['dependencies', 'devDependencies'].flatMap((kind) => Object.keys(manifest[kind] ?? {}))
  } catch {
    return []
  }
}
