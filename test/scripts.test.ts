// The project's own commands: what measures and draws is run here in small, so that it is not found broken on the day it is wanted.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const WITH_FLAGS = ['test:faults', 'test:power', 'test:nodes', 'test:clean-room', 'reliability', 'hostile', 'conformance', 'bench', 'bench:fleet', 'bench:page', 'fingerprints', 'simulate', 'screenshots']

function start(command: string, ...args: readonly string[]): { code: number | null; stdout: string; stderr: string } {
  const [program = '', ...words] = scripts[command]?.split(' ') ?? []
  const { status, stdout, stderr } = spawnSync(program, [...words, ...args], { cwd: ROOT, encoding: 'utf8' })
  return { code: status, stdout, stderr }
}

describe('a command of the project', () => {
  it.each(WITH_FLAGS)('%s tells with --help how it is typed', (command) => {
    const { code, stdout, stderr } = start(command, '--help')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(new RegExp(`^usage: npm run ${command} -- \\[flags\\]\\n(  --\\w+.*\\n)+$`))
  })

  it.each(WITH_FLAGS)('%s answers a flag that it does not know in one line, with how it is typed', (command) => {
    const { code, stdout, stderr } = start(command, '--nonsense')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(new RegExp(`^Unknown option '--nonsense'\\nusage: npm run ${command} `))
  })

  it.each([['test:faults', '--only', 'nothing'], ['reliability', '--seed', '-1'], ['reliability', '--seed', 'x'], ['hostile', '--only', 'angels'], ['bench', '--only', 'all'], ['test:power', '--disk', 'zip']])('%s %s %s is answered in one line', (command, flag, value) => {
    const { code, stdout, stderr } = start(command, `${flag}=${value}`)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(new RegExp(`^${flag}: .+\\n$`))
  })
})

describe('what is measured and drawn for the documents', () => {
  it.each([['bench:page', '--quick', /^# Page and screen: figures$/m], ['bench:fleet', '--quick', /^\| 2 \| \d+ \| 1\.00 \|/m], ['screenshots', '--check', /^report-dark\.png: \d+ bytes$/m]])('%s can be made anew', (command, small, told) => {
    const { code, stdout, stderr } = start(command, small)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(told)
  }, 180_000)
})
