// Settings that the documents show, tried: a run with them is planned without doing anything, and what they name as commands is run.
import { spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { CLI, trustSettings } from '../cli.js'
import { placeOf, type Block } from './blocks.js'
import { makeSample, write, writeProgram, type Sample } from './sample.js'

type Command = string | [string, ...string[]]
type Shown = {
  gates?: { run: Command; cwd?: string }[]
  hooks?: Record<string, { run: Command }>
  notify?: { command?: Command }
  agents?: Record<string, { command?: [string, ...string[]] }>
  procedures?: Record<string, object>
  prompts?: object
}
export type Ground = Sample & { session: string }
type Ended = { code: number | null; printed: string }

const SCRIPTS = { lint: 'node --check src/add.js', test: 'node --test', 'test:integration': 'node --test' }
/** Keys that the settings name, which a user would have. */
const KEYS = { MY_KEY: 'x', MODELS_KEY: 'x' }

/** A repository with all that settings of the pages speak of, its checks green, and one session that has ended. */
export async function makeGround(): Promise<Ground> {
  const sample = await makeSample()
  const { repo, root, env } = sample
  const files = { 'src/add.js': 'export const add = (a, b) => a + b\n', 'package.json': `${JSON.stringify({ name: 'adder', private: true, type: 'module', scripts: SCRIPTS }, null, 2)}\n`, 'docs/conventions.md': 'Plain words.\n' }
  for (const folder of ['.', 'packages/api']) for (const [path, text] of Object.entries(files)) write(join(repo, folder, path), text)
  writeProgram(join(repo, 'tools/board'), '[ "$*" = --from-stdin ]')
  writeProgram(join(repo, 'tools/agent.sh'), 'exec my-agent')
  writeProgram(join(root, 'bin/notify-desktop'), '[ $# = 0 ]')
  writeProgram(join(root, 'bin/notify-send'), '[ "$1" = Greenlatch ] && [ -n "$2" ] && [ $# = 2 ]')
  write(join(root, 'script.json'), '{ "turns": [{ "say": "done" }] }')
  const ended = await start([process.execPath, CLI, 'run', 'ooda', 'look', '--max-iterations', '1', '--agent', `scripted:${join(root, 'script.json')}`, '--dirty', 'ignore', '--json'], repo, env)
  const { session } = JSON.parse(/^\{.*\}$/ms.exec(ended.printed)?.[0] ?? '{}') as { session: string }
  return { ...sample, session, env: { ...env, ...KEYS } }
}

type Tried = { argv: readonly string[]; cwd: string; env: Record<string, string> }

/** A line for each thing in the settings that does not work. */
export async function settingsFaults(block: Block, ground: Ground): Promise<string[]> {
  const cwd = `${ground.repo}-${placeOf(block).replaceAll(/\W/g, '-')}`
  cpSync(ground.repo, cwd, { recursive: true })
  write(join(cwd, 'greenlatch.yaml'), block.text)
  trustSettings(cwd, { ...ground.env, home: ground.env['HOME'] ?? '' })
  const shown = parse(block.text) as Shown
  const faults: string[] = []
  for (const { argv, ...where } of [...plansOf(shown, cwd, ground.env), ...commandsOf(shown, cwd, ground)]) {
    const { code, printed } = await start(argv, where.cwd, where.env)
    if (code !== 0) faults.push(`${placeOf(block)}: "${argv.join(' ')}" ended with ${code}: ${printed}`)
  }
  return faults
}

/** Texts for the four parts of a prompt are put into those of `ooda`. */
function plansOf({ procedures, prompts, gates }: Shown, cwd: string, env: Record<string, string>): Tried[] {
  const more = gates ? [] : ['--gate', 'npm test']
  const names = procedures ? Object.keys(procedures) : [prompts ? 'ooda' : 'converge']
  return names.map((name) => ({ argv: ['greenlatch', 'run', name, 'mend it', '--dry-run', '--no-input', '--dirty', 'ignore', ...more], cwd, env }))
}

/** Who is told of a session is told in the repository that it belongs to. */
function commandsOf({ gates = [], agents = {}, hooks = {}, notify = {} }: Shown, cwd: string, { repo, env, session }: Ground): Tried[] {
  const argvOf = (command: Command): readonly string[] => (typeof command === 'string' ? ['sh', '-c', command] : command)
  const told = [...Object.values(hooks).map(({ run }) => run), ...(notify.command ? [notify.command] : [])]
  const news = { GREENLATCH_SESSION: session, GREENLATCH_NOTE: 'converge needs you', GREENLATCH_EVENT: 'stopped' }
  return [
    ...gates.map((gate) => ({ argv: argvOf(gate.run), cwd: join(cwd, gate.cwd ?? '.'), env })),
    ...Object.values(agents).flatMap(({ command }) => (command ? [{ argv: command, cwd, env }] : [])),
    ...told.map((command) => ({ argv: argvOf(command), cwd: repo, env: { ...env, ...news } })),
  ]
}

function start([program = '', ...args]: readonly string[], cwd: string, env: Record<string, string>): Promise<Ended> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk))
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, printed: error.message }))
    child.once('close', (code) => resolve({ code, printed }))
  })
}
