// Finds the thread's script and the compiled grammars: beside the bundle, or, when run from the sources, among the packages.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Assets = { worker: string; runtime: string; grammar: (name: string) => string }

export function syntaxAssets(): Assets {
  const source = beside('./parse-worker.mjs')
  if (existsSync(source)) return assetsOfPackages(source)
  const folder = [beside('./grammars/'), beside('../grammars/')].find((path) => existsSync(path))
  if (folder === undefined) throw new Error('the grammars are missing from the installed package')
  return { worker: `${folder}parse-worker.mjs`, runtime: `${folder}web-tree-sitter.wasm`, grammar: (name) => `${folder}${name}.wasm` }
}

function assetsOfPackages(worker: string): Assets {
  const require = createRequire(import.meta.url)
  const grammars = dirname(require.resolve('@vscode/tree-sitter-wasm/package.json'))
  const grammar = (name: string): string => join(grammars, `wasm/tree-sitter-${name}.wasm`)
  return { worker, runtime: require.resolve('web-tree-sitter/web-tree-sitter.wasm'), grammar }
}

function beside(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
