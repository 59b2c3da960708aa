// A repository laid out so that everything foreign that git could run has something to run on, and a mark for whatever did.
import { appendFileSync, chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commitAll, plainGit, put, repositoryWith } from './fixture.js'
import type { Vector } from './vectors.fixture.js'

/** A work tree, a home, another repository beside it, and the marks of what has run. */
export type Lair = { root: string; work: string; home: string; other: string; marks: string }

/** File → filter, of which none is there until a vector plants it. */
const FILTERS = {
  f0: 'clean',
  f1: 'smudge',
  f2: 'process',
  f3: 'included',
  f4: 'gitdir',
  f5: 'branch',
  f6: 'hasconfig',
  f7: 'worktree',
  f8: 'o.dd=x"y]',
  f9: '',
}
const ATTRIBUTES = `${Object.entries(FILTERS).map(([file, name]) => `${file} filter=${name}`).join('\n')}
command diff=command
textconv diff=textconv
nameless diff=
both merge=evil
both-nameless merge=
`
const FILES = [...Object.keys(FILTERS), 'info', 'file', 'command', 'textconv', 'nameless', 'both', 'both-nameless']

export function lairAt(root: string): Lair {
  return { root, work: join(root, 'work'), home: join(root, 'home'), other: join(root, 'other'), marks: join(root, 'marks') }
}

export function buildLair(root: string): Lair {
  const lair = lairAt(root)
  for (const folder of [lair.home, lair.marks]) mkdirSync(folder, { recursive: true })
  repositoryWith(lair.other, { a: 'a\n' })
  const files = Object.fromEntries(FILES.map((name) => [name, `${name}\n1\n2\n3\n`]))
  repositoryWith(lair.work, { ...files, '.gitattributes': ATTRIBUTES, '.gitignore': 'ignored\n', 'theirs-too': 'kept\n' })
  plainGit(lair.work, 'checkout', '-q', '-b', 'other')
  put(lair.work, { both: 'both\n1\ntheirs\n3\n', 'both-nameless': 'both\n1\ntheirs\n3\n', theirs: 'x\n' })
  commitAll(lair.work, 'theirs')
  plainGit(lair.work, 'checkout', '-q', 'main')
  const ours = { both: 'both\n1\nours\n3\n', 'both-nameless': 'both\n1\nours\n3\n' }
  put(lair.work, { ...ours, command: 'changed\n', textconv: 'changed\n', nameless: 'changed\n', f0: 'changed\n' })
  commitAll(lair.work, 'second')
  for (const repository of [lair.work, lair.other]) inOnePack(repository)
  put(lair.work, { ignored: 'x\n', untracked: 'x\n', file: 'changed\n' })
  return lair
}

/** Few files are quickly copied. */
function inOnePack(repository: string): void {
  plainGit(repository, 'repack', '-q', '-a', '-d')
  rmSync(join(repository, '.git/logs'), { recursive: true })
}

/** With two submodules that are checked out. */
export function addNested({ work }: Lair): void {
  const paths = ['sub', 'sub2']
  for (const path of paths) repositoryWith(join(work, path), { inner: 'x\n' })
  put(work, { '.gitmodules': paths.map((path) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = ../other\n\tignore = none\n`).join('') })
  plainGit(work, 'add', '.gitmodules', ...paths)
  plainGit(work, 'commit', '-q', '-m', 'submodules')
  for (const path of ['', ...paths]) inOnePack(join(work, path))
}

/** What is copied looks changed to git until it has read each file again: the filters get something to do. */
export function copyLair(from: Lair, root: string): Lair {
  cpSync(from.root, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  return lairAt(root)
}

/** Needs nothing from PATH, so that an empty PATH alone does not stop it. Called as a filter it passes its input on. */
function canaryFor(lair: Lair, name: string): string {
  const path = join(lair.root, 'canaries', name.replaceAll(/[^\w.-]/g, '-'))
  mkdirSync(join(lair.root, 'canaries'), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n: > '${join(lair.marks, encodeURIComponent(name))}'\n[ "$1" != filter ] || exec /bin/cat\n`)
  chmodSync(path, 0o755)
  return path
}

export function marksIn(lair: Lair): string[] {
  return readdirSync(lair.marks).map(decodeURIComponent).toSorted()
}

/** `into`: whose configuration names the programs. Returns the variables that do. */
export function plantAll(lair: Lair, vectors: readonly Vector[], into: 'repository' | 'home'): Record<string, string> {
  const variables: Record<string, string> = {}
  for (const vector of vectors) {
    const canary = canaryFor(lair, vector.name)
    for (const [key, value] of Object.entries(vector.settings?.(canary, lair) ?? {})) {
      const isUsers = !/^(extensions|core\.repositoryFormat)/.test(key) && (into === 'home' || vector.userOnly)
      appendFileSync(isUsers ? join(lair.home, '.gitconfig') : join(lair.work, '.git/config'), settingText(key, value))
    }
    vector.plant?.(lair, canary)
    Object.assign(variables, vector.variables?.(canary, lair))
  }
  return variables
}

function settingText(key: string, value: string): string {
  const [, section = '', subsection, name = ''] = /^([^.]+)\.(?:(.*)\.)?([^.]+)$/.exec(key) ?? []
  const escaped = (text: string): string => text.replaceAll(/["\\]/g, String.raw`\$&`)
  return `[${section}${subsection === undefined ? '' : ` "${escaped(subsection)}"`}]\n\t${name} = "${escaped(value)}"\n`
}
