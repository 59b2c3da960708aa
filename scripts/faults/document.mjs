// docs/reliability.md: each command writes its own sections and leaves those of the other as they are.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../results.mjs'
import { cutsTable, inMarkdown, storiesTable, tableOf } from './report.mjs'

const PATH = join(root, 'docs', 'reliability.md')
const HEAD = `# Reliability

Made by \`npm run reliability\`, which fails when any figure that should be 0 is not; do not edit. \`npm test\` runs a sample of it. Hostile agents have a page of their own, [hostile.md](hostile.md), and so have threats and what stands against them, [threats.md](threats.md).
`
/** In the order they stand. */
const SECTIONS = [
  'All figures', 'Killed at any moment', 'Journal cut short', 'Journal changed', 'Power cuts', 'Disks that fail', 'Simulated', 'Bad input', 'Races', 'Stopped',
  'Side by side', 'The clock jumps', 'Floods', 'By tests',
]

/** `sections`: heading → text. */
export function writeSections(sections) {
  const there = existsSync(PATH) ? readFileSync(PATH, 'utf8') : ''
  const known = Object.fromEntries(there.split(/^## /m).slice(1).map((text) => [text.split('\n', 1)[0], text.slice(text.indexOf('\n')).trim()]))
  const all = { ...known, ...sections }
  const written = SECTIONS.filter((name) => all[name] !== undefined).map((name) => `## ${name}\n\n${all[name].trim()}\n`)
  writeFileSync(PATH, [HEAD, ...written].join('\n'))
}

export function faultSections({ results, cuts }) {
  return { 'Killed at any moment': killed(results), 'Journal cut short': cutShort(cuts) }
}

function killed(results) {
  const all = Object.values(results).flat()
  return `
A session of two iterations in a git repository, through the built command line: the agent changes files, which is a checkpoint; the gate writes into the tree, which is put back; the second candidate is worse than the first and is taken back; what is delivered is put into place. The loop is killed with signal 9 at the entry of a system call of its main thread, at points spread over all of them from the first touch of its state to its end. Apart from that every git that it starts is killed in the same way, at each call that changes a file and at its end, in turn alone and together with the loop. Then the next command is typed (\`resume\`, or the same command again) and nothing else. \`resume\` is the same, killed a second time; \`undo\` goes back to the start; \`accept\` brings the result to the user's branch, and half of it is killed twice. A trial counts

- as *lost* when a record that was in the journal or had been told to the user is missing or changed, when the chain of records does not hold, when a tree that the journal names is not whole in the store, when a checkpoint, what stood in the way of one, or a file of the checkout is not as without a kill, when \`git fsck\` of the store complains, or when work was never done;
- as *repeated* when work whose end was recorded is done again, or an effect is asked or observed twice (the one effect that was cut off is begun anew, under its own id);
- as *stuck* when it does not come to the same end as without a kill with no other step, such as a lock taken away by hand;
- as *left* when anything of it still runs, or a file or folder is there that an unharmed run does not leave. Not counted: the name of the killed owner, unfinished objects that nothing names, one more salvage for what a cut-off attempt had written, a half-written file that \`accept\` moved aside, and its notes once the end is recorded. What a session leaves that never got a first record is cleared away by a run that comes more than a minute later, and a store that was half made by one that comes an hour later; the trial makes them look that old;
- as *touched* when anything of the user's repository differs in contents, mode or time, \`.git\` included; after \`accept\`, when there is not exactly one new commit with exactly what was delivered, a clean status, and no other ref, stash or ignored file changed.

${inMarkdown(storiesTable(results))}

By the system call of the loop, or what the git was doing:

${inMarkdown(tableOf(all))}
`
}

function cutShort(cuts) {
  return `
The journal of a finished session (${cuts.length.toLocaleString('en')} bytes), cut at every single byte and opened as \`resume\` opens it. *Refused* is exit 10 with \`greenlatch repair\` as the next command; *said* means that a warning names the unfinished record that does not count. Without the cache beside it, a journal that ends exactly between two records is a whole journal, and nothing can tell that there was more.

${inMarkdown(cutsTable(cuts))}

Through the command line, at ${cuts.cli.length} places: \`status\` refused ${cuts.cli.filter((fault) => fault === null).length} times and named \`greenlatch repair\`; at every fifth place \`resume\` refused too, and after \`repair\` both worked.
`
}

export function powerSection(table, seed) {
  return {
    'Power cuts': `
The same session and its \`accept\`, with the state folder and the user's repository on an image that is mounted through a loop device. The power is taken away (the file system is shut down without flushing anything) at a random time, or as soon as a given number of records has been told; a command that ends before loses it right after. Then the image is mounted again, and everything that had been told has to be there: each record in the journal, each tree it names whole in the store, \`git fsck\` without a complaint, the user's repository as it was, and after an \`accept\` that was told its commit, index and files. The session then goes on, is cut again, and has to come to the same end, with a git that works in the checkout. Seeds ${seed} and up.

${inMarkdown(table)}
`,
  }
}
