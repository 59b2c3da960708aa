// Values inside settings by their path, such as `editor.tabs.width`.

export type Tree = { [key: string]: unknown }

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function getPath(tree: Tree, path: string): unknown {
  let value: unknown = tree
  for (const key of path.split('.')) {
    if (!isTree(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}

/** A copy with the value in it; what is on the way and is no tree gives way. */
export function setPath(tree: Tree, path: string, value: unknown): Tree {
  const [key, ...rest] = path.split('.')
  if (rest.length === 0) return { ...tree, [key]: value }
  const below = tree[key]
  return { ...tree, [key]: setPath(isTree(below) ? below : {}, rest.join('.'), value) }
}

/** A copy without the value; trees that become empty by it go too. */
export function unsetPath(tree: Tree, path: string): Tree {
  const [key, ...rest] = path.split('.')
  if (!Object.hasOwn(tree, key)) return tree
  const { [key]: below, ...others } = tree
  if (rest.length === 0) return others
  if (!isTree(below)) return tree
  const left = unsetPath(below, rest.join('.'))
  return Object.keys(left).length === 0 ? others : { ...tree, [key]: left }
}

/** Every value that is no tree, by its path; an empty tree is a value. */
export function flatten(tree: Tree, prefix = ''): Map<string, unknown> {
  const flat = new Map<string, unknown>()
  for (const [key, value] of Object.entries(tree)) {
    const path = prefix === '' ? key : `${prefix}.${key}`
    if (isTree(value) && Object.keys(value).length > 0) {
      for (const [inner, leaf] of flatten(value, path)) flat.set(inner, leaf)
    } else {
      flat.set(path, value)
    }
  }
  return flat
}
