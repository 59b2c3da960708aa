// What a JavaScript or TypeScript project says about itself: its package manager, its scripts and its test runner.
import { named, when, type Folder, type Found, type Part } from './folder.js'

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun'
type Manifest = { scripts: Record<string, string>; dependencies: ReadonlySet<string>; manager: string; isWorkspace: boolean }

/** In the order in which they are believed, where several are there. */
const LOCKS: readonly [file: string, manager: Manager][] = [
  ['pnpm-lock.yaml', 'pnpm'], ['pnpm-workspace.yaml', 'pnpm'], ['yarn.lock', 'yarn'], ['bun.lock', 'bun'], ['bun.lockb', 'bun'], ['package-lock.json', 'npm'],
]
const RUN: Readonly<Record<Manager, string>> = { npm: 'npm run', pnpm: 'pnpm run', yarn: 'yarn run', bun: 'bun run' }
const EXEC: Readonly<Record<Manager, string>> = { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn', bun: 'bunx' }
/** The script `test` of every package of a workspace. */
const EVERYWHERE: Readonly<Record<Manager, string>> = {
  npm: 'npm test --workspaces --if-present', pnpm: 'pnpm --recursive test', yarn: 'yarn workspaces run test', bun: "bun run --filter '*' test",
}
const RUNNERS: readonly [dependency: string, words: string][] = [['vitest', 'vitest run'], ['jest', 'jest'], ['mocha', 'mocha'], ['ava', 'ava'], ['@playwright/test', 'playwright test']]
const TYPE_SCRIPTS = ['typecheck', 'type-check', 'types', 'check-types', 'tsc']

/** What `npm init` writes where there are no tests. */
const NO_TESTS = /no test specified/i
/** A runner that waits for changes never ends. */
const WATCHES = /(^|\s)--watch(All)?(?!=false)\b|(^|[&|;]\s*)(react-scripts|vue-cli-service|ng) test\b(?!.*--watch(All)?=false)/
const TEST_FILE = /(^|\/)(test|tests|__tests__)\/.*\.[cm]?js$|[.-]test\.[cm]?js$/
const LOOSE_TEST = /^(tests?\/|__tests__\/)?[^/]+[.-]test\.[cm]?js$/
/** Where one of these is, tests in JavaScript are an aside. */
const OTHERS = ['pyproject.toml', 'setup.py', 'requirements.txt', 'go.mod', 'Cargo.toml', 'pom.xml', 'build.gradle', 'build.gradle.kts', 'mix.exs', 'Gemfile', 'composer.json']
const ANY_TEST_FILE = /(^|\/)(test|tests|__tests__)\/.*\.[cm]?[jt]sx?$|\.(test|spec)\.[cm]?[jt]sx?$/

export function nodePart(folder: Folder): Part | null {
  if (folder.has('deno.json') || folder.has('deno.jsonc')) return denoPart(folder)
  if (!folder.has('package.json')) return looseFiles(folder)
  const manifest = manifestOf(folder)
  const manager = managerOf(folder, manifest)
  const { scripts, dependencies } = manifest
  const typed = folder.has('tsconfig.json')
  const script = (name: string): Found[] => when(scripts[name], { run: `${RUN[manager]} ${name}`, from: `package.json, scripts.${name}` })
  const tool = (words: string, from: string): Found => ({ run: `${EXEC[manager]} ${words}`, from })
  return named({
    language: typed || dependencies.has('typescript') ? 'TypeScript' : 'JavaScript',
    manager,
    test: testsOf(folder, manifest, manager),
    lint: [
      ...script('lint'),
      ...when(dependencies.has('eslint'), tool('eslint .', 'package.json, eslint')),
      ...when(dependencies.has('@biomejs/biome'), tool('biome check .', 'package.json, biome')),
      ...when(dependencies.has('oxlint'), tool('oxlint', 'package.json, oxlint')),
    ],
    types: [...TYPE_SCRIPTS.flatMap(script), ...when(typed && dependencies.has('typescript'), tool('tsc --noEmit', 'tsconfig.json'))],
    build: script('build'),
  })
}

/** Tests that lie openly, named as Node looks for them, where nothing says that this is a project of something else. */
function looseFiles({ files, has }: Folder): Part | null {
  if (OTHERS.some(has) || !files.some((path) => LOOSE_TEST.test(path))) return null
  return named({ language: 'JavaScript', test: [{ run: 'node --test', from: 'files of tests' }] })
}

function denoPart({ has, texts }: Folder): Part {
  const [config = 'deno.json'] = texts(/^deno\.jsonc?$/)
  return named({
    language: 'TypeScript', manager: 'deno',
    test: [{ run: 'deno test', from: config }],
    lint: [{ run: 'deno lint', from: config }],
    types: when(has('main.ts'), { run: 'deno check main.ts', from: config }),
  })
}

function testsOf(folder: Folder, { scripts, dependencies, isWorkspace }: Manifest, manager: Manager): Found[] {
  const runner = RUNNERS.find(([name]) => dependencies.has(name))
  const byRunner = when(runner, { run: `${EXEC[manager]} ${runner?.[1]}`, from: `package.json, ${runner?.[0]}` })
  const own = scripts['test'] ?? ''
  const isScript = own !== '' && !NO_TESTS.test(own)
  if (isScript && !WATCHES.test(own)) return [{ run: manager === 'bun' ? 'bun run test' : `${manager} test`, from: 'package.json, scripts.test' }, ...byRunner]
  if (byRunner.length > 0) return byRunner
  if (isScript) return [{ run: `CI=true ${RUN[manager]} test`, from: 'package.json, scripts.test' }]
  if (isWorkspace) return [workspaceTests(folder, manager)]
  if (manager === 'bun' && folder.files.some((path) => ANY_TEST_FILE.test(path))) return [{ run: 'bun test', from: 'files of tests' }]
  return when(folder.files.some((path) => TEST_FILE.test(path)), { run: 'node --test', from: 'files of tests' })
}

function workspaceTests({ has }: Folder, manager: Manager): Found {
  if (has('turbo.json')) return { run: `${EXEC[manager]} turbo run test`, from: 'turbo.json' }
  if (has('nx.json')) return { run: `${EXEC[manager]} nx run-many --target=test`, from: 'nx.json' }
  return { run: EVERYWHERE[manager], from: has('pnpm-workspace.yaml') ? 'pnpm-workspace.yaml' : 'package.json, workspaces' }
}

function managerOf({ has }: Folder, { manager }: Manifest): Manager {
  const [said] = manager.split('@')
  const known = (['npm', 'pnpm', 'yarn', 'bun'] as const).find((name) => name === said)
  return known ?? LOCKS.find(([file]) => has(file))?.[1] ?? 'npm'
}

/** Whatever is not of the shape it should have counts as not there. */
function manifestOf(folder: Folder): Manifest {
  const { scripts, dependencies, devDependencies, packageManager, workspaces } = readJson(folder.text('package.json'))
  return {
    scripts: Object.fromEntries(Object.entries(mapOf(scripts)).filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    dependencies: new Set([...Object.keys(mapOf(dependencies)), ...Object.keys(mapOf(devDependencies))]),
    manager: typeof packageManager === 'string' ? packageManager : '',
    isWorkspace: typeof workspaces === 'object' || folder.has('pnpm-workspace.yaml') || folder.has('turbo.json') || folder.has('nx.json'),
  }
}

export function readJson(text: string): Record<string, unknown> {
  try {
    return mapOf(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch {
    return {}
  }
}

function mapOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
