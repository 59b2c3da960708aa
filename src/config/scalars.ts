// The settings that are one plain value: what each may be, its environment variable and its flag.

export type NumberRule = { kind: 'integer' | 'number'; least: number; most?: number }

export type Rule = NumberRule | { kind: 'name' } | { kind: 'path' } | { kind: 'word'; words: readonly string[] }

/** Node's timers fire at once when asked to wait longer than this. */
const LONGEST_TIMER_SECONDS = 2_147_483

const SHORTEST_LIMIT = { kind: 'number', least: 0.1, most: LONGEST_TIMER_SECONDS } as const

export const SCALARS = {
  procedure: { kind: 'name' },
  default_iterations: { kind: 'integer', least: 0 },
  agent: { kind: 'name' },
  'budget.seconds': { kind: 'number', least: 0 },
  'budget.tokens': { kind: 'integer', least: 0 },
  'budget.usd': { kind: 'number', least: 0 },
  setbacks: { kind: 'integer', least: 1 },
  floor: { kind: 'integer', least: 1 },
  'limits.agentSeconds': SHORTEST_LIMIT,
  'limits.agentSilenceSeconds': SHORTEST_LIMIT,
  'limits.gateSeconds': SHORTEST_LIMIT,
  'limits.outputBytes': { kind: 'integer', least: 1024, most: 1_073_741_824 },
  'scope.files': { kind: 'integer', least: 0 },
  'scope.lines': { kind: 'integer', least: 0 },
  'scope.mode': { kind: 'word', words: ['block', 'warn'] },
  'commands.timeoutSeconds': SHORTEST_LIMIT,
  'sandbox.use': { kind: 'word', words: ['auto', 'bubblewrap', 'container', 'none'] },
  'sandbox.processes': { kind: 'integer', least: 0 },
  'sandbox.memoryMegabytes': { kind: 'integer', least: 0 },
  'sandbox.fileMegabytes': { kind: 'integer', least: 0 },
  require: { kind: 'word', words: ['verified', 'partly verified'] },
  promptTokens: { kind: 'integer', least: 1 },
  persistence: { kind: 'word', words: ['durable', 'best-effort'] },
  stateDir: { kind: 'path' },
  task: { kind: 'path' },
  philosophy: { kind: 'path' },
} as const satisfies Record<string, Rule>

export type ScalarKey = keyof typeof SCALARS

export const SCALAR_KEYS = Object.keys(SCALARS) as ScalarKey[]

export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
export const NAME_EXPECTED = 'expected a name of letters, digits, ".", "_" and "-"'

export function expectation(rule: Rule): string {
  switch (rule.kind) {
    case 'integer':
    case 'number': {
      const noun = rule.kind === 'integer' ? 'a whole number' : 'a number'
      return rule.most === undefined ? `expected ${noun} of at least ${rule.least}` : `expected ${noun} from ${rule.least} to ${rule.most}`
    }
    case 'name':
      return NAME_EXPECTED
    case 'path':
      return 'expected a path'
    case 'word':
      return `expected one of ${rule.words.join(', ')}`
  }
}

export function accepts(rule: Rule, value: unknown): boolean {
  switch (rule.kind) {
    case 'integer':
      return Number.isSafeInteger(value) && inRange(rule, value as number)
    case 'number':
      return Number.isFinite(value) && inRange(rule, value as number)
    case 'name':
      return typeof value === 'string' && NAME.test(value)
    case 'path':
      return typeof value === 'string' && value.trim() !== '' && !value.includes('\0')
    case 'word':
      return typeof value === 'string' && rule.words.includes(value)
  }
}

function inRange(rule: { least: number; most?: number }, value: number): boolean {
  return value >= rule.least && value <= (rule.most ?? Infinity)
}

/** `limits.agentSeconds` → `GREENLATCH_LIMITS_AGENT_SECONDS`. The state folder keeps the name such variables usually have, and the sandbox is named in short. */
export function variableName(key: ScalarKey): string {
  if (key === 'stateDir') return 'GREENLATCH_STATE_HOME'
  if (key === 'sandbox.use') return 'GREENLATCH_SANDBOX'
  return `GREENLATCH_${key.replace('.', '_').replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

const FLAGS: Record<string, string> = {
  procedure: 'the command line',
  default_iterations: '--max-iterations',
  'budget.seconds': '--max-time',
  'budget.tokens': '--max-tokens',
  'budget.usd': '--max-cost',
  setbacks: '--failure-threshold',
  floor: '--min-iterations',
  'scope.allow': '--allow',
  'scope.deny': '--deny',
  'scope.files': '--diff-budget',
  'scope.lines': '--diff-budget',
  'sandbox.use': '--sandbox',
  gates: '--gate',
  agents: '--ai-cmd',
  stateDir: '--state-dir',
}

/** The flag that sets a key, e.g. `budget.seconds` → `--max-time`. */
export function flagName(key: string): string {
  const [head = '', name] = key.split('.')
  const plain = head === 'prompts' && name !== undefined ? name : head
  return FLAGS[key] ?? FLAGS[head] ?? `--${plain.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-')}`
}
