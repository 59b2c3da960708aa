// The names by which pinned files are known: tests, what decides how they are run and judged, lockfiles, CI files and manifests.

/** Tried on a file's own name, on each of its folders' names, or on its whole path. */
export type Names = { name?: readonly RegExp[]; folder?: readonly RegExp[]; path?: readonly RegExp[] }

const SCRIPT = '[cm]?[jt]sx?'
/** A module of Python, compiled or not. */
const MODULE = String.raw`(?:pyw?|pyc|pyo|(?:[\w-]+\.)*(?:so|pyd))`
const CONFIG = `(?:${SCRIPT}|json[c5]?|ya?ml|toml)`

/** Any of the alternatives, and nothing else. */
function oneOf(...alternatives: readonly string[]): RegExp {
  return new RegExp(`^(?:${alternatives.join('|')})$`)
}

/** Packages as they are installed: whoever changes these changes the runner itself. */
export const INSTALLED: Names = {
  folder: [/^(?:node_modules|bower_components|site-packages|vendor|\.venv|venv|\.yarn)$/],
  name: [/^\.pnp\.(?:c?js|loader\.mjs)$/],
}

/** Loaded for every test below its folder, even among data. */
export const CONFTEST: Names = { name: [/^conftest\.py$/] }

/** What test runners read as data, whatever it is called. */
export const FIXTURES: Names = { folder: [/^(?:__)?(?:fixtures?|snapshots?|golden)(?:__)?$/, /^test[-_]?data$/] }

export const RUNNER: Names = {
  folder: [/^__mocks__$/, /^\.mvn$/, /^_pytest$/, /^\.cargo$/, /\.(?:egg|dist)-info$/i, /^egg-info$/i, /^buildSrc$/, /^\.bundle$/],
  path: [
    /(?:^|\/)gradle\/(?:wrapper\/|[^/]+\.(?:gradle|toml|properties)$)/,
    new RegExp(`(?:^|/)(?:pytest|unittest|pluggy|nose|(?:site|user)customize)/__init__\\.${MODULE}$`),
    /(?:^|\/)\.?mise\/(?:config(?:\.[\w-]+)?\.toml$|conf\.d\/|tasks\/)/,
    /(?:^|\/)META-INF\/services\/org\.junit\.platform[^/]*$/,
    /(?:^|\/)project\/[^/]+\.(?:sbt|properties)$/,
    /^(?!(?:.*\/)?src\/build\.rs$)(?:.*\/)?build\.rs$/,
  ],
  name: [
    // JavaScript: runners, compilers, coverage, workspaces
    new RegExp(`^(?:vitest|vite|jest|mocha|ava|playwright|karma|cypress|wdio|protractor|web-test-runner|wtr|stryker|babel|nyc|c8|swc|tap`
      + `|postcss|svelte|next|webpack|rstest)`
      + `(?:[.-]\\w+)*\\.(?:config|conf|workspace|setup|projects|preset)(?:\\.[\\w-]+)*\\.${CONFIG}$`),
    new RegExp(`^\\.(?:mocha|nyc|c8|swc|babel|jest|tap|jasmine|ava|postcss)rc(?:\\.${CONFIG})?$`),
    new RegExp(`^(?:vitest|jest|mocha)[.-](?:setup|workspace|globals?|environment)(?:[.-]\\w+)*\\.${SCRIPT}$`),
    new RegExp(`^(?:setup-?tests?|tests?-setup|setup-?(?:vitest|jest|mocha)|global-?setup|global-?teardown)\\.${SCRIPT}$`, 'i'),
    /^(?:cypress|jasmine|nightwatch|\.jasmine|angular|nx|turbo|lerna|rush|wireit)\.(?:json|js)$/,
    /^(?:project|workspace)\.json$/,
    /^testem\.(?:js|json|ya?ml)$/,
    /^[jt]sconfig(?:[.-][\w.-]+)?\.json$/,
    /^deno\.jsonc?$/,
    /^(?:bunfig\.toml|pnpm-workspace\.yaml|\.pnpmfile\.cjs|\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmrc)$/,
    /^\.(?:node-version|nvmrc|tool-versions|python-version|ruby-version|java-version|sdkmanrc)$/,
    // Python
    oneOf(
      String.raw`\.?pytest\.(?:ini|toml)|tox\.(?:ini|toml)|noxfile\.py|\.?coveragerc|\.coveragerc\.toml`,
      String.raw`nose\.cfg|unittest\.cfg|(?:uv|poetry|pdm|\.pdm|pixi|hatch)\.toml`,
    ),
    new RegExp(`^(?:pytest|unittest|pluggy|nose|doctest|(?:site|user)customize)\\.${MODULE}$`),
    /\.(?:pth|egg-link)$/,
    /^(?:pip\.conf|manage_test\.py|runtests\.py)$/,
    // Build tools and task runners
    /^\.?justfile$/i,
    oneOf(
      String.raw`GNUmakefile|[Mm]akefile|[^/]+\.mk|[^/]+\.just|[Tt]askfile(?:\.[\w.]+)?\.ya?ml|Rakefile`,
      String.raw`[^/]+\.rake|Guardfile|Earthfile|Tiltfile|SConstruct|wscript`,
    ),
    oneOf(
      String.raw`CMakeLists\.txt|CMakePresets\.json|CTest[\w.]*\.cmake|CTestConfig\.cmake|meson\.build`,
      String.raw`meson_options\.txt|configure\.ac|Makefile\.am`,
    ),
    /^(?:BUILD|BUILD\.bazel|WORKSPACE|WORKSPACE\.bazel|MODULE\.bazel|\.bazelrc|\.bazelversion|BUCK)$/,
    oneOf(
      String.raw`(?:build|settings)\.gradle(?:\.kts)?|gradle\.properties|gradlew(?:\.bat)?|mvnw(?:\.cmd)?|pom\.xml`,
      String.raw`build\.sbt|build\.xml|testng[\w.-]*\.xml|junit-platform\.properties`,
    ),
    oneOf(
      String.raw`Directory\.(?:Build|Packages)\.(?:props|targets)|global\.json|xunit\.runner\.json|[^/]+\.runsettings`,
      String.raw`[^/]+\.(?:cs|fs|vb)proj|[^/]+\.sln[x]?`,
    ),
    oneOf(
      String.raw`go\.work|rust-toolchain(?:\.toml)?|\.?nextest\.toml|mix\.exs|\.formatter\.exs|dune-project|dune`,
      String.raw`rebar\.config|Package\.swift|project\.clj|deps\.edn|\.sbtopts|\.jvmopts|cabal\.project(?:\.[\w.]+)?`,
    ),
    oneOf(
      String.raw`\.rspec|\.simplecov|(?:spec|test|rails)_helper\.rb|phpunit[\w.-]*\.xml(?:\.dist)?|Pest\.php`,
      String.raw`behat\.ya?ml|codeception\.ya?ml|cucumber\.(?:ya?ml|js|[cm]js|json)`,
    ),
    /^(?:\.codecov\.ya?ml|codecov\.ya?ml|\.coveralls\.ya?ml|tarpaulin\.toml|\.tarpaulin\.toml)$/,
    /^(?:mise|\.mise)(?:\.[\w-]+)?\.toml$/,
    /^(?:run[-_]?)?(?:all[-_]?)?tests?\.(?:sh|bash|zsh|fish|bat|cmd|ps1)$/,
    new RegExp(`^run[-_]?tests?\\.(?:${SCRIPT}|py|rb|pl)$`),
    /^(?:Dockerfile|docker-compose|compose)[.-][\w.-]*test[\w.-]*$/,
    // What linters and type checkers go by: they are gates too
    oneOf(`(?:eslint|prettier|biome|oxlint|stylelint|commitlint|knip|tslint|dprint|ruff|mypy|pyright)(?:\\.config)?\\.(?:${CONFIG}|ini)`),
    /^pyrightconfig\.json$/,
    new RegExp(`^\\.(?:eslint|prettier|oxlint|stylelint|commitlint|jshint|jscs|tslint|pylint|markdownlint)(?:rc|ignore)(?:\\.${CONFIG})?$`),
    /^(?:\.flake8|\.?mypy\.ini|\.?ruff\.toml|\.pylintrc|pylintrc|\.bandit|\.isort\.cfg|\.style\.yapf|\.pre-commit-config\.yaml)$/,
    /^\.?(?:golangci|rubocop|phpstan|psalm|checkstyle|pmd|spotbugs|detekt|ktlint|swiftlint|credo|clang-tidy|clang-format)(?:[.-][\w.-]+)?$/,
    /^\.?(?:clippy|rustfmt)\.toml$/,
    // Variables that commands are started with
    /^\.env(?!\.(?:example|sample|template|dist)$)(?:\.[\w.-]+)?$/,
    /^\.envrc$/,
  ],
}

export const CI: Names = {
  path: [
    /^\.github\/(?:workflows|actions)(?:\/|$)/,
    /^\.(?:circleci|buildkite|woodpecker|teamcity|gitlab|drone|azure-pipelines|tekton|semaphore|ci)(?:\/|$)/,
    /^\.(?:husky|githooks)(?:\/|$)/,
  ],
  name: [
    /^(?:\.gitlab-ci|\.travis|\.drone|\.woodpecker|\.cirrus|\.appveyor|appveyor|azure-pipelines|bitbucket-pipelines|buildspec|cloudbuild|wercker|codeship-steps)(?:[.-][\w.-]+)?\.ya?ml$/,
    /^(?:Jenkinsfile(?:\.[\w.-]+)?|action\.ya?ml|lefthook\.ya?ml)$/,
  ],
}

export const LOCK: Names = {
  name: [
    /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock)$/,
    /^(?:(?:poetry|uv|pdm|pixi)\.lock|pylock(?:\.[\w-]+)?\.(?:lock|toml))$/,
    /^(?:Pipfile\.lock|conda-lock\.yml|requirements[\w.-]*\.lock)$/,
    /^(?:Cargo\.lock|go\.sum|go\.work\.sum|composer\.lock|Gemfile\.lock|mix\.lock|pubspec\.lock|Podfile\.lock|Package\.resolved)$/,
    oneOf(
      String.raw`packages\.lock\.json|gradle\.lockfile|buildscript-gradle\.lockfile|verification-metadata\.xml`,
      String.raw`flake\.lock|rebar\.lock|stack\.yaml\.lock`,
    ),
  ],
}

/** A new one of these is read in place of a lockfile that is there. */
export const OVERRIDING_LOCK = /^npm-shrinkwrap\.json$/

/** Pinned by what stands in them; see `manifest.ts`. */
export const MANIFEST: Names = {
  name: [
    /^(?:package|composer)\.json$/,
    /^(?:pyproject|Cargo)\.toml$/,
    /^setup\.cfg$/,
    /^(?:go\.mod|Gemfile|Pipfile|setup\.py|pubspec\.yaml|environment\.ya?ml|[^/]+\.gemspec)$/,
    /^(?:requirements|constraints)[\w.-]*\.(?:txt|in)$/,
  ],
  path: [/(?:^|\/)requirements\/[^/]+\.(?:txt|in)$/],
}

export const TEST: Names = {
  folder: [
    /^(?:tests?|__tests?__|specs?|__specs?__|[Tt]ests?|e2e|cypress|androidTest|unittests?|testcases?)$/,
    /^(?:unit|integration|functional|acceptance|system|regression|smoke|e2e|api|ui)[-_]?[Tt]ests?$/,
    /[\w-][._-](?:Unit|Integration)?[Tt]ests?$/,
  ],
  name: [
    new RegExp(`[._-](?:tests?|specs?|e2e|cy|test-d|unit)\\.(?:${SCRIPT}|vue|svelte|coffee)$`),
    new RegExp(`^(?:tests?|specs?)\\.(?:${SCRIPT}|py|rb|rs|php|pl)$`),
    /^test-.*\.[cm]?js$/,
    /^test_.*\.(?:py|rb|c|cc|cpp|rs|jl|php|sh|ml)$/,
    /_tests?\.(?:py|go|rb|rs|c|cc|cpp|cxx|dart|exs?|clj[cs]?|erl|ml|php|sh|jl|hs|nim|zig)$/,
    /_(?:unittest|spec|specs|SUITE)\.(?:py|rb|c|cc|cpp|erl|lua|cr|exs?)$/,
    /\.(?:t|bats|feature|robot|snap|golden|ambr)$/,
    /\.(?:test|spec|tests|specs)\.[\w.]+$/,
    /\.(?:approved|verified|expected)\.\w+$/,
    /^(?:[\w.-]+[._-])?fixtures?\.\w+$/,
    /^test[-_.]?(?:utils?|helpers?|support|case|base|lib)\.\w+$/,
  ],
}

/** Told apart by their capitals alone, so that `latest.java` is none of them on any file system. */
export const TEST_BY_CAPITALS: Names = {
  name: [
    /(?:Test|Tests|TestCase|Spec|Specs|IT|ITCase)\.(?:java|kt|kts|scala|groovy|cs|fs|vb|php|swift|m|mm|hs|[jt]sx?)$/,
    /^Test[A-Z]\w*\.(?:java|kt|scala|groovy|cs|php|swift)$/,
  ],
}
