// Commands that CONTRIBUTING.md names for this repository, each with words behind it: too long to run here, and held against what is there.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './blocks.js'

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const SUITES = new Set(Array.from(readFileSync(join(ROOT, 'scripts/test.mjs'), 'utf8').matchAll(/^ {2}\{ name: '([\w-]+)'/gm), ([, name = '']) => name))

/** Those that could not be typed; what stands behind two spaces says what a command does. */
export function missingCommands(text: string): string[] {
  return text.split('\n').map((line) => line.replace(/ {2,}.*$/, '')).filter((command) => command !== '' && !isThere(command))
}

function isThere(command: string): boolean {
  const [, script] = /^npm run ([\w:-]+)$/.exec(command) ?? []
  if (script !== undefined) return Object.hasOwn(scripts, script)
  const [, suites] = /^npm test -- --only (\S+)$/.exec(command) ?? []
  if (suites !== undefined) return suites.split(',').every((suite) => SUITES.has(suite))
  const [, path] = /^(?:npx vitest run )?([\w.-]+\/[\w./-]+)$/.exec(command) ?? []
  return path === undefined ? command === 'npm install' || (command === 'npm test' && Object.hasOwn(scripts, 'test')) : existsSync(join(ROOT, path))
}
