// A new project for `init <name>`: a folder with a task, a philosophy and settings, in a repository with a first commit.
import { mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { EXIT, Refusal } from '../../errors.js'
import { printable, stateRefusal } from '../../files/durable.js'
import { lookAtNew, nearestThere } from '../../files/look.js'
import { git, type Repository } from '../../git/git.js'
import { gitProgram } from '../../git/program.js'
import { readSettings } from '../../git/settings.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { branchFault } from '../branch-name.js'
import { PROJECT_PHILOSOPHY, PROJECT_TASK, TASK_TEMPLATE } from '../project.js'

const PHILOSOPHY = `# Philosophy

How work is done here. It goes into every prompt that plans, implements or reviews.

- Small functions with plain names; no cleverness.
- What can go wrong is handled where it happens, or handed on.
- Nothing is added that the task does not ask for.
`

/** The folder for it. Throws Refusal where there is something already. */
export function folderFor(name: string, cwd: string): string {
  const again = 'greenlatch init <name>'
  if (name.trim() === '' || name.startsWith('-') || /[\0\n\r]/.test(name)) throw new Refusal(EXIT.usage, `${JSON.stringify(name)} cannot be the name of a project`, again)
  const folder = resolve(cwd, name)
  const found = lookAtNew(folder, again)
  if (found && !found.isDirectory()) throw new Refusal(EXIT.usage, `${printable(folder)} is no folder`, again)
  if (found && readdirSync(folder).length > 0) throw new Refusal(EXIT.usage, `${printable(folder)} is not empty; init without a name works with what is there`, `greenlatch init -C ${quoteWord(name)}`)
  return folder
}

export function projectFiles(settings: string): Record<string, string> {
  return { [PROJECT_TASK]: TASK_TEMPLATE, [PROJECT_PHILOSOPHY]: PHILOSOPHY, 'greenlatch.yaml': settings }
}

/** All of it, or nothing is left. Returns the branch. */
export async function makeProject(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  await gitProgram()
  const first = makeFolders(folder)
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { flag: 'wx' })
    return await commitFirst(folder)
  } catch (error) {
    for (const name of [...Object.keys(files), '.git']) rmSync(join(folder, name), { recursive: true, force: true })
    if (first !== undefined) rmSync(first, { recursive: true, force: true })
    throw error instanceof Refusal ? error : stateRefusal(error, folder, 'greenlatch init <name>')
  }
}

/** The first of the folders that were not there; undefined where all were. One by one: Node would try for ever where the system refuses to make any. */
function makeFolders(folder: string): string | undefined {
  const there = nearestThere(folder)
  if (there === folder) return undefined
  const names = relative(there, folder).split(sep)
  const made: string[] = []
  try {
    for (const path of names.map((_, at) => join(there, ...names.slice(0, at + 1)))) {
      mkdirSync(path)
      made.push(path)
    }
    return made[0]
  } catch (error) {
    for (const path of made.toReversed()) rmdirSync(path)
    throw stateRefusal(error, folder, 'greenlatch init <name>')
  }
}

/** By the user, on the branch that they begin repositories with. */
async function commitFirst(workTree: string): Promise<string> {
  const repository: Repository = { gitDir: join(workTree, '.git'), workTree, config: 'foreign', userConfig: 'read' }
  await git(repository, ['init', '--quiet', '--initial-branch=main'])
  const wanted = (await readSettings(repository)).users.get('init.defaultbranch')?.at(-1) ?? 'main'
  const branch = branchFault(wanted) === null ? wanted : 'main'
  if (branch !== 'main') await git(repository, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`])
  await git(repository, ['add', '--', '.'])
  await git(repository, ['commit', '--quiet', '--message', 'chore: begin the project'])
  return branch
}
