// What is known of programs on command lines: which of their words are files that they run or load.

export type KnownProgram = {
  name: RegExp
  /** The value of these options is a file that is loaded. */
  loads?: RegExp
  /** The value of these is a module, such as `tools.check`. */
  module?: RegExp
  /** The value of these is a command in one word. */
  shell?: RegExp
  /** The value of these is none of the kind. */
  takes?: RegExp
  /** With these no word is a script. */
  without?: RegExp
  /** What the first word that is no option is: a file that is run, a folder with a program, or a file that is merely looked at. */
  first: 'script' | 'folder' | 'looked at'
  /** It is so only after this word. */
  verb?: RegExp
  /** What may be left out of the name of a file. */
  endings?: readonly string[]
  /** With this option or word, or always, the words behind it are files of tests, or their modules. */
  tests?: RegExp | 'files' | 'modules'
  /** Such a name among other words starts this program too, since nobody knows all programs that start others. */
  anywhere?: true
}

/** Of programs that nobody knows. */
export const COMMON_LOADS = /^--(?:config(?:-?file|-?path)?|rcfile|rc-file|require|import|loader|preload|plugins?|rulesdir|setup-?files?|global-?setup)$/i

const JS_ENDINGS = ['.js', '.cjs', '.mjs', '.ts', '.json', '/index.js', '/index.ts'] as const

export const PROGRAMS: readonly KnownProgram[] = [
  {
    name: /^(?:bun|deno)$/, loads: /^(?:-r|--require|--import|--preload|--config|--env-file|--import-map)$/, takes: /^(?:-t|--test-name-pattern|--filter|--timeout)$/,
    without: /^(?:-e|-p|--eval|--print)$/, first: 'script', tests: /^test$/, endings: JS_ENDINGS, anywhere: true,
  },
  {
    name: /^(?:node|nodejs|tsx|ts-node(?:-esm)?|babel-node|vite-node|jiti|esno|nodemon|electron)$/,
    loads: /^(?:-r|--require|--import|--loader|--experimental-loader|--preload|--config|--env-file(?:-if-exists)?|--test-reporter|--test-global-setup|--import-map)$/,
    takes: /^(?:-C|--conditions|--test-name-pattern|--test-skip-pattern|--test-reporter-destination|--title|--tsconfig|--watch-path)$/,
    without: /^(?:-e|-c|-p|-m|--eval|--print|--check|--test|--run)$/, first: 'script', tests: /^--test$/, endings: JS_ENDINGS, anywhere: true,
  },
  { name: /^(?:python[\d.]*|pypy[\d.]*)$/, module: /^-m$/, takes: /^(?:-W|-X)$/, without: /^-c$/, first: 'script', endings: ['/__main__.py'], anywhere: true },
  {
    name: /^(?:sh|bash|dash|zsh|ksh|ash)$/, loads: /^--(?:rcfile|init-file)$/, shell: /^-[a-z]*c[a-z]*$/i, takes: /^[-+]\w*[oO]$/,
    first: 'script', anywhere: true,
  },
  { name: /^(?:source|\.)$/, first: 'script' },
  { name: /^(?:ruby|jruby)$/, loads: /^-r$/, takes: /^-[ICEF]$/, without: /^-e$/, first: 'script', endings: ['.rb'], anywhere: true },
  { name: /^perl$/, without: /^-\w*[eE]$/, first: 'script', anywhere: true },
  { name: /^php$/, loads: /^-[cf]$/, takes: /^-d$/, without: /^-r$/, first: 'script', anywhere: true },
  { name: /^(?:lua|luajit|Rscript|julia|groovy|tclsh|expect|escript|swift|dart|elixir|crystal|fish|pwsh|powershell)$/, loads: /^-(?:r|File)$/, without: /^-(?:e|c|Command)$/, first: 'script', anywhere: true },
  { name: /^(?:awk|gawk|mawk|sed|gsed)$/, loads: /^(?:-f|--file)$/, first: 'looked at' },
  { name: /^(?:make|gmake|ninja|rake|just|task|gradle|gradlew|mvn|ant|invoke|fab)$/, loads: /^(?:-f|--file|--makefile|--justfile|--rakefile|-t|--taskfile|-b|--build-file|-I|--init-script|-buildfile|-s|--settings|-c)$/, first: 'looked at' },
  { name: /^cmake$/, loads: /^-[PC]$/, first: 'looked at' },
  { name: /^go$/, loads: /^--?(?:exec|toolexec|overlay|modfile|vettool)$/, takes: /^--?(?:tags|ldflags|gcflags|mod|C|p)$/, verb: /^run$/, first: 'folder' },
  { name: /^(?:mocha|_mocha|ava|tap|jasmine|cucumber(?:-js)?|wdio)$/, loads: /^(?:-r|--require|--import|--loader|--config|--package|--opts|--file|--helper|--reporter)$/, takes: /^(?:-g|--grep|-f|--fgrep|-t|--timeout|-j|--jobs|-R|-u|--ui|-m|--match|--tags)$/, first: 'looked at', tests: 'files', endings: JS_ENDINGS, anywhere: true },
  { name: /^(?:jest|vitest|playwright|karma|cypress|c8|nyc|stryker)$/, loads: /^(?:-c|--config|-C|--config-file|--globalSetup|--globalTeardown|--setupFiles|--setupFilesAfterEnv|--testRunner|--runner|--env|--environment|--transform|--resolver|--reporters?|--workspace|--require)$/, takes: /^(?:-t|--testNamePattern|-g|--grep|--project|--pool|--maxWorkers|--shard|--dir|--root|--browser|--outputFile)$/, first: 'looked at', tests: 'files', endings: JS_ENDINGS, anywhere: true },
  { name: /^(?:pytest|py\.test)$/, loads: /^(?:-c|--config-file|--cov-config)$/, module: /^-p$/, takes: /^(?:-k|-m|-o|-n|--maxfail|--tb|--junit-?xml|--rootdir|--cov)$/, first: 'looked at', tests: 'files', anywhere: true },
  { name: /^unittest$/, takes: /^(?:-k|-s|-p|-t)$/, first: 'looked at', tests: 'modules' },
  { name: /^(?:rspec|phpunit|pest|bats|busted|prove|minitest|trial|ward|avocado|testem|qunit)$/, loads: /^(?:-c|--configuration|--require|-r|--bootstrap|--helper)$/, first: 'looked at', tests: 'files', endings: JS_ENDINGS, anywhere: true },
  { name: /^coverage[\d.]*$/, loads: /^--rcfile$/, module: /^-m$/, verb: /^run$/, first: 'script', anywhere: true },
  { name: /^(?:tox|nox)$/, loads: /^(?:-c|--conf|-f|--noxfile)$/, first: 'looked at', anywhere: true },
  { name: /^(?:eslint|prettier|stylelint|biome|oxlint|golangci-lint|rubocop)$/, loads: /^(?:-c|--config|--config-path|--rulesdir|--resolve-plugins-relative-to)$/, first: 'looked at' },
  { name: /^(?:tsc|vue-tsc)$/, loads: /^(?:-p|--project|-b|--build)$/, first: 'looked at', endings: ['/tsconfig.json'] },
  { name: /^find$/, loads: /^-(?:exec|execdir|ok|okdir)$/, first: 'looked at' },
]

/** Programs that start the one behind them. */
export type Wrapper = {
  name: RegExp
  /** Options that take the next word. */
  takes?: RegExp
  /** Words before the program. */
  skips?: number
  /** It starts one only after one of these words. */
  verb?: RegExp
}

export const WRAPPERS: readonly Wrapper[] = [
  { name: /^(?:!|if|then|elif|else|while|until|do|\{|nohup|exec|command|builtin|setsid|cross-env(?:-shell)?|unbuffer|catchsegv|fakeroot|dbus-run-session|c8|nyc)$/ },
  { name: /^time$/, takes: /^-[fo]$/ },
  { name: /^env$/, takes: /^(?:-u|-C|--unset|--chdir)$/ },
  { name: /^g?timeout$/, takes: /^(?:-k|-s|--kill-after|--signal)$/, skips: 1 },
  { name: /^nice$/, takes: /^(?:-n|--adjustment)$/ },
  { name: /^ionice$/, takes: /^-[cnp]$/ },
  { name: /^(?:sudo|doas)$/, takes: /^-[ugUCDhpRrTt]$/ },
  { name: /^stdbuf$/, takes: /^-[ioe]$/ },
  { name: /^xvfb-run$/, takes: /^-[efnpsw]$/ },
  { name: /^(?:flock|faketime|chroot)$/, skips: 1 },
  { name: /^(?:taskset|chrt)$/, skips: 1 },
  { name: /^(?:strace|ltrace|valgrind|prlimit|unshare|firejail|bwrap|dotenv|dotenvx|xargs)$/, takes: /^-[eofnIPLdsE]$/ },
  { name: /^(?:npx|bunx|pnpx|pipx|nodemon)$/, takes: /^(?:-p|--package)$/ },
  {
    name: /^(?:npm|pnpm|yarn|uv|poetry|pipenv|pdm|hatch|rye|pixi|conda|mamba|bundle|mise|asdf|direnv|nix|opam|stack|cabal|doppler|op|devbox|dotenvx)$/,
    takes: /^(?:--with|--python|-p|--extra|--group|--env-file|-n|--name|--package|--directory|--project|-e)$/, verb: /^(?:run|exec|x|dlx|develop)$/,
  },
]

/** What these are given in one word with blanks is a command of its own. */
export const RUNS_TEXT = /^(?:eval|concurrently|xvfb-run|npx|env|su|script|watch|entr|parallel|nix-shell|nix|cross-env-shell|start-server-and-test|dotenv|hyperfine|chronic|npm-run-all2?|wireit|busybox)$/

/** Variables that a command is started with, and the program whose words they hold. */
export const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  NODE_OPTIONS: ['node', '--test'],
  PYTEST_ADDOPTS: ['pytest'],
  PYTEST_PLUGINS: ['pytest', '-p'],
  RUBYOPT: ['ruby'],
  BASH_ENV: ['sh'],
  ENV: ['sh'],
  PYTHONSTARTUP: ['python3'],
}
