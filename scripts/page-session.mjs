// A long session for measuring and for pictures: made by the same code as that of the tests, without a test around it.
import { build } from 'esbuild'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './results.mjs'

const cleanUps = []

/** `cleanUp` removes everything that was made since. */
export async function loadMaker() {
  process.env.TEST_CLI = join(root, 'dist', 'greenlatch.cjs')
  globalThis.greenlatchCleanUps = cleanUps
  const folder = mkdtempSync(join(root, 'node_modules', '.cache-page-'))
  const outfile = join(folder, 'maker.mjs')
  const stub = ['onTestFinished', 'afterAll'].map((name) => `export const ${name} = (done) => void globalThis.greenlatchCleanUps.push(done)`).join('\n')
  const withoutTests = {
    name: 'without tests',
    setup(bundler) {
      bundler.onResolve({ filter: /^vitest$/ }, () => ({ path: 'vitest', namespace: 'stub' }))
      bundler.onLoad({ filter: /.*/, namespace: 'stub' }, () => ({ contents: stub }))
    },
  }
  await build({ absWorkingDir: root, entryPoints: ['test/support/long-session.ts'], outfile, bundle: true, format: 'esm', platform: 'node', target: 'node20.19', packages: 'external', plugins: [withoutTests], logLevel: 'warning' })
  const { sessionOf } = await import(pathToFileURL(outfile).href)
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }))
  return { sessionOf }
}

export async function cleanUp() {
  for (const done of cleanUps.splice(0).toReversed()) await done()
}
