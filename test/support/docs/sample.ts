// The repository that transcripts of the documents are run in: one failing test, agents that are scripted, a home of its own.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { LOGIN_VARIABLES } from '../../../src/agent-entry.js'
import { cliSpeeches, plainSpeech, startModelServer, type Speech } from '../../../src/testing/index.js'
import { CLI } from '../cli.js'
import { ROOT } from './blocks.js'

export type Sample = { root: string; repo: string; env: Record<string, string>; model: { url: string; close(): Promise<void> }; close(): Promise<void> }

const FILES: Record<string, string> = {
  'package.json': `${JSON.stringify({ name: 'adder', private: true, type: 'module', scripts: { test: 'node --test', lint: 'node --check src/add.js' } }, null, 2)}\n`,
  'src/add.js': 'export const add = (a, b) => a - b\n',
  'test/add.test.js': "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { add } from '../src/add.js'\n\ntest('adds', () => assert.equal(add(2, 3), 5))\n",
  'README.md': '# adder\n',
}
/** Starts a script of package.json as npm does, which itself takes longer to start than the tests; all else is npm's own. */
const NPM = String.raw`case "$1" in test) name=test ;; run) name=$2 ;; esac
script=$(sed -n "s/^ *\"$name\": \"\(.*\)\",*$/\1/p" package.json 2> /dev/null)
[ -n "$script" ] || { PATH='${process.env['PATH'] ?? ''}'; exec npm "$@"; }
printf '\n> %s\n> %s\n\n' "$name" "$script"
exec sh -c "$script"`
const MENDED = 'export const add = (a, b) => a + b\n'
const CHANGE = `[ ! -f src/add.js ] || printf '%s' '${MENDED}' > src/add.js\n`

/** `$AGENT` is the script by which every agent changes files; a page may write another one. */
export async function makeSample(): Promise<Sample> {
  const root = mkdtempSync(join(tmpdir(), 'greenlatch-docs-'))
  const home = join(root, 'home/you')
  const [repo, bin, agent] = [join(home, 'adder'), join(root, 'bin'), join(root, 'agent.sh')]
  for (const [path, text] of Object.entries(FILES)) write(join(repo, path), text)
  write(join(home, '.gitconfig'), '[user]\n\tname = You\n\temail = you@example.com\n[init]\n\tdefaultBranch = main\n')
  write(agent, CHANGE)
  mkdirSync(join(home, 'node_modules'))
  symlinkSync(ROOT, join(home, 'node_modules/greenlatch'))
  writeProgram(join(bin, 'greenlatch'), `exec '${process.execPath}' '${CLI}' "$@"`)
  writeProgram(join(bin, 'npm'), NPM)
  for (const [name, speech] of Object.entries({ ...cliSpeeches, 'my-agent': plainSpeech })) writeProgram(join(bin, name), agentScript(speech, agent))
  const logins = Object.fromEntries(Object.values(LOGIN_VARIABLES).flatMap(([first]) => (first === undefined ? [] : [[first, 'not-a-real-key']])))
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: home, AGENT: agent, GREENLATCH_SANDBOX: 'none', IS_SANDBOX: '1', LANG: 'C.UTF-8', TZ: 'UTC', ...logins }
  for (const args of [['init', '-q', '-b', 'main'], ['add', '-A'], ['commit', '-qm', 'first']]) execFileSync('git', args, { cwd: repo, env })
  const model = await startModelServer({ script: { client: 'chat', turns: [{ text: `=== FILE src/add.js ===\n${MENDED}=== END ===\n` }] } })
  const close = async (): Promise<void> => {
    await model.close()
    if (existsSync(join(home, '.local/state/greenlatch/fleet'))) spawnSync('greenlatch', ['fleet', 'up', '--stop'], { cwd: repo, env })
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
  return { root, repo, env, model, close }
}

export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

export function writeProgram(path: string, script: string): void {
  write(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
}

/** Speaks as the program of that name does, and costs no process of ours. */
function agentScript({ begins, succeeds }: Speech, change: string): string {
  const said = (lines: readonly string[]): string => lines.map((line) => `printf '%s\\n' '${line.replaceAll("'", String.raw`'\''`)}'`).join('\n')
  return `[ "$1" = --version ] && { echo 1.0.0; exit 0; }\ncat > /dev/null\n${said(begins)}\nsh '${change}'\n${said(succeeds('I changed what was wrong.\nPASS').out ?? [])}`
}
