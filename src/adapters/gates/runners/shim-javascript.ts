// Shims of Node and of the test runners that Node runs, as shell text. Each runner is asked for its own report beside what it prints.

/**
 * Each function is given how many words stand before the arguments of its runner, and all words. It puts what is to be added into
 * o1 … o5, or returns 1 when this is no test run, or one whose own report ours would take away. `files`: the wanted files may be
 * added at the end.
 */
const VITEST = `
vitest_options() {
  shift $(($1 + 1))
  command= own= name= time= files=1
  for word; do
    case $word in
      --) files= ;;
      --reporter | --reporter=*) own=1 ;;
      -w | --watch | --watch=true | --ui | --standalone | --merge-reports* | --mergeReports* | --clearCache) return 1 ;;
      -v | --version | -h | --help) return 1 ;;
      -t* | --testNamePattern*) name=1 ;;
      --testTimeout*) time=1 ;;
      -*) ;;
      *) if [ -z "$command" ]; then command=$word; else files=; fi ;;
    esac
  done
  case $command in
    watch | dev | bench | list | init) return 1 ;;
    run | '') ;;
    *) files= ;;
  esac
  reserve vitest jest || return 1
  [ -n "$own" ] || o1=--reporter=default
  o2=--reporter=$lib/vitest-report.mjs
  export GREENLATCH_REPORT="$report"
  [ -z "$limit" ] || [ -n "$time" ] || o3=--testTimeout=$limit
  if [ -n "$name" ] || ! wanted javascript; then files=; else o4=--testNamePattern=$(cat "$only/javascript"); fi
}
`

const JEST = `
jest_options() {
  shift $(($1 + 1))
  json= output= name= time= next= files=1
  for word; do
    [ -z "$next" ] || output=$word
    next=
    case $word in
      --json | --json=true) json=1 ;;
      --outputFile) next=1 ;;
      --outputFile=*) output=\${word#*=} ;;
      --watch | --watchAll | --watch=true | --watchAll=true | --init | --showConfig | --listTests | --clearCache) return 1 ;;
      -v | --version | -h | --help) return 1 ;;
      -t* | --testNamePattern*) name=1 ;;
      --testTimeout*) time=1 ;;
      -*) ;;
      *) files= ;;
    esac
  done
  case $json:\${output:+1} in
    :) reserve jest jest || return 1
      o1=--json o2=--outputFile=$report ;;
    1:1) reserve jest jest "$output" || return 1 ;;
    *) return 1 ;;
  esac
  [ -z "$limit" ] || [ -n "$time" ] || o3=--testTimeout=$limit
  if [ -n "$name" ] || ! wanted javascript; then files=; else o4=--testNamePattern=$(cat "$only/javascript"); fi
  [ -z "$files" ] || o5=--runTestsByPath
}
`

const MOCHA = `
mocha_options() {
  shift $(($1 + 1))
  name= time= files=
  for word; do
    case $word in
      -w | --watch | --list-reporters | --list-interfaces | init) return 1 ;;
      -V | --version | -h | --help) return 1 ;;
      -g* | -f | --grep* | --fgrep*) name=1 ;;
      -t* | --timeout*) time=1 ;;
    esac
  done
  reserve mocha mocha || return 1
  o1=--require=$lib/mocha-report.cjs
  export GREENLATCH_REPORT="$report"
  [ -z "$limit" ] || [ -n "$time" ] || o2=--timeout=$limit
  [ -n "$name" ] || ! wanted javascript || o3=--grep=$(cat "$only/javascript")
}
`

/**
 * Node reads options up to the first word that is none. A file is given its reporters too, in case it has tests: others never use them.
 * It gets no limit for one test: Node holds it against each file as a whole as well.
 */
const NODE = `
node_words() {
  at=$1
  shift $(($1 + 1))
  kind= script= skip= reporters=0 destinations=0 name=
  for word; do
    at=$((at + 1))
    if [ -n "$skip" ]; then
      skip=
      continue
    fi
    case $word in
      --test) kind=test ;;
      --test-reporter | --test-reporter=*) reporters=$((reporters + 1)) ;;
      --test-reporter-destination | --test-reporter-destination=*) destinations=$((destinations + 1)) ;;
      --test-name-pattern*) name=1 ;;
      --watch* | --run | --run=* | -v | --version | -h | --help | --v8-options | --completion-bash) return 1 ;;
      -e | --eval | -p | --print | -pe | -c | --check | -i | --interactive | --eval=* | --print=*) return 1 ;;
    esac
    case $word in
      -r | --require | --import | --loader | --experimental-loader | -C | --conditions | --env-file | --env-file-if-exists) skip=1 ;;
      --test-reporter | --test-reporter-destination | --test-name-pattern | --test-timeout | --test-skip-pattern) skip=1 ;;
      --test-concurrency | --test-shard | --input-type | --title | --unhandled-rejections | --stack-trace-limit) skip=1 ;;
      -*) ;;
      *) script=$word
        return 0 ;;
    esac
  done
}

node_options() {
  case \${NODE_OPTIONS-} in *--test-reporter*) return 1 ;; esac
  "$real" --test-reporter=tap --test-reporter-destination=stdout --version > /dev/null 2>&1 || return 1
  reserve "$1" tap || return 1
  o1=--test-reporter=$lib/node-report.mjs o2=--test-reporter-destination=$report
  case $reporters:$destinations in
    0:0) o3=--test-reporter=$lib/node-default.mjs o4=--test-reporter-destination=stdout ;;
    1:0) o4=--test-reporter-destination=stdout ;;
  esac
  [ -n "$name" ] || ! wanted node || o5=--test-name-pattern=$(cat "$only/node")
  files=
  [ -z "$o5" ] || [ "$kind" != test ] || [ -n "$script" ] || files=1
}

is_test_file() {
  case $1 in
    */node_modules/* | node_modules/*) return 1 ;;
    *.js | *.mjs | *.cjs | *.ts | *.mts | *.cts) ;;
    *) return 1 ;;
  esac
  case $1 in test/* | */test/* | tests/* | */tests/* | __tests__/* | */__tests__/*) return 0 ;; esac
  case \${1##*/} in test.* | test-* | *.test.* | *-test.* | *_test.* | *.spec.*) return 0 ;; esac
  return 1
}
`

/** Puts what is to be added behind the first $after words, and the wanted files that lie below this folder at the end. */
const START = `
start() {
  step_aside
  count=$# left=$after
  [ "$left" -gt 0 ] || set -- \${o1:+"$o1"} \${o2:+"$o2"} \${o3:+"$o3"} \${o4:+"$o4"} \${o5:+"$o5"} "$@"
  while [ "$after" -gt 0 ] && [ "$count" -gt 0 ]; do
    set -- "$@" "$1"
    shift
    count=$((count - 1)) left=$((left - 1))
    [ "$left" -ne 0 ] || set -- "$@" \${o1:+"$o1"} \${o2:+"$o2"} \${o3:+"$o3"} \${o4:+"$o4"} \${o5:+"$o5"}
  done
  if [ -n "$files" ]; then
    folder=$(pwd -P)
    while IFS= read -r file; do
      case $file in "$folder"/*) set -- "$@" "$file" ;; esac
    done < "$only/files"
  fi
  exec "$real" "$@"
}
`

/** Most runners come by here: the first line of their program names `node`. */
export const NODE_SHIM = `
find_real node
reporting || exec "$real" "$@"
${NODE}
node_words 0 "$@" || exec "$real" "$@"
o1= o2= o3= o4= o5= files=
${START}
if [ "$kind" = test ]; then
  after=0
  node_options node || exec "$real" "$@"
  start "$@"
fi
case $script in
  */vitest/vitest.mjs | *bin/vitest) ${VITEST}
    after=$at
    vitest_options "$at" "$@" && start "$@" ;;
  */jest/bin/jest.js | */jest-cli/bin/jest.js | *bin/jest) ${JEST}
    after=$at
    jest_options "$at" "$@" && start "$@" ;;
  */mocha/bin/* | *bin/mocha | *bin/_mocha) ${MOCHA}
    after=$at
    mocha_options "$at" "$@" && start "$@" ;;
  */tsx/dist/cli.mjs | *bin/tsx)
    after=$at
    node_words "$at" "$@" && [ "$kind" = test ] && node_options node && start "$@" ;;
  ?*)
    after=0
    is_test_file "$script" && node_options file && start "$@" ;;
esac
exec "$real" "$@"
`

const RUNNERS = { vitest: VITEST, jest: JEST, mocha: MOCHA }

/** For a runner that lies on PATH and names another Node in its first line. */
export function runnerShim(name: keyof typeof RUNNERS): string {
  return `
find_real ${name}
o1= o2= o3= o4= o5= files= after=0
${RUNNERS[name]}
${START}
reporting && ${name}_options 0 "$@" && start "$@"
exec "$real" "$@"
`
}
