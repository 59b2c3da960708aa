// What projects in Go, Rust, Java and a few others say about themselves, and what a Makefile offers.
import { named, when, type Folder, type Found, type Part } from './folder.js'
import { readJson } from './node.js'

export function goPart({ has, text }: Folder): Part | null {
  const isWork = has('go.work')
  if (!isWork && !has('go.mod')) return null
  const modules = isWork ? modulesIn(text('go.work')) : []
  const all = modules.length > 0 ? modules.map((path) => `${path}/...`).join(' ') : './...'
  const from = isWork ? 'go.work' : 'go.mod'
  const linter = ['.golangci.yml', '.golangci.yaml', '.golangci.toml'].find((path) => has(path))
  return named({
    language: 'Go', manager: 'go',
    test: [{ run: `go test ${all}`, from }],
    lint: [...when(linter, { run: 'golangci-lint run', from: linter ?? '' }), { run: `go vet ${all}`, from }],
    build: [{ run: `go build ${all}`, from }],
  })
}

/** From `use ./a`, or from the lines between `use (` and `)`. */
function modulesIn(work: string): string[] {
  const blocks = Array.from(work.matchAll(/^use\s*\(([^)]*)\)/gm), ([, body = '']) => body.split('\n'))
  const single = Array.from(work.matchAll(/^use\s+([^\s(]+)/gm), ([, path = '']) => path)
  const paths = [...single, ...blocks.flat().map((line) => line.replace(/\/\/.*$/, '').trim())]
  return paths.filter((path) => /^\.(\/[\w.-]+)*$/.test(path) && !path.includes('..')).slice(0, 20)
}

export function rustPart({ has, text }: Folder): Part | null {
  if (!has('Cargo.toml')) return null
  const all = /^\[workspace[\].]/m.test(text('Cargo.toml')) ? ' --workspace' : ''
  const from = 'Cargo.toml'
  return named({
    language: 'Rust', manager: 'cargo',
    test: [{ run: `cargo test${all}`, from }],
    lint: [{ run: `cargo clippy${all} -- -D warnings`, from }],
    types: [{ run: `cargo check${all} --all-targets`, from }],
    build: [{ run: `cargo build${all}`, from }],
  })
}

/** Both write JUnit reports by themselves, so that single tests are told apart. */
export function javaPart({ has, files }: Folder): Part | null {
  const gradle = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'].find((path) => has(path))
  const language = files.some((path) => path.endsWith('.kt')) ? 'Kotlin' : 'Java'
  if (has('pom.xml')) {
    const program = has('mvnw') ? './mvnw' : 'mvn'
    const test = { run: `${program} --batch-mode test`, from: 'pom.xml', report: '**/target/surefire-reports/TEST-*.xml' }
    return named({ language, manager: 'maven', test: [test], build: [{ run: `${program} --batch-mode package -DskipTests`, from: 'pom.xml' }] })
  }
  if (gradle === undefined) return null
  const program = has('gradlew') ? './gradlew' : 'gradle'
  const test = { run: `${program} test`, from: gradle, report: '**/build/test-results/test/TEST-*.xml' }
  return named({ language, manager: 'gradle', test: [test], build: [{ run: `${program} assemble`, from: gradle }] })
}

export function dotnetPart({ files }: Folder): Part | null {
  const project = files.find((path) => /^[^/]+\.(sln|slnx|csproj|fsproj)$/.test(path))
  if (project === undefined) return null
  return named({ language: project.endsWith('.fsproj') ? 'F#' : 'C#', manager: 'dotnet', test: [{ run: 'dotnet test', from: project }], build: [{ run: 'dotnet build', from: project }] })
}

export function rubyPart({ has, text, files }: Folder): Part | null {
  if (!has('Gemfile')) return null
  const isSpec = files.some((path) => /^spec\/.*_spec\.rb$/.test(path))
  return named({
    language: 'Ruby', manager: 'bundler',
    test: [
      ...when(isSpec, { run: 'bundle exec rspec', from: 'files of tests' }),
      ...when(!isSpec && has('Rakefile') && files.some((path) => /^test\/.*\.rb$/.test(path)), { run: 'bundle exec rake test', from: 'Rakefile' }),
    ],
    lint: when(has('.rubocop.yml') || text('Gemfile').includes('rubocop'), { run: 'bundle exec rubocop', from: 'rubocop' }),
  })
}

export function phpPart({ has, text }: Folder): Part | null {
  if (!has('composer.json')) return null
  const { scripts } = readJson(text('composer.json'))
  const isScript = typeof scripts === 'object' && scripts !== null && 'test' in scripts
  return named({
    language: 'PHP', manager: 'composer',
    test: [
      ...when(isScript, { run: 'composer test', from: 'composer.json, scripts.test' }),
      ...when(has('phpunit.xml') || has('phpunit.xml.dist'), { run: 'vendor/bin/phpunit', from: 'phpunit.xml' }),
    ],
  })
}

export function elixirPart({ has }: Folder): Part | null {
  return has('mix.exs') ? named({ language: 'Elixir', manager: 'mix', test: [{ run: 'mix test', from: 'mix.exs' }] }) : null
}

/** Targets of a Makefile or recipes of a justfile: chosen by people, but what they do besides cannot be told. */
export function makePart({ texts, text }: Folder): Part | null {
  const [file] = texts(/^((GNU)?[Mm]akefile|[Jj]ustfile)$/)
  if (file === undefined) return null
  const program = /justfile$/i.test(file) ? 'just' : 'make'
  const targets = new Set(Array.from(text(file).matchAll(/^@?([A-Za-z][\w-]*)(?:\s+[\w= "'-]*)?\s*:(?![:=])/gm), ([, name = '']) => name))
  const found = (...names: string[]): Found[] => names.filter((name) => targets.has(name)).map((name) => ({ run: `${program} ${name}`, from: `${file}, ${name}` }))
  const part = { test: found('test', 'tests', 'check'), lint: found('lint'), types: found('typecheck', 'types', 'mypy'), build: found('build', 'all') }
  return Object.values(part).flat().length === 0 ? null : named({ language: '', ...part })
}
