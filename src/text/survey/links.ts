// Which files of a tree are imported by others: a rough reading of each language's rules, good enough to rank by.
import type { SourceContent, SurveyFile } from './survey.js'

/** Module path, such as `src/cart` → the files it may mean. Endings and the names of a folder's own module are left off. */
type Modules = { exact: Map<string, string[]>; bySuffix: Map<string, string[]>; byFolder: Map<string, string[]> }

const LONGEST_SUFFIX = 8

/** Path → how many other files import it. */
export function countImporters(files: readonly SurveyFile[]): Map<string, number> {
  const sources = files.filter((file): file is SurveyFile & { content: SourceContent } => file.content.kind === 'source')
  const modules = modulesOf(sources.map((file) => file.path))
  const counts = new Map<string, number>()
  for (const { path, content } of sources) {
    const imported = new Set(content.imports.flatMap((text) => targetsOf(modules, path, content.language, text)))
    imported.delete(path)
    for (const target of imported) counts.set(target, (counts.get(target) ?? 0) + 1)
  }
  return counts
}

function modulesOf(paths: readonly string[]): Modules {
  const modules: Modules = { exact: new Map(), bySuffix: new Map(), byFolder: new Map() }
  for (const path of paths) {
    const module = moduleOf(path)
    add(modules.exact, module, path)
    add(modules.byFolder, folderOf(path), path)
    for (const suffix of suffixesOf(module)) add(modules.bySuffix, suffix, path)
  }
  return modules
}

function suffixesOf(module: string): string[] {
  const parts = module.split('/').slice(-LONGEST_SUFFIX)
  return parts.map((_, at) => parts.slice(at).join('/'))
}

function moduleOf(path: string): string {
  return path.replace(/(\.d)?\.\w+$/, '').replace(/(^|\/)(index|__init__|mod)$/, '')
}

function add(map: Map<string, string[]>, key: string, path: string): void {
  const paths = map.get(key)
  if (paths) paths.push(path)
  else map.set(key, [path])
}

function targetsOf(modules: Modules, from: string, language: string, text: string): readonly string[] {
  switch (language) {
    case 'Python':
      return pythonTargets(modules, from, text)
    case 'Go':
      return goTargets(modules, text)
    case 'Rust':
      return rustTargets(modules, from, text)
    case 'Java':
      return javaTargets(modules, text)
    default:
      return scriptTargets(modules, from, text)
  }
}

/** `./money.js` may be `money.ts`; a bare name is a package and no file of the tree. */
function scriptTargets(modules: Modules, from: string, text: string): readonly string[] {
  if (!/^\.{1,2}(\/|$)/.test(text)) return []
  return modules.exact.get(moduleOf(resolved(folderOf(from), text))) ?? modules.exact.get(resolved(folderOf(from), text)) ?? []
}

/** `.models (Cart)` may be the module `models` beside it, or `Cart` in a package `models`. */
function pythonTargets(modules: Modules, from: string, text: string): readonly string[] {
  const [, dots = '', module = '', names = ''] = /^(\.*)([\w.]*)(?: \((.*)\))?$/.exec(text) ?? []
  const path = module.replaceAll('.', '/')
  const up = '../'.repeat(Math.max(0, dots.length - 1))
  const base = dots === '' ? path : resolved(folderOf(from), up + path)
  const index = dots === '' ? modules.bySuffix : modules.exact
  const inside = names.split(', ').flatMap((name) => index.get(base === '' ? name : `${base}/${name}`) ?? [])
  return [...inside, ...(inside.length === 0 ? (index.get(base) ?? []) : [])]
}

/** A package is a folder; what stands before it in the path is the name of the module. */
function goTargets(modules: Modules, text: string): readonly string[] {
  const parts = text.split('/')
  const folder = parts.map((_, at) => parts.slice(at).join('/')).find((path) => modules.byFolder.has(path))
  const paths = modules.byFolder.get(folder ?? '\0') ?? []
  return paths.filter((path) => path.endsWith('.go') && !path.endsWith('_test.go'))
}

function rustTargets(modules: Modules, from: string, text: string): readonly string[] {
  const own = moduleOf(from).replace(/(^|\/)(lib|main)$/, '')
  if (text.startsWith('mod ')) return modules.exact.get(joined(own, text.slice(4))) ?? []
  const [first = '', ...rest] = text.replace(/::[{*].*$|\s+as\s.*$/s, '').split('::')
  const base = { crate: crateOf(from), self: own, super: folderOf(own) }[first]
  if (base === undefined) return []
  const paths = [...rest.map((_, at) => joined(base, rest.slice(0, rest.length - at).join('/'))), base]
  return modules.exact.get(paths.find((path) => modules.exact.has(path)) ?? '\0') ?? []
}

/** The folder `src` that a file lies in. */
function crateOf(path: string): string {
  return /^(.*\/)?src(?=\/)/.exec(path)?.[0] ?? folderOf(path)
}

function javaTargets(modules: Modules, text: string): readonly string[] {
  const path = text.replace(/\.\*$/, '').replaceAll('.', '/')
  return modules.bySuffix.get(path) ?? modules.bySuffix.get(folderOf(path)) ?? []
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function joined(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`
}

function resolved(folder: string, path: string): string {
  const parts: string[] = []
  for (const part of joined(folder, path).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
