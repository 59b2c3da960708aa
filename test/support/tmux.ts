// A real terminal: a shell in a pseudo-terminal of tmux, with what stands on its screen and all that was ever written to it.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { CLI, until, type Place } from './cli.js'

export type Tmux = {
  /** What stands on the screen, line by line, without spaces at the end. */
  screen(): string[]
  /** Resolves when the screen holds this. */
  shows(text: string | RegExp): Promise<void>
  /** Types text as it is. */
  type(text: string): void
  /** Presses a key by tmux's name for it, such as Enter or C-c. */
  press(key: string): void
  /** Types a command line of ours, and Enter. `$?` is told as `code <n>` when it is over. */
  greenlatch(words: string): void
  resize(columns: number, rows: number): void
  /** All that programs have written to it. */
  written(): string
  /** How the terminal is set, as stty tells it. */
  settings(): Promise<string>
  cursor(): boolean
}

export type TmuxOptions = { columns: number; rows: number; env?: Record<string, string> }

export async function openTmux(place: Place, { columns, rows, env = {} }: TmuxOptions): Promise<Tmux> {
  const socket = join(place.root, 'tmux')
  const all = { ...place.env, PS1: '$ ', ...env }
  const tmux = (...args: readonly string[]): string => execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8', env: { ...all, TERM: 'xterm' } })
  const given = Object.entries(all).map(([name, value]) => `${name}='${value}'`)
  onTestFinished(() => {
    // The server goes with its last session, and so may have gone already.
    try {
      tmux('kill-server')
    } catch {
      return
    }
  })
  tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), '-c', place.repo, `env ${given.join(' ')} sh -i`)
  const raw = join(place.root, 'raw')
  tmux('pipe-pane', `cat > '${raw}'`)
  const screen = (): string[] => tmux('capture-pane', '-p').split('\n').slice(0, -1).map((line) => line.trimEnd())
  const type = (text: string): void => void tmux('send-keys', '-l', text)
  const press = (key: string): void => void tmux('send-keys', key)
  await until('a prompt', () => screen().some((line) => line.startsWith('$')))
  let asked = 0
  return {
    screen, type, press,
    async shows(text) {
      // The screen stands as it stood until something is written, and a look at it costs a process. Now and then it is looked at all the same.
      let [seen, looked] = [-1, 0]
      await until(`${text} on the screen:\n${screen().join('\n')}`, () => {
        const bytes = statSync(raw, { throwIfNoEntry: false })?.size ?? 0
        if (bytes === seen && performance.now() - looked < 2000) return false
        ;[seen, looked] = [bytes, performance.now()]
        return typeof text === 'string' ? screen().join('\n').includes(text) : text.test(screen().join('\n'))
      })
    },
    greenlatch(words) {
      type(`'${process.execPath}' '${CLI}' ${words}; echo "code $?"`)
      press('Enter')
    },
    resize: (wide, high) => void tmux('resize-window', '-x', String(wide), '-y', String(high)),
    written: () => readFileSync(raw, 'utf8'),
    async settings() {
      const file = join(place.root, `settings-${++asked}`)
      type(`stty -a > '${file}.half'; mv '${file}.half' '${file}'`)
      press('Enter')
      return until('the settings', () => existsSync(file) && readFileSync(file, 'utf8'))
    },
    cursor: () => tmux('display-message', '-p', '#{cursor_flag} #{alternate_on}').trim() === '1 0',
  }
}
