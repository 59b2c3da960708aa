// A place for `tdd`: a repository, one script for each role in the grammar of replies, and what the agents were told.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rebuild, type Session } from '../../src/core/index.js'
import { eventsOf, makePlace, type Ended, type Place, type Turn } from './cli.js'

export type Role = 'planner' | 'implementer' | 'auditor' | 'reviewer' | 'consultant'
export type Replies = Partial<Record<Role, readonly (string | Turn)[]>>

export type TddPlace = Place & {
  git(...args: string[]): string
  /** Runs `tdd` with a script for each role; a role that is not there repeats what does no harm. */
  tdd(replies: Replies, args?: readonly string[], settings?: string): Promise<Ended>
  /** A file of the newest session's folder; empty when there is none. */
  file(path: string): string
  /** The newest session, as its journal tells it. */
  now(): Session
}

const HARMLESS: Replies = {
  auditor: ['{"tests_correct": true, "issues": []}'],
  reviewer: ['{"diagnosis": "look again", "plan": []}'],
}

export function tddPlace(files: Readonly<Record<string, string>> = { 'README.md': 'a place\n' }): TddPlace {
  const place = makePlace()
  const git = (...args: string[]): string => {
    const who = ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.com']
    return execFileSync('git', [...who, ...args], { cwd: place.repo, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  }
  git('init', '-q', '-b', 'main')
  for (const [path, text] of Object.entries(files)) place.write(path, text)
  git('add', '-A')
  git('commit', '-qm', 'first')
  const settingsPath = join(place.root, 'settings.yaml')
  return {
    ...place,
    git,
    tdd(replies, args = [], settings = '') {
      const all = Object.entries({ ...HARMLESS, ...replies })
      for (const [role, turns] of all) writeFileSync(join(place.root, `${role}.json`), JSON.stringify({ turns: turns.map(turnOf) }))
      const agents = all.map(([role]) => `  ${role}: { script: ${join(place.root, `${role}.json`)}, replies: text }\n`).join('')
      const roles = all.map(([role]) => `${role}: ${role}`).join(', ')
      writeFileSync(settingsPath, `agents:\n${agents}agent: { ${roles} }\n${settings}`)
      return place.run(['run', 'tdd', '--config', settingsPath, '--fresh', ...args])
    },
    file(path) {
      const whole = join(place.session(), path)
      return existsSync(whole) ? readFileSync(whole, 'utf8') : ''
    },
    now: () => rebuild(eventsOf(place.session())),
  }
}

function turnOf(turn: string | Turn): Turn {
  return typeof turn === 'string' ? { say: turn } : turn
}

export function fileBlock(path: string, text: string): string {
  return `=== FILE ${path} ===\n${text}\n=== END ===\n`
}

/** A plan in JSON that brings these tests and changes these files. */
export function planOf(tests: Readonly<Record<string, string>>, ...files: string[]): string {
  const plan = files.map((path) => ({ path, change: `write ${path}` }))
  return JSON.stringify({ tests: Object.entries(tests).map(([path, content]) => ({ path, content })), plan })
}

export function auditOf(tests: Readonly<Record<string, string>>, ...issues: string[]): string {
  return JSON.stringify({ tests_correct: false, issues, tests: Object.entries(tests).map(([path, content]) => ({ path, content })) })
}

/** Tests of a module `src/ab.mjs` by node's own runner: name → what has to hold. */
export function nodeTests(cases: Readonly<Record<string, string>>, from = '../src/ab.mjs'): string {
  const tests = Object.entries(cases).map(([name, holds]) => `test('${name}', () => { assert.ok(${holds}) })\n`)
  return `import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport * as ab from '${from}'\n${tests.join('')}`
}
