// Shims of Python, pytest, Go and Cargo, as shell text.

/**
 * pytest takes its options from the environment. The name of its report holds the variable that pytest sets inside a test, so that a
 * pytest that a test starts writes elsewhere.
 */
const PYTEST = `
pytest_environment() {
  shift $(($1 + 1))
  own= next= plain_run=1
  for word; do
    [ -z "$next" ] || own=$word
    next=
    case $word in
      --junitxml | --junit-xml) next=1 ;;
      --junitxml=* | --junit-xml=*) own=\${word#*=} ;;
      -h | --help | -V | --version | --collect-only | --co | --fixtures | --markers | --setup-plan) plain_run= ;;
    esac
  done
  if [ -z "$plain_run" ] || ! reserve pytest junit "$own"; then
    step_aside
    return
  fi
  step_aside
  options="-o junit_family=xunit1"
  [ -n "$own" ] || options="--junitxml='$report/\\$PYTEST_CURRENT_TEST/pytest.xml' $options"
  if [ -z "\${isolated-}" ] && wanted pytest; then
    export GREENLATCH_ONLY="$only/pytest" PYTHONPATH="$lib/python\${PYTHONPATH:+:$PYTHONPATH}"
    options="$options -p greenlatch_only"
  fi
  export PYTEST_ADDOPTS="\${PYTEST_ADDOPTS:+$PYTEST_ADDOPTS }$options"
}
`

export function pytestShim(name: string): string {
  return `
find_real ${name}
reporting || exec "$real" "$@"
${PYTEST}
pytest_environment 0 "$@"
exec "$real" "$@"
`
}

export function pythonShim(name: string): string {
  return `
find_real ${name}
reporting || exec "$real" "$@"
at=0 state= module= flags= isolated= from=
for word; do
  at=$((at + 1))
  case $state in
    skip) state=
      continue ;;
    module) module=$word
      break ;;
  esac
  case $word in
    --check-hash-based-pycs | -W | -X) state=skip ;;
    --*) ;;
    -m) state=module from=$at ;;
    -m?*) module=\${word#-m} from=$at
      break ;;
    -*c | -c* | -V | -h) break ;;
    -*m) state=module from=$at flags=\${word%m} ;;
    -*) ;;
    *) break ;;
  esac
  case $word in --*) ;; -*[IE]*) isolated=1 ;; esac
done
${PYTEST}
${UNITTEST}
case $module in
  pytest) pytest_environment "$at" "$@" ;;
  unittest) unittest_start "$@" ;;
esac
exec "$real" "$@"
`
}

/** unittest has no report of its own: a small script runs it as `-m` would, and keeps what its runner says. */
const UNITTEST = `
unittest_start() {
  count=$# index=0 told=
  for word; do
    index=$((index + 1))
    [ "$index" -gt "$at" ] || continue
    case $word in
      -h | --help) return ;;
      -k*) told=1 ;;
    esac
  done
  reserve unittest unittest || return
  index=0
  while [ "$index" -lt "$count" ]; do
    index=$((index + 1)) word=$1
    shift
    if [ "$index" -lt "$from" ] || [ "$index" -gt "$at" ]; then set -- "$@" "$word"; continue; fi
    [ "$index" -ne "$from" ] || [ -z "$flags" ] || set -- "$@" "$flags"
    [ "$index" -ne "$at" ] || set -- "$@" "$lib/unittest-report.py"
  done
  set -- "$@" -v
  if [ -z "$told" ] && wanted unittest; then
    while IFS= read -r word; do set -- "$@" -k "$word"; done < "$only/unittest"
  fi
  export GREENLATCH_REPORT="$report"
  step_aside
  exec "$real" "$@"
}
`

/** What the two print is read as it comes; a small relay passes it on and ends as they do. */
export const GO_SHIM = `
find_real go
reporting || exec "$real" "$@"
at=0 seen= skip= mode=short name=
for word; do
  [ -n "$seen" ] || at=$((at + 1))
  if [ -n "$skip" ]; then
    skip=
    continue
  fi
  case $seen:$word in
    :-C) skip=1 ;;
    :-*) ;;
    :test) seen=1 ;;
    :*) exec "$real" "$@" ;;
    1:-args | 1:--args) break ;;
    1:-json | 1:--json) mode=raw ;;
    1:-v | 1:--v | 1:-v=true | 1:-test.v) [ "$mode" = raw ] || mode=long ;;
    1:-run* | 1:--run* | 1:-test.run*) name=1 ;;
    1:-c | 1:-list* | 1:--list* | 1:-n | 1:-h | 1:-help | 1:--help) exec "$real" "$@" ;;
  esac
done
# In a container of the user's there may be no Node of ours to read along.
[ -n "$seen" ] && [ -x "$node" ] && reserve go go || exec "$real" "$@"
count=$# index=0
while [ "$index" -lt "$count" ]; do
  index=$((index + 1))
  set -- "$@" "$1"
  shift
  [ "$index" -eq "$at" ] || continue
  [ "$mode" = raw ] || set -- "$@" -json
  [ -n "$name" ] || ! wanted go || set -- "$@" "-run=$(cat "$only/go")"
done
step_aside
exec "$node" "$lib/relay.mjs" "$mode" "$report" "$real" "$@"
`

export const CARGO_SHIM = `
find_real cargo
reporting || exec "$real" "$@"
seen= skip= dashed= filter=
for word; do
  if [ -n "$skip" ]; then
    skip=
    continue
  fi
  case $seen:$dashed:$word in
    ::--config | ::-C | ::-Z | ::--color) skip=1 ;;
    ::-* | ::+*) ;;
    ::test | ::t) seen=1 ;;
    ::*) exec "$real" "$@" ;;
    1::--) dashed=1 ;;
    1::--no-run | 1:*:--help | 1:*:-h | 1:1:--list) exec "$real" "$@" ;;
    1:*:-*) ;;
    1:*) filter=1 ;;
  esac
done
[ -n "$seen" ] && [ -x "$node" ] && reserve cargo cargo || exec "$real" "$@"
if [ -z "$filter" ] && wanted cargo; then
  [ -n "$dashed" ] || set -- "$@" --
  set -- "$@" --exact
  while IFS= read -r word; do set -- "$@" "$word"; done < "$only/cargo"
fi
step_aside
# A panic then says in which function it was. Errors of libraries stay as they are printed without us.
[ -n "\${RUST_BACKTRACE+1}" ] || export RUST_BACKTRACE=1 RUST_LIB_BACKTRACE="\${RUST_LIB_BACKTRACE-0}"
exec "$node" "$lib/relay.mjs" plain "$report" "$real" "$@"
`

/** Puts our folder before those that a package manager has put first, then runs the shell the user has for scripts. */
export const SCRIPT_SHELL = `
configured_shell() {
  while read -r key value || [ -n "$key" ]; do
    case $key in
      script-shell) shell=\${value#=} ;;
      script-shell=*) shell=\${key#*=} ;;
    esac
  done < "$1"
  shell=\${shell# } shell=\${shell#[\\"\\']} shell=\${shell%[\\"\\']}
}

rest=$PATH: plain=
while [ -n "$rest" ]; do
  entry=\${rest%%:*} rest=\${rest#*:}
  [ "$entry" = "$bin" ] || plain=$plain:$entry
done
! reporting || PATH=$bin$plain
export PATH
folder=$PWD
while [ -z "$shell" ]; do
  for file in "$folder/.npmrc" "$folder/.yarnrc"; do
    [ -f "$file" ] && [ -z "$shell" ] && configured_shell "$file"
  done
  [ -n "$folder" ] || break
  folder=\${folder%/*}
done
file=\${npm_config_userconfig:-\${HOME-}/.npmrc}
[ -n "$shell" ] || [ ! -f "$file" ] || configured_shell "$file"
exec "\${shell:-/bin/sh}" "$@"
`
