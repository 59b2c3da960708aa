// Proves, in a process of its own, that a flood of output costs little memory, and that a sudden end of ours leaves nothing running.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const TWO_GIBIBYTES = 2 ** 31
const FILE_BYTES = 1_000_000
const folder = mkdtempSync(join(tmpdir(), 'greenlatch-flood-'))

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, '../src/process/run.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'run.mjs'),
  })
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a script that has `runProcess` and `request(shellScript)`, and returns what it printed. */
function inCleanNode(script: string): { stdout: string; stderr: string; status: number | null } {
  const head = `
    import { runProcess } from ${JSON.stringify(join(folder, 'run.mjs'))}
    const request = (script) => ({
      argv: ['/bin/sh', '-c', script], cwd: ${JSON.stringify(folder)}, stdoutPath: ${JSON.stringify(join(folder, 'out'))},
      limits: { wallSeconds: 100, silenceSeconds: 100, outputBytes: ${FILE_BYTES} },
    })`
  return spawnSync(process.execPath, ['--input-type=module', '-e', head + script], { encoding: 'utf8' })
}

describe('a flood of two gibibytes', () => {
  it.each([
    ['many lines', 'yes "a line of the flood that is like every other" | head -c 2147483648', ''],
    ['one huge line, to a parser', 'head -c 2147483648 /dev/zero', ', onText: (text) => { length += text.length }'],
  ])('of %s is read to its end in less than 200 MB of memory.', (_name, flood, more) => {
    const printed = inCleanNode(`
      let length = 0
      const result = await runProcess({ ...request(${JSON.stringify(flood)})${more} })
      console.log(JSON.stringify({ ...result, length, memory: process.resourceUsage().maxRSS * 1024, cpu: process.cpuUsage() }))`)
    expect(printed.stderr).toBe('')
    const report = JSON.parse(printed.stdout)
    expect(report).toMatchObject({ ending: 'exited', exitCode: 0, stdout: { bytes: TWO_GIBIBYTES, cut: true } })
    expect(report.note).toContain('standard output went past its limit')
    expect(report.stdout.text).toMatch(/^\[… \d+ bytes left out …\]$/m)
    expect(report.stdout.text.length).toBeLessThan(140_000)
    expect(report.memory).toBeLessThan(200_000_000)
    expect(report.length).toBe(more === '' ? 0 : TWO_GIBIBYTES)
    expect(statSync(join(folder, 'out')).size).toBe(FILE_BYTES)
    // Rests of 20 ms after every 16 MiB keep the flood from taking a whole processor for itself.
    expect(report.seconds).toBeGreaterThan((TWO_GIBIBYTES / 2 ** 24 - 2) * 0.019)
  })
})

describe('a sudden end of our own process', () => {
  it.each([
    ['process.exit', 'process.exit(3)', 3],
    ['an exception', `throw new Error('a bug')`, 1],
  ])('by %s takes the whole tree along, with what left its session.', async (_name, ending, status) => {
    const daemon = 'setsid sh -c "echo \\$\\$ > pid; exec sleep 1000" >/dev/null 2>&1 &'
    const script = `${daemon} while [ ! -s pid ]; do sleep 0.02; done; echo ready; sleep 1000`
    rmSync(join(folder, 'pid'), { force: true })
    const printed = inCleanNode(`
      void runProcess({ ...request(${JSON.stringify(script)}), onText: () => setTimeout(() => { ${ending} }) })`)
    expect(printed.status).toBe(status)
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    await vi.waitFor(() => expect(() => readFileSync(`/proc/${pid}/environ`)).toThrow(), 10_000)
  })
})
