// Builds the CLI once before the end-to-end tests when it is missing or older than its sources, and lets them share what Go has compiled.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

export default function setup(): () => void {
  if (process.env['TEST_CLI'] === undefined && builtAt() <= newestSource()) buildCli()
  const cache = mkdtempSync(join(tmpdir(), 'greenlatch-go-'))
  process.env['GOCACHE'] = cache
  return () => rmSync(cache, { recursive: true, force: true, maxRetries: 5 })
}

function buildCli(): void {
  const built = spawnSync(process.execPath, ['scripts/build.mjs', '--no-types'], { cwd: root, stdio: 'inherit' })
  if (built.status !== 0) throw new Error('the CLI could not be built')
}

function builtAt(): number {
  return statSync(join(root, 'dist/greenlatch.cjs'), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function newestSource(): number {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Math.max(...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs))
}
