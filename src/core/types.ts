// Every noun of the engine, as plain JSON: what is written to the journal is exactly one of these values.

/** What one effect came to. `error` means it could not be judged; `fail` means it was judged and is not good enough. */
export type Verdict = 'pass' | 'fail' | 'error' | 'cancelled'

/** How a session ended. */
export type Outcome = 'converged' | 'completed' | 'stalled' | 'exhausted' | 'refused' | 'failed' | 'cancelled'

/** The name of a phase, or `@` and an outcome. */
export type Target = string

/** The identity of a set of files. Equal trees have equal names; the core never looks inside. */
export type Tree = string

/** A file in the session's folder: a record carries the reference, never the text. */
export type Ref = { path: string; sha: string; bytes: number }

export type Spend = { seconds: number; tokens: number; usd: number }

/** The most a session may use. A missing or zero entry is no limit. `then` is where spent iterations lead. */
export type Budget = Partial<Spend> & { iterations?: number; then?: 'exhausted' | 'completed' }

// — procedures —
/** A piece of prompt text: given here, read afresh from a file each time, shipped with us, or made from the session. */
export type Fragment = { text: string } | { file: string } | { builtin: string } | { section: SectionName }

export type SectionName =
  | 'task' | 'context' | 'hints' | 'failures' | 'refuted' | 'stance' | 'gates' | 'words' | 'philosophy' | 'survey' | 'plan' | 'files'
  | 'diagnosis' | 'code' | 'commands' | 'changes' | 'fault' | 'form' | 'profile' | 'report' | 'scope'

/** One heading of a prompt. The lowest rank is left out first when it is too long; `when` needs that section to say something, `unless` not to. */
export type Part = { title: string; fragments: Fragment[]; rank?: number; when?: SectionName; unless?: SectionName }

type PhaseBase = {
  on: Partial<Record<Verdict, Target>>
  /** Asking this phase begins a new iteration. */
  opensIteration?: true
  /** Asking this phase begins a new plan generation. */
  opensPlan?: true
  /** Whether its verdict judges the iteration. Checks do unless they say no. */
  judges?: boolean
  /** How often an `error` here is tried again before it is routed. */
  retries?: number
  /** What its files are called; the name of the phase where nothing is said. */
  file?: string
  /** What the session is called while this phase is open. */
  label?: string
  /** What the session is called when this phase is over; the next phase is then asked by a step of its own. */
  rests?: string
}

export type AskPhase = PhaseBase & {
  kind: 'ask'
  role: string
  /** Plans, candidates and tests may move the tree; tests and amendments are corrections, taken in or turned down. */
  yields: 'plan' | 'candidate' | 'review' | 'tests' | 'amendment' | 'response'
  /** `tests`: a plan has to bring tests with it. `diagnosis`: plain prose is all that a review has to be. */
  wants?: 'tests' | 'diagnosis'
  /** The first line of its prompt, and the parts that follow. */
  title?: string
  prompt: Part[]
  /** `late`: the phase is entered without its prompt; the next step writes it. */
  prompts?: 'late'
  /** `decides`: the agent's own ending is the verdict; otherwise an agent that moved the tree has passed, and gates judge. */
  status?: 'decides'
  /** `text`: files of the reply are written for whoever answers, also for one who could edit them. */
  replies?: 'text'
  /** `tree`: what was said of a tree is not asked again while it stays the same. */
  reuse?: 'tree'
  /** `never`: the prompt is sent whole, however long, with a warning. */
  trim?: 'never'
  /** Where completion words lead. The word carries a code made for this one effect. */
  words?: Partial<Record<'done' | 'failed', Target>>
}

export type CheckPhase = PhaseBase & {
  kind: 'check'
  /** Names in the order they run; `@configured` stands for all gates of the configuration. */
  gates: string[]
  /** What fails here was there before us. */
  baseline?: true
  /** The deciding check, on a clean copy with pinned files. */
  sealed?: true
  /** How often a failing test is run again on its own, to tell flaky from broken. */
  reruns?: number
  /** How often a green result is confirmed. */
  confirm?: number
}

export type WorkspacePhase = PhaseBase & {
  kind: 'workspace'
  action: 'setup' | 'survey' | 'branch' | 'commit' | 'materialise'
}

export type Phase = AskPhase | CheckPhase | WorkspacePhase

/** An answer to a stall of level `at`. */
export type Rung = {
  at: number
  stance?: string
  focus?: 'one'
  scope?: { files: number; lines: number }
  roles?: Record<string, string>
  /** Go back to the best tree when this rung is reached. */
  restore?: true
  /** Go here, instead of where the phase's route leads, when this rung is reached. */
  to?: Target
  /** Start counting afresh, with the first posture. */
  resets?: true
  /** How often this rung may be used, else always; `without`: only where nobody fills this role. */
  times?: number
  without?: string
}

/** `subjects`: the same tests fail, whatever they say. */
export type Signal = 'repeats' | 'subjects' | 'revisits' | 'plateau'

export type Policies = {
  setbacks?: { limit: number; counts: Verdict[] }
  infrastructure?: { limit: number }
  breaches?: { limit: number }
  floor?: { iterations: number; to: Target }
  ratchet?: { patience: number }
  ladder?: { signals: Signal[]; rungs: Rung[] }
  /** Most characters one addition to the task may have, and all of them together. */
  amendments?: { each: number; all: number }
  /** How often a finding is raised again over passing gates before it is set aside and listed. */
  disputes?: { limit: number }
  /** What has to be proved: ids or patterns with `*`, or gates. `change`: an unchanged tree is a failing iteration. `require`: the least label. */
  goal?: { targets?: string[]; excuse?: string[]; gates?: string[]; change?: boolean; require?: Label }
}

export type Procedure = {
  name: string
  summary: string
  start: string
  phases: Record<string, Phase>
  policies: Policies
  budget: Budget
  /** Which tree is handed over at the end. */
  final: 'best' | 'last'
  /** Stance texts by the names rungs use. */
  stances: Record<string, string>
  /** What may be changed where nothing else is said; each has to be there. */
  allow?: string[]
  /** `iterations`: progress is told by iteration with clock times, not by phase. */
  progress?: 'iterations'
}

// — effects and reports —
/** What the rung in force asks of the next iteration. */
export type Posture = {
  stance: string | null
  focus: 'one' | null
  scope: { files: number; lines: number } | null
  roles: Record<string, string>
}

export type Hint = { id: string; text: string }

/** One thing to be done in the outside world. At most one is outstanding (I3). */
export type Effect = {
  /** Made from the session alone, so that work repeated after a crash is recognised. */
  id: string
  phase: string
  iteration: number
  plan: number
  tree: Tree
  /** Where what is pinned stands as it has to be. */
  pins: Tree
  /** Where its files go in the session's folder, e.g. `iteration-3/implement`. */
  base: string
  opensIteration: boolean
  opensPlan: boolean
} & (
  | {
      kind: 'ask'
      role: string
      /** The role that really answers, when a rung hands it over. */
      answers: string
      yields: AskPhase['yields']
      /** 1 for the first time this role is asked in the session. */
      turn: number
      posture: Posture
      hints: Hint[]
      /** Code for completion words; empty when the phase has none. */
      nonce: string
      decides: boolean
    }
  | { kind: 'check'; gates: string[]; baseline: boolean; sealed: boolean; reruns: number; confirm: number }
  | { kind: 'workspace'; action: WorkspacePhase['action'] }
)

/** One comparable wrong thing. */
export type Failure = {
  gate: string
  subject: string
  class: 'behaviour' | 'scope' | 'integrity'
  fingerprint: string
  message: string
  runs: Runs
  /** How it went alone on the start tree, where that was tried. */
  before?: Runs
  /** What a reviewer says of it beyond the message. */
  finding?: Finding
  /** Of what was taken back: the name it is kept under, and what would have to be permitted. */
  breach?: { kept: string | null; permit: string[] }
}

export type Finding = { category: string; severity: 'error' | 'warning' | 'note'; path: string; line?: number; snippet: string; fix: string }

export type Runs = { failed: number; of: number }

export type GateResult = {
  gate: string
  exit: 'pass' | 'fail' | 'timeout' | 'error' | 'not run'
  /** False when the run broke off halfway. */
  complete: boolean
  /** True when failures carry ids from a test runner, not lines of text. */
  known: boolean
  /** How many expected ids were not reported. */
  missing: number
  /** How many failures there are beyond those that are listed. */
  more?: number
  seconds: number
  note: string
}

/** Why a report is an `error`. After `said`, `limit` and `over` nobody is asked again, after `reply` once more; an `answer` is there and of no use. */
export type Cause =
  | 'infrastructure' | 'limit' | 'interrupted' | 'timeout' | 'silence' | 'agent' | 'answer' | 'reply' | 'said' | 'over' | 'gate' | 'guard' | 'state'

/** The one shape every adapter's work comes back in. */
export type Report = {
  effect: string
  verdict: Verdict
  cause: Cause | null
  /** One line for people; `by` is who answered, where somebody was asked. */
  note: string
  by?: string
  tree: Tree
  gates: GateResult[]
  failures: Failure[]
  diffLines: number
  /** What a passing sealed check is bound to. */
  sealed: { tree: Tree; pins: string } | null
  /** Beyond the target: what else proves the work, such as a new test that failed on the start tree. */
  evidence: string[]
  /** What keeps a proof from being a full one. */
  exceptions: string[]
  /** Gate → the list of its tests, as a baseline found them or a plan brought them. */
  ids: Record<string, Ref>
  word: 'done' | 'failed' | null
  /** What was changed, in one line; empty when nothing was. */
  changed: string
  /** The pins from now on, when tests were added by a plan or corrected by an audit. */
  pins: Tree | null
  /** What later prompts are made from, by name; null takes one away. */
  keeps: Record<string, Ref | null>
  files: Ref[]
  spent: Spend
  /** Wall clock in milliseconds, for people; the core carries it and never compares it. */
  endedAt: number
}

// — judgement and decision —
/** Compared from left to right; smaller is better. The last entry only breaks ties and is never progress. */
export type Score = readonly [breach: number, stagesLeft: number, failing: number, diffLines: number]

export type Stall = Record<Signal, number> & { level: number }

/** What a report means, stored with it so that history never changes its meaning (I2). */
export type Judgement = {
  verdict: Verdict
  /** Whether this report judged its iteration. */
  judged: boolean
  /** Identity of the failing set; empty when nothing fails. */
  key: string
  /** Identity of its subjects alone. */
  subjects: string
  score: Score
  stall: Stall
  /** Better than everything before. */
  better: boolean
  /** Takes the best one's place: better, or as good with a smaller diff. */
  preferred: boolean
  /** Worse than the best. */
  worse: boolean
  /** Passed, and held back by the floor alone. */
  held: boolean
  /** The failures that count: places in the report's list, and those the engine itself found. */
  failing: number[]
  found: Failure[]
  fresh: string[]
  excused: string[]
  flaky: string[]
  /** Findings set aside after having been raised too often over passing gates. */
  disputed: string[]
  breach: string | null
  proof: Proof | null
}

export type Proof = { tree: Tree; pins: string; exceptions: string[] }

export type Label = 'verified' | 'partly verified' | 'unverified'

export type Finish = {
  outcome: Outcome
  code: number
  label: Label
  why: string
  delivers: Tree
  /** The phase a resumed session goes on with; null when there is nothing to resume. */
  resumesAt: string | null
}

export type Decision = {
  to: Target
  cause: 'route' | 'retry' | 'setbacks' | 'infrastructure' | 'breaches' | 'floor' | 'ladder' | 'unproven' | 'budget' | 'best'
  /** Never empty (I6). */
  why: string
  /** The same phase once more, within the same iteration; at an end: so it would go on. */
  repeats: boolean
  /** The rung in force from now on (its index, -1 for none), when this decision weighed it. */
  rung: number | null
  /** True when the rung was reached from below and used. */
  fired: boolean
  posture: Posture | null
  restore: Place | null
  resets: boolean
  finish: Finish | null
  /** The end that was put off to seal the best tree first. */
  pending: Finish | null
}

// — events and session —
export type Opened = {
  type: 'opened'
  format: number
  id: string
  procedure: Procedure
  tree: Tree
  /** Names of the configured gates, in order, and those that do not run in every check. */
  gates: string[]
  when: Record<string, 'sealed' | 'after baseline'>
  /** Role → agent that answers it. A role that is not here cannot be filled. */
  roles: Record<string, string>
  fingerprints: number
  /** The task as given, kept in the session's folder. */
  task: Ref | null
  openedAt: number
  /** What agents, gates and limits are made from, frozen with the session. The core carries it and never looks inside. */
  setup: Readonly<Record<string, unknown>>
}

/** Who answers from an event on, and by what; `procedure`: the same one, read anew where the session has come to another machine. */
export type Cast = Pick<Session, 'roles' | 'setup'> & Partial<Pick<Session, 'procedure'>>

export type Event =
  | Opened
  | { type: 'asked'; effect: Effect; prompt: Ref | null }
  | { type: 'observed'; report: Report; judgement: Judgement }
  | { type: 'decided'; decision: Decision }
  | { type: 'hinted'; hint: Hint }
  | { type: 'interrupted'; cause: 'signal' | 'crash' | 'stop'; note: string; spent: Spend }
  | { type: 'paused' | 'stopped' }
  /** `cast`: who answers from here on, where that is somebody else. */
  | { type: 'extended'; budget: Budget; cast?: Cast }
  /** `best`: how `to` was judged, where it was; `sealed`: how far it was proved. */
  | { type: 'undone' | 'redone'; from: Place; to: Place; best?: Best; sealed?: { proof: Proof; label: Label } }
  | { type: 'accepted'; tree: Tree; note: string }
  | { type: 'baselined' | 'minimised'; report: Report; judgement: Judgement }
  | { type: 'repaired'; note: string }

/** A tree and the iteration that made it; 0 for the tree the session started from. */
export type Place = { iteration: number; tree: Tree }

/** The best judged tree so far. */
export type Best = Place & { score: Score; failing: Failure[]; heldByFloor: boolean }

export type Session = {
  id: string
  procedure: Procedure
  gates: string[]
  when: Opened['when']
  roles: Record<string, string>
  openedAt: number
  setup: Readonly<Record<string, unknown>>
  budget: Budget
  start: Tree
  tree: Tree
  /** The start tree with the tests of plans and audits laid in. */
  pins: Tree
  /** Name → the text that prompts are made from: task, plan, diagnosis and the like. */
  kept: Record<string, Ref>
  /** Why the last report could not be used; empty when it could. */
  fault: string
  /** The phase that is open or comes next. */
  at: string
  label: string
  outstanding: Effect | null
  /** Times the outstanding effect was begun and cut off, and how many of those by a crash. */
  cuts: number
  crashes: number
  asked: number
  turns: Record<string, number>
  /** Asks of each phase within this iteration, for file names. */
  visits: Record<string, number>
  iteration: number
  plan: number
  /** The phase at hand is asked once more, within the same iteration. */
  repeating: boolean
  retries: number
  setbacks: { row: number; marked: boolean; by: 'ask' | 'check' | null }
  infrastructure: number
  breaches: { subject: string; row: number }
  judged: boolean
  /** The last candidate, how often in a row it came out the same, and the iteration that made it: one that changes nothing makes none. */
  candidate: Tree
  identical: number
  made: number
  /** Breaches of scope by this iteration's candidate, which its first check takes in. */
  carried: Failure[]
  stall: Stall
  key: string
  /** Identity of the failing subjects alone. */
  subjects: string
  /** Hashes of failing set and tree, newest last, bounded. */
  seen: string[]
  worse: number
  rung: number
  uses: number[]
  posture: Posture
  best: Best | null
  /** The start tree as the baseline judged it; null without a baseline. */
  origin: Best | null
  /** The failures of the tree the session stands on, and the tree that a check has passed while another one has yet to judge it. */
  facing: Failure[]
  passed: Tree | null
  /** Tried, newest last, bounded: what brought nothing, and what was kept, with what that mended and how many had failed `before`. */
  refuted: { iteration: number; failing: number; changed: string; note: string }[]
  mended: { iteration: number; failing: number; before: number | null; changed: string; note: string }[]
  /** What the last candidate changed, in one line. */
  changed: string
  /** Agent → how many asks it has answered. Who could not be reached has not. */
  answered: Record<string, number>
  /** Phase → what it last said of which tree. */
  said: Record<string, Report>
  /** Fingerprint of a finding → how often it was raised, bounded. */
  raised: Record<string, number>
  /** What keeps every proof of this session from being a full one. */
  exceptions: string[]
  /** Subjects that failed before us; null without a baseline. */
  baseline: string[] | null
  /** Subjects that fail now and then on the start tree, bounded. */
  flaky: string[]
  /** Gate → the list of the tests that it has to report. */
  ids: Record<string, Ref>
  proof: Proof | null
  pending: Finish | null
  spent: Spend
  iterationSeconds: number
  /** Seconds of each finished iteration, newest last, bounded. */
  elapsed: number[]
  finished: number
  /** When the last iteration was over. */
  finishedAt: number | null
  /** When the last report came. */
  reportedAt: number | null
  hints: Hint[]
  /** Ids of hints already taken, bounded. */
  taken: string[]
  rest: 'running' | 'paused' | 'stopped' | 'interrupted'
  finish: Finish | null
  /** Where `undo` came from, newest last, bounded. */
  undone: Place[]
  accepted: Tree | null
}
