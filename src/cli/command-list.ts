// Every command with its flags and examples. Actions are loaded when they are called, so that help costs little.
import type { Command } from 'commander'
import { ARTIFACT_NAMES } from '../text/artifacts/artifacts.js'
import { TEMPLATES } from '../text/project/settings-text.js'
import { SCENARIOS } from './demo/scenarios.js'
import { FLEET, queueFlag } from './fleet/command-list.js'
import { agentFlags, boundFlags, collect, positive, sessionFlags, trustFlag, wholeNumber, sandboxFlag } from './options.js'

export type Declared = {
  name: string
  summary: string
  load: () => Promise<unknown>
  shape?: (command: Command) => Command
  examples: string[]
  /** Commands below it; then it does nothing by itself. */
  parts?: readonly Declared[]
}

const LOOP: Declared[] = [
  {
    name: 'demo',
    summary: 'the loop on a bundled repository, without a key or a network',
    load: () => import('./commands/demo.js'),
    shape: (command) =>
      command
        .argument('[scenario]', `what is shown: ${Object.keys(SCENARIOS).join(', ')}`, 'converge')
        .option('--into <folder>', 'a new or empty folder for it, instead of a temporary one')
        .addHelpText('after', `\nScenarios:\n${Object.entries(SCENARIOS).map(([name, { shows }]) => `  ${name.padEnd(10)}${shows}`).join('\n')}`),
    examples: ['demo', 'demo cheat', 'demo human --into try-greenlatch'],
  },
  {
    name: 'init',
    summary: 'write greenlatch.yaml for what is here, or begin a new project',
    load: () => import('./commands/init.js'),
    shape: (command) =>
      command
        .argument('[name]', 'a new folder for a new project, with task.md, philosophy.md and a first commit')
        .option('--template <procedure>', `what runs where nothing else is said: ${TEMPLATES.join(', ')}`)
        .option('--agent <name>', 'who answers, instead of whoever is found')
        .option('--test <command>', 'the command that tests, instead of the one that is found')
        .option('--dry-run', 'show what would be written, and write nothing'),
    examples: ['init', 'init --dry-run', 'init --test "npm test" --agent claude', 'init --template ooda --yes', 'init parser'],
  },
  {
    name: 'run',
    summary: 'loop to an outcome',
    load: () => import('./commands/run.js'),
    shape: (command) =>
      sessionFlags(command)
        .option('--dry-run', 'show the first prompt and what would run, and run nothing')
        .option('--detach', 'go on in the background'),
    examples: [
      'run "make the tests pass" --gate "npm test" --agent claude',
      'run "make the tests pass" --gate "npm test" --url http://127.0.0.1:1234 --model devstral-small',
      'run "tidy the parser" --allow src/parse --deny "**/*.snap" --diff-budget 20/800',
      'run cycle --id 05 --spec SPEC.md --gate "npm test" --agent codex',
      'run ooda --max-iterations 3 --ai-cmd "my-agent --headless"',
      'run ooda --max-iterations 3 --agent scripted:script.yaml',
      'run ooda --dry-run --agent claude',
    ],
  },
  {
    name: 'open',
    summary: 'make a session without running it',
    load: () => import('./commands/open.js'),
    shape: sessionFlags,
    examples: ['open ooda "tidy the parser" --agent paste'],
  },
  {
    name: 'step',
    summary: 'exactly one transition of a session',
    load: () => import('./commands/step.js'),
    shape: (command) => trustFlag(command.argument('[session]')),
    examples: ['step'],
  },
  {
    name: 'resume',
    summary: 'go on with a session that was paused, stopped or cut off, or has ended stalled, exhausted or refused',
    load: () => import('./commands/resume.js'),
    shape: (command) => trustFlag(sandboxFlag(agentFlags(boundFlags(command.argument('[procedure-or-session]'))))).option('--detach', 'go on in the background'),
    examples: ['resume', 'resume ooda', 'resume --max-iterations 40', 'resume --agent codex'],
  },
]

const TALK: Declared[] = [
  {
    name: 'reply',
    summary: "hand in a person's answer to the prompt that waits",
    load: () => import('./commands/reply.js'),
    shape: (command) =>
      command
        .argument('[session]')
        .option('--file <file>', 'take the answer from this file instead of standard input')
        .option('--prompt', 'print the prompt that waits, to be copied, and hand in nothing')
        .option('--allow', 'allow what an agent asks for')
        .option('--deny', 'deny it'),
    examples: ['reply --prompt | xclip -selection clipboard', 'reply --file answer.md', 'reply < answer.md', 'reply --allow'],
  },
  {
    name: 'hint',
    summary: 'guidance for the next candidate',
    load: () => import('./commands/hint.js'),
    shape: (command) =>
      command.argument('<session-or-text...>', 'the hint in quotes, with the session before it when it is not the newest'),
    examples: ['hint "the parser is in src/parse.ts"'],
  },
  {
    name: 'pause',
    summary: 'rest when the phase under way is over: its run exits with 8, as where a person is waited for',
    load: () => import('./commands/pause.js'),
    shape: (command) => command.argument('[session]'),
    examples: ['pause'],
  },
  {
    name: 'stop',
    summary: 'end the run when the phase under way is over: it exits with 130, as by Ctrl+C; resume goes on all the same',
    load: () => import('./commands/stop.js'),
    shape: (command) =>
      command
        .argument('[session]')
        .option('--now', 'end the phase under way at once')
        .option('--cancel', 'end the session for good, also when nobody runs it'),
    examples: ['stop --now', 'stop --cancel'],
  },
]

const LOOK: Declared[] = [
  {
    name: 'status',
    summary: 'where a session stands',
    load: () => import('./commands/status.js'),
    shape: (command) =>
      command.argument('[session]').option('--short', 'one line').option('--wait', 'wait until it is at rest and exit with its code'),
    examples: ['status', 'status --json', 'status --wait'],
  },
  {
    name: 'watch',
    summary: 'a session that another process runs, as it goes: ends with it, and with its code',
    load: () => import('./commands/watch.js'),
    shape: (command) => command.argument('[session]'),
    examples: ['watch', 'watch --ui stream'],
  },
  {
    name: 'report',
    summary: 'how a session ended and what shows it: in a few lines, as a page, as Markdown, JUnit XML or SARIF',
    load: () => import('./commands/report.js'),
    shape: (command) =>
      command
        .argument('[session]')
        .option('--html [file]', 'one page that needs nothing else, into a file or to standard output')
        .option('--open', 'make that page and show it in a browser')
        .option('--md [file]', 'Markdown for a pull request, into a file or to standard output')
        .option('--junit [file]', 'the last check as JUnit XML, into a file or to standard output')
        .option('--sarif [file]', 'the findings of the last reviews as SARIF, into a file or to standard output'),
    examples: ['report', 'report --open', 'report --html report.html', 'report --md', 'report --json', 'report --junit results.xml --sarif findings.sarif'],
  },
  {
    name: 'serve',
    summary: 'the sessions of this repository as a page on this machine, live',
    load: () => import('./commands/serve.js'),
    shape: (command) =>
      queueFlag(command)
        .option('--port <n>', 'the port to open; any that is free where none is named', wholeNumber)
        .option('--read-only', 'show only: nothing can be asked of a session')
        .option('--open', 'show it in a browser'),
    examples: ['serve', 'serve --open', 'serve --port 8137 --read-only'],
  },
  {
    name: 'mcp',
    summary: 'the loop as tools for editors and agents (Model Context Protocol, over standard input and output)',
    load: () => import('./commands/mcp.js'),
    examples: ['mcp', 'mcp -C my-repository'],
  },
  {
    name: 'explain',
    summary: 'why a session stands where it stands: evidence, what was tried, and what to type next',
    load: () => import('./commands/explain.js'),
    shape: (command) => command.argument('[session]').option('--fingerprint <id>', 'the story of one failure instead'),
    examples: ['explain', 'explain --json', 'explain --fingerprint 2:5d1f'],
  },
  {
    name: 'logs',
    summary: 'the events of a session',
    load: () => import('./commands/logs.js'),
    shape: (command) =>
      command
        .argument('[session]')
        .option('-f, --follow', 'go on as events come')
        .option('--iter <n>', 'only this iteration', wholeNumber)
        .option('--phase <name>', 'only this phase'),
    examples: ['logs', 'logs --iter 2', 'logs -f', 'logs --output jsonl'],
  },
  {
    name: 'replay',
    summary: 'feed the recorded reports of a session through the engine again, and compare',
    load: () => import('./commands/replay.js'),
    shape: (command) => command.argument('[session]'),
    examples: ['replay', 'replay --json'],
  },
  {
    name: 'backtest',
    summary: 'what another policy would have made of recorded sessions',
    load: () => import('./commands/backtest.js'),
    shape: (command) =>
      command
        .argument('[session...]', 'the sessions to try it on; all where none is named')
        .option('--policy <file>', 'the policies or the budget to try, written as in a procedure')
        .option('--procedure <name>', 'only sessions of this procedure'),
    examples: ['backtest --policy stop-sooner.yaml', 'backtest --policy stop-sooner.yaml --procedure converge --json'],
  },
  {
    name: 'sessions',
    summary: 'all sessions of this repository',
    load: () => import('./commands/sessions.js'),
    examples: ['sessions', 'sessions --json'],
  },
  {
    name: 'path',
    summary: "where a session's files are",
    load: () => import('./commands/path.js'),
    shape: (command) => command.argument('[session]'),
    examples: ['path'],
  },
  {
    name: 'baseline',
    summary: 'what failed before a session began, and what is flaky',
    load: () => import('./commands/baseline.js'),
    shape: (command) => trustFlag(command.argument('[session]')).option('--refresh', 'run the checks on its start tree again, and go on with the result'),
    examples: ['baseline', 'baseline --refresh'],
  },
  {
    name: 'verify',
    summary: 'read the journal again and do the deciding check once more',
    load: () => import('./commands/verify.js'),
    shape: (command) => trustFlag(command.argument('[session]')),
    examples: ['verify', 'verify --json'],
  },
  {
    name: 'doctor',
    summary: 'whether everything a run needs is there',
    load: () => import('./commands/doctor.js'),
    shape: (command) =>
      trustFlag(command)
        .option('--gates', 'also run the gates, twice, on a clean copy')
        .option('--agent <name>', 'also ask this agent for one small edit, in a folder of its own'),
    examples: ['doctor', 'doctor --gates', 'doctor --agent claude'],
  },
  {
    name: 'estimate',
    summary: 'what a task will probably take: iterations, time, tokens and cost',
    load: () => import('./commands/estimate.js'),
    shape: (command) =>
      command
        .option('--scope <size>', 'how large the task is: minor, feature or project')
        .option('--tok-s <n>', 'tokens that the model writes in a second', positive),
    examples: ['estimate', 'estimate --scope feature --tok-s 35', 'estimate --json'],
  },
  {
    name: 'trust',
    summary: 'what the files of this repository would run, and whether they may',
    load: () => import('./commands/trust.js'),
    shape: (command) => trustFlag(command.argument('[show-grant-or-revoke]')),
    examples: ['trust show', 'trust grant', 'trust grant --yes', 'trust revoke'],
  },
  {
    name: 'agents',
    summary: 'who could be asked: versions, logins and what each can do',
    load: () => import('./commands/agents.js'),
    examples: ['agents', 'agents --json'],
  },
  {
    name: 'config',
    summary: 'every setting with its value and where it comes from',
    load: () => import('./commands/config.js'),
    examples: ['config', 'config --json'],
  },
  {
    name: 'procedures',
    summary: 'the procedures there are, or one of them as a graph',
    load: () => import('./commands/procedures.js'),
    shape: (command) =>
      command
        .argument('[show-and-name...]')
        .option('--mermaid', 'the graph as a Mermaid flowchart')
        .option('--yaml', 'all of it, as it could stand in greenlatch.yaml'),
    examples: ['procedures', 'procedures show ooda', 'procedures show converge --mermaid', 'procedures show converge --yaml'],
  },
  {
    name: 'schema',
    summary: 'JSON Schema of the configuration, of a procedure, of an event or of a result file',
    load: () => import('./commands/schema.js'),
    shape: (command) => command.argument('[name]', `config, procedure, event, ${ARTIFACT_NAMES.join(', ')}`, 'config'),
    examples: ['schema', 'schema procedure', 'schema completion_reasons'],
  },
  {
    name: 'repair',
    summary: 'recover a session whose journal is damaged; nothing is deleted',
    load: () => import('./commands/repair.js'),
    shape: (command) =>
      command.argument('[session]').option('--set-aside', 'move a session that cannot be read out of the way, as it is'),
    examples: ['repair', 'repair --set-aside'],
  },
]

const RESULT: Declared[] = [
  {
    name: 'diff',
    summary: 'what changed since the start, or between two places of a session',
    load: () => import('./commands/diff.js'),
    shape: (command) =>
      trustFlag(command)
        .argument('[session-and-paths...]', 'the session, and after -- the paths to limit it to')
        .option('--iter <a..b>', 'between two places, or what one iteration did: 6..7, 7, start..best, salvage/1')
        .option('--stat', 'one line for each file')
        .option('--culprit <test>', 'only what makes this test fail, found by running the checks on parts of the change'),
    examples: ['diff', 'diff --stat', 'diff --iter 6..7', 'diff --iter 6..7 --culprit "test/a.test.js::adds"', 'diff -- src', 'diff > changes.patch'],
  },
  {
    name: 'undo',
    summary: 'back to an earlier iteration; nothing is lost',
    load: () => import('./commands/undo.js'),
    shape: (command) =>
      command.argument('[session]').option('--to <place>', 'an iteration, start, best, last or salvage/<n>, instead of one step back'),
    examples: ['undo', 'undo --to 3', 'undo --to start'],
  },
  {
    name: 'redo',
    summary: 'forward again after an undo',
    load: () => import('./commands/redo.js'),
    shape: (command) => command.argument('[session]'),
    examples: ['redo'],
  },
  {
    name: 'minimise',
    summary: 'leave out of a proved result what its checks do not need',
    load: () => import('./commands/minimise.js'),
    shape: (command) =>
      trustFlag(command)
        .argument('[session]')
        .option('--max-trials <n>', 'most trials, instead of 100; 0 is no limit', wholeNumber)
        .option('--max-time <duration>', 'most time, instead of 10m; 0 is no limit')
        .option('--keep <glob>', 'leave nothing out of what this takes (repeatable)', collect),
    examples: ['minimise', 'minimise --keep docs --keep README.md', 'minimise --max-time 1h'],
  },
  {
    name: 'accept',
    summary: 'bring the result to your branch, as one commit',
    load: () => import('./commands/accept.js'),
    shape: (command) =>
      command
        .argument('[session]')
        .option('--squash', 'as one commit on top of your branch (this is the default)')
        .option('--merge', 'as a merge of your branch and the result')
        .option('--branch <name>', 'as a new branch, and touch nothing else')
        .option('--message <text>', 'the message of the commit')
        .option('--hooks', 'run your commit hooks'),
    examples: ['accept', 'accept --merge', 'accept --message "fix: parse empty lines"', 'accept --branch try-it'],
  },
  {
    name: 'clean',
    summary: 'take away checkouts and copies that can be made again',
    load: () => import('./commands/clean.js'),
    shape: (command) => command.argument('[session...]').option('--dry-run', 'only list what would go'),
    examples: ['clean --dry-run', 'clean --yes'],
  },
]

export const COMMANDS: readonly Declared[] = [...LOOP, ...TALK, ...RESULT, ...LOOK, FLEET]
