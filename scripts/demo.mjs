// `npm run demo`: builds, then runs `greenlatch demo` with the same words. Needs no model and no network.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

function start(...args) {
  const { status, error } = spawnSync(process.execPath, args, { stdio: 'inherit', cwd: root })
  if (error) throw error
  return status ?? 1
}

process.exitCode = start('scripts/build.mjs', '--no-types') || start('dist/greenlatch.cjs', 'demo', ...process.argv.slice(2))
