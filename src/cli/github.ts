// A run inside a build at GitHub: a summary of the step, a few annotations, and a log in which no text of others is obeyed.
import { randomBytes } from 'node:crypto'
import { appendFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { knownFailures } from '../adapters/reporters/known-failures.js'
import type { Notice, Reporter } from '../ports.js'
import { annotationsOf, commandOf, silenced, type Annotation } from '../text/workflow-commands.js'
import { readEntry } from './catalogue.js'
import type { Context } from './context.js'
import { redact } from '../process/secrets.js'

/** GitHub takes no more than 1 MiB of a step. */
const MOST_SUMMARY_CHARS = 900_000

type Ended = Extract<Notice, { kind: 'ended' }>

export type Github = Reporter & { tell(): Promise<void> }

/** Null elsewhere. */
export function openGithub(context: Context): Github | null {
  if (process.env['GITHUB_ACTIONS'] !== 'true') return null
  const { begin, end } = silenced(randomBytes(16).toString('hex'))
  const write = (line: string): void => void process.stderr.write(`${redact(line)}\n`)
  const open = (): void => {
    process.off('exit', open)
    write(end)
  }
  process.on('exit', open)
  write(begin)
  let ended: Ended | null = null
  return {
    notice(notice) {
      if (notice.kind === 'ended') ended = notice
    },
    async tell() {
      if (!ended) return
      open()
      for (const annotation of annotationsFor(ended, context.config.root)) write(commandOf(annotation))
      const fault = await addSummary(context, ended.session.id)
      if (fault !== null) context.output.say(`warning: the summary of this step cannot be written: ${fault}`)
    },
  }
}

function annotationsFor({ session, how }: Ended, root: string): Annotation[] {
  const { finish, procedure } = session
  if (!finish || how.kind !== 'finished') return [{ level: 'warning', title: `Greenlatch: ${how.kind}`, text: `${procedure.name} is ${how.kind}; greenlatch resume ${session.id} goes on` }]
  const outcome = { title: `Greenlatch: ${finish.outcome} (${finish.label})`, text: finish.why }
  if (finish.code === 0) return [{ level: 'notice', ...outcome }]
  return annotationsOf({ level: 'error', ...outcome }, knownFailures(session) ?? [], (path) => isFileIn(root, path))
}

function isFileIn(root: string, path: string): boolean {
  if (path === '' || path.length > 1000 || path.includes('\0') || path.startsWith('/') || path.split('/').includes('..')) return false
  return statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true
}

async function addSummary({ store }: Context, id: string): Promise<string | null> {
  const file = process.env['GITHUB_STEP_SUMMARY']
  if (!file) return null
  try {
    const { markdownText } = await import('./report/markdown.js')
    appendFileSync(file, `${(await markdownText(store, await readEntry(store, id))).slice(0, MOST_SUMMARY_CHARS)}\n`)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
