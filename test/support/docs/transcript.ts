// Transcripts: the commands of a page, run one after another by one shell, and what they printed held against what the page shows.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { placeOf, type Block } from './blocks.js'
import { write, type Sample } from './sample.js'

/** `shown` is null where the page shows no output. */
type Typed = { at: string; command: string; shown: string[] | null }
type Done = Typed & { code: number; printed: string }

const MARK = '\u001e'

/** A block with a file's name behind its language is that file; the runs of one that is `dry` are told to run nothing. */
export function typedOf(blocks: readonly Block[], sample: Sample): Typed[] {
  return blocks.flatMap((block, index): Typed[] => {
    const at = placeOf(block)
    if (block.lang === 'console') return fromConsole(block)
    if (block.lang === 'run') return [{ at, command: block.text, shown: null }]
    if (block.lang === 'sh' && !isFile(block)) return commandsIn(block.text).map((command) => ({ at, command: block.words.includes('dry') ? dry(command) : command, shown: null }))
    if (!isFile(block)) return []
    const kept = join(sample.root, 'shown', `${index}-${block.lang}`)
    write(kept, block.text)
    const path = block.words[0] ?? ''
    return [{ at, command: `mkdir -p "$(dirname ${path})" && cp '${kept}' ${path}`, shown: null }]
  })
}

export function isFile({ words }: Block): boolean {
  return /[./]/.test(words[0] ?? '')
}

/** One in each line, unless it goes on behind a backslash or to the end of a here-document. */
function commandsIn(text: string): string[] {
  const [...commands] = text.replaceAll('\\\n', ' ').matchAll(/^.*<<'(\w+)'[^]*?^\1$|^.+$/gm)
  return commands.map(([command]) => command.trim()).filter((line) => line !== '' && !line.startsWith('#'))
}

function dry(command: string): string {
  return command.replace(/^greenlatch (run)\b/, 'greenlatch $1 --dry-run')
}

function fromConsole(block: Block): Typed[] {
  const typed: Typed[] = []
  block.text.trimEnd().split('\n').forEach((line, index) => {
    if (line.startsWith('$ ')) typed.push({ at: `${block.page}:${block.line + 1 + index}`, command: line.slice(2), shown: [] })
    else if (line.startsWith('> ') && typed.at(-1)?.shown?.length === 0) (typed.at(-1) as Typed).command += `\n${line.slice(2)}`
    else typed.at(-1)?.shown?.push(line)
  })
  return typed
}

const LOCAL_MODEL = 'http://127.0.0.1:1234'

export async function runAll(typed: readonly Typed[], { repo, env, root, model }: Sample): Promise<Done[]> {
  const parts = typed.map(({ command }, n) => `${command.replaceAll(LOCAL_MODEL, model.url)}\n__code=$?; printf '${MARK}%s %s${MARK}' ${n} "$__code"; (exit "$__code")\n`)
  const script = join(root, 'page.sh')
  write(script, `exec 2>&1\n${parts.join('')}`)
  const child = spawn('bash', ['--noprofile', '--norc', script], { cwd: repo, env: { ...env, TMPDIR: root }, stdio: ['ignore', 'pipe', 'ignore'] })
  let all = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (all += chunk))
  await new Promise((done) => child.once('close', done))
  const printed = all.replaceAll(root, '').replaceAll(model.url, LOCAL_MODEL).split(new RegExp(`${MARK}\\d+ (\\d+)${MARK}`))
  return typed.map((one, n) => ({ ...one, printed: printed[2 * n] ?? 'nothing: the shell was over before', code: Number(printed[2 * n + 1] ?? -1) }))
}

/** One line for each command that did not do what the page shows. */
export function differencesOf(done: readonly Done[]): string[] {
  return done.flatMap(({ at, command, shown, code, printed }, n) => {
    const asked = done[n + 1]?.command === 'echo $?'
    if (code !== 0 && !asked) return [`${at}: "${command}" ended with ${code}:\n${printed}`]
    if (shown === null || shown.length === 0) return []
    return patternOf(shown).test(plain(printed)) ? [] : [`${at}: "${command}" printed:\n${printed}\nand not:\n${shown.join('\n')}`]
  })
}

/** `…` stands for anything within a line, and alone in a line for any number of lines. */
function patternOf(shown: readonly string[]): RegExp {
  const lines = shown.map((line) => (line.trim() === '…' ? '(?:.*\n)*?' : `${plain(line).split('…').map(escaped).join('.*')}\n`))
  return new RegExp(`^\n*${lines.join('')}\n*$`)
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** Without what is another one every time: durations, clocks, ids of sessions, hashes; and without the widths of columns. */
function plain(text: string): string {
  const steady = text
    .replaceAll(/\b\d{8}-\d{6}-[a-z0-9]{5}\b/g, '<session>')
    .replaceAll(/\b\d\d:\d\d:\d\d\b/g, '<clock>')
    .replaceAll(/\b\d+(\.\d+)?(ms|s|m\d\ds|h\d\dm)(?![\w])/g, '<time>')
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/g, '<hash>')
  return steady.split('\n').map((line) => line.replaceAll(/ +/g, ' ').trim()).join('\n')
}
