// Other loops from the npm registry: installed into a cache folder, cut off from the network, and driven with a scripted agent.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../results.mjs'

const FOLDER = join(root, '.cache', 'peers')
const MODULES = join(FOLDER, 'node_modules')
const VERSIONS = { 'ralph-starter': '0.5.2', 'ralph-tui': '0.11.0', 'ralphy-cli': '4.7.2', bun: '1.4.4' }

/** `ralph-starter` forbids npm in a script of its package, so no scripts are run; `bun` is taken from the package of the platform. */
export function installPeers() {
  if (Object.entries(VERSIONS).every(([name, version]) => installedVersion(name) === version)) return
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'package.json'), JSON.stringify({ private: true, dependencies: VERSIONS }, null, 2))
  console.error(`installing ${Object.keys(VERSIONS).join(', ')} into .cache/peers`)
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] })
}

function installedVersion(name) {
  const path = join(MODULES, name, 'package.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).version : null
}

const bunFolder = () => join(MODULES, '@oven', `bun-${process.platform}-${process.arch}`, 'bin')
const STORY = (criterion) => ({ id: 'US-001', title: 'fix it', description: 'fix it', acceptanceCriteria: [criterion], priority: 1, passes: false, dependsOn: [] })
const PRD = (criterion) => JSON.stringify({ name: 'bench', branchName: 'main', description: 'fix it', userStories: [STORY(criterion)] })
const TASKS = (many) => JSON.stringify({ tasks: Array.from({ length: many }, (_, at) => ({ title: `task ${at + 1}`, completed: false })) })

/**
 * `runtime` what it runs on, `program` how it is started, `loop` the arguments for so many iterations of an agent that never says it is done,
 * `files` what a repository holds for that; `task` and `taskFiles` the same for one task with a check, and `accepts` whether it says it is done.
 */
export const PEERS = [
  {
    name: 'ralph-starter',
    program: () => ['node', join(MODULES, 'ralph-starter/dist/cli.js')],
    runtime: ['node', '-e', '0'],
    loop: (many) => ['run', 'fix it', '--agent', 'claude-code', '--max-iterations', String(many), '--headless', '--no-auto-skills', '--output-dir', '.'],
    files: () => ({}),
    // With its default `--auto` it leaves tests out of what it checks.
    task: ['run', 'fix it', '--agent', 'claude-code', '--max-iterations', '4', '--no-auto', '--validate', '--headless', '--no-auto-skills', '--output-dir', '.'],
    taskFiles: (gate) => ({ 'AGENTS.md': `# Commands\n\n- **Test**: \`${gate}\`\n` }),
    // It ends a loop that was not said to be done with an exception.
    loopCodes: [0, 1],
    accepts: ({ code }) => code === 0,
    says: 'exit 0',
  },
  {
    name: 'ralph-tui',
    program: () => ['bun', join(MODULES, 'ralph-tui/dist/cli.js')],
    runtime: ['bun', '-e', '0'],
    loop: (many) => ['run', '--prd', 'prd.json', '--agent', 'claude', '--iterations', String(many), '--delay', '0', '--headless', '--no-setup', '--no-notify'],
    files: () => ({ 'prd.json': PRD('it works') }),
    task: ['run', '--prd', 'prd.json', '--agent', 'claude', '--iterations', '4', '--delay', '0', '--headless', '--no-setup', '--no-notify'],
    taskFiles: (gate) => ({ 'prd.json': PRD(`\`${gate}\` passes`) }),
    loopCodes: [0],
    // Its exit code is 0 in any case.
    accepts: ({ text }) => /Tasks:\s+1\/1 completed/.test(text),
    says: '"Tasks: 1/1 completed"',
  },
  {
    name: 'ralphy-cli',
    program: () => ['node', join(MODULES, 'ralphy-cli/bin.js')],
    runtime: ['node', '-e', '0'],
    loop: (many) => ['--json', 'tasks.json', '--max-iterations', String(many), '--fast', '--no-commit', '--retry-delay', '0'],
    files: (many) => ({ 'tasks.json': TASKS(many) }),
    task: ['fix it', '--max-retries', '4', '--retry-delay', '0'],
    taskFiles: (gate) => ({ '.ralphy/config.yaml': `project:\n  name: sum\ncommands:\n  test: ${JSON.stringify(gate)}\n` }),
    loopCodes: [0],
    accepts: ({ code }) => code === 0,
    says: 'exit 0',
  },
]

export const versionOf = ({ name }) => VERSIONS[name]

/** Words before a command that leave it no network but itself, and end with it whatever it leaves running; none where the system does not allow that. */
export function cutOff() {
  const ways = [['unshare', '-n', '-p', '-f', '--kill-child'], ['unshare', '-r', '-n', '-p', '-f', '--kill-child']].map((way) => [...way, 'sh', '-c', 'ip link set lo up 2>/dev/null; exec "$@"', 'sh'])
  return ways.find(([program, ...args]) => spawnSync(program, [...args, 'true']).status === 0) ?? []
}

/** The folder with the scripted `claude` comes first on the path. */
export function peerEnvironment(home, agents, more = {}) {
  const path = [agents, bunFolder(), process.env.PATH, join(process.execPath, '..')].join(':')
  return { PATH: path, HOME: home, LANG: 'C.UTF-8', TERM: 'dumb', CI: '1', DO_NOT_TRACK: '1', ...more }
}
