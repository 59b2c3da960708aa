import { describe, expect, it } from 'vitest'
import { worthReading, type Found } from './folder.js'
import { proposalFor, type Proposal } from './proposal.js'

type Files = Readonly<Record<string, string | object>>

/** Files by path; what is no text is JSON. Only what would be read has a text. */
function proposed(files: Files): Proposal {
  const paths = Object.keys(files)
  const text = (path: string): string => (typeof files[path] === 'string' ? files[path] : JSON.stringify(files[path]))
  return proposalFor({ files: paths, texts: Object.fromEntries(worthReading(paths).map((path) => [path, text(path)])) })
}

const runs = (all: readonly Found[]): string[] => all.map(({ run, cwd }) => (cwd === undefined ? run : `${cwd}: ${run}`))
const script = (test: string, more: object = {}): object => ({ scripts: { test }, ...more })

describe('what a repository is proposed to be tested by', () => {
  it.each<[string, Files, string[]]>([
    ['nothing at all', {}, []],
    ['a README alone', { 'README.md': '# It' }, []],
    ['npm, a script', { 'package.json': script('jest'), 'package-lock.json': '' }, ['npm test']],
    ['pnpm by its lock file', { 'package.json': script('vitest run'), 'pnpm-lock.yaml': '' }, ['pnpm test']],
    ['yarn by its lock file', { 'package.json': script('jest'), 'yarn.lock': '' }, ['yarn test']],
    ['bun by its lock file, a script', { 'package.json': script('vitest run'), 'bun.lock': '' }, ['bun run test']],
    ['bun without a script', { 'package.json': {}, 'bun.lockb': '', 'src/a.test.ts': '' }, ['bun test']],
    ['the manager that is named, against a stray lock file', { 'package.json': script('jest', { packageManager: 'pnpm@9.1.0' }), 'package-lock.json': '' }, ['pnpm test']],
    ['a script that says there are no tests', { 'package.json': script('echo "Error: no test specified" && exit 1') }, []],
    ['the same, with vitest', { 'package.json': script('echo "Error: no test specified"', { devDependencies: { vitest: '4' } }) }, ['npx vitest run']],
    ['jest without a script, by pnpm', { 'package.json': { devDependencies: { jest: '30' } }, 'pnpm-lock.yaml': '' }, ['pnpm exec jest']],
    ['mocha without a script, by yarn', { 'package.json': { devDependencies: { mocha: '11' } }, 'yarn.lock': '' }, ['yarn mocha']],
    ['a script that watches', { 'package.json': script('jest --watch', { devDependencies: { jest: '30' } }) }, ['npx jest']],
    ['a script that is told not to watch', { 'package.json': script('jest --watchAll=false') }, ['npm test']],
    ['a script that watches, by a runner nobody knows', { 'package.json': script('react-scripts test') }, ['CI=true npm run test']],
    ['node alone, by its files', { 'package.json': {}, 'test/a.js': '' }, ['node --test']],
    ['node alone, by its files, without a manifest', { 'a.mjs': '', 'a.test.mjs': '' }, ['node --test']],
    ['a test in JavaScript beside a project of something else', { 'go.mod': 'module x', 'web.test.js': '' }, ['go test ./...']],
    ['files of a folder of tests that are not named as tests', { 'tests/page.js': '' }, []],
    ['tests in TypeScript without a runner', { 'package.json': {}, 'tsconfig.json': '', 'src/a.test.ts': '' }, []],
    ['a manifest that is no JSON', { 'package.json': '{ not json', 'test/a.test.js': '' }, ['node --test']],
    ['a manifest of another shape', { 'package.json': '{ "scripts": ["test"], "dependencies": "none" }' }, []],
    ['a workspace of npm', { 'package.json': { workspaces: ['packages/*'] }, 'packages/a/package.json': script('jest') }, ['npm test --workspaces --if-present']],
    ['a workspace of pnpm', { 'package.json': {}, 'pnpm-workspace.yaml': '' }, ['pnpm --recursive test']],
    ['a workspace with a script at its root', { 'package.json': script('turbo run test', { workspaces: ['a'] }) }, ['npm test']],
    ['a workspace with turbo', { 'package.json': { workspaces: ['a'] }, 'turbo.json': '', 'yarn.lock': '' }, ['yarn turbo run test']],
    ['a workspace with nx', { 'package.json': {}, 'nx.json': '' }, ['npx nx run-many --target=test']],
    ['deno', { 'deno.json': '{}' }, ['deno test']],
    ['pytest by pyproject.toml', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, ['python3 -m pytest']],
    ['pytest by requirements', { 'requirements-dev.txt': 'pytest==8\n', 'requirements.txt': 'flask\n' }, ['python3 -m pytest']],
    ['pytest by its tests', { 'tests/test_a.py': 'def test_a():\n  assert True\n' }, ['python3 -m pytest']],
    ['pytest in an environment of its own', { 'requirements.txt': 'pytest\n', '.venv/bin/python': '' }, ['.venv/bin/python -m pytest']],
    ['uv', { 'pyproject.toml': '[dependency-groups]\ndev = ["pytest"]\n', 'uv.lock': '' }, ['uv run pytest']],
    ['poetry', { 'pyproject.toml': '[tool.poetry]\n[tool.poetry.group.dev.dependencies]\npytest = "*"\n' }, ['poetry run pytest']],
    ['pipenv, with unittest', { Pipfile: '', 'test_a.py': 'import unittest\n' }, ['pipenv run python -m unittest']],
    ['unittest in a package', { 'setup.py': '', 'tests/__init__.py': '', 'tests/test_a.py': 'import unittest\n' }, ['python3 -m unittest']],
    ['unittest in a folder', { 'setup.py': '', 'tests/test_a.py': 'import unittest\n' }, ['python3 -m unittest discover -s tests']],
    ['Python without tests', { 'setup.py': '', 'app.py': '' }, []],
    ['a test in Python inside a project of another language', { 'package.json': script('jest'), 'tests/test_tool.py': 'def test_a(): pass' }, ['npm test']],
    ['Go', { 'go.mod': 'module x\n' }, ['go test ./...']],
    ['a workspace of Go', { 'go.work': 'go 1.22\n\nuse (\n\t./api // first\n\t./web\n)\n', 'api/go.mod': '', 'web/go.mod': '' }, ['go test ./api/... ./web/...']],
    ['a workspace of Go that leads elsewhere', { 'go.work': 'use ../other\nuse ./a;rm\n' }, ['go test ./...']],
    ['Rust', { 'Cargo.toml': '[package]\n' }, ['cargo test']],
    ['a workspace of Rust', { 'Cargo.toml': '[workspace]\nmembers = ["a"]\n' }, ['cargo test --workspace']],
    ['Maven', { 'pom.xml': '' }, ['mvn --batch-mode test']],
    ['Maven with its wrapper', { 'pom.xml': '', mvnw: '' }, ['./mvnw --batch-mode test']],
    ['Gradle with its wrapper', { 'build.gradle.kts': '', gradlew: '' }, ['./gradlew test']],
    ['C#', { 'App.sln': '' }, ['dotnet test']],
    ['Ruby', { Gemfile: '', 'spec/a_spec.rb': '' }, ['bundle exec rspec']],
    ['PHP', { 'composer.json': {}, 'phpunit.xml': '' }, ['vendor/bin/phpunit']],
    ['Elixir', { 'mix.exs': '' }, ['mix test']],
    ['a Makefile alone', { Makefile: 'CC := cc\n.PHONY: test\ntest: all\n\t./run\n', 'a.c': '' }, ['make test']],
    ['a Makefile with a check', { Makefile: 'check:\n\t./run\n' }, ['make check']],
    ['a Makefile without either', { Makefile: 'test := x\nall:\n' }, []],
    ['a justfile', { justfile: 'default:\n\ntest filter="":\n  cargo test\n' }, ['just test']],
    ['a language before its Makefile', { 'go.mod': '', Makefile: 'test:\n' }, ['go test ./...']],
    ['two languages side by side', { 'package.json': script('vitest run'), 'pyproject.toml': '[tool.pytest]\n' }, ['npm test', 'python3 -m pytest']],
    ['two projects in folders', { 'web/package.json': script('jest'), 'api/go.mod': '', 'api/sub/go.mod': '' }, ['api: go test ./...', 'web: npm test']],
    ['a project beside examples', { 'services/api/pyproject.toml': 'pytest', 'examples/x/package.json': script('jest') }, ['services/api: python3 -m pytest']],
  ])('%s', (_, files, expected) => {
    expect(runs(proposed(files).tests)).toEqual(expected)
  })

  it('is what AGENTS.md tells, where it tells something, and the rest is named beside it', () => {
    const { tests, others } = proposed({ 'AGENTS.md': '# Work\n\nRun `npm run test:all` first.\n', 'package.json': { scripts: { test: 'jest', 'test:all': 'x' } }, Makefile: 'test:\n' })
    expect(tests).toEqual([{ run: 'npm run test:all', from: 'AGENTS.md:3' }])
    expect(runs(others)).toEqual(['npm test', 'make test'])
  })

  it('is not a script that AGENTS.md tells of and the manifest has not', () => {
    expect(runs(proposed({ 'AGENTS.md': '`npm run test:old`', 'package.json': script('jest') }).tests)).toEqual(['npm test'])
  })

  it('tells single tests apart by the reports of Java, also where AGENTS.md tells the same command', () => {
    const report = '**/build/test-results/test/TEST-*.xml'
    expect(proposed({ 'build.gradle': '', gradlew: '' }).tests).toMatchObject([{ report }])
    expect(proposed({ 'build.gradle': '', gradlew: '', 'AGENTS.md': '- `./gradlew test`' }).tests).toEqual([{ run: './gradlew test', from: 'AGENTS.md:1', report }])
  })
})

describe('what else a repository tells', () => {
  it('is how it is linted, typed and built, each with its origin', () => {
    const { lint, types, build, languages, managers } = proposed({
      'package.json': { scripts: { lint: 'eslint .', build: 'x' }, devDependencies: { typescript: '5', eslint: '9' } }, 'tsconfig.json': '',
      'pyproject.toml': '[tool.ruff]\n[tool.mypy]\n',
    })
    expect(lint).toEqual([{ run: 'npm run lint', from: 'package.json, scripts.lint' }, { run: 'ruff check .', from: 'ruff' }])
    expect(types).toEqual([{ run: 'npx tsc --noEmit', from: 'tsconfig.json' }, { run: 'mypy .', from: 'mypy' }])
    expect([runs(build), languages, managers]).toEqual([['npm run build'], ['TypeScript', 'Python'], ['npm', 'pip']])
  })

  it.each([['__proto__'], ['constructor']])('has nothing to do with the prototype of objects (%s)', (name) => {
    expect(proposed({ 'package.json': `{"scripts":{"${name}":"x"}}`, 'AGENTS.md': `\`npm run ${name}x\`` }).tests).toEqual([])
  })
})
