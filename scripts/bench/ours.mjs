// Our own command line and modules, as the benchmarks start and load them.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { root } from '../results.mjs'
import { bundleText } from '../source.mjs'

export const CLI = join(root, 'dist', 'greenlatch.cjs')

/** Nothing of the user's own environment but the path. */
export function environment(home, more = {}) {
  return { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', GREENLATCH_SANDBOX: 'none', ...more }
}

/** `run ooda`: an iteration asks an agent, and is in the journal before the next begins. */
export function oodaCommand({ iterations, agent, state, more = [] }) {
  return [process.execPath, CLI, 'run', 'ooda', '--fresh', '--max-iterations', String(iterations), '--ai-cmd', agent, '--state-dir', state, ...more]
}

/** What a durable iteration may take of the processor beside what it starts. */
export const MOST_ADDED_MILLISECONDS = 3

/** As long as that of a real iteration. */
export const PROMPT = 'x'.repeat(1700)

/**
 * What a runtime itself takes to start a process with a prompt on its standard input and wait for its end: no loop on it gets below.
 * `ballastMegabytes`: memory it holds meanwhile, which a fork has to copy the tables of.
 */
export function bareLoop(runtime, agent, many, ballastMegabytes = 0) {
  const script = `
    globalThis.ballast = Buffer.alloc(${Math.round(ballastMegabytes * 1e6)}, 1)
    const { spawn } = require('node:child_process')
    const next = (left) => {
      if (left === 0) return
      const child = spawn(${JSON.stringify(agent)}, [], { detached: true })
      child.stdin.on('error', () => {})
      child.stdin.end('x'.repeat(${PROMPT.length}))
      for (const stream of [child.stdout, child.stderr]) stream.resume()
      child.on('close', () => next(left - 1))
    }
    next(${many})`
  return [runtime, '-e', script]
}

/** The adapters as they are shipped, bundled beside the built files, whose grammars they need; gone when this process ends. Names are paths below src. */
export async function bundled(names) {
  const outfile = join(root, 'dist', `bench-${process.pid}-${made++}.mjs`)
  process.on('exit', () => rmSync(outfile, { force: true }))
  const contents = names.map((name) => `export * from './src/${name}.js'`).join('\n')
  await bundleText(contents, outfile)
  return outfile
}

let made = 0

/** A repository with these files and one commit. */
export function makeRepository(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const git = (...args) => execFileSync('git', ['-C', folder, ...args], { env: environment(folder), stdio: 'pipe' })
  git('init', '-q', '-b', 'main')
  for (const [key, value] of [['user.name', 'Someone'], ['user.email', 'someone@example.com']]) git('config', key, value)
  git('add', '-A')
  git('commit', '-qm', 'first')
  return folder
}

export function writeProgram(path, script) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}
