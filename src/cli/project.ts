// Where a session finds its task and its philosophy, and which folder it works in, when flags name a project or a workspace.
import { readFileSync, statSync, type Stats } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../config/types.js'
import type { Procedure } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { workingFolder, type GlobalFlags } from './context.js'
import type { TaskFlags } from './flags.js'

/** The names that `init <name>` gives them. */
export const PROJECT_TASK = 'task.md'
export const PROJECT_PHILOSOPHY = 'philosophy.md'

/** What `init <name>` writes into the task file: nobody is asked to work on it. */
export const TASK_TEMPLATE = `# Task

Say here what is to be made: what it does, seen from outside, with an example or two, and what counts as an error.
Whoever works on it sees this page and the files, and nothing else.

## Domain Knowledge

- Rules, formats, units and edges that cannot be guessed.
`

const SETTINGS = 'greenlatch.yaml'

type Placed = Pick<TaskFlags, 'task' | 'spec' | 'philosophy' | 'project' | 'workspace'> & GlobalFlags

/** Task and philosophy are looked for in the project, work is done in the workspace, and both are the same where only one is named. */
export function placed<Flags extends Placed>(flags: Flags): Flags {
  const { project, workspace, task, spec, philosophy } = flags
  if (project === undefined && workspace === undefined) return flags
  const from = workingFolder(flags.C)
  const home = project === undefined ? from : folderOf(project, from, '--project')
  const settings = join(home, SETTINGS)
  const isElsewhere = project !== undefined && workspace !== undefined && flags.config === undefined && isFile(settings)
  return {
    ...flags,
    C: workspace === undefined ? home : folderOf(workspace, from, '--workspace'),
    ...(project !== undefined && { project: home }),
    ...(task !== undefined && { task: resolve(home, task) }),
    ...(spec !== undefined && { spec: resolve(home, spec) }),
    ...(philosophy !== undefined && { philosophy: resolve(home, philosophy) }),
    // The settings of a project hold wherever its work is done.
    ...(isElsewhere && { config: settings }),
  }
}

function folderOf(named: string, from: string, flag: string): string {
  const path = resolve(from, named)
  if (named.trim() !== '' && whatIs(path)?.isDirectory()) return path
  const what = named.trim() === '' ? `${flag}: the name of the folder is empty` : `${flag}: there is no folder ${path}`
  throw new Refusal(EXIT.usage, what, flag === '--project' ? 'greenlatch init <name>' : 'greenlatch run --workspace <folder>')
}

function isFile(path: string): boolean {
  return whatIs(path)?.isFile() === true
}

/** Undefined also where a file stands in the way of the path. */
export function whatIs(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The file to read the task from where nothing that was typed gives one. */
export function taskFile({ values }: Pick<Config, 'values'>, { project }: Pick<TaskFlags, 'project'>): string | undefined {
  return values.task ?? (project === undefined ? undefined : join(project, PROJECT_TASK))
}

/** What is read of it, and what is to be said about it. Work goes on without it. */
export function philosophyFor(config: Config, { project }: Pick<TaskFlags, 'project'>, procedure: Procedure): { text?: string; warning?: string } {
  const file = config.values.philosophy ?? (project === undefined ? undefined : join(project, PROJECT_PHILOSOPHY))
  if (file === undefined) return {}
  if (!hasPlace(procedure)) return { warning: `no prompt of procedure "${procedure.name}" has a section for a philosophy, so that ${file} is not used` }
  try {
    return { text: readFileSync(file, 'utf8') }
  } catch {
    return { warning: `the philosophy ${file} cannot be read, so that the prompts go without it` }
  }
}

function hasPlace({ phases }: Procedure): boolean {
  const parts = Object.values(phases).flatMap((phase) => (phase.kind === 'ask' ? phase.prompt : []))
  return parts.some(({ fragments }) => fragments.some((fragment) => 'section' in fragment && fragment.section === 'philosophy'))
}
