// Compilers, a linter and programs that give way: all they say are plain lines.
import { readPlanted } from './planted.mjs'

const common = { format: 'lines', ending: 'txt', output: 'merged' }

/** Every family is a source file; `more` are files that stay as they are. */
function compiled(runner, { planted = runner, ending, command, more = {}, modules = false }) {
  const families = readPlanted(planted)
  const pathOf = (name) => `src/${name}.${ending}`
  const files = (faultOf) => Object.entries(families).map(([name, { part }]) => [pathOf(name), `${part('text', faultOf(name))}\n`])
  return {
    ...common, runner, families, modules, suffixOf: pathOf,
    files: (faultOf) => ({ ...more, ...Object.fromEntries(files(faultOf)) }),
    command: () => [...command, ...(command.at(-1) === '--' ? Object.keys(families).map(pathOf) : [])].filter((word) => word !== '--'),
  }
}

/** Every family is a program of its own, and all that it says is one fault. */
function crashing(name, file, command) {
  const { [name]: { faults, part } } = readPlanted('crashes')
  return {
    ...common, runner: `crash-${name}`, families: { crash: { faults } }, suffixOf: () => '',
    files: (faultOf) => ({ [file]: `${part('text', faultOf('crash'))}\n` }),
    command: () => command,
  }
}

const TSC = ['node_modules/.bin/tsc', '--noEmit', '--strict', '--types', 'node']
const OXLINT = ['node_modules/.bin/oxlint', '-D', 'correctness', '--format=stylish', 'src']
const CRATE = {
  'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
  'src/lib.rs': 'pub mod assign;\npub mod moved;\n',
}

export const PROJECTS = [
  compiled('tsc', { ending: 'ts', modules: true, command: [...TSC, '--'] }),
  compiled('tsc-pretty', { planted: 'tsc', ending: 'ts', modules: true, command: [...TSC, '--pretty', '--'] }),
  compiled('gcc', { ending: 'c', command: ['gcc', '-fsyntax-only', '--'] }),
  compiled('rustc', { ending: 'rs', command: ['cargo', 'build', '--offline'], more: CRATE }),
  compiled('oxlint', { ending: 'js', modules: true, command: OXLINT }),
  crashing('python', 'main.py', ['python3', 'main.py']),
  crashing('node', 'main.mjs', ['node', 'main.mjs']),
  crashing('java', 'Main.java', ['java', 'Main.java']),
  crashing('go', 'main.go', ['go', 'run', 'main.go']),
]
