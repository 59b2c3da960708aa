// Settings from several layers: the later ones win, null takes a value away, and each value knows its origin.
import { flatten, getPath, isTree } from './paths.ts'
import type { Tree } from './paths.ts'

export type Layer = { name: string; values: Tree }
export type Change = { path: string; before?: unknown; after?: unknown }

export function merge(base: Tree, over: Tree): Tree {
  const merged: Tree = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key]
    if (value === null) delete merged[key]
    else if (isTree(value)) merged[key] = merge(isTree(below) ? below : {}, value)
    else merged[key] = value
  }
  return merged
}

export function resolve(layers: Layer[]): Tree {
  return layers.reduce<Tree>((merged, { values }) => merge(merged, values), {})
}

/** The name of the layer that a value comes from. */
export function originOf(layers: Layer[], path: string): string | undefined {
  if (getPath(resolve(layers), path) === undefined) return undefined
  return layers.findLast(({ values }) => getPath(values, path) !== undefined)?.name
}

/** What differs between two settings, by path. */
export function changes(before: Tree, after: Tree): Change[] {
  const [old, fresh] = [flatten(before), flatten(after)]
  const found: Change[] = []
  for (const path of [...new Set([...old.keys(), ...fresh.keys()])].sort()) {
    if (JSON.stringify(old.get(path)) === JSON.stringify(fresh.get(path))) continue
    const change: Change = { path }
    if (old.has(path)) change.before = old.get(path)
    if (fresh.has(path)) change.after = fresh.get(path)
    found.push(change)
  }
  return found
}

/** `APP_EDITOR__TAB_WIDTH=4` sets `editor.tab_width`; numbers and booleans are read as such. */
export function fromEnvironment(environment: Record<string, string>, prefix: string): Tree {
  let values: Tree = {}
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith(prefix)) continue
    const keys = name.slice(prefix.length).toLowerCase().split('__')
    const nested = keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), valueOf(text))
    values = merge(values, nested as Tree)
  }
  return values
}

function valueOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
