// The agents that are known to speak the Agent Client Protocol, and what each needs besides the protocol itself.
import { basename } from 'node:path'
import type { AcpEntry } from '../../../agent-entry.js'
import { splitCommand } from '../../../process/command-line.js'

export type Traits = {
  /** By which name its login and its settings are known. */
  known?: string
  /** The command that starts it in this way. */
  argv: readonly [string, ...string[]]
  /** The mode in which it works unattended, where its own default would not. Set only when it offers that mode. */
  mode?: string
  /** Environment variable → the way to log in that it is enough for. */
  logins?: Readonly<Record<string, string>>
  /** What a person does to log in. */
  login: string
  env?: Readonly<Record<string, string>>
  /** The same where a sandbox is around it. */
  confinedEnv?: Readonly<Record<string, string>>
  /** It says what it costs. */
  priced?: true
  /** It takes the answer that there is no such file for a failure, and then cannot make one: it is given an empty text. */
  missingIsEmpty?: true
  /** Why it could not work here, in one line. */
  obstacle?: (env: Readonly<Record<string, string | undefined>>) => string | null
}

const KNOWN: Readonly<Record<string, Traits>> = {
  claude: {
    known: 'claude',
    argv: ['claude-agent-acp'],
    confinedEnv: { IS_SANDBOX: '1' },
    login: 'run `claude` once and log in, or set ANTHROPIC_API_KEY',
    priced: true,
    obstacle: (env) => (process.getuid?.() === 0 && !env['IS_SANDBOX'] ? 'it does not work for root, unless IS_SANDBOX=1 in its env says that this is a sandbox' : null),
  },
  // Its other modes work in a sandbox of its own that turns edits down when nobody can be asked.
  codex: {
    known: 'codex',
    argv: ['codex-acp'],
    mode: 'agent-full-access',
    logins: { CODEX_API_KEY: 'api-key', OPENAI_API_KEY: 'api-key' },
    login: 'run `codex login`, or set OPENAI_API_KEY',
  },
  gemini: {
    known: 'gemini',
    argv: ['gemini', '--acp'],
    logins: { GEMINI_API_KEY: 'gemini-api-key' },
    login: 'run `gemini` once and log in, or set GEMINI_API_KEY',
    // Else it starts itself a second time.
    env: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    missingIsEmpty: true,
  },
  qwen: { known: 'qwen', argv: ['qwen', '--acp'], logins: { OPENAI_API_KEY: 'openai' }, login: 'run `qwen` once and log in, or set OPENAI_API_KEY' },
  opencode: { known: 'opencode', argv: ['opencode', 'acp'], login: 'run `opencode auth login`', priced: true },
  goose: { known: 'goose', argv: ['goose', 'acp'], login: 'run `goose configure`' },
}

const NO_TRAITS: Omit<Traits, 'argv'> = { login: 'log in with its own command first' }

/** A name from the table stands for its command; any other command is taken as it is, with the traits of its program where it is known. */
export function traitsOf({ acp }: Pick<AcpEntry, 'acp'>): Traits {
  const [program, ...args] = typeof acp === 'string' ? splitCommand(acp) : acp
  if (args.length === 0 && Object.hasOwn(KNOWN, program)) return KNOWN[program] as Traits
  const known = Object.values(KNOWN).find((traits) => traits.argv[0] === basename(program))
  return { ...(known ?? NO_TRAITS), argv: [program, ...args] }
}
