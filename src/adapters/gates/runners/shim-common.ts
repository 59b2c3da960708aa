// The part that all shims share, as shell text: finding the real program, handing over to it, and setting a report aside.
import { quoteWord } from '../../../text/prompt/quote.js'

/** What a shim has to know of the run it serves. `values` are what the user has in variables that we change. */
export type ShimSettings = {
  /** The folder that stands first in PATH. */
  bin: string
  /** What shims hand to runners: reporters, plugins, helpers. */
  lib: string
  /** Where reports go. It is written down here because some tools hand on few variables. */
  reports: string
  /** The Node that runs us, for the helpers. */
  node: string
  /** Patterns and names of the tests that are wanted; null for all. */
  only: string | null
  testTimeoutSeconds: number | null
  scriptShell: string | null
  /** What we have appended to PYTEST_ADDOPTS. */
  addopts: string
}

export function commonText(settings: ShimSettings): string {
  const { testTimeoutSeconds } = settings
  const values = {
    bin: settings.bin,
    lib: settings.lib,
    reports: settings.reports,
    node: settings.node,
    only: settings.only ?? '',
    limit: testTimeoutSeconds === null ? '' : String(Math.ceil(testTimeoutSeconds * 1000)),
    shell: settings.scriptShell ?? '',
    addopts: settings.addopts,
  }
  const lines = Object.entries(values).map(([name, value]) => `${name}=${quoteWord(value) || "''"}`)
  return [...lines, COMMON].join('\n')
}

/**
 * Only builtins, so that a program which is no test run starts a millisecond later and not more. A manager of versions may look for
 * the program on PATH itself and find the shim again, in the same process: what was tried is remembered, and the next one is taken.
 */
const COMMON = `
# Inside a test nothing is reported, however it was reached.
reporting() {
  [ -d "$reports" ] && [ -z "\${VITEST-}\${JEST_WORKER_ID-}\${NODE_TEST_CONTEXT-}\${PYTEST_CURRENT_TEST-}" ]
}

find_real() {
  real= plain= rest=$PATH: tried=
  case \${GREENLATCH_TRIED-} in "$$ $1:"*) tried=$GREENLATCH_TRIED ;; esac
  while [ -n "$rest" ]; do
    entry=\${rest%%:*} rest=\${rest#*:}
    [ "$entry" = "$bin" ] && continue
    plain=$plain:$entry
    [ -n "$real" ] || [ ! -f "\${entry:-.}/$1" ] || [ ! -x "\${entry:-.}/$1" ] && continue
    case $tried: in *":\${entry:-.}/$1:"*) continue ;; esac
    real=\${entry:-.}/$1
  done
  plain=\${plain#:}
  if [ -z "$real" ]; then
    echo "$1: not found" >&2
    exit 127
  fi
  GREENLATCH_TRIED="\${tried:-$$ $1:}:$real"
  export GREENLATCH_TRIED
}

# What a test run starts is its own business: no report of it is ours.
step_aside() {
  PATH=$plain
  export PATH
  unset GREENLATCH_REPORTS GREENLATCH_TRIED
  if [ "\${npm_config_script_shell-}" = "$lib/script-shell" ]; then
    unset npm_config_script_shell
    [ -z "$shell" ] || export npm_config_script_shell="$shell"
  fi
  case \${PYTEST_ADDOPTS-} in
    "$addopts") unset PYTEST_ADDOPTS ;;
    *" $addopts") PYTEST_ADDOPTS=\${PYTEST_ADDOPTS%" $addopts"} ;;
  esac
}

# Takes a number that nobody else has and notes what is started: runner, form of the report, folder, and a report of the user's own.
reserve() {
  number=1
  set -C
  until { printf '%s\\n' "$1" "$2" "$PWD" "\${3-}" > "$reports/$number.start"; } 2> /dev/null; do
    number=$((number + 1))
    if [ "$number" -gt 9999 ]; then
      set +C
      return 1
    fi
  done
  set +C
  report=$reports/$number.$2
}

wanted() {
  [ -n "$only" ] && [ -s "$only/$1" ]
}
`
