// The commands of a fleet with their flags and examples.
import type { Command } from 'commander'
import type { Declared } from '../command-list.js'
import { agentFlags, amount, boundFlags, collect, proofFlags, scopeFlags, trustFlag, wholeNumber } from '../options.js'

export function queueFlag(command: Command): Command {
  return command.option('--redis <address>', "the queue's server, instead of GREENLATCH_REDIS or the one that `fleet up` started")
}

const SUBMIT = (command: Command): Command =>
  trustFlag(queueFlag(scopeFlags(proofFlags(boundFlags(agentFlags(command))))))
    .argument('[procedure-or-task...]', 'a procedure, a task in quotes, or both')
    .option('--file <file>', 'many tasks: a line each, as text or as a JSON object with task, repository, ref, gate, trust, labels and priority')
    .option('--repository <address>', 'where the work is; many are the same task for each (repeatable)', collect)
    .option('--repositories <file>', 'the same, an address on each line')
    .option('--ref <name>', 'the branch or tag to start from', 'HEAD')
    .option('--remote <address>', 'keep the state of all sessions there, instead of in the repository itself')
    .option('--gate <command>', 'a check that has to pass, as name=command or command (repeatable)', collect)
    .option('--failure-threshold <n>', 'setbacks in a row that end the session', wholeNumber)
    .option('--min-iterations <n>', 'iterations before success counts', wholeNumber)
    .option('--best-of <n>', 'so many candidates of each task; the smallest verified change wins', wholeNumber)
    .option('--enough <n>', 'candidates that converge before the others are ended; half of them where it is not said', wholeNumber)
    .option('--label <name>', 'only for workers with this label (repeatable)', collect)
    .option('--priority <n>', 'smaller comes first; 10 where it is not said', wholeNumber)
    .option('--attempts <n>', 'how often it is tried when something outside stands in the way', wholeNumber)
    .option('--back-off <duration>', 'the first wait before it is tried again; each further one is twice as long')
    .option('--batch <name>', 'the same tasks as in a batch before, in the same order, after the queue was lost: sessions go on from what was pushed')
    .option('--batch-cost <usd>', 'most money for all of these together', amount)
    .option('--rate <provider=n/unit>', 'how often the whole fleet may ask a provider, such as claude=30/m or api.example.com=5/s (repeatable)', collect)
    .option('--again <session>', 'put a dead or ended session back into the queue, as it stands (repeatable)', collect)

const PARTS: readonly Declared[] = [
  {
    name: 'up',
    summary: 'start a queue on this machine',
    load: () => import('./up.js'),
    shape: (command) => command.option('--port <n>', 'the port to open; any that is free where none is named', wholeNumber).option('--stop', 'end it; what it holds stays'),
    examples: ['fleet up', 'fleet up --stop'],
  },
  {
    name: 'submit',
    summary: 'put tasks into the queue',
    load: () => import('./submit.js'),
    shape: SUBMIT,
    examples: [
      'fleet submit "make the tests pass" --repository https://example.org/shop.git --agent claude --gate "npm test"',
      'fleet submit --file backlog.txt --repository /srv/git/shop.git --agent claude --gate "npm test" --batch-cost 50',
      'fleet submit "use the new logger" --repositories all.txt --remote /srv/git/state.git --agent codex --gate "make test" --rate codex=60/m',
      'fleet submit "fix the parser" --repository /srv/git/shop.git --trust 4f1d…',
      'fleet submit "fix the parser" --repository /srv/git/shop.git --best-of 4 --agent claude --gate "npm test"',
    ],
  },
  {
    name: 'worker',
    summary: 'run sessions of the queue on this machine, until it is told to come to rest (SIGTERM, or Ctrl+C)',
    load: () => import('./worker.js'),
    shape: (command) =>
      queueFlag(command)
        .option('--concurrency <n>', 'sessions at a time', wholeNumber)
        .option('--label <name>', 'also serve tasks that ask for this label, such as gpu or linux (repeatable)', collect)
        .option('--name <name>', 'what it is called; the machine and a number where it is not said')
        .option('--lease <duration>', 'how long a session is its own without a sign of life; 30s where it is not said')
        .option('--patience <duration>', 'how long a remote that does not answer is tried; 2m where it is not said')
        .option('--takeovers <n>', 'how often a session may lose its worker before it is dead; 5 where it is not said', wholeNumber)
        .option('--until-empty', 'come to rest when nothing is waiting'),
    examples: ['fleet worker --concurrency 4', 'fleet worker --label gpu --label linux', 'fleet worker --until-empty'],
  },
  {
    name: 'status',
    summary: 'what is queued, what runs where, and how far it is',
    load: () => import('./status.js'),
    shape: (command) => queueFlag(command).argument('[session-or-batch]'),
    examples: ['fleet status', 'fleet status --json'],
  },
  {
    name: 'logs',
    summary: 'the events of a session, from its remote',
    load: () => import('./logs.js'),
    shape: (command) => queueFlag(command).argument('<session>'),
    examples: ['fleet logs 20261117-101500-a1b2c-00001'],
  },
  {
    name: 'cancel',
    summary: 'end sessions for good, whether they run or wait',
    load: () => import('./cancel.js'),
    shape: (command) => queueFlag(command).argument('<session-or-batch...>'),
    examples: ['fleet cancel 20261117-101500-a1b2c'],
  },
  {
    name: 'results',
    summary: 'what converged, what did not and why, and what it cost',
    load: () => import('./results.js'),
    shape: (command) =>
      queueFlag(command).argument('[batch]').option('--csv [file]', 'as CSV, into a file or to standard output').option('--html [file]', 'as one page, into a file or to standard output'),
    examples: ['fleet results', 'fleet results --csv results.csv', 'fleet results --html results.html', 'fleet results --json'],
  },
]

export const FLEET: Declared = {
  name: 'fleet',
  summary: 'many sessions on many machines',
  load: () => Promise.resolve(null),
  examples: ['fleet up', 'fleet worker --concurrency 2', 'fleet status'],
  parts: PARTS,
}
