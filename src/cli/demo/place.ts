// The folder that a demo happens in: the bundled repository, its settings, and everything that would else be written elsewhere.
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EXIT, Refusal } from '../../errors.js'
import { makeFolder, printable, stateRefusal } from '../../files/durable.js'
import { lookAtNew } from '../../files/look.js'
import { git, type Repository } from '../../git/git.js'
import { gitProgram } from '../../git/program.js'
import type { Files, Scenario } from './scenarios.js'

/** `again`: what to type where a folder cannot be used. */
export type DemoPlace = { folder: string; repository: string; again: string }

/** Failed before anything was begun, and is nobody's task here. */
const EXCUSED = 'test/price.test.js::a refund gives the price back'

export async function makePlace(name: string, scenario: Scenario, into: string | undefined, cwd: string): Promise<DemoPlace> {
  const again = into === undefined ? `greenlatch demo ${name} --into <new folder>` : `greenlatch demo ${name}`
  if (into?.trim() === '') throw new Refusal(EXIT.usage, '--into: the name of the folder is empty', again)
  await gitProgram()
  const folder = into === undefined ? temporaryFolder(again) : emptyFolder(resolve(cwd, into), again)
  const repository = join(folder, 'shop')
  const shop = shopFiles()
  writeFiles(repository, { ...shop, ...scenario.adds, 'greenlatch.yaml': settingsOf(scenario) }, again)
  if (scenario.script) writeFiles(folder, { 'agent.json': JSON.stringify({ turns: scenario.script(shop) }, null, 2) }, again)
  if (scenario.answer) writeFiles(folder, { 'answer.md': scenario.answer(shop) }, again)
  await commitAll(repository)
  return { folder, repository, again }
}

function settingsOf({ settings }: Scenario): string {
  const gates = ['gates:', '  - { name: tests, run: node --test }', 'excuse:', `  - '${EXCUSED}'`]
  return [...settings, ...gates, '# Sessions are kept beside the shop, so that the demo leaves nothing anywhere else.', 'stateDir: ../state', ''].join('\n')
}

// ───────────────────────────── folders ─────────────────────────────

function temporaryFolder(again: string): string {
  try {
    return realpathSync(mkdtempSync(join(tmpdir(), 'greenlatch-demo-')))
  } catch (error) {
    throw stateRefusal(error, tmpdir(), again)
  }
}

/** Made when it is not there. What holds anything is somebody's. */
function emptyFolder(path: string, again: string): string {
  const entry = lookAtNew(path, again)
  if (entry && !entry.isDirectory()) throw new Refusal(EXIT.usage, `--into: ${printable(path)} is no folder`, again)
  if (entry && readdirSync(path).length > 0) throw new Refusal(EXIT.usage, `--into: ${printable(path)} is not empty, and a demo needs a folder of its own`, again)
  makeFolder(path, again)
  return realpathSync(path)
}

function writeFiles(folder: string, files: Files, again: string): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    makeFolder(dirname(file), again)
    try {
      writeFileSync(file, text)
    } catch (error) {
      throw stateRefusal(error, file, again)
    }
  }
}

/** The bundled repository, in the package or among the sources. Packages carry no `.gitignore`, so it has another name there. */
function shopFiles(): Files {
  const places = ['./shop', './demo/shop', '../demo/shop'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
  const root = places.find((path) => existsSync(path))
  if (root === undefined) throw new Error('the shop of the demo is missing from the installed package')
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted()
  return Object.fromEntries(paths.map((path) => [path.slice(root.length + 1).replace(/^gitignore$/, '.gitignore'), readFileSync(path, 'utf8')]))
}

/** With a name of its own, so that a result can be accepted on a machine where git knows nobody. */
async function commitAll(workTree: string): Promise<void> {
  const repository: Repository = { gitDir: join(workTree, '.git'), workTree, config: 'ours' }
  await git(repository, ['init', '--quiet', '--initial-branch=main'])
  await git(repository, ['config', 'user.name', 'Demo'])
  await git(repository, ['config', 'user.email', 'demo@example.org'])
  await git(repository, ['add', '--', '.'])
  await git(repository, ['commit', '--quiet', '--message', 'A shop with bugs'])
}

// ───────────────────────────── the environment ─────────────────────────────

/** Neither settings of the user nor their folders: what is temporary goes into the demo too. Returns what takes that away again. */
export function stayInside({ folder, again }: DemoPlace): () => void {
  const temporary = join(folder, 'tmp')
  makeFolder(temporary, again)
  for (const name of Object.keys(process.env)) if (name.startsWith('GREENLATCH_') && name !== 'GREENLATCH_DEBUG') delete process.env[name]
  Object.assign(process.env, {
    TMPDIR: temporary,
    XDG_CONFIG_HOME: join(folder, 'no-settings'),
    GREENLATCH_STATE_HOME: join(folder, 'state'),
    // The tests run on the Node that runs this.
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
  })
  return () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 })
}
