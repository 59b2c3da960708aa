// The threats, what stands against each, the tests that show it, and for most of them the edit that takes the countermeasure away.

/**
 * `off`: in `file` the text `find`, which stands there once, becomes `becomes`; then `test` (of vitest's unit project unless it lies in
 * `test/`) has to fail. `still`: what is not done yet.
 */
export const THREATS = [
  {
    id: 'T1', who: "the repository's own settings name commands", against: 'they are inert until a person trusts them, by a hash over all that they would run or permit; commands that only look run nothing of them',
    tests: ['test/trust.test.ts', 'src/config/executable.test.ts', 'test/bad-input.test.ts'],
    off: { file: 'src/cli/trust.ts', find: 'if (!standing || standing.by !== null) return\n', becomes: 'if (standing !== undefined) return\n', test: 'test/trust.test.ts' },
  },
  {
    id: 'T2', who: 'configuration, hooks, filters and attributes of git', against: 'one git wrapper: drivers listed and blanked, no hooks, commands from a fixed list; hooks planted in place are put back and named',
    tests: ['src/git/vectors.test.ts', 'src/adapters/workspace/repository-guard.test.ts', 'test/workspace-attacks.test.ts'],
    off: { file: 'src/git/drivers.ts', find: 'const BLANKS: readonly Blank[] = [', becomes: 'const BLANKS: readonly Blank[] = []\nexport const OFF: readonly Blank[] = [', test: 'src/git/vectors.test.ts' },
  },
  {
    id: 'T3', who: 'text of others that speaks to the model', against: 'it is believed to work: text stands in fences that it cannot end, capped; what an agent changes is judged by checks it does not decide', tests: ['src/text/prompt/delimited.test.ts', 'test/prompt.test.ts', 'test/cheats.test.ts'],
    off: { file: 'src/text/prompt/delimited.ts', find: 'longest = Math.max(longest, run.length)', becomes: 'longest = Math.max(longest, 0 * run.length)', test: 'src/text/prompt/delimited.test.ts' },
  },
  {
    id: 'T4', who: 'paths in the output of a model', against: 'each path is taken apart and walked; what leads out, through a link or into .git is refused by name', tests: ['src/files/write-files.test.ts', 'src/files/guard.test.ts', 'test/hostile-paths.test.ts'],
    off: { file: 'src/files/guard.ts', find: "if (parts.includes('..')) throw", becomes: "if (parts.includes('...')) throw", test: 'src/files/guard.test.ts' },
  },
  {
    id: 'T5', who: 'names of branches, messages, command lines', against: 'argument lists and no shell, a grammar of our own for names, messages by standard input', tests: ['src/process/command-line.test.ts', 'src/cli/branch-name.test.ts', 'test/feature-branch.test.ts', 'test/bad-input.test.ts'],
    off: { file: 'src/cli/branch-name.ts', find: "if (name.startsWith('-'))", becomes: "if (name.startsWith('--'))", test: 'src/cli/branch-name.test.ts' },
  },
  {
    id: 'T6', who: 'terminal sequences in output and logs', against: 'one sanitiser between everything foreign and a terminal, a page or a prompt', tests: ['src/text/sanitise.test.ts', 'test/last-lines.test.ts', 'test/explain.test.ts'],
    off: { file: 'src/text/sanitise.ts', find: 'export function sanitise(text: string): string {', becomes: 'export function sanitise(text: string): string {\n  if (text !== null) return text', test: 'src/text/sanitise.test.ts' },
  },
  {
    id: 'T7', who: 'secrets that come out', against: 'known values are taken out of streams, files and prompts; files 0600, folders 0700', tests: ['src/text/redact.test.ts', 'src/adapters/agents/discreet.test.ts', 'src/process/environment.test.ts'],
    off: { file: 'src/text/redact.ts', find: 'const spans = [...find(bytes), ...(shapes', becomes: 'const spans = [...(shapes', test: 'src/text/redact.test.ts' },
  },
  {
    id: 'T8', who: "a web page in the user's browser", against: 'loopback only, a token, Host and Origin both looked at, a strict cookie, a content policy', tests: ['test/serve.test.ts', 'test/serve-faults.test.ts'],
    off: { file: 'src/serve/guard.ts', find: 'if (origin !== undefined && origin !== `http://${host}`) return', becomes: 'if (origin === null) return', test: 'test/serve.test.ts' },
  },
  {
    id: 'T9', who: 'other users of the machine', against: 'folders and files that only the user reads, new names in temporary folders', tests: ['src/files/durable.test.ts', 'src/adapters/journal/files.test.ts', 'src/process/capture.test.ts'],
    off: { file: 'src/files/durable.ts', find: 'mkdirSync(full, { mode: 0o700 })', becomes: 'mkdirSync(full, { mode: 0o755 })', test: 'src/files/durable.test.ts' },
  },
  {
    id: 'T10', who: 'two loops on one session', against: 'a lock that the kernel holds, and an epoch and a place in every record', tests: ['src/shell/lock.test.ts', 'src/adapters/journal/files.test.ts'],
    off: { file: 'src/adapters/journal/writer.ts', find: '  fence(open, now)\n', becomes: '', test: 'src/adapters/journal/files.test.ts' },
  },
  {
    id: 'T11', who: 'an agent that tampers with tests, runner, journal or decision', against: 'pinned files put back, a sealed check in a clean copy, a chain of sums, foreign bytes taken out, a code for every decision', tests: ['test/cheats.test.ts', 'src/adapters/gates/decision.test.ts', 'src/adapters/workspace/integrity.test.ts', 'src/adapters/journal/damage.test.ts'],
    off: { file: 'src/text/reply/decision.ts', find: "if (named !== checkId || checkId === '') {", becomes: "if (named === checkId && checkId === '') {", test: 'src/adapters/gates/decision.test.ts' },
  },
  {
    id: 'T12', who: 'floods, endless and countless processes', against: 'limits on time, silence and output, bounded memory, an end for the whole tree', tests: ['src/process/run.test.ts', 'src/process/tree.test.ts', 'src/process/limits.test.ts', 'test/hostile-processes.test.ts', 'test/process-limits.test.ts'],
    off: { file: 'src/process/limits.ts', find: "if (timeoutIn() <= 0) return reach('timeout')", becomes: "if (timeoutIn() <= 0) return reach('silence')", test: 'src/process/run.test.ts' },
  },
  {
    id: 'T13', who: 'our own cleaning up', against: 'only what carries our mark goes, through no link, and what stands in it is saved first', tests: ['test/clean.test.ts', 'src/adapters/workspace/checkout-remove.test.ts'],
    off: { file: 'src/adapters/workspace/checkout-remove.ts', find: "throw refused(folder, 'it carries no mark of Greenlatch')", becomes: 'return removeTree(folder)', test: 'src/adapters/workspace/checkout-remove.test.ts' },
  },
  {
    id: 'T14', who: 'a machine without a sandbox', against: "a model's commands are refused with 6 unless `--sandbox none` is typed, which is recorded and reported; commands of replies run under a policy", tests: ['test/sandbox.test.ts', 'src/adapters/commands/commands.test.ts'],
    off: { file: 'src/cli/sandbox.ts', find: 'if (who === undefined) return', becomes: "if (who !== '') return", test: 'test/sandbox.test.ts' },
  },
  {
    id: 'T15', who: 'the network', against: 'gates have none but their own loopback, agents reach named hosts by a proxy of ours; numbers, other ports, names and redirects that lead elsewhere are denied', tests: ['src/adapters/sandbox/bubblewrap.test.ts', 'src/adapters/sandbox/proxy.test.ts', 'src/adapters/sandbox/hosts.test.ts'],
    off: { file: 'src/adapters/sandbox/bubblewrap.ts', find: "network: reach.network === 'host' ? 'host' : 'own',", becomes: "network: 'host',", test: 'src/adapters/sandbox/bubblewrap.test.ts' },
  },
]

export function threatsPage() {
  const row = ({ id, who, against, tests, still, off }) => {
    const shown = tests.map((path) => `\`${path}\``).join(', ')
    const red = off ? `\`${off.file}\` → \`${off.test}\`` : 'no'
    return `| ${id} | ${who} | ${against}${still ? `. **Not yet:** ${still}` : ''} | ${shown} | ${red} |`
  }
  return `# Threats

Made by \`node scripts/faults/red.mjs --page\`; do not edit. For each threat: what stands against it, the tests that show it, and whether those have been seen red: \`npm run reliability -- --red\` takes the countermeasure out of a copy of the sources by one small edit, runs the test, and expects it to fail.

| | who or what | what stands against it | tests | seen red without it (edited file → test) |
|---|---|---|---|---|
${THREATS.map(row).join('\n')}

## What is not held off

- A code under test that recognises the inputs of visible tests converges, unless a gate with \`holdout: true\` asks for others ([integrity.md](integrity.md)).
- Without a sandbox an agent runs as the user: what it writes outside its checkout is neither seen nor put back. It can forge a journal of a session that nobody runs, since the chain of sums has no secret; what it adds to a session that is being run does not count and is named.
`
}
