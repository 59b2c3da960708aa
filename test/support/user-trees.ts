// Random folders as users have them: odd names, links, modes, and everything that git can have lying about; and agents that change them.
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { bytePath, rawPath, type BytePath } from '../../src/files/byte-path.js'
import { put, tryGit } from '../../src/git/fixture.js'

/** One character per byte, as everywhere. None ends with a line break, which a shell would cut off. */
const NAMES: readonly BytePath[] = [
  'a', 'b.txt', 'A', 'src', '.hidden', '-rf', '--help', 'sp ace', 'new\nline', 'tab\tand"quotes"', "it's", 'back\\slash', '%s', '*', '[x]?',
  ':(top)a', '~', '$HOME', '#1', 'CON', 'trailing.', 'trailing ', '\u001B[31mred', 'x'.repeat(200), 'git', '.gitkeep', 'a.lock',
  bytePath('é'), bytePath('𝄞🎵'), bytePath('e\u0301'), '\xff\xfe', 'caf\xe9', '\x80',
]

const name = fc.constantFrom(...NAMES)
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))
const text = fc.oneof(
  fc.constantFrom('', 'line\n', 'crlf\r\n', 'no end', '\0binary\xff', '$Id$ ident\n'),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

export type Edit =
  | { do: 'write'; path: BytePath; text: string }
  | { do: 'program'; path: BytePath; text: string }
  | { do: 'link'; path: BytePath; target: string }
  | { do: 'delete'; path: BytePath }
  | { do: 'repository'; path: BytePath }

/** None leads out of the folder to something that could be written to: what an agent does elsewhere is not the matter here. */
const target = fc.constantFrom('a', 'src', '.', '/etc/hostname', 'nowhere', '/proc/nowhere/at/all')
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('write' as const, 'program' as const), path, text }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('link' as const), path, target }) },
  { weight: 1, arbitrary: fc.constant({ do: 'link' as const, path: 'up', target: '../..' }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), path }) },
)
const deed: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 12, arbitrary: edit },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('repository' as const), path: name }) },
)

const edits = (most: number) => fc.array(edit, { maxLength: most })

export type UserTree = {
  git: boolean
  committed: Edit[]
  staged: Edit[]
  unstaged: Edit[]
  stashed: Edit[]
  ignored: readonly string[]
  extras: readonly string[][]
}

/** Commands of git that leave something in the repository, and touch neither HEAD nor files. */
const EXTRAS = [
  ['branch', 'other'],
  ['tag', 'v1'],
  ['tag', '-a', '-m', 'note', 'v2'],
  ['branch', 'odd/näme'],
  ['config', 'core.autocrlf', 'true'],
  ['config', 'alias.x', '!touch pwned'],
  ['update-ref', 'refs/notes/x', 'HEAD'],
  ['symbolic-ref', 'refs/heads/alias', 'refs/heads/main'],
  ['pack-refs', '--all'],
  ['gc', '-q'],
]

export const userTree: fc.Arbitrary<UserTree> = fc.record({
  git: fc.integer({ min: 0, max: 5 }).map((number) => number > 0),
  committed: edits(8),
  staged: edits(2),
  unstaged: edits(3),
  stashed: edits(2),
  ignored: fc.subarray(['x.ign', 'build/out', 'sub/y.ign']),
  extras: fc.subarray(EXTRAS),
})

/** What an agent does in one iteration. */
export const deeds = fc.array(deed, { minLength: 1, maxLength: 4 })

// ───────────────────────────── making one ─────────────────────────────

/** What cannot be done there, such as a file below a file, is left out: any tree will do. */
export function makeTree(root: string, tree: UserTree): void {
  mkdirSync(root, { recursive: true })
  const git = (...args: string[]): void => void (tree.git && tryGit(root, args))
  git('init', '-q', '-b', 'main', '--template=')
  git('config', 'user.name', 'A User')
  git('config', 'user.email', 'user@example.com')
  put(root, { '.gitignore': '*.ign\nbuild/\n', kept: 'kept\n' })
  apply(root, tree.committed)
  git('add', '-A')
  git('commit', '-q', '-m', 'first')
  if (tree.stashed.length > 0) {
    apply(root, tree.stashed)
    git('stash', 'push', '-q', '--include-untracked')
  }
  for (const extra of tree.extras) git(...extra)
  apply(root, tree.staged)
  git('add', '-A')
  apply(root, tree.unstaged)
  apply(root, tree.ignored.map((path) => ({ do: 'write', path, text: 'ignored\n' })))
}

function apply(root: string, all: readonly Edit[]): void {
  for (const one of all) {
    const full = rawPath(`${bytePath(root)}/${one.path}`)
    try {
      applyTo(full, one)
    } catch {
      continue
    }
  }
}

function applyTo(full: Buffer, one: Edit): void {
  if (one.do === 'delete' || one.do === 'repository') return rmSync(full, { recursive: true, force: true })
  mkdirSync(rawPath(parentOf(full.toString('latin1'))), { recursive: true })
  if (one.do === 'link') return symlinkSync(one.target, full)
  writeFileSync(full, one.text, { flag: 'wx' })
  if (one.do === 'program') chmodSync(full, 0o755)
}

function parentOf(path: BytePath): BytePath {
  return path.slice(0, path.lastIndexOf('/'))
}

// ───────────────────────────── as a shell script ─────────────────────────────

/** The same for an agent: a line of shell each. What cannot be done is left out there too. */
export function inShell(all: readonly Edit[]): string {
  return all.map((one) => `{ p=${word(`./${one.path}`)}; ${lineOf(one)}; } 2>/dev/null`).join('\n')
}

function lineOf(one: Edit): string {
  const room = 'mkdir -p -- "${p%/*}"'
  switch (one.do) {
    case 'write':
      return `${room}; [ -L "$p" ] || ${printed(bytePath(one.text))} > "$p"`
    case 'program':
      return `${room}; [ -L "$p" ] || { ${printed(bytePath(one.text))} > "$p"; chmod +x -- "$p"; }`
    case 'link':
      return `${room}; ln -sn -- ${word(one.target)} "$p"`
    case 'delete':
      return 'rm -rf -- "$p"'
    case 'repository':
      return 'git init -q -- "$p" && echo inside > "$p/inside.txt"'
  }
}

function printed(bytes: string): string {
  return `printf '${[...bytes].map((byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')}'`
}

function word(bytes: string): string {
  return `"$(${printed(bytes)})"`
}
