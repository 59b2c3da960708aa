// Paths that try to leave a folder, to reach `.git`, or to break what reads them; and things to plant where a path leads.
import { linkSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { bytePath, rawPath, type BytePath } from '../../src/files/byte-path.js'

/** Every way up, spelt in every way that some program takes for it. */
const CLIMBS = [
  '..', '../x', '../../x', './../x', 'a/../../x', 'a/..', 'a/b/../../../x', '../', '.. /x', '..\\x', 'a\\..\\..\\x', '..;/x',
  '%2e%2e/x', '..%2fx', '．．/x', '‥/x', '.../x', '../.git/config', '../outside/file', '../outside',
]
const ABSOLUTE = [
  '/x', '//x', '///x', '/tmp/greenlatch-escape', '//server/share/x', '\\\\server\\share\\x', '\\\\?\\C:\\x', '\\\\.\\pipe\\x', '\\x',
  'C:', 'C:x', 'C:/x', 'C:\\x', 'c:\\windows\\x', 'Z:x', 'file:///x', '~', '~/x', '~root/x', '$HOME/x', '${HOME}/x',
  '%USERPROFILE%\\x',
]
const GIT_NAMES = [
  '.git', '.GIT', '.Git', '.gIT', 'git~1', 'GIT~1', 'Git~1', '.git.', '.git ', '.git..', '.git . .', '.git:',
  '.git::$INDEX_ALLOCATION', '.git:x', '.git\u200C', '.g\u200Cit', '.gi\u200Dt', '\uFEFF.git', '.git\u2060', '.\u202Egit',
  '.git\u00AD', '.ＧＩＴ', '.git\u0000',
]
const DEVICES = [
  'CON', 'con', 'PRN', 'AUX', 'NUL', 'nul', 'COM1', 'com9', 'LPT1', 'CONIN$', 'CON.txt', 'aux.c', 'NUL.', 'con ', 'COM1:x', 'CLOCK$',
]
const ODD = [
  '', '.', './', './x', 'a/', 'a//b', 'a/./b', '/', '//', 'a\0b', '\0', 'a/\0/b', 'x\0/../../y', 'a.', 'a ', 'a. .', 'd./x', 'd /x',
  '-', '--', '-rf', '--force', '-x/y', '--git-dir=x', '@', '@{-1}', ':(top)x', ':!x', ':/x', '*', '?', '[x]', '#x', '!x', '\\x',
  'a\nb', '\n', 'a\r', '\t', '\u001B[2J', '\u001B]52;c;eA==\u0007', '\u009B31m', '\u202Ex', '\u2066x', '\u2028', '`touch x`',
  '$(touch x)', ';touch x', '|x', '&x', '"', "'", '<x', '>x',
]
const LONG = [
  'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(4096), 'é'.repeat(200), 'd/'.repeat(500) + 'x', 'd/'.repeat(2100) + 'x',
  `${'y'.repeat(250)}/`.repeat(20) + 'x',
]
/** What `plantLinks` puts there. */
const PLANTED = [
  'link', 'link/x', 'link/file', 'link/new/x', 'link/../x', 'file-link', 'file-link/x', 'dangling', 'up', 'up/x', 'up/outside/file',
  'loop', 'loop/x', 'git-link/config', 'git-link/hooks/x', 'hard', 'pipe', 'pipe/x', 'socket', 'deep/link/x', 'deep/link/file',
  'self/self/x', 'LINK/x', 'Link',
]
const BELOW = ['config', 'hooks/post-checkout', 'HEAD', 'info/attributes']
const below = (at: number): string => BELOW[at % BELOW.length] ?? ''

export const HOSTILE: readonly string[] = [
  ...new Set([
    ...CLIMBS,
    ...ABSOLUTE,
    ...GIT_NAMES,
    ...GIT_NAMES.flatMap((name, at) => [`${name}/${below(at)}`, `sub/${name}`, `sub/${name}/${below(at + 1)}`]),
    '.git\\config', 'sub\\.git\\config', '.gitmodules', '.gitattributes', '.gitignore', 'sub/.gitmodules', '.git~1/x', '.gitx/config',
    ...DEVICES,
    ...DEVICES.slice(0, 8).map((name) => `sub/${name}/x`),
    ...ODD,
    ...LONG,
    ...PLANTED,
    'twin', 'TWIN', 'Twin/x', 'straße', 'STRASSE', 'e\u0301', 'é',
  ]),
]

/** Names that are no text, for doors that take bytes. */
export const HOSTILE_BYTES: readonly BytePath[] = [
  ...HOSTILE.map(bytePath),
  '\xff', '\xff/\xfe', '..\xff/x', '.git\xff', '\x80\n', 'caf\xe9/.git/config', '\xc0\xae\xc0\xae/x', '\xe0\x80\xae\xe0\x80\xae/x',
]

/** Links, a pipe, a socket and a second name for a file outside, in a folder beside which `outside` lies. */
export async function plantLinks(folder: string, outside: string): Promise<void> {
  const within = { up: '..', loop: 'loop', 'git-link': '.git', self: '.' }
  const links = { link: outside, 'file-link': `${outside}/file`, dangling: `${outside}/made`, 'deep/link': outside, ...within }
  mkdirSync(`${folder}/deep`, { recursive: true })
  for (const [name, target] of Object.entries(links)) replace(`${folder}/${name}`, (path) => symlinkSync(target, path))
  replace(`${folder}/hard`, (path) => linkSync(`${outside}/file`, path))
  replace(`${folder}/pipe`, (path) => void spawnSync('mkfifo', [path]))
  await makeSocket(`${folder}/socket`)
}

function replace(path: string, make: (path: string) => void): void {
  rmSync(path, { recursive: true, force: true })
  make(path)
}

/** A socket file stays when its process is killed, not when it is closed: so it is given a second name. */
async function makeSocket(path: string): Promise<void> {
  rmSync(path, { force: true })
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(`${path}.making`, resolve))
  linkSync(`${path}.making`, path)
  await new Promise<void>((resolve) => void server.close(() => resolve()))
}

const KINDS = ['file', 'folder', 'link to a folder', 'link to a file', 'pipe', 'second name'] as const

/** Puts something at every one of these paths that the file system takes, of another kind each time. Returns how many. */
export function plant(folder: string, outside: string, turn: number): number {
  const pipes: Buffer[] = []
  const made = HOSTILE_BYTES.filter((path, at) => {
    // What an agent does outside by itself is not the matter here, and `.git` itself is its own.
    if (/\0|(^|\/)\.\.?(\/|$)|^\/|^\.git(\/|$)|^(link|up|loop|git-link|deep|self|file-link)(\/|$)/.test(path) || path === '') return false
    const full = rawPath(`${bytePath(folder)}/${path}`)
    return tried(() => make(KINDS[(at + turn) % KINDS.length] ?? 'file', full, outside, pipes))
  })
  const names = pipes.map((pipe) => pipe.toString('utf8'))
  for (let at = 0; at < names.length; at += 50) spawnSync('mkfifo', ['--', ...names.slice(at, at + 50)])
  return made.length
}

function make(kind: (typeof KINDS)[number], full: Buffer, outside: string, pipes: Buffer[]): void {
  makeParents(full.toString('latin1'))
  switch (kind) {
    case 'file':
      return writeFileSync(full, 'planted\n', { flag: 'wx' })
    case 'folder':
      mkdirSync(full)
      return writeFileSync(Buffer.concat([full, Buffer.from('/inside')]), 'planted\n')
    case 'link to a folder':
      return symlinkSync(outside, full)
    case 'link to a file':
      return symlinkSync(`${outside}/file`, full)
    case 'pipe':
      return void pipes.push(full)
    case 'second name':
      return linkSync(`${outside}/file`, full)
  }
}

/** Through no link: it is not we who should write outside. */
function makeParents(path: BytePath): void {
  const parent = path.slice(0, path.lastIndexOf('/'))
  const entry = lstatSync(rawPath(parent), { throwIfNoEntry: false })
  if (entry) return entry.isDirectory() ? undefined : fail(parent)
  makeParents(parent)
  mkdirSync(rawPath(parent))
}

function fail(path: BytePath): never {
  throw new Error(`${path} is no folder`)
}

function tried(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
