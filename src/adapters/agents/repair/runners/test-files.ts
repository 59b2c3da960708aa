// The files that `node --test` would run.
import { existsSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { matcherOf } from '../../../../text/glob.js'
import { filesIn } from '../copy.js'

const SOURCE = /\.(c|m)?(js|ts)$/
const BY_NAME = /^test\.[^/]+$|^test-[^/]+$|[._-]test\.[^/.]+$|\.spec\.[^/.]+$/

/** Relative to the root. Without paths: what is named like a test, and what lies in a folder called test. */
export function testFiles(root: string, folder: string, paths: readonly string[]): string[] {
  const all = filesIn(join(root, folder)).filter((path) => SOURCE.test(path) && !path.endsWith('.d.ts'))
  const within =
    paths.length === 0 ? all.filter(isTest) : all.filter((path) => paths.some((word) => isMeant(path, normal(word), join(root, folder))))
  return within.map((path) => relative(root, join(root, folder, path)))
}

function normal(word: string): string {
  return word.replace(/^\.\//, '').replace(/\/$/, '')
}

function isTest(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return /(^|\/)test\//.test(path) || BY_NAME.test(name)
}

function isMeant(path: string, word: string, root: string): boolean {
  if (path === word) return true
  if (existsSync(join(root, word)) && statSync(join(root, word)).isDirectory())
    return word === '.' ? isTest(path) : path.startsWith(`${word}/`) && (isTest(path) || /(^|\/)tests?$/.test(word))
  return /[*?[{]/.test(word) && matcherOf(word)(path)
}
