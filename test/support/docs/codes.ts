// What every code and word means, for the reference; a word that is missing or too many does not compile.
import type { Cause, Decision, Event, Label, Outcome, Session, Verdict } from '../../../src/core/types.js'
import { EXIT } from '../../../src/errors.js'

const EXIT_MEANS: Record<keyof typeof EXIT, string> = {
  ok: 'converged or completed; or the command did what was asked',
  failed: 'failed, or a fault of ours',
  usage: 'usage or configuration',
  stalled: 'stalled: nothing got better and the ladder is used up, or setbacks by gates',
  exhausted: 'a budget is spent',
  gate: 'a gate cannot be used, or a test that was named is not there',
  guard: 'a guard stopped it: scope, integrity, trust, sandbox, or a label below `--require`',
  agent: 'the agent is unavailable, or its setbacks ended it',
  waiting: 'waiting for a person, or paused',
  locked: 'another run holds the lock',
  state: 'state damaged, or disk full',
  cancelled: 'cancelled',
}

export const EXITS: readonly [string, string][] = [
  ...(Object.keys(EXIT) as (keyof typeof EXIT)[]).map((name): [string, string] => [String(EXIT[name]), EXIT_MEANS[name]]),
  ['129, 130, 143', 'interrupted by SIGHUP, SIGINT or SIGTERM, or (130) told to stop by `greenlatch stop`; can be resumed'],
]

export const OUTCOMES: Record<Outcome, string> = {
  converged: 'the deciding check passed: exit 0',
  completed: 'the procedure came to its good end without one: exit 0',
  stalled: 'nothing got better, or checks failed too often in a row: exit 3',
  exhausted: 'a budget is spent: exit 4',
  refused: 'a gate cannot be used (exit 5), a guard stopped it (exit 6), or the agent cannot be reached or failed too often in a row (exit 7)',
  failed: 'a phase ended badly and leads nowhere else: exit 1',
  cancelled: 'somebody ended it for good: exit 11',
}

export const LABELS: Record<Label, string> = {
  verified: 'the sealed check passed, the target is proved by tests with ids, and nothing pinned was changed',
  'partly verified': 'converged with exceptions, which are listed',
  unverified: 'everything else',
}

export const STATES: Record<Session['rest'], string> = {
  running: 'a process works on it, or none has begun yet',
  paused: 'it came to rest at the end of a phase, because it was asked to',
  stopped: 'it was stopped, and can be resumed',
  interrupted: 'a signal, `stop --now` or a crash cut it off, and it can be resumed',
}

export const VERDICTS: Record<Verdict, string> = {
  pass: 'it was judged and is good',
  fail: 'it was judged and is not good enough',
  error: 'it could not be judged',
  cancelled: 'whoever answered ended it',
}

export const CAUSES: Record<Cause, string> = {
  infrastructure: 'something between us and the agent: network, server, login',
  limit: 'a limit of the agent, such as a rate or a quota',
  interrupted: 'it was cut off too often by crashes',
  timeout: 'it took longer than its limit of time',
  silence: 'it printed nothing for longer than its limit',
  agent: 'the agent failed by its own account, or ended without one',
  answer: 'there is an answer, and it is of no use',
  reply: 'the answer cannot be read; it is asked for once more',
  said: 'the answer itself says that it ends here with an error',
  over: 'whoever was asked has nothing more to try',
  gate: 'a gate cannot be run',
  guard: 'a guard stopped it',
  state: 'files that it depends on are not as they were',
}

export const DECISIONS: Record<Decision['cause'], string> = {
  route: 'the route of the phase for this verdict',
  retry: 'an error is tried again within the iteration',
  setbacks: 'too many setbacks in a row',
  infrastructure: 'too many failures between us and the agent',
  breaches: 'the same breach of scope or integrity too often',
  floor: 'success before the least number of iterations',
  ladder: 'a stall has reached a rung',
  unproven: 'the checks pass, and the target is not proved',
  budget: 'a budget is spent',
  best: 'the best tree is sealed before the end',
}

export const EVENTS: Record<Event['type'], string> = {
  opened: 'the session began: what it runs, on which tree, with which agents and gates',
  asked: 'an effect is about to be done; written before anything is started',
  observed: 'the outstanding effect was reported, and its report judged',
  decided: 'what follows from that; always in the same record as `observed`',
  hinted: 'a person left a hint for the next ask',
  interrupted: 'a signal, a crash or `stop` cut off what was going on; `spent` is what the cut-off attempt had cost',
  paused: 'the session came to rest at the end of a phase, because it was asked to',
  stopped: 'the session was stopped, and can be resumed',
  extended: 'it was resumed after an end, or with a higher budget; `cast` says who answers from here on, where that is somebody else',
  undone: 'a person took the session back to an earlier tree; `best` says how that was judged, `sealed` how far it was proved',
  redone: 'a person took the last `undone` back; `best` and `sealed` say the same of the tree it returns to',
  accepted: 'a person took the result over into the repository',
  baselined: 'the start tree was checked anew, by `greenlatch baseline --refresh`',
  minimised: 'a smaller change that passed the deciding check itself took the place of the one it was made from',
  repaired: 'the journal was mended: what could not be read or trusted was taken out of it, and the note says what',
}
