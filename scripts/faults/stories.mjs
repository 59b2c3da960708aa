// What is killed: a session from its first step to its end, and the commands that move what it made.
import { finishOf, readLines } from './journal.mjs'
import { RUN, tryGit } from './repository.mjs'
import { greenlatch, journalIn, JSONL } from './world.mjs'

/** What a cut-off attempt had written is kept too, under a number more. */
const SALVAGE = /\/refs\/greenlatch\/<id>\/salvage\/\d+$/
/** A file that a killed git had half written is moved aside and said; what an accept noted for itself means nothing once it is recorded. */
const HALF_WRITTEN = /\/sessions\/<id>\/(aside|accept)\//

/**
 * `prepare` comes before the danger. `next` is what a user types, the first time and after every kill; null when there is nothing left to
 * do: then `after` shows that all is well. `user` says what is wrong with the user's repository in the end, given what differs from before.
 * `mayLeave` is what a kill may leave behind in the state folder.
 */
export const STORIES = {
  run: {
    prepare: async () => {},
    next: (world) => (journalIn(world).length === 0 ? [...RUN, ...JSONL] : isOver(world) ? null : ['resume', ...JSONL]),
    // Killed after its last record, a session is over while its folder may stand on the last candidate: what it delivers is in the store.
    after: [['undo', '--to', 'start'], ['redo']],
    user: untouched,
    mayLeave: [SALVAGE],
  },
  undo: {
    prepare: (world) => runOnce(world),
    next: (world) => (lastEvent(world).type === 'undone' ? null : ['undo', '--to', 'start']),
    // Killed after its record, it may leave half of a page, which goes with the next command that moves the session.
    after: [['redo'], ['undo', '--to', 'start']],
    user: untouched,
    mayLeave: [SALVAGE],
  },
  accept: {
    prepare: (world) => runOnce(world),
    next: (world) => (lastEvent(world).type === 'accepted' ? null : ['accept', '--yes']),
    after: [['status']],
    user: oneCommit,
    mayLeave: [SALVAGE, HALF_WRITTEN],
  },
}

async function runOnce(world) {
  const { code, stderr } = await greenlatch(world, [...RUN, '--max-iterations', '1'])
  if (code !== 0) throw new Error(`the session could not be made: exit ${code}\n${stderr}`)
}

function lastEvent(world) {
  return JSON.parse(readLines(journalIn(world)[0]).at(-1)).events.at(-1)
}

function isOver(world) {
  return finishOf(readLines(journalIn(world)[0])) !== null
}

function untouched(world, changed) {
  return changed.length === 0 ? [] : [`the user's repository changed: ${changed.slice(0, 5).join(', ')}`]
}

/** One commit more, holding exactly what was delivered, and nothing else of theirs has changed. */
function oneCommit(world, changed, before) {
  const git = (...args) => tryGit(`${world.work}/.git`, [`--work-tree=${world.work}`, ...args]).stdout.trim()
  const finish = finishOf(readLines(journalIn(world)[0]))
  const foreign = changed.filter((path) => path.startsWith('.git/refs/') && path !== '.git/refs/heads/main')
  const faults = []
  const check = (isRight, text) => isRight || faults.push(text)
  const commits = Number(git('rev-list', '--count', 'main'))
  check(commits === before.commits + 1, `there are ${commits} commits on main`)
  check(git('rev-parse', 'main^{tree}') === finish.delivers, 'the commit does not hold what was delivered')
  check(git('status', '--porcelain') === '', `the checkout is not clean: ${git('status', '--porcelain')}`)
  check(git('symbolic-ref', 'HEAD') === 'refs/heads/main', 'another branch is checked out')
  check(foreign.length === 0, `other refs changed: ${foreign.join(', ')}`)
  check(!changed.some((path) => path.endsWith('.lock')), `a lock was left: ${changed.filter((path) => path.endsWith('.lock')).join(', ')}`)
  check(!changed.includes('notes.log'), 'an ignored file changed')
  return faults
}
