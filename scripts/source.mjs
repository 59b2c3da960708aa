// Our own sources as one program, for scripts that need parts of them that no door of the package has.
import { build } from 'esbuild'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './results.mjs'

/** `text`: a module whose imports are seen from the root of `checkout`. */
export async function bundleText(text, outfile, { checkout = root, ...more } = {}) {
  // CommonJS packages inside an ESM bundle ask for `require`; Node's own is the right one to give them.
  const banner = { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" }
  const stdin = { contents: text, resolveDir: checkout, loader: 'ts' }
  await build({ absWorkingDir: checkout, stdin, outfile, bundle: true, format: 'esm', platform: 'node', target: 'node20.19', banner, logLevel: 'error', ...more })
}

/** A module with all that it imports, as it stands: loaded at once, so nothing stays. Beside what was built, since grammars and the page are looked for there. */
export async function loadText(text) {
  mkdirSync(join(root, 'dist'), { recursive: true })
  const folder = mkdtempSync(join(root, 'dist', '.source-'))
  try {
    const outfile = join(folder, 'source.mjs')
    await bundleText(text, outfile)
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** All that one file of the sources or tests exports. */
export async function loadSource(path) {
  return loadText(`export * from './${path}'`)
}
