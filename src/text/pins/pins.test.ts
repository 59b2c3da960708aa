// Tests of which files are pinned, and as what.
import { describe, expect, it } from 'vitest'
import { createPins, installedFolderOf, isBreachWhenNew, isPerhapsTheWork, type PinKind } from './pins.js'

const FILES: Record<PinKind | 'free', string> = {
  test: `test/a.js tests/deep/b.py __tests__/c.ts spec/d.rb src/test/java/E.java pkg/testdata/f.bin test/fixtures/package.json src/a.test.ts src/a.spec.tsx
    a_test.go test_a.py a_test.py tests.py src/CalcTest.java CalcSpec.scala CalcIT.java TestCalc.kt app_spec.rb tests/a.rs src/tests.rs lib/a.t a.bats a.feature
    src/__snapshots__/a.test.ts.snap src/__golden__/a.txt e2e/login.ts Calc.Tests/Sum.cs my_tests/a.py src/fixture.ts src/store.fixture.ts test/support/cli.ts test-utils.js
    a.cy.ts cypress/a.js src/androidTest/a.kt calc.test.mjs test-add.mjs tests`,
  runner: `vitest.config.ts packages/a/vitest.workspace.mts vite.config.js jest.config.json jest.setup.js mocha.config.js .mocharc.yml .mocharc .taprc .nycrc.json .c8rc ava.config.js playwright.config.ts
    karma.conf.js cypress.config.ts conftest.py tests/conftest.py tests/fixtures/conftest.py pytest.ini tests/pytest.ini tox.ini noxfile.py .coveragerc sitecustomize.py usercustomize.py
    evil.pth pytest.py unittest/__init__.py .babelrc babel.config.cjs tsconfig.json tsconfig.test.json .npmrc .yarnrc.yml Makefile makefile GNUmakefile justfile Taskfile.yml
    Rakefile build.gradle build.gradle.kts settings.gradle pom.xml phpunit.xml phpunit.xml.dist .rspec spec/spec_helper.rb src/__mocks__/fs.js __mocks__ .cargo/config.toml rust-toolchain
    rust-toolchain.toml build.rs crates/a/build.rs .env .env.test codecov.yml src/setupTests.ts test/global-setup.ts go.work CMakeLists.txt meson.build .eslintrc.json eslint.config.mjs .flake8 mypy.ini ruff.toml
    .golangci.yml .oxlintrc.json biome.json .nvmrc .tool-versions gradlew .mvn/jvm.config turbo.json nx.json pnpm-workspace.yaml bunfig.toml deno.json run_tests.sh test.sh run-tests.js Calc.csproj docker-compose.test.yml
    calc.DIST-INFO/METADATA calc.Egg-Info/entry_points.txt postcss.config.cjs .postcssrc .postcssrc.json svelte.config.js next.config.mjs webpack.config.ts rstest.config.ts hatch.toml
    .bundle/config mise/config.toml .config/mise/config.toml .mise/tasks/test JUSTFILE .Justfile .sbtopts .jvmopts cabal.project.local src/test/resources/META-INF/services/org.junit.platform.launcher.TestExecutionListener
    buildSrc/src/main/kotlin/A.kt uv.toml poetry.toml pixi.toml sitecustomize.pyc usercustomize.abi3.so pytest.so unittest/__init__.pyc pluggy.cpython-311-x86_64-linux-gnu.so`,
  lock: 'package-lock.json packages/a/package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lockb poetry.lock uv.lock pixi.lock pylock.toml Pipfile.lock Cargo.lock go.sum composer.lock Gemfile.lock gradle.lockfile',
  ci: '.github/workflows/ci.yml .github/actions/a/action.yml .gitlab-ci.yml .circleci/config.yml azure-pipelines.yml Jenkinsfile .travis.yml bitbucket-pipelines.yml .buildkite/pipeline.yml .husky/pre-commit',
  manifest: 'package.json packages/a/package.json test/package.json pyproject.toml Cargo.toml go.mod composer.json Gemfile setup.cfg setup.py requirements.txt requirements-dev.txt requirements/dev.txt Pipfile',
  installed: 'node_modules/.bin/vitest a/node_modules/x/test/a.test.js node_modules vendor/github.com/a/b.go .venv/bin/pytest lib/python3/site-packages/pytest.py .pnp.cjs',
  gate: 'scripts/check.sh tools/check/main.go tools/check/deep/a.go',
  free: `src/a.ts src/latest.js src/contest.py src/attest.go src/text/test-run.ts README.md docs/testing.md .env.example src/build.rs src/testing/index.ts lib/protest.rb src/Latest.java build
    tools/checker/main.go tools/check META-INF/services/a.B src/postcss.ts src/mise.ts src/package.ts data/lock.json .gitignore src/inspect.ts src/makefile.ts respect.js scripts/other.sh`,
}

describe('a file', () => {
  const pinOf = createPins({ gateFiles: ['scripts/check.sh', 'test/a.js', 'tools/check/'] })

  it.each(Object.keys(FILES) as (keyof typeof FILES)[])('is pinned as %s by its name.', (kind) => {
    const wrong = FILES[kind].split(/\s+/).filter((path) => (pinOf(path) ?? 'free') !== kind)
    expect(wrong.map((path) => `${path}: ${pinOf(path)}`)).toEqual([])
  })

  it('is told by capitals where the file system does so, and without them where it does not.', () => {
    const [exactly, loosely] = [pinOf, createPins({ gateFiles: ['scripts/check.sh'], caseInsensitive: true })]
    const paths = ['Conftest.PY', 'PACKAGE.json', 'Test/A.js', 'Scripts/CHECK.sh', 'src/latest.java']
    expect(paths.map((path) => exactly(path))).toEqual([null, null, 'test', null, null])
    expect(paths.map((path) => loosely(path))).toEqual(['runner', 'manifest', 'test', 'gate', null])
  })

  it('that is new breaks a pin only where it decides how others are run.', () => {
    const kinds = ['test', 'runner', 'ci', 'gate', 'installed'] as const
    expect(kinds.map((kind) => isBreachWhenNew(kind, 'a'))).toEqual([false, true, true, true, true])
    expect(['package-lock.json', 'a/npm-shrinkwrap.json'].map((path) => isBreachWhenNew('lock', path))).toEqual([false, true])
  })

  it('that a gate starts may be the work itself, unless its name or folder says that it checks.', () => {
    const work = ['src/server.js', 'calc.py', 'cmd/app/main.go', 'bin/cli.mjs', 'index.ts', 'src/precision.py']
    const checks = ['scripts/check.py', 'tools/register.js', 'verify.sh', 'ci/a.js', 'src/selfcheck.js', 'smoke.py', 'run.py', 'lint-all.mjs', '.hooks/a.js', 'dev/a.py', 'src/ci.test.js', 'ci-all.js', 'program']
    expect([...work, ...checks].filter((path) => isPerhapsTheWork(path))).toEqual(work)
  })

  it('is judged in time that does not explode with its name.', () => {
    const began = performance.now()
    const names = ['vitest-', 'vitest.', 'jest.setup-', '.env.a', 'tsconfig-a', 'Dockerfile.test-', 'x_-.', 'fixture.', 'src/', 'compose-test'].map((part) => part.repeat(30))
    for (const name of [...names, ...names.map((path) => path.repeat(10))]) pinOf(name)
    expect(performance.now() - began).toBeLessThan(10_000)
  })

  it('of an installed package belongs to the outermost folder of packages.', () => {
    expect(['a/node_modules/b/node_modules/c.js', 'vendor', '.pnp.cjs'].map((path) => installedFolderOf(path))).toEqual(['a/node_modules/', 'vendor/', '.pnp.cjs'])
  })
})
