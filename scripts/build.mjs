// Builds dist/: the public doors with the chunks they share, the programs and the page beside them, then the declarations.
import { build } from 'esbuild'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as buildChunks } from 'rolldown'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const define = { __GREENLATCH_VERSION__: JSON.stringify(version) }

rmSync(join(root, 'dist'), { recursive: true, force: true })
/** Every file that came into `dist`, as a path from the root: what packages are among them is said there, with their licences. */
const inside = new Set(await buildDoors())
await build({
  absWorkingDir: root,
  entryPoints: { greenlatch: 'src/cli/greenlatch.cts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  define,
  logLevel: 'warning',
})
chmodSync(join(root, 'dist/greenlatch.cjs'), 0o755)
await buildGrammars()
await buildPage()
writeFileSync(join(root, 'dist/LICENSES.txt'), licencesOf([...inside]))
// Started as a program of its own by `src/testing/agent-kit/stub.ts`.
mkdirSync(join(root, 'dist/stub'))
copyFileSync(join(root, 'src/testing/agent-kit/stub-agent.mjs'), join(root, 'dist/stub/stub-agent.mjs'))
// What `demo` works on.
cpSync(join(root, 'src/cli/demo/shop'), join(root, 'dist/demo/shop'), { recursive: true })
// What settings files name for editors.
writeFileSync(join(root, 'dist/greenlatch.schema.json'), execFileSync(process.execPath, [join(root, 'dist/greenlatch.cjs'), 'schema']))
if (!process.argv.includes('--no-types')) {
  execFileSync(process.execPath, ['scripts/tsc.mjs', '-p', 'scripts/tsconfig.types.json'], { cwd: root, stdio: 'inherit' })
  await keepReachableTypes()
}

/** A command reads a handful of files: modules that are wanted together lie together, as docs/decisions/0031-few-files-to-read.md measures. */
async function buildDoors() {
  const together = [
    ['core', /src\/core\//],
    ['start', /src\/cli\/program\.ts$/],
    ['base', /src\/(files|git|process)\/|src\/adapters\/(journal|agents\/scripted)/],
    ['look', /src\/cli\/commands\/(status|logs|sessions|explain)\.ts$/],
    ['work', /src\/cli\/commands\/(run|step|open|resume|accept|diff|undo|redo|reply|hint)\.ts$/],
  ]
  const { output } = await buildChunks({
    cwd: root,
    input: { main: 'src/cli/main.ts', index: 'src/index.ts', core: 'src/core/index.ts', testing: 'src/testing/index.ts' },
    platform: 'node',
    // Optional peers of `fleet`, for those who want one.
    external: ['bullmq', 'ioredis'],
    // The same parser as ES modules: Node would be given CommonJS, whose names a dynamic import of a bundle does not see.
    resolve: { alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') } },
    transform: { target: 'node20.19', define },
    // What is loaded lazily from one place is loaded early from another, which is meant.
    checks: { ineffectiveDynamicImport: false },
    output: {
      dir: 'dist',
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      comments: { legal: true, annotation: false, jsdoc: false },
      // Each with all that it imports, as far as no group before it has that already.
      codeSplitting: { groups: together.map(([name, test], at) => ({ name, test, priority: together.length - at })) },
    },
  })
  return output.flatMap((chunk) => chunk.moduleIds ?? []).map((path) => relative(root, path))
}

/** The compiler writes declarations of all that it read; only those that a public door leads to are for others. */
async function keepReachableTypes() {
  const { default: ts } = await import('typescript')
  const folder = join(root, 'dist/types')
  const doors = ['index.d.ts', 'core/index.d.ts', 'testing/index.d.ts'].map((door) => join(folder, door))
  const program = ts.createProgram(doors, { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, noLib: true, types: [] })
  const reached = new Set(program.getSourceFiles().map(({ fileName }) => fileName))
  const written = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  for (const path of written) if (!reached.has(path)) rmSync(path)
}

/** The parsing thread and what it loads: `src/syntax/assets.ts` looks for them in `dist/grammars`. */
async function buildGrammars() {
  const { metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: { 'parse-worker': 'src/syntax/parse-worker.mjs' },
    outdir: 'dist/grammars',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    legalComments: 'linked',
    logLevel: 'warning',
  })
  for (const path of Object.keys(metafile.inputs)) inside.add(path)
  const copy = (from, to) => {
    copyFileSync(join(root, 'node_modules', from), join(root, 'dist/grammars', to))
    inside.add(`node_modules/${from}`)
  }
  copy('web-tree-sitter/web-tree-sitter.wasm', 'web-tree-sitter.wasm')
  for (const name of ['python', 'typescript', 'tsx', 'javascript', 'go', 'rust', 'java']) {
    copy(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`, `${name}.wasm`)
  }
}

/** One file with everything in it: scripts and styles are known by their hash, and nothing else may run in it or be loaded by it. */
async function buildPage() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: { page: 'src/web/main.tsx' },
    outdir: 'dist/web',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
  })
  for (const path of Object.keys(metafile.inputs)) inside.add(path)
  const textOf = (end) => outputFiles.find(({ path }) => path.endsWith(end)).text.trim().replaceAll('</', '<\\/')
  const [script, style] = [textOf('.js'), textOf('.css')]
  const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'`
  const parts = { '%POLICY%': policy, '%STYLE%': style, '%SCRIPT%': script }
  const template = readFileSync(join(root, 'src/web/page.html'), 'utf8')
  const page = template.replaceAll(/%(?:POLICY|STYLE|SCRIPT)%/g, (place) => parts[place])
  mkdirSync(join(root, 'dist/web'))
  writeFileSync(join(root, 'dist/web/page.html'), page)
}

/** What whoever hands the package on owes those whose work is in it. */
function licencesOf(paths) {
  const names = new Set(paths.flatMap((path) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []))
  const parts = [...names].toSorted().map((name) => {
    const folder = join(root, 'node_modules', name)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).toSorted()
    return [`${name} ${version} (${license})`, ...texts.map((file) => readFileSync(join(folder, file), 'utf8').trim())].join('\n\n')
  })
  return `Parts of these packages are in this one, under their own licences.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
