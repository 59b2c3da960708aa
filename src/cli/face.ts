// How progress is shown, by what is asked for and what the terminal can do.
import type { Ways } from '../adapters/reporters/notify.js'
import { EXIT, Refusal } from '../errors.js'

export type Face = 'live' | 'stream' | 'plain' | 'none'

export type FaceFlags = { ui?: 'auto' | Face; quiet?: boolean; accessible?: boolean; color?: boolean }

/** Where we are: what each stream is, how large the terminal, and the environment. */
export type Surroundings = {
  terminals: { stdin: boolean; stdout: boolean; stderr: boolean }
  columns: number
  rows: number
  env: Readonly<Record<string, string | undefined>>
}

const LEAST = { columns: 40, rows: 12 }

export function surroundings(): Surroundings {
  const { stdin, stdout, stderr, env } = process
  const terminals = { stdin: stdin.isTTY === true, stdout: stdout.isTTY === true, stderr: stderr.isTTY === true }
  return { terminals, columns: stderr.columns ?? 0, rows: stderr.rows ?? 0, env }
}

export function faceOf({ ui = 'auto', quiet, accessible }: FaceFlags, at: Surroundings, format: string): Face {
  if (quiet || ui === 'none') return 'none'
  if (ui === 'stream' || ui === 'plain') return ui
  const obstacle = obstacleToLive(at, format)
  if (ui === 'live' && obstacle !== null) throw new Refusal(EXIT.usage, `--ui live: ${obstacle}`, 'greenlatch run --ui stream')
  if (ui === 'live') return 'live'
  if (accessible) return 'plain'
  return obstacle !== null || isCi(at.env) ? 'stream' : 'live'
}

/** Nobody looks on there, and nobody answers. */
export function isCi(env: Surroundings['env']): boolean {
  return [env['CI'], env['GITHUB_ACTIONS']].some((value) => !['', '0', 'false', undefined].includes(value))
}

/** Why there cannot be a screen; null where there can. */
function obstacleToLive({ terminals, columns, rows, env }: Surroundings, format: string): string | null {
  if (!terminals.stderr || !terminals.stdin) return 'standard input and standard error have to be a terminal'
  if ((env['TERM'] || 'dumb') === 'dumb') return 'this terminal cannot move its cursor (TERM is dumb)'
  if (columns < LEAST.columns || rows < LEAST.rows) return `this terminal has ${columns} columns and ${rows} rows; ${LEAST.columns} and ${LEAST.rows} are the least`
  return format === 'jsonl' && terminals.stdout ? 'records go to the same terminal' : null
}

/** Colour: flag, then NO_COLOR, then FORCE_COLOR, then the terminal. Signs beyond ASCII: where the locale has them. */
export function meansOf({ color }: FaceFlags, { terminals, env }: Surroundings): { colour: boolean; unicode: boolean } {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  const unicode = /utf-?8/i.test(locale) && env['TERM'] !== 'linux'
  return { unicode, colour: hasColour(color, env) ?? (terminals.stderr && (env['TERM'] || 'dumb') !== 'dumb') }
}

function hasColour(flag: boolean | undefined, env: Surroundings['env']): boolean | null {
  if (flag === false || env['NO_COLOR']) return false
  return env['FORCE_COLOR'] ? env['FORCE_COLOR'] !== '0' : null
}

const TAKES_OSC_9 = new Set(['iTerm.app', 'WezTerm', 'ghostty'])

/** Only what a terminal is known to understand is sent to it: others might show it as text, and those inside another get nothing through. */
export function notesOf({ env }: Surroundings): Ways {
  const [term = '', program = ''] = [env['TERM'], env['TERM_PROGRAM']]
  if (env['TMUX'] || /^(?:tmux|screen)/.test(term)) return { note: null, progress: false }
  const vte = Number(env['VTE_VERSION'] ?? 0)
  const note = TAKES_OSC_9.has(program) || term === 'xterm-kitty' ? 'OSC 9' : vte > 0 || /^(?:foot|rxvt)/.test(term) ? 'OSC 777' : null
  const progress = program === 'ghostty' || vte >= 8000 || env['WT_SESSION'] !== undefined || env['ConEmuANSI'] === 'ON'
  return { note, progress }
}
