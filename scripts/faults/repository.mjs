// The user's repository of a trial, what it looks like from outside, and whether the store really holds what the journal says.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ENV = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' }

/** The first iteration leaves two failures and the second four, so that it is taken back and the first is delivered. */
const AGENT = `#!/bin/sh
cat >/dev/null
echo "agent $GREENLATCH_EFFECT" >>"$FAULTS_LOG"
command -p git status >/dev/null 2>>"$FAULTS_LOG" || echo "broken checkout" >>"$FAULTS_LOG"
case "$GREENLATCH_ITERATION" in
1) printf 'b\\nc\\n' >todo; mkdir -p src; echo made >src/new.txt; rm -f lib/old.txt; chmod +x lib/kept.txt; ln -sf kept.txt lib/link ;;
*) printf 'b\\nc\\nd\\ne\\n' >todo; echo worse >src/new.txt; rm -f lib/kept.txt; echo more >lib/more.txt ;;
esac
echo answered
echo noted >&2
`

/** Writes into the tree, which has to be put back. */
const GATE = `#!/bin/sh
echo "gate $GREENLATCH_EFFECT" >>"$FAULTS_LOG"
echo written >>app.txt
echo report >report.txt
code=0
while read -r what; do echo "FAIL $what"; code=1; done <todo
echo noted >&2
exit $code
`

const SETTINGS = `procedures:
  sweep:
    summary: Two candidates, of which the first is the better one.
    start: act
    phases:
      act:
        kind: ask
        role: implementer
        yields: candidate
        opensIteration: true
        prompt: [{ title: TASK, fragments: [{ section: task }, { section: failures }] }]
        on: { pass: verify, error: act }
      verify: { kind: check, gates: ["@configured"], on: { pass: "@completed", fail: act } }
    policies: { ratchet: { patience: 1 } }
    budget: { iterations: 2, then: completed }
    final: best
`

const FILES = {
  'greenlatch.yaml': SETTINGS,
  'agent.sh': AGENT,
  'gate.sh': GATE,
  '.gitignore': '*.log\n',
  'app.txt': 'app\n',
  'lib/old.txt': 'old\n',
  'lib/kept.txt': 'kept\n',
}

export const RUN = ['run', 'sweep', '--ai-cmd', './agent.sh', '--gate', 'checked=./gate.sh', '--pass-env', 'FAULTS_*']

/** With everything a user may have besides commits: another branch, a tag, a stash, an ignored file. */
export function makeRepository(folder) {
  const git = (...args) => execFileSync('git', args, { cwd: folder, env: ENV })
  git('init', '-q', '-b', 'main', '--template=')
  git('config', 'user.name', 'A User')
  git('config', 'user.email', 'user@example.com')
  for (const [path, text] of Object.entries(FILES)) put(folder, path, text)
  for (const path of ['agent.sh', 'gate.sh']) chmodSync(join(folder, path), 0o755)
  symlinkSync('app.txt', join(folder, 'alias'))
  git('add', '-A')
  git('commit', '-q', '-m', 'first')
  git('branch', 'other')
  git('tag', 'v1')
  put(folder, 'app.txt', 'put by\n')
  git('stash', 'push', '-q')
  put(folder, 'notes.log', 'ignored\n')
}

function put(folder, path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Path → mode, time of change and contents of all that lies below, `.git` included. */
export function stateOf(folder, below = '') {
  return Object.assign({}, ...readdirSync(join(folder, below), { encoding: 'latin1' }).toSorted().map((name) => {
    const path = join(below, name)
    const stat = lstatSync(join(folder, path))
    if (stat.isDirectory()) return { [path]: `folder ${stat.mode}`, ...stateOf(folder, path) }
    const bytes = stat.isSymbolicLink() ? readlinkSync(join(folder, path)) : readFileSync(join(folder, path))
    return { [path]: `${stat.mode} ${stat.mtimeMs} ${createHash('sha1').update(bytes).digest('hex')}` }
  }))
}

/** The same without times and without `.git`: what a checkout holds. */
export function contentsOf(folder) {
  const entries = Object.entries(stateOf(folder)).filter(([path]) => path !== '.git' && !path.startsWith('.git/'))
  return Object.fromEntries(entries.map(([path, state]) => [path, state.replace(/^(\d+) [\d.]+ /, '$1 ')]))
}

export function differences(before, after) {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((path) => before[path] !== after[path])
}

export function tryGit(gitDir, args, input = '') {
  return spawnSync('git', [`--git-dir=${gitDir}`, ...args], { env: ENV, input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

/** Each tree that these lines of a journal name and that the store does not hold whole. */
export function missingTrees(store, lines) {
  const trees = [...new Set(lines.flatMap((line) => [...line.matchAll(/"(?:tree|delivers)":"([0-9a-f]{40})"/g)].map(([, tree]) => tree)))]
  const listed = tryGit(store, ['rev-list', '--objects', '--no-object-names', '--stdin'], trees.map((tree) => `${tree}\n`).join(''))
  if (listed.status !== 0) return [`${trees.join(' ')}: ${listed.stderr.trim()}`]
  const { stdout } = tryGit(store, ['cat-file', '--batch-check'], [...trees, listed.stdout].join('\n'))
  return stdout.split('\n').filter((line) => line.endsWith(' missing'))
}

/** Complaints of `git fsck`; nothing when all is well. Objects that nothing names are what a killed git leaves. */
export function fsck(gitDir) {
  const { status, stdout, stderr } = tryGit(gitDir, ['fsck', '--full', '--no-dangling', '--no-progress'])
  const said = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !line.startsWith('notice: '))
  return status === 0 && said.length === 0 ? [] : [`exit ${status}: ${said.join('; ')}`]
}

/** Name below the session → tree, for what is kept of it. */
export function keptIn(store) {
  const { stdout } = tryGit(store, ['for-each-ref', '--format=%(refname) %(tree)', 'refs/greenlatch/'])
  const rows = stdout.split('\n').filter(Boolean).map((line) => line.split(' '))
  return Object.fromEntries(rows.map(([ref, tree]) => [ref.split('/').slice(3).join('/'), tree]))
}
