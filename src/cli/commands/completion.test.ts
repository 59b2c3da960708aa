import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addGlobalFlags } from '../options.js'
import { completionScript } from './completion.js'

const SUMMARY = String.raw`loop: a person's outcome (\ it's $(touch pwned) "100%" of a|b), with it's end`

function program(): Command {
  const greenlatch = new Command('greenlatch')
  addGlobalFlags(greenlatch)
  greenlatch.command('run').description(SUMMARY).option('--max-iterations <n>').option('--dry-run')
  greenlatch.command('status').option('--short').addOption(new Option('--ui <kind>').choices(['live', 'plain']))
  greenlatch.command('fleet').command('submit').option('--priority <n>')
  greenlatch.command('demo')
  return greenlatch
}

let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'greenlatch-completion-'))))
afterEach(() => rmSync(folder, { recursive: true }))

type Shell = 'bash' | 'zsh' | 'fish'

/** A program that asks the script what it offers for a line, with the script sourced twice as a careless profile would; a name for each line of output. */
const ASKING: Record<Shell, string[]> = {
  bash: ['bash', '--norc', '-c', 'source "$1"; source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _greenlatch; printf "%s\\n" "${COMPREPLY[@]}"', 'bash'],
  // What only its line editor knows is stood in for: it would leave out by itself what does not begin as the word does.
  zsh: ['zsh', '-f', '-c', 'compdef() {}; compset() {}; _files() {}; compadd() { shift; print -rl -- "$@" }; source "$1"; source "$1"; shift; words=("$@"); CURRENT=$#; _greenlatch', 'zsh'],
  fish: ['fish', '--no-config', '-c', 'source $argv[1]; source $argv[1]; complete -C "$argv[2..-1]" | string replace -r "\\t.*" ""; true'],
}

const INSTALLED = (Object.keys(ASKING) as Shell[]).filter((shell) => spawnSync(shell, ['--version']).error === undefined)

function asked(shell: Shell, words: readonly string[]): string[] {
  const script = join(folder, `completion.${shell}`)
  writeFileSync(script, completionScript(program(), ['ooda', 'converge'], shell))
  const [command = '', ...args] = ASKING[shell]
  const env = { PATH: process.env['PATH'], HOME: folder, TERM: 'dumb' }
  return execFileSync(command, [...args, script, ...words], { cwd: folder, encoding: 'utf8', env }).trim().split('\n').toSorted()
}

/** By name, without what stands before a = already. */
function offered(shell: Shell, ...words: string[]): string[] {
  // Readline hands these over in three.
  const given = shell === 'bash' ? words.flatMap((word) => (word === '' ? word : word.split(/(=)/).filter((part) => part !== ''))) : words
  const begun = words.at(-1)?.replace(/^--[\w-]+=/, '') ?? ''
  const names = asked(shell, ['greenlatch', ...given]).map((name) => name.replace(/^--[\w-]+=/, ''))
  return names.filter((name) => name !== '' && name.startsWith(begun))
}

describe.each(INSTALLED)('the completion of %s', (shell) => {
  it('offers commands first, then the flags, words and procedures of a command, and what a flag takes', () => {
    expect(offered(shell, 's')).toEqual(['status'])
    expect(offered(shell, 'run', '--m')).toEqual(['--max-iterations'])
    expect(offered(shell, 'run', 'oo')).toEqual(['ooda'])
    expect(offered(shell, 'demo', 'ch')).toEqual(['cheat'])
    expect(offered(shell, 'fleet', 's')).toEqual(['submit'])
    expect(offered(shell, 'fleet', 'submit', '--p')).toEqual(['--priority'])
    expect(offered(shell, 'status', '--ui', '')).toEqual(['live', 'plain'])
    expect(offered(shell, 'status', '--ui', 'live', '--s')).toContain('--short')
  })

  it('knows the command behind flags that stand before it, and these flags', () => {
    expect(offered(shell, '-C', 'run', 'sta')).toEqual(['status'])
    expect(offered(shell, '--json', 'sta')).toEqual(['status'])
    expect(offered(shell, '-C', 'status', 'run', '--m')).toEqual(['--max-iterations'])
    expect(offered(shell, '--config=x', '--quiet', 'run', 'oo')).toEqual(['ooda'])
    expect(offered(shell, '--acc')).toEqual(['--accessible'])
    expect(offered(shell, '--output', 'j')).toEqual(['json', 'jsonl'])
    expect(offered(shell, '--config', 'sta')).toEqual([])
  })

  it('offers what a flag takes also behind =', () => {
    expect(offered(shell, 'status', '--ui=')).toEqual(['live', 'plain'])
    expect(offered(shell, 'status', '--ui=l')).toEqual(['live'])
    expect(offered(shell, '--output=jsonl', 'status', '--ui=l')).toEqual(['live'])
    expect(offered(shell, 'run', '--max-iterations=o')).toEqual([])
  })

  it('runs nothing of what is typed or told', () => {
    for (const word of ['$(touch pwned)', '`touch pwned`', '"; touch pwned; "', "'; touch pwned; '", '--$(touch pwned)=']) {
      for (const words of [['run', word, '--m'], ['run', word], [word], [word, 'run']]) asked(shell, ['greenlatch', ...words])
    }
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
  })
})

describe('the completion', () => {
  it('offers whole words where bash is told not to break them at =', () => {
    expect(asked('bash', ['greenlatch', 'status', '--ui=l'])).toEqual(['--ui=live'])
  })

  it('shows descriptions with every character that they have', () => {
    expect(completionScript(program(), [], 'fish')).toContain(String.raw`-a run -d 'loop: a person\'s outcome (\\ it\'s $(touch pwned) "100%" of a|b), with it\'s end'`)
  })

  it('is written for three shells, and another one is refused by name', () => {
    for (const shell of Object.keys(ASKING)) expect(completionScript(program(), ['ooda'], shell)).toContain('max-iterations')
    expect(() => completionScript(program(), [], 'tcsh')).toThrow('tcsh')
    expect(completionScript(program(), [], 'zsh')).toMatch(/_greenlatch "\$@"\n$/)
  })
})
