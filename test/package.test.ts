// The package as it would be published: what is in it, how large it is, that nothing has to be installed or run for it, and that its types hold.
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { publint } from 'publint'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const LARGEST_BYTES = 12_000_000
const DOORS = ['.', './core', './testing']
/**
 * What the tool holds against us, and nothing else may come to it: we are ES modules alone. The resolution of Node 10 knows no `exports`,
 * and a CommonJS module in TypeScript is refused them by the compiler (TS1479), though `require` takes them when it runs.
 */
const NOT_FOR_MODULES = DOORS.flatMap((entrypoint) => [
  { kind: 'NoResolution', entrypoint, resolutionKind: 'node10' },
  { kind: 'CJSResolvesToESM', entrypoint, resolutionKind: 'node16-cjs' },
])

type Packed = [{ filename: string; files: { path: string }[] }]

/** Packed and installed once: all tests look at the same. */
const place = { folder: '', tarball: new Uint8Array(), name: '', files: [] as string[], installed: '' }

beforeAll(() => {
  place.folder = mkdtempSync(join(tmpdir(), 'greenlatch-package-'))
  const npm = (cwd: string, ...args: string[]): string => execFileSync('npm', [...args, '--ignore-scripts', '--json'], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const [{ filename, files }] = JSON.parse(npm(root, 'pack', '--pack-destination', place.folder)) as Packed
  place.name = filename
  place.files = files.map(({ path }) => path)
  place.tarball = new Uint8Array(readFileSync(join(place.folder, filename)))
  const consumer = join(place.folder, 'consumer')
  mkdirSync(consumer)
  writeFileSync(join(consumer, 'package.json'), '{ "private": true, "type": "module" }\n')
  npm(consumer, 'install', '--offline', join('..', filename))
  place.installed = join(consumer, 'node_modules')
}, 120_000)

afterAll(() => rmSync(place.folder, { recursive: true, force: true }))

/** All by name but two kinds: parts have a hash in theirs, and declarations are as many as there are sources. What is added to either is looked for by tests of their own. */
function shapeOf(paths: readonly string[]): string[] {
  const shapes = paths.map((path) => path.replace(/^dist\/chunks\/[\w-]+-[\w-]{8}\.js$/, 'dist/chunks/*').replace(/^dist\/types\/[\w/-]+\.d\.ts$/, 'dist/types/**/*.d.ts'))
  return [...new Set(shapes)].toSorted()
}

/** Every file of it below a folder, those that npm writes for itself left out. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

describe('the package', () => {
  it('holds what it should and nothing else', async () => {
    await expect(`${shapeOf(place.files).join('\n')}\n`).toMatchFileSnapshot('golden/package.txt')
    expect(place.files.filter((path) => path.split('/').some((name) => name.startsWith('.')))).toEqual([])
  })

  it('has no part that no other one loads', () => {
    const parts = place.files.filter((path) => path.startsWith('dist/') && /\.c?js$/.test(path))
    const texts = parts.map((path) => ({ path, text: readFileSync(join(place.installed, 'greenlatch', path), 'utf8') }))
    const chunks = parts.filter((path) => path.startsWith('dist/chunks/'))
    expect(chunks.length).toBeGreaterThan(50)
    expect(chunks.filter((chunk) => !texts.some(({ path, text }) => path !== chunk && text.includes(`/${basename(chunk)}`)))).toEqual([])
  })

  it('is installed without a network or a script, brings no other package, and stays within its size', () => {
    expect(readdirSync(place.installed).filter((name) => !name.startsWith('.'))).toEqual(['greenlatch'])
    const bytes = filesIn(place.installed).reduce((sum, path) => sum + statSync(path).size, 0)
    expect(bytes).toBeGreaterThan(LARGEST_BYTES / 10)
    expect(bytes).toBeLessThan(LARGEST_BYTES)
  })

  it('has its pages with it: every link in them leads to a file of it', () => {
    const pages = place.files.filter((path) => /\.(md|txt)$/.test(path) && !path.startsWith('dist/'))
    expect(pages.length).toBeGreaterThan(50)
    const links = pages.flatMap((page) => {
      const text = readFileSync(join(place.installed, 'greenlatch', page), 'utf8')
      return [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => ({ page, target })).filter(({ target }) => !/^[a-z]+:/.test(target))
    })
    expect(links.length).toBeGreaterThan(200)
    expect(links.filter(({ page, target }) => !existsSync(join(place.installed, 'greenlatch', dirname(page), target)))).toEqual([])
  })

  it('names every package of which parts are in it, each with its licence', () => {
    const said = readFileSync(join(place.installed, 'greenlatch/dist/LICENSES.txt'), 'utf8')
    const parts = new Map(said.split(`\n${'-'.repeat(80)}\n`).map((part) => [/^(\S+) \d\S* \(.+\)$/m.exec(part)?.[1] ?? '', part]))
    const code = filesIn(join(place.installed, 'greenlatch/dist')).filter((path) => path.endsWith('.js')).map((path) => readFileSync(path, 'utf8')).join('\n')
    const bundled = new Set([...code.matchAll(/^\/\/\s*(?:#region )?node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)].map(([, name = '']) => name))
    expect(bundled.size).toBeGreaterThan(5)
    for (const name of [...bundled, 'preact', 'uplot', 'web-tree-sitter', '@vscode/tree-sitter-wasm']) {
      expect(parts.get(name), name).toMatch(/copyright/i)
      expect(parts.get(name)?.length, name).toBeGreaterThan(500)
    }
  })

  it('needs no other package and runs nothing when it is installed', () => {
    const manifest = JSON.parse(readFileSync(join(place.installed, 'greenlatch/package.json'), 'utf8')) as Record<string, Record<string, string> | undefined>
    expect([manifest['dependencies'], manifest['optionalDependencies'], manifest['bundleDependencies']]).toEqual([undefined, undefined, undefined])
    expect(Object.keys(manifest['scripts'] ?? {}).filter((name) => /^(pre|post)?(install|prepare|prepublish)/.test(name))).toEqual([])
  })

  it('is as publint wants it, suggestions included', async () => {
    const { messages } = await publint({ pack: { tarball: place.tarball.buffer }, strict: true })
    expect(messages).toEqual([])
  })

  it('is installed by the line of the image, as a tarball of the build context', () => {
    const dockerfile = readFileSync(join(root, 'integrations/docker/Dockerfile'), 'utf8')
    const [, target = '', line = ''] = /^RUN --mount=type=bind,target=(\S+) \\\n +cd \1 && (npm .*)$/m.exec(dockerfile) ?? []
    expect([target, line]).toEqual(['/context', expect.stringContaining('"${PACKAGE}"')])
    const prefix = join(place.folder, 'image')
    const env = { ...process.env, PACKAGE: `./${place.name}`, npm_config_prefix: prefix, npm_config_offline: 'true' }
    execFileSync('sh', ['-c', line], { cwd: place.folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    expect(execFileSync(join(prefix, 'bin/greenlatch'), ['--version'], { encoding: 'utf8' }).trim()).toBe(version)
    expect(dockerfile).toContain(`--build-arg PACKAGE=./${place.name}`)
  })

  it('is found with its types by every way that modules are looked for', async () => {
    const checked = await checkPackage(createPackageFromTarballData(place.tarball))
    if (!checked.types) throw new Error('the package has no types')
    expect(Object.keys(checked.entrypoints)).toEqual(expect.arrayContaining(DOORS))
    expect(checked.problems).toEqual(NOT_FOR_MODULES)
  })
})

/** A program of somebody else's, with what its compiler says. */
const CONSUMER = `import { defineAgent, openSession, run, type OpenSession } from 'greenlatch'
import { step, type Event } from 'greenlatch/core'
import { scriptedAgent, startModelServer } from 'greenlatch/testing'

export const mine = defineAgent({ name: 'mine', ask: async ({ prompt }) => ({ text: prompt.toUpperCase() }) })
export async function work(): Promise<string | undefined> {
  const session: OpenSession = await openSession({ task: 'mend it', agent: mine, gates: [{ name: 'test', run: ['node', '--test'] }] })
  await run(session)
  return session.session.finish?.outcome
}
export const others = { step, scriptedAgent, startModelServer }
export type Kinds = Event['type']
// @ts-expect-error a session has a task
export const wrong = openSession({ agent: mine, task: 1 })
`

const WAYS = {
  node16: { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 },
  nodenext: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
}

/** Compiled as a program of its own, beside the installed package. */
function programOf(name: string, text: string, way: ts.CompilerOptions): ts.Program {
  const path = join(place.installed, '..', name)
  writeFileSync(path, text)
  return ts.createProgram([path], {
    ...way, target: ts.ScriptTarget.ES2022, lib: ['lib.es2023.d.ts'], strict: true, exactOptionalPropertyTypes: true, noEmit: true, types: ['node'], typeRoots: [join(root, 'node_modules/@types')],
  })
}

describe('the types of the package', () => {
  it.each(Object.entries(WAYS))('hold for a program with "moduleResolution": "%s", and every declaration of ours with them', (_, way) => {
    const program = programOf('consumer.ts', CONSUMER, way)
    const ours = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(place.folder))
    const faults = ours.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    expect(faults.map(({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)).toEqual([])
    const shipped = place.files.filter((name) => name.endsWith('.d.ts'))
    expect(ours.length).toBe(shipped.length + 1)
  })

  it('are refused to a CommonJS module by the code that the page on the library names, while require works', () => {
    const program = programOf('consumer.cts', "import { run } from 'greenlatch'\nexport const mine = run\n", WAYS.node16)
    const codes = ts.getPreEmitDiagnostics(program).map(({ code }) => `TS${code}`)
    expect(codes).toEqual(['TS1479'])
    expect(readFileSync(join(root, 'docs/library.md'), 'utf8')).toContain(codes[0])
    const required = execFileSync(process.execPath, ['-e', "process.stdout.write(typeof require('greenlatch').run)"], { cwd: join(place.installed, '..'), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    expect(required).toBe('function')
  })
})
