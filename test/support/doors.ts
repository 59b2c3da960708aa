// Bad input at every door, in this process: each knock is answered, or refused in one clear line; anything else is a fault.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openInbox } from '../../src/adapters/inbox/files.js'
import { openFolder } from '../../src/adapters/journal/folder.js'
import { main } from '../../src/cli/program.js'
import { loadConfig } from '../../src/config/load.js'
import type { AskPhase, Effect, Session } from '../../src/core/types.js'
import { Refusal } from '../../src/errors.js'
import { writeFiles } from '../../src/files/write-files.js'
import { randomFrom, type Random } from '../../src/simulate/random.js'
import { readReply } from '../../src/text/reply/read-reply.js'
import { openHttpDoor } from './door-http.js'
import { HOSTILE } from './hostile-paths.js'

/** Null when it was answered as it should be, else what was wrong. */
type Knock = (random: Random) => Promise<string | null>
type Door = { name: string; knock: Knock }

const WORDS = ['gates', 'agents', 'agent', 'run', 'name', 'procedures', 'phases', 'on', 'budget', 'iterations', 'limits', 'scope', 'allow', 'permit', 'stateDir', 'roles', '__proto__', 'constructor', 'x']
const PIECES = [': ', ':', '- ', '\n', '\n  ', '\t', '[', ']', '{', '}', ',', '"', "'", '&a ', '*a', '!!js ', '|', '>', '#', '---\n', '\ufeff', '\0', '\u202e', '\r\n', '1e999', 'null', 'true', '-1', 'a'.repeat(500)]
const REPLIES = ['=== FILE ', '../../x', '/etc/passwd', ' ===\n', '=== END ===\n', '```json\n', '```\n', '{"decision":', '"complete"', 'VERDICT: PASS', 'VERDICT: FAIL', '\n', '<<<<<<< SEARCH\n', '=======\n', '>>>>>>> REPLACE\n', '{{{', ']]', '\0', '\u001b[2J', 'null', '- [ ] ', '# ', '$(rm -rf x)', 'a'.repeat(3000)]
const COMMANDS = ['status', 'sessions', 'logs', 'explain', 'diff', 'config', 'procedures', 'schema', 'path', 'hint', 'pause', 'stop', 'clean', 'undo', 'redo', 'replay', 'backtest', 'report', 'verify', 'completion', 'repair', 'reply', 'minimise', 'accept', 'help']
const FLAGS = ['--json', '--output', 'xml', '--iter', '-1', '99999999999999999999', '--to', '', '--nonsense', '--file', '/dev/null/x', '-C', '.', '--dry-run', '--yes', '--fingerprint', 'é\u0000', '../..', '--', '--ui', 'none', '--config', '/no/such.yaml', '--state-dir', '\u001b[31m', 'last..first', '%s%n', '--set-aside', 'x'.repeat(5000), '-q', '--help']

const some = (random: Random, from: readonly string[], most: number): string[] => Array.from({ length: 1 + random.below(most) }, () => random.pick(from))
const bytes = (random: Random, most: number): Buffer => Buffer.from(Array.from({ length: random.below(most) }, () => random.below(256)))

/** One line that says what is wrong, the next thing to type, and nothing that a terminal would obey. */
function faultOf(error: unknown, codes: readonly number[]): string | null {
  if (!(error instanceof Refusal)) return `threw ${error instanceof Error ? error.stack : String(error)}`
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/.test(error.message)) return `a message with control characters: ${JSON.stringify(error.message)}`
  if (error.next === '') return `no next command: ${error.message}`
  return codes.includes(error.code) ? null : `exit ${error.code}: ${error.message}`
}

async function refusedOr(work: () => unknown, codes: readonly number[]): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    return faultOf(error, codes)
  }
}

async function openDoors(): Promise<{ doors: Door[]; close: () => Promise<void> }> {
  const root = mkdtempSync(join(tmpdir(), 'greenlatch-doors-'))
  const repo = join(root, 'repo')
  for (const folder of ['repo/.git', 'home', 'session/inbox', 'inside', 'outside']) mkdirSync(join(root, folder), { recursive: true })
  rmSync(join(repo, '.git'), { recursive: true })
  execFileSync('git', ['init', '-q', repo])
  const load = (env: Record<string, string>): Promise<unknown> => loadConfig({ cwd: repo, env, home: join(root, 'home'), flags: {} })
  const http = await openHttpDoor(repo, join(root, 'served'))
  const doors: Door[] = [
    { name: 'settings', knock: (random) => refusedOr(() => settings(repo, random, load), [2]) },
    { name: 'environment', knock: (random) => refusedOr(() => load(variables(random)), [2, 10]) },
    { name: 'reply of a model', knock: (random) => refusedOr(() => reply(random), []) },
    { name: 'inbox', knock: (random) => refusedOr(() => message(join(root, 'session'), random), [10]) },
    { name: 'names of files', knock: (random) => refusedOr(() => fileName(join(root, 'inside'), random), [6, 10]) },
    { name: 'arguments', knock: (random) => commandLine(root, random) },
    { name: 'requests to serve', knock: http.knock },
  ]
  const close = async (): Promise<void> => {
    await http.close()
    rmSync(root, { recursive: true, force: true })
  }
  return { doors, close }
}

function settings(repo: string, random: Random, load: (env: Record<string, string>) => Promise<unknown>): Promise<unknown> {
  const text = random.chance(0.2) ? bytes(random, 300) : Array.from({ length: random.below(40) }, () => random.pick(random.chance(0.5) ? WORDS : PIECES)).join('')
  writeFileSync(join(repo, 'greenlatch.yaml'), text)
  return load({}).finally(() => rmSync(join(repo, 'greenlatch.yaml')))
}

function variables(random: Random): Record<string, string> {
  const names = ['GREENLATCH_STATE_HOME', 'GREENLATCH_AGENT', 'GREENLATCH_MAX_ITERATIONS', 'GREENLATCH_MAX_TIME', 'GREENLATCH_CONFIG', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'HOME', 'NO_COLOR', 'TERM', 'LANG', 'GREENLATCH_NONSENSE']
  return Object.fromEntries(some(random, names, 4).map((name) => [name, some(random, [...PIECES, '/no/such', '-1', '\u001b', '1h', ''], 3).join('').replaceAll('\0', '')]))
}

const YIELDS = ['plan', 'candidate', 'review', 'tests', 'amendment', 'response'] as const

function reply(random: Random): void {
  const yields = random.pick(YIELDS)
  const phase: AskPhase = { kind: 'ask', role: 'any', prompt: [], on: {}, yields }
  const session = { procedure: { phases: { now: phase }, policies: {} }, retries: 0 } as unknown as Session
  const effect = { kind: 'ask', phase: 'now', yields, base: 'iteration-1/now', iteration: 1, plan: 1 } as Extract<Effect, { kind: 'ask' }>
  const text = random.chance(0.2) ? bytes(random, 4000).toString('utf8') : some(random, REPLIES, 30).join('')
  const reading = readReply(session, effect, text, { kept: () => undefined, inText: true, current: () => null })
  if (!['pass', 'fail', 'error', 'cancelled'].includes(reading.verdict)) throw new Error(`a verdict that there is not: ${reading.verdict}`)
}

function message(folder: string, random: Random): void {
  const names = ['0000000000001-a.json', '9999999999999-b.json', 'x', '.hidden', '0000000000001-a.json.tmp', '0000000000002-ü.json']
  const texts = ['', 'null', '[]', '{', '{"kind":"stop"}', '{"id":"a","at":-1,"kind":"pause"}', '{"id":"a","at":"soon","kind":"hint","text":7}', `{"kind":"hint","text":"${'x'.repeat(100_000)}"}`, '\0\0\0', '{"__proto__":{"kind":"stop"}}']
  writeFileSync(join(folder, 'inbox', random.pick(names)), random.chance(0.2) ? bytes(random, 200) : random.pick(texts))
  const inbox = openInbox(folder)
  inbox.peek()
  for (const each of inbox.take().messages) inbox.done(each)
}

async function fileName(folder: string, random: Random): Promise<void> {
  const path = random.chance(0.7) ? random.pick(HOSTILE) : some(random, ['..', '/', 'a', '.git', '\\', ':', ' ', '.', '\0', 'CON', 'é', '\u202e', 'x'.repeat(300)], 5).join('')
  await writeFiles(folder, [{ path, text: 'x' }])
  openFolder(folder).has(path)
}

/** The whole command line, with what it prints caught: no stack, no crash, and a code that there is. */
async function commandLine(root: string, random: Random): Promise<string | null> {
  const words = [random.pick(COMMANDS), ...Array.from({ length: random.below(5) }, () => random.pick(FLAGS))].map((word) => word.replaceAll('\0', ''))
  const printed: string[] = []
  const [out, err] = [process.stdout.write, process.stderr.write]
  const before = { cwd: process.cwd(), env: { ...process.env } }
  const take = (text: string | Uint8Array, ...rest: unknown[]): boolean => {
    printed.push(String(text))
    for (const done of rest) if (typeof done === 'function') done()
    return true
  }
  process.stdout.write = take as never
  process.stderr.write = take as never
  process.chdir(join(root, 'repo'))
  Object.assign(process.env, { GREENLATCH_STATE_HOME: join(root, 'state'), HOME: join(root, 'home') })
  try {
    const code = await main(['node', 'greenlatch', ...words, '--no-input'], '0.0.0')
    const text = printed.join('')
    if (/^ {4}at /m.test(text)) return `a stack trace for ${JSON.stringify(words)}: ${text.slice(0, 300)}`
    return [0, 1, 2, 5, 6, 7, 8, 9, 10, 11].includes(code) ? null : `exit ${code} for ${JSON.stringify(words)}`
  } catch (error) {
    return `threw for ${JSON.stringify(words)}: ${error instanceof Error ? error.stack : String(error)}`
  } finally {
    process.stdout.write = out
    process.stderr.write = err
    process.chdir(before.cwd)
    for (const name of ['GREENLATCH_STATE_HOME', 'HOME']) if (before.env[name] === undefined) delete process.env[name]
    else process.env[name] = before.env[name]
  }
}

export type Knocked = { name: string; knocks: number; faults: string[] }

/** So many knocks at each door, from a seed; a fault names its own. */
export async function knockEverywhere(each: number, seed: number): Promise<Knocked[]> {
  const { doors, close } = await openDoors()
  try {
    const results: Knocked[] = []
    for (const { name, knock } of doors) {
      const faults: string[] = []
      for (let at = 0; at < each; at += 1) {
        const fault = await knock(randomFrom(seed + at))
        if (fault !== null) faults.push(`${name}, seed ${seed + at}: ${fault}`)
      }
      results.push({ name, knocks: each, faults })
    }
    return results
  } finally {
    await close()
  }
}
