// Installs one package of a real agent into a folder of its own.
import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync } from 'node:fs'

const INSTALL_SECONDS = 900
const NPM_OPTIONS = ['--no-save', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']

/** Installed beside its place and then moved, so that an install that was cut off never passes for a whole one. */
export function fetchInto(folder, { package: packageName, version }) {
  const partial = `${folder}.partial-${process.pid}`
  mkdirSync(partial, { recursive: true })
  const npm = ['install', '--prefix', partial, ...NPM_OPTIONS, `${packageName}@${version}`]
  const { status } = spawnSync('npm', npm, { cwd: partial, stdio: ['ignore', 'inherit', 'inherit'], timeout: INSTALL_SECONDS * 1000 })
  rmSync(folder, { recursive: true, force: true })
  if (status === 0) renameSync(partial, folder)
  rmSync(partial, { recursive: true, force: true })
}
