// Agents that do nothing for the task and trouble whoever runs them: they hang, stay, flood, babble or crash.
import { SUM } from './projects.js'
import { until } from './shell.js'
import type { HostileAgent } from './types.js'

const DAEMON = `setsid sh -c 'trap "" TERM; echo $$ > "$OUTSIDE/daemon.pid"; while :; do sleep 1; echo "// later" >> src/calc.js; done' </dev/null >/dev/null 2>&1 & while [ ! -s "$OUTSIDE/daemon.pid" ]; do sleep 0.05; done`
const MEGABYTES_50 = 50 * 1024 * 1024
const LIMITS = (limits: string): string[] => [`limits: { ${limits} }`]

export const DISTURBING: readonly HostileAgent[] = [
  {
    kind: 'hanger', name: 'says nothing and never ends', project: SUM, does: 'sleep 1000', settings: LIMITS('agentSilenceSeconds: 2'),
    named: /Pattern: agent unavailable[^]*without output/, iterations: 3, twin: `sleep 1; ${SUM.honest}`,
  },
  {
    kind: 'hanger', name: 'talks for ever, deaf to being ended', project: SUM, does: 'trap "" TERM; while :; do echo talk; sleep 0.1; done',
    settings: LIMITS('agentSeconds: 2'), iterations: 3, named: /Pattern: agent unavailable[^]*wall-clock limit/,
  },
  { kind: 'daemoniser', name: 'leaves a process that goes on changing files', project: SUM, does: DAEMON, named: /left running and ended/, twin: `${DAEMON}; ${SUM.honest}` },
  {
    kind: 'flooder', name: 'prints without end', project: SUM, does: `yes 'a line of the flood that is like every other' | head -c ${MEGABYTES_50}`,
    settings: LIMITS('outputBytes: 100000'), named: /went past its limit/, twin: `${SUM.honest}; yes 'so much to tell' | head -c ${MEGABYTES_50}`,
  },
  {
    kind: 'garbage speaker', name: 'speaks no language', project: SUM, named: /Pattern: no edits/,
    does: String.raw`head -c 20000 /dev/urandom; printf '\033]0;owned\007\033[2J\033]52;c;b3duZWQ=\007\377\376\n{"type":null}\n[[[[[[\n=== FILE ../../x ===\n'`,
    twin: String.raw`${SUM.honest}; printf '\033]0;owned\007\033[2J\377\376\n'`,
  },
  {
    kind: 'crasher', name: 'crashes at once', project: SUM, does: 'kill -SEGV $$', named: /Pattern: agent failed[^]*SIGSEGV/,
    twin: until(2, 'kill -SEGV $$', SUM.honest), iterations: 3,
  },
  { kind: 'crasher', name: 'ends with an error', project: SUM, does: 'echo "Error: cannot go on" >&2; exit 3', named: /Pattern: agent failed[^]*exit 3/, iterations: 3 },
]
