// Where people have programs and libraries of their own installed: what a sandbox shows of it, and nothing that holds a login.
import { isAbsolute, join } from 'node:path'

/** Below the home folder. */
const AT_HOME = [
  '.local/bin', '.local/lib', '.local/pipx', '.local/share/pipx', '.local/share/uv', '.npm-global', '.yarn/bin', 'sdk', '.m2/repository',
  '.cache/ms-playwright', '.cache/puppeteer', '.cache/Cypress', '.local/share/claude', '.opencode/bin', '.local/share/fnm',
  // Which version is meant where no folder says otherwise.
  '.tool-versions', '.asdfrc', '.python-version', '.node-version', '.ruby-version',
]

/** The variable that says where a manager has its folder, where that is without it, and what of it is shown. */
const MANAGERS: readonly (readonly [variable: string, below: string, shown: readonly string[]])[] = [
  ['NVM_DIR', '.nvm', ['versions']],
  ['VOLTA_HOME', '.volta', ['bin', 'tools']],
  ['FNM_DIR', '.fnm', ['.']],
  ['ASDF_DATA_DIR', '.asdf', ['installs', 'shims', 'plugins', 'bin']],
  ['MISE_DATA_DIR', '.local/share/mise', ['installs', 'shims']],
  ['PYENV_ROOT', '.pyenv', ['versions', 'version', 'shims', 'bin', 'libexec', 'plugins', 'pyenv.d']],
  ['RBENV_ROOT', '.rbenv', ['.']],
  ['RUSTUP_HOME', '.rustup', ['toolchains', 'settings.toml']],
  ['CARGO_HOME', '.cargo', ['bin', 'registry', 'git']],
  ['GOPATH', 'go', ['bin', 'pkg']],
  ['BUN_INSTALL', '.bun', ['bin', 'install']],
  ['DENO_INSTALL', '.deno', ['bin']],
  ['SDKMAN_DIR', '.sdkman', ['candidates']],
  ['PNPM_HOME', '.local/share/pnpm', ['.']],
  ['GRADLE_USER_HOME', '.gradle', ['wrapper', 'caches']],
]

/** A manager may also have been told of its folder after others were left in the usual one, or be found by `PATH` alone: all are shown. */
export function toolFolders(home: string, env: Readonly<Record<string, string | undefined>>): string[] {
  const searched = (env['PATH'] ?? '').split(':')
  const managed = MANAGERS.flatMap(([variable, below, shown]) => {
    const roots = [...new Set([join(home, below), env[variable] ?? '', ...searched.flatMap((folder) => rootOn(folder, below))])].filter((root) => isAbsolute(root) && !isBroad(root, home))
    return roots.flatMap((root) => shown.map((part) => join(root, part)))
  })
  return [...AT_HOME.map((folder) => join(home, folder)), ...managed]
}

/** `/root/.pyenv/shims` → `/root/.pyenv`. */
function rootOn(folder: string, below: string): string[] {
  const at = `${folder}/`.indexOf(`/${below}/`)
  return at > 0 && below.startsWith('.') ? [folder.slice(0, at + 1 + below.length)] : []
}

/** All of a home, or more, is shown by no variable. */
function isBroad(root: string, home: string): boolean {
  const place = join(root, '.')
  return place === '/' || `${home}/`.startsWith(place.endsWith('/') ? place : `${place}/`)
}
