// What became of a git command that failed, for people: one plain line, the exit code and the next command, as of any refusal.
import { EXIT, Refusal } from '../errors.js'
import { printable } from '../files/durable.js'
import type { ShortResult } from '../process/short.js'
import { quoteCommand, quoteWord } from '../text/prompt/quote.js'
import { sanitise } from '../text/sanitise.js'
import { causeOf, type Cause } from './causes.js'

type Facts = Cause & { command: string; status: number | null; stderr: string }

export class GitError extends Refusal {
  /** As it could be typed, without the places and settings that are always given, and without secrets. */
  readonly command: string
  /** Null when it was ended, or could not be started. */
  readonly status: number | null
  /** Safe for a terminal, bounded, without secrets. */
  readonly stderr: string
  readonly explanation: string

  constructor({ code, explanation, next, command, status, stderr }: Facts) {
    super(code, `${explanation} (${command}${status === null ? '' : `: exit ${status}`})`, printable(next))
    this.name = 'GitError'
    this.command = command
    this.status = status
    this.stderr = stderr
    this.explanation = explanation
  }
}

const COMMAND_LENGTH = 160
const STDERR_LENGTH = 4000
const LINE_LENGTH = 300

export function failure(repository: { gitDir: string }, args: readonly string[], result: ShortResult): GitError {
  const stderr = clipped(withoutSecrets(sanitise(result.stderr.toString('utf8')).trim()), STDERR_LENGTH)
  const command = clipped(withoutSecrets(sanitise(quoteCommand(['git', ...args])).replaceAll(/\s+/g, ' ')), COMMAND_LENGTH)
  const cause = explain(repository.gitDir, result, stderr)
  return new GitError({ ...cause, explanation: oneLine(cause.explanation), command, status: result.exitCode, stderr })
}

function explain(gitDir: string, { ending, note }: ShortResult, stderr: string): Cause {
  const next = `git --git-dir=${quoteWord(gitDir)} fsck`
  switch (ending) {
    case 'exited':
      return causeOf(stderr, gitDir) ?? { code: EXIT.state, explanation: `git failed: ${told(stderr)}`, next }
    case 'aborted':
      return { code: EXIT.cancelled, explanation: 'git was stopped on request', next: 'greenlatch resume' }
    case 'unstartable':
    case 'signalled':
    case 'timeout':
    case 'flood':
    case 'held':
      return { code: EXIT.state, explanation: `git did not finish: ${note}`, next }
  }
}

/** The line that says what is wrong: the last that git calls an error, else the first it wrote. */
function told(stderr: string): string {
  const lines = stderr.split('\n')
  const last = lines.findLast((line) => /^(fatal|error): /.test(line)) ?? lines[0]
  return last?.replace(/^(fatal|error): /, '') || 'it says nothing about why'
}

/** A name and password in a web address. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/(\b[a-z][a-z0-9+.-]*:\/\/)[^/\s@']+@/gi, '$1***@')
}

function clipped(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

function oneLine(text: string): string {
  return clipped(text.replaceAll(/\s+/g, ' ').trim(), LINE_LENGTH)
}
