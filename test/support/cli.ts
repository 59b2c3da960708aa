// Runs the built CLI as a real process, in a temporary repository with a home and a state folder of its own.
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { blockIn } from '../../src/config/agents-file.js'
import { parseSettings } from '../../src/config/document.js'
import { executableOf, partsOf } from '../../src/config/executable.js'
import { repositoryRoot } from '../../src/config/locate.js'
import { checkSettings } from '../../src/config/schema.js'
import { writeGrant } from '../../src/config/trust-store.js'
import type { Event } from '../../src/core/types.js'
import type { JournalRecord } from '../../src/ports.js'

/** Another build can be tested by its path, such as that of an installed package. */
export const CLI = process.env['TEST_CLI'] ?? join(import.meta.dirname, '../../dist/greenlatch.cjs')

const PATIENCE_SECONDS = 40

export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

export type Options = {
  cwd?: string
  /** Added to a small clean environment. */
  env?: Record<string, string>
  /** Given whole and closed; without it there is nothing on standard input. */
  stdin?: string
  /** `none` leaves it to the test what is trusted; otherwise the settings of the repository are, as they stand when it starts. */
  trust?: 'none'
}

export type Started = {
  pid: number
  stdout(): string
  stderr(): string
  /** Resolves when a line of either stream fits; fails when the process ends without one. */
  says(pattern: RegExp): Promise<void>
  send(signal: NodeJS.Signals): void
  type(text: string): void
  ended: Promise<Ended>
}

export type Turn = { say?: string; write?: Record<string, string>; ending?: string; tokens?: number; sleepSeconds?: number }

export type Place = {
  root: string
  repo: string
  home: string
  state: string
  /** What the CLI finds in its environment here. */
  env: Record<string, string>
  run(args: readonly string[], options?: Options): Promise<Ended>
  start(args: readonly string[], options?: Options): Started
  /** With a terminal of its own on all three streams; both outputs come back as `stdout`. */
  startInTerminal(args: readonly string[], options?: Pick<Options, 'trust'>): Started
  /** A shell script outside the repository, for `--ai-cmd` or `--gate`; each start is noted in `starts`. */
  program(name: string, ...lines: string[]): string
  starts(name: string): number[]
  /** A script for the scripted agent, as the value of `--agent`. */
  scripted(turns: Turn[], after?: 'repeat' | 'stop'): string
  /** Writes a file of the repository. */
  write(path: string, text: string): void
  /** Text of a file in the place's root; empty when there is none. */
  read(path: string): string
  /** Folders of the sessions, oldest first. */
  sessions(): string[]
  /** The newest session's folder. */
  session(): string
  /** What `status --json` tells of it. */
  status(): Promise<Record<string, unknown>>
}

/** Everything in it is removed, and every process it started is ended, when the test is over, or when `whenOver` says so. */
export function makePlace(whenOver: (end: () => Promise<void>) => void = onTestFinished): Place {
  const root = fs.mkdtempSync(join(tmpdir(), 'greenlatch-e2e-'))
  const [repo, home, state] = [join(root, 'repo'), join(root, 'home'), join(root, 'state')]
  for (const folder of [join(repo, '.git'), home]) mkdirSync(folder, { recursive: true })
  const children: ChildProcess[] = []
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, GREENLATCH_STATE_HOME: state, GREENLATCH_SANDBOX: 'none', LANG: 'C.UTF-8', TZ: 'UTC' }
  const spawnHere = ([program = '', ...args]: readonly string[], options: Options): ChildProcess => {
    const child = spawn(program, args, { cwd: options.cwd ?? repo, env: { ...env, ...options.env }, stdio: 'pipe' })
    children.push(child)
    child.stdin?.on('error', () => {})
    return child
  }
  const start = (args: readonly string[], options: Options = {}): Started => {
    if (options.trust !== 'none') trustSettings(options.cwd ?? repo, { home, ...env, ...options.env })
    const child = spawnHere([process.execPath, CLI, ...args], options)
    child.stdin?.end(options.stdin ?? '')
    return follow(child)
  }
  const sessions = (): string[] => sessionsIn(state)
  whenOver(async () => {
    await endAll(children, root)
    fs.rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  })
  return {
    root, repo, home, state, env, start, sessions,
    run: (args, options) => start(args, options).ended,
    startInTerminal: (args, options = {}) => {
      if (options.trust !== 'none') trustSettings(repo, { home, ...env })
      return follow(spawnHere(terminal([process.execPath, CLI, ...args]), {}))
    },
    program: (name, ...lines) => writeProgram(root, name, lines.join('\n')),
    starts: (name) => textOf(join(root, `${name}.starts`)).split('\n').filter(Boolean).map(Number),
    scripted: (turns, after = 'repeat') => {
      writeFileSync(join(root, 'script.json'), JSON.stringify({ turns, after }))
      return `scripted:${join(root, 'script.json')}`
    },
    write: (path, text) => {
      mkdirSync(dirname(join(repo, path)), { recursive: true })
      writeFileSync(join(repo, path), text)
    },
    read: (path) => textOf(join(root, path)),
    session: () => sessions().at(-1) ?? '',
    status: async () => JSON.parse((await start(['status', '--json']).ended).stdout) as Record<string, unknown>,
  }
}

/** The grant that `greenlatch trust grant` would write, by the same functions and without a process. */
export function trustSettings(cwd: string, { home, ...env }: { home: string } & Record<string, string>): void {
  const root = repositoryRoot(cwd)
  const declared = blockOf(textOf(join(root, 'AGENTS.md')))
  const parts = [declared, textOf(join(root, 'greenlatch.yaml'))].map((text) => {
    const checked = checkSettings(parseSettings(text).value ?? {})
    return 'layer' in checked ? partsOf(checked.layer, { root, base: root, home }) : {}
  })
  const executable = executableOf(Object.assign({}, ...parts), [])
  if (executable) writeGrant(root, executable, { env, home })
}

function blockOf(text: string): string {
  try {
    return blockIn(text) ?? ''
  } catch {
    return ''
  }
}

function textOf(path: string): string {
  return existsSync(path) && fs.statSync(path).isFile() ? readFileSync(path, 'utf8') : ''
}

function writeProgram(root: string, name: string, script: string): string {
  const path = join(root, name)
  writeFileSync(path, `#!/bin/sh\nROOT='${root}'\necho $$ >> '${path}.starts'\n${script}\n`)
  fs.chmodSync(path, 0o755)
  return path
}

function sessionsIn(state: string): string[] {
  if (!existsSync(state)) return []
  const folders = readdirSync(state).map((repository) => join(state, repository, 'sessions')).filter((folder) => existsSync(folder))
  const paths = folders.flatMap((folder) => readdirSync(folder).map((id) => join(folder, id)))
  return paths.filter((path) => existsSync(join(path, 'journal.jsonl'))).toSorted()
}

function terminal(argv: readonly string[]): string[] {
  const quoted = argv.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')
  return ['script', '--quiet', '--return', '--echo', 'never', '--command', quoted, '/dev/null']
}

function follow(child: ChildProcess): Started {
  const text = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (chunk: string) => (text[stream] += chunk))
  }
  let over: Ended | null = null
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve((over = { code, signal, ...text })))
  })
  return {
    pid: child.pid ?? 0,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    says: (pattern) =>
      until(`a line like ${pattern}`, () => {
        if (pattern.test(text.stderr) || pattern.test(text.stdout)) return true
        if (over) throw new Error(`ended with ${over.code} before it said ${pattern}:\n${text.stderr}${text.stdout}`)
        return false
      }).then(() => {}),
    send: (signal) => void child.kill(signal),
    type: (typed) => void child.stdin?.write(typed),
    ended,
  }
}

/** Looks again and again until there is something; fails after a long while and says what was missed. */
export async function until<T>(what: string, look: () => T | null | undefined | false): Promise<T> {
  for (const deadline = Date.now() + PATIENCE_SECONDS * 1000; Date.now() < deadline; ) {
    const found = look()
    if (found !== null && found !== undefined && found !== false) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`waited ${PATIENCE_SECONDS} s in vain for ${what}`)
}

/** Whether a process is there; one that has ended and was not collected yet is not. */
export function isAlive(pid: number): boolean {
  const status = textOfProcess(pid, 'status')
  return status !== '' && !/^State:\s+[ZX]/m.test(status)
}

/** Both are there before it can do anything about either: a process that is stopped takes them one after the other when it goes on. */
export async function sendTogether(pid: number, ...signals: readonly [NodeJS.Signals, NodeJS.Signals]): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  await until('the process to stand still', () => /^State:\s+T/m.test(textOfProcess(pid, 'status')))
  for (const signal of [...signals, 'SIGCONT'] as const) process.kill(pid, signal)
}

function textOfProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

async function endAll(children: readonly ChildProcess[], root: string): Promise<void> {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  // What they started, and what was typed in a terminal, may go on and write here.
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number)
  for (const pid of pids.filter((each) => textOfProcess(each, 'cmdline').includes(root) || textOfProcess(each, 'environ').includes(root))) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Gone by itself meanwhile.
    }
  }
}

// ───────────────────────────── what is on disk ─────────────────────────────

export function recordsOf(folder: string): JournalRecord[] {
  return textOf(join(folder, 'journal.jsonl')).split('\n').filter(Boolean).map((line) => JSON.parse(line) as JournalRecord)
}

export function eventsOf(folder: string): Event[] {
  return recordsOf(folder).flatMap((record) => record.events)
}

/** Path → hash of every file below, links and folders included; empty when there is no such folder. */
export function hashesOf(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {}
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  return Object.fromEntries(paths.map((path) => [path, hashOf(join(folder, path))]))
}

function hashOf(path: string): string {
  return fs.lstatSync(path).isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'not a file'
}

/** Progress lines without their time of day. */
export function linesOf(stderr: string): string[] {
  return stderr.trim().split('\n').map((line) => line.replace(/^\[\d\d:\d\d:\d\d\] /, ''))
}

/** Lets a program that waits for this file go on. */
export function letGo(place: Place, name: string): void {
  appendFileSync(join(place.root, name), 'go\n')
}
