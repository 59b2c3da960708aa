// Which folders of programs a sandbox shows.
import { describe, expect, it } from 'vitest'
import { toolFolders } from './tools.js'

describe('folders of programs', () => {
  it('are those below the home folder, without what holds a login', () => {
    const shown = toolFolders('/home/u', {})
    expect(shown).toEqual(expect.arrayContaining(['/home/u/.local/bin', '/home/u/.pyenv/versions', '/home/u/.cargo/bin']))
    expect(shown.filter((folder) => /^\/home\/u(\/\.(cargo|config|ssh|aws|m2|gradle))?$/.test(folder))).toEqual([])
  })

  it('are also where the variable of a manager says, in part', () => {
    const shown = toolFolders('/home/u', { PYENV_ROOT: '/home/shared/pyenv', CARGO_HOME: '/srv/cargo/' })
    expect(shown.filter((folder) => !folder.startsWith('/home/u/'))).toEqual([
      ...['versions', 'version', 'shims', 'bin', 'libexec', 'plugins', 'pyenv.d'].map((part) => `/home/shared/pyenv/${part}`),
      '/srv/cargo/bin', '/srv/cargo/registry', '/srv/cargo/git',
    ])
  })

  it('are also those of a manager that PATH alone leads to, such as that of another home', () => {
    const shown = toolFolders('/home/u', { PATH: '/usr/bin:/root/.pyenv/shims:/root/.pyenv/bin:/opt/.pyenv-old/bin::/.pyenv/bin' })
    expect(shown.filter((folder) => !folder.startsWith('/home/u/'))).toEqual(['versions', 'version', 'shims', 'bin', 'libexec', 'plugins', 'pyenv.d'].map((part) => `/root/.pyenv/${part}`))
  })

  it.each(['/', '/home', '/home/u', '/home/u/', '/home/u/x/..', 'relative', ''])('are none of a variable that says "%s"', (root) => {
    expect(toolFolders('/home/u', { FNM_DIR: root })).toEqual(toolFolders('/home/u', {}))
  })
})
