// Proves that a process started in the background goes on by itself and writes to its log.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { Refusal } from '../errors.js'
import { startBackground } from './background.js'

const folder = mkdtempSync(join(tmpdir(), 'greenlatch-background-'))

afterAll(() => rmSync(folder, { recursive: true }))

describe('startBackground', () => {
  it('returns the id of a process in a session of its own, whose output goes to the log.', async () => {
    const logPath = join(folder, 'new.log')
    const script = 'echo "$$ $(cut -d" " -f6 /proc/$$/stat) $COLOUR"; echo oops >&2; echo done'
    const env = { PATH: process.env['PATH'], COLOUR: 'green' }
    const pid = startBackground({ argv: ['/bin/sh', '-c', script], cwd: folder, env, logPath })
    await vi.waitFor(() => expect(readFileSync(logPath, 'utf8')).toBe(`${pid} ${pid} green\noops\ndone\n`), 20_000)
    expect(statSync(logPath).mode & 0o777).toBe(0o600)
  })

  it('writes on at the end of a log that is there.', async () => {
    const logPath = join(folder, 'old.log')
    writeFileSync(logPath, 'before\n')
    startBackground({ argv: ['/bin/sh', '-c', 'echo after'], cwd: folder, env: {}, logPath })
    await vi.waitFor(() => expect(readFileSync(logPath, 'utf8')).toBe('before\nafter\n'), 20_000)
  })

  it('refuses in plain words when the program is missing.', () => {
    const logPath = join(folder, 'x.log')
    const start = (): unknown => startBackground({ argv: ['/no/such/program'], cwd: folder, env: {}, logPath })
    expect(start).toThrow(Refusal)
    expect(start).toThrow('cannot start "/no/such/program" in the background')
  })

  it('refuses in plain words when the log cannot be made.', () => {
    const marker = join(folder, 'was-run')
    const logPath = join(folder, 'no', 'such', 'log')
    const start = (): unknown => startBackground({ argv: ['/bin/touch', marker], cwd: folder, env: {}, logPath })
    expect(start).toThrow(Refusal)
    expect(existsSync(marker)).toBe(false)
  })
})
