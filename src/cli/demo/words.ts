// What a demo says before and after the run: what there is to see, and what to type to see more.
import { delimiter, join } from 'node:path'
import { findExecutable } from '../../process/command-line.js'
import { quoteWord } from '../../text/prompt/quote.js'
import type { DemoPlace } from './place.js'
import { SCENARIOS, type Next, type Scenario } from './scenarios.js'

export function greeting(name: string, { shows, asks }: Scenario, { folder }: DemoPlace, version: string): string {
  return `greenlatch ${version} · demo "${name}": ${shows}\nasked: ${asks} · no key, no network, nothing is written outside ${folder}\n`
}

const SHOWN_LINES = 5

/** The first lines of a prompt, as a quotation. */
export function beginning(prompt: string): string {
  const lines = prompt.split('\n')
  const shown = lines.filter((line) => line.trim() !== '').slice(0, SHOWN_LINES)
  return `\nThe prompt has ${lines.length} lines, and begins:\n${[...shown, '…'].map((line) => `  | ${line}`).join('\n')}`
}

/** Sessions and what was trusted lie beside the shop, so that the demo leaves nothing anywhere else: the variable has both believed without a question. */
export function farewell(name: string, next: readonly Next[], { folder, repository }: DemoPlace): string {
  const rows = next.map(([command, shows]) => [`greenlatch ${command}`, shows] as const)
  const width = Math.max(...rows.map(([command]) => command.length)) + 3
  const others = Object.keys(SCENARIOS).filter((other) => other !== name)
  const lines = [
    ...reachable(),
    `cd ${quoteWord(repository)}`,
    `export GREENLATCH_STATE_HOME=${quoteWord(join(folder, 'state'))}`,
    ...rows.map(([command, shows]) => `${command.padEnd(width)}${shows}`),
  ]
  return `\nAll of it stays for you to look at:\n${lines.map((line) => `  ${line}`).join('\n')}\nThere is more: greenlatch demo ${others.join(' | ')}`
}

/** From a checkout the command is known to nobody, and started by npx only to what npx starts. */
function reachable(): string[] {
  const [node = 'node', script = ''] = process.argv
  const known = findExecutable('greenlatch', { ...process.env, ...pathOfShell(process.env['PATH']) })
  return known === null ? [`alias greenlatch=${quoteWord(`${quoteWord(node)} ${quoteWord(script)}`)}`] : []
}

/** Without the folders that npm and npx put in front for their own children: the shell that the next command is typed in has none of them. */
function pathOfShell(path: string | undefined): { PATH?: string } {
  if (path === undefined) return {}
  return { PATH: path.split(delimiter).filter((folder) => !/(^|[/\\])node_modules[/\\]\.bin[/\\]?$/.test(folder)).join(delimiter) }
}
