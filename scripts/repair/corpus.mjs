// The corpus of the repair benchmark: programs, the bugs written for them, and throw-away copies with a bug in them.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../results.mjs'

const CORPUS = join(root, 'test', 'corpus', 'repair')
/** Whoever works on the agent looks at the first alone. */
export const PARTS = ['tune', 'report', 'fresh']
export const LANGUAGES = ['javascript', 'typescript', 'python']

/** Every program, or those of one part. Which part a program belongs to is written down, so that a new one moves no other. */
export function programs(part, corpus = CORPUS) {
  const parts = JSON.parse(readFileSync(join(corpus, 'programs.json'), 'utf8'))
  return Object.entries(parts)
    .filter(([name]) => part === undefined || name === part)
    .flatMap(([part, languages]) =>
      Object.entries(languages).flatMap(([language, names]) => names.map((name) => programOf(corpus, part, language, name))),
    )
}

function programOf(corpus, part, language, name) {
  const folder = join(corpus, language, name)
  const tests = language === 'python' ? 'tests' : 'test'
  return { part, language, name, folder, tests, files: sourcesOf(folder) }
}

/** Paths of the program itself, without its tests. */
function sourcesOf(folder) {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return paths.filter((path) => /^(src\/[^/]+\.(c?js|ts)|[^/]+\.py)$/.test(path)).toSorted()
}

/** The bugs that were written by hand, each with a name such as `cart/3-boundary`. */
export function naturalBugs(program) {
  const text = readFileSync(join(program.folder, 'bugs.txt'), 'utf8')
  return text.trim().split(/\n\n(?=@)/).map((block, at) => {
    const [head, ...rest] = block.split('\n')
    const [, kind, file] = head.split(' ')
    const note = rest.filter((line) => line.startsWith('#')).map((line) => line.slice(2)).join(' ')
    const before = rest.filter((line) => line.startsWith('-')).map((line) => line.slice(1))
    const after = rest.filter((line) => line.startsWith('+')).map((line) => line.slice(1))
    const id = `${program.name}/${at + 1}-${kind}`
    return {
      id,
      program,
      origin: 'natural',
      kind,
      file,
      note,
      lines: changedLines(before, after),
      source: replaced(program, file, before, after, id),
    }
  })
}

function replaced(program, file, before, after, id) {
  const lines = readFileSync(join(program.folder, file), 'utf8').split('\n')
  const places = lines.flatMap((_, at) => (before.every((line, more) => lines[at + more] === line) ? [at] : []))
  if (places.length !== 1) throw new Error(`${id}: the old lines stand in ${file} ${places.length} times`)
  return lines.toSpliced(places[0], before.length, ...after).join('\n')
}

/** How many lines a repair has to touch: the larger side of what differs. */
export function changedLines(before, after) {
  let [head, tail] = [0, 0]
  const least = Math.min(before.length, after.length)
  while (head < least && before[head] === after[head]) head += 1
  while (tail < least - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  return Math.max(before.length, after.length) - head - tail
}

/** A copy with the visible tests alone; `hidden` puts the others in later, when nobody looks any more. */
export function layOut(program, bug) {
  const folder = mkdtempSync(join(tmpdir(), 'greenlatch-repair-corpus-'))
  for (const file of program.files) {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    cpSync(join(program.folder, file), join(folder, file))
  }
  cpSync(join(program.folder, program.tests), join(folder, program.tests), { recursive: true })
  if (program.language !== 'python') writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  if (bug) writeFileSync(join(folder, bug.file), bug.source)
  return {
    folder,
    hidden: () => cpSync(join(program.folder, 'hidden'), join(folder, 'hidden'), { recursive: true }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
