// Which files a checkout leaves out besides what its own `.gitignore` files say: the user's rules, or a few of ours where there is no git.
import { lstatSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { bytePath, rawPath } from '../../files/byte-path.js'
import { git, type Repository } from '../../git/git.js'
import { commonDirOf } from '../../git/keys.js'

const MOST_BYTES = 1024 * 1024

/** What tools make again by themselves. Build output called `dist` or `build` may be someone's own work, and stays in. */
const MADE_BY_TOOLS = [
  'node_modules/', '.venv/', 'venv/', '__pycache__/', '*.pyc', '.tox/', '.nox/', '.mypy_cache/', '.pytest_cache/', '.ruff_cache/',
  '.gradle/', '.DS_Store',
]
const TITLE = '# Left out of folders without git, unless a .gitignore says otherwise.'
/** These say that a folder called `target` is build output. */
const TARGET_IS_MADE_BY = ['Cargo.toml', 'pom.xml', 'build.sbt']

/** For a folder without git. A `.gitignore` in it counts before these, so `!venv/` there takes it in. */
export function folderExcludes(folder: string): string {
  const makesTarget = TARGET_IS_MADE_BY.some((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile())
  return [TITLE, ...MADE_BY_TOOLS, ...(makesTarget ? ['target/'] : []), ''].join('\n')
}

/** The rules of the repository that are not part of its tree, and the user's own for all repositories: the weaker first. */
export async function repositoryExcludes(repository: Repository): Promise<string> {
  const args = ['config', '--type=path', '-z', '--get', 'core.excludesFile']
  const { code, fields } = await git({ ...repository, userConfig: 'read' }, args, { accepts: [1] })
  const usual = join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'git', 'ignore')
  const everywhere = code === 0 ? (fields.at(-1) ?? '') : bytePath(usual)
  return [textAt(rawPath(everywhere)), textAt(join(commonDirOf(repository.gitDir), 'info', 'exclude'))].join('\n')
}

function textAt(path: string | Buffer): string {
  try {
    return lstatSync(path).size <= MOST_BYTES ? readFileSync(path, 'utf8') : ''
  } catch {
    return ''
  }
}
