// Judges fingerprints on the stored reports of real runners, as `npm run fingerprints` does, without any runner.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const corpus = join(root, 'test', 'corpus', 'fingerprints')

function judge(...args: string[]): { code: number | null; figures: Record<string, string[]> } {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/fingerprints.mjs', '--check', ...args], { cwd: root, encoding: 'utf8' })
  const rows = stdout.split('\n').map((line) => [line.slice(0, 36).trim(), line.slice(36).trim().split(/ {2,}/)] as const)
  return { code: status, figures: Object.fromEntries(rows) }
}

describe('fingerprints on the planted corpus', () => {
  it('RB-03 reach a pairwise F of 0.98 over all pairs', () => {
    const { code, figures } = judge()
    expect(code).toBe(0)
    const { all = [] } = figures
    expect(Number(all[0])).toBeGreaterThanOrEqual(300)
    expect(Number(all.at(-1))).toBeGreaterThanOrEqual(0.98)
  })

  it('are refused with exit 1 below the goal', () => {
    expect(judge('--goal', '1.01').code).toBe(1)
  })

  it('come from stored reports that name no folder of the machine they were made on', () => {
    const reports = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.gz'))
    expect(reports.length).toBeGreaterThan(50)
    const texts = reports.map((path) => [path, gunzipSync(readFileSync(join(corpus, path))).toString()] as const)
    expect(texts.filter(([, text]) => /\/(?:root|Users|work)\/|\/home\/(?!user\/)/.test(text)).map(([path]) => path)).toEqual([])
  })
})
