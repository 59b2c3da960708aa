// The package as it would be published: what is in it, how large it is, and that nothing has to be installed or run for it.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const LARGEST_BYTES = 12_000_000

type Packed = [{ unpackedSize: number; files: { path: string; size: number }[] }]

/** Names of parts that the build hashes; parts of the declarations are as many as there are sources. */
function shapeOf(paths: readonly string[]): string[] {
  const shapes = paths.map((path) => path.replace(/^dist\/chunks\/.*\.js(\.LEGAL\.txt)?$/, 'dist/chunks/*').replace(/^dist\/types\/.*\.d\.ts$/, 'dist/types/**/*.d.ts').replace(/^dist\/demo\/.*/, 'dist/demo/**'))
  return [...new Set(shapes)].toSorted()
}

describe('the package', () => {
  it('holds what it should and nothing else, and stays within its size', async () => {
    const { stdout, stderr } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' })
    const [{ unpackedSize, files }] = JSON.parse(stdout || `"${stderr}"`) as Packed
    await expect(`${shapeOf(files.map(({ path }) => path)).join('\n')}\n`).toMatchFileSnapshot('golden/package.txt')
    expect(unpackedSize).toBeLessThan(LARGEST_BYTES)
  })

  it('needs no other package and runs nothing when it is installed', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, Record<string, string> | undefined>
    expect([manifest['dependencies'], manifest['optionalDependencies'], manifest['bundleDependencies']]).toEqual([undefined, undefined, undefined])
    expect(Object.keys(manifest['scripts'] ?? {}).filter((name) => /^(pre|post)?(install|prepare|prepublish)/.test(name))).toEqual([])
  })
})
