// A git on PATH that lists the system calls of each git that is started, or kills one of them in the middle of its work.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const REAL = execFileSync('/bin/sh', ['-c', 'command -v git']).toString().trim()
const STRACE = execFileSync('/bin/sh', ['-c', 'command -v strace']).toString().trim()
const COUNT = execFileSync('/bin/sh', ['-c', 'command -v wc']).toString().trim()

/** Runs of one verb are counted apart, since two verbs may run at the same time. */
const SCRIPT = `#!/bin/sh
here=\${0%/*}
for verb; do case $verb in -*) ;; *) break ;; esac; done
if [ -d "$here/traces" ]; then
  echo >>"$here/traces/$verb"
  exec ${STRACE} -qq -o "$here/traces/$verb.$(${COUNT} -l <"$here/traces/$verb")" ${REAL} "$@"
fi
if [ -f "$here/kill.$verb" ]; then
  echo >>"$here/seen"
  read -r run call nth alone <"$here/kill.$verb"
  if [ "$(${COUNT} -l <"$here/seen")" -eq "$run" ]; then
    ${STRACE} -qq -o /dev/null -e "trace=$call" -e "inject=$call:signal=SIGKILL:when=$nth" ${REAL} "$@"
    [ $? -eq 137 ] || exit
    echo >"$here/reached"
    [ "$alone" = alone ] || kill -9 $PPID
    kill -9 $$
  fi
fi
exec ${REAL} "$@"
`

/** What changes files, and the end of the process, when all is done and nothing is told yet. */
const CHANGING = new Set(
  'rename link unlink unlinkat fsync fdatasync mkdir rmdir symlink chmod write pwrite64 ftruncate exit_group'.split(' '),
)

export function installGit(bin) {
  writeFileSync(join(bin, 'git'), SCRIPT, { mode: 0o755 })
}

/** From now on the calls of every git are listed. */
export function listGit({ bin }) {
  mkdirSync(join(bin, 'traces'))
}

/** What was listed, as `{ verb, run, call, nth }`, in the order of the runs of each verb. */
export function gitPoints({ bin }) {
  const folder = join(bin, 'traces')
  const points = readdirSync(folder).filter((name) => /\.\d+$/.test(name)).flatMap((name) => pointsIn(join(folder, name), name))
  return points.toSorted((a, b) => (a.verb === b.verb ? a.run - b.run : a.verb < b.verb ? -1 : 1))
}

function pointsIn(path, name) {
  const [, verb, run] = /^(.+)\.(\d+)$/.exec(name)
  const counts = {}
  return readFileSync(path, 'latin1').split('\n').flatMap((line) => {
    const call = /^(\w+)\(/.exec(line)?.[1]
    if (call === undefined) return []
    counts[call] = (counts[call] ?? 0) + 1
    const isChange = CHANGING.has(call) ? !/^write\([12],/.test(line) : call === 'openat' && line.includes('O_CREAT')
    return isChange ? [{ verb, run: Number(run), call, nth: counts[call] }] : []
  })
}

/** The next command of the world meets a git that dies at this point, and takes the loop with it unless it dies `alone`. */
export function killGitAt({ bin }, { verb, run, call, nth, alone }) {
  writeFileSync(join(bin, `kill.${verb}`), `${run} ${call} ${nth} ${alone ? 'alone' : 'both'}\n`)
}

/** Ends the danger, and says whether the point was reached. */
export function spareGit({ bin }) {
  const reached = existsSync(join(bin, 'reached'))
  for (const name of readdirSync(bin)) if (name !== 'git') rmSync(join(bin, name), { recursive: true })
  return reached
}
