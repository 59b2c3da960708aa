import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { describe, expect, it } from 'vitest'
import { completionScript } from './completion.js'

function program(): Command {
  const greenlatch = new Command('greenlatch')
  greenlatch.command('run').description("loop to an outcome (it's $(touch x))").option('--max-iterations <n>').option('--dry-run')
  greenlatch.command('status').option('--short').addOption(new Option('--ui <kind>').choices(['live', 'plain']))
  greenlatch.command('fleet').command('submit').option('--priority <n>')
  greenlatch.command('demo')
  return greenlatch
}

/** What bash offers for a command line, with the script sourced twice as a careless profile would. */
function offered(words: string[], folder: string): string[] {
  const script = join(folder, 'completion.bash')
  writeFileSync(script, completionScript(program(), ['ooda', 'converge'], 'bash'))
  const body = 'source "$1"; source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _greenlatch; printf "%s\\n" "${COMPREPLY[@]}"'
  return execFileSync('bash', ['--norc', '-c', body, 'bash', script, ...words], { cwd: folder, encoding: 'utf8' }).trim().split('\n')
}

describe('the completion of a shell', () => {
  it('offers commands first, then the flags, words and procedures of a command, and what a flag takes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'greenlatch-completion-'))
    expect(offered(['greenlatch', 's'], folder)).toEqual(['status'])
    expect(offered(['greenlatch', 'run', '--m'], folder)).toEqual(['--max-iterations'])
    expect(offered(['greenlatch', 'run', 'oo'], folder)).toEqual(['ooda'])
    expect(offered(['greenlatch', 'demo', 'ch'], folder)).toEqual(['cheat'])
    expect(offered(['greenlatch', 'fleet', 's'], folder)).toEqual(['submit'])
    expect(offered(['greenlatch', 'fleet', 'submit', '--p'], folder)).toEqual(['--priority'])
    expect(offered(['greenlatch', 'status', '--ui', ''], folder)).toEqual(['live', 'plain'])
    expect(offered(['greenlatch', 'status', '--ui', 'live', '--s'], folder)).toEqual(['--short'])
    rmSync(folder, { recursive: true })
  })

  it('runs nothing of what is typed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'greenlatch-completion-'))
    for (const word of ['$(touch pwned)', '`touch pwned`', '"; touch pwned; "', "'; touch pwned; '"]) {
      offered(['greenlatch', 'run', word, '--m'], folder)
      offered(['greenlatch', 'run', word], folder)
      offered(['greenlatch', word], folder)
    }
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
    rmSync(folder, { recursive: true })
  })

  it('is written for three shells, and another one is refused by name', () => {
    for (const shell of ['bash', 'zsh', 'fish']) expect(completionScript(program(), ['ooda'], shell)).toContain('max-iterations')
    expect(() => completionScript(program(), [], 'tcsh')).toThrow('tcsh')
    expect(completionScript(program(), [], 'fish')).not.toContain('$(')
    expect(completionScript(program(), [], 'zsh')).toMatch(/_greenlatch "\$@"\n$/)
  })
})
