// Whether what a repository's files would run may be run: by a grant of the user, by a hash they name, or by asking them.
import { homedir } from 'node:os'
import { changedParts, type Executable } from '../config/executable.js'
import { loadConfig } from '../config/load.js'
import { namedHashes, readGrants, writeGrant, type Grants, type StorePlace } from '../config/trust-store.js'
import type { Config } from '../config/types.js'
import { EXIT, Refusal } from '../errors.js'
import { counted } from '../text/amounts.js'
import { ask } from './ask.js'
import type { Context } from './context.js'
import { partLines } from './trust-text.js'

/** What is typed of it. */
export type TrustFlags = { trust?: string[] }

/** The same, for a command of ours that is started in the place of the one that was typed. */
export function trustWords({ trust = [] }: TrustFlags): string[] {
  return trust.flatMap((hash) => ['--trust', hash])
}

/** `by`: how it came to be trusted, for people; null where it is not. */
export type Standing = { executable: Executable; by: string | null; grants: Grants }

/** Null where there is nothing that needs trust. Throws Refusal for a hash that is none. */
export function standingOf(config: Config, flags: TrustFlags): Standing | null {
  const typed = namedHashes(flags.trust ?? [], '--trust')
  const set = namedHashes([process.env['GREENLATCH_TRUST'] ?? ''], 'GREENLATCH_TRUST')
  const { executable } = config
  if (!executable) return null
  const grants = readGrants(config.root, storePlace())
  const has = (hashes: readonly string[]): boolean => hashes.includes(executable.hash)
  return { executable, grants, by: has(typed) ? '--trust' : has(set) ? 'GREENLATCH_TRUST' : has(grants.hashes) ? `grant of ${grants.at ?? 'before'}` : null }
}

/** Before anything of the repository's files is run. Asks where somebody can answer, and refuses with 6 where nobody can. */
export async function requireTrust(context: Context, flags: TrustFlags): Promise<void> {
  const standing = standingOf(context.config, flags)
  if (!standing || standing.by !== null) return
  const { executable, grants } = standing
  const what = untrusted(standing)
  if (flags.trust) throw new Refusal(EXIT.guard, `--trust names another state: ${what}`, 'greenlatch trust show')
  if (!context.mayAsk) throw new Refusal(EXIT.guard, `${what}; greenlatch trust show prints it`, 'greenlatch trust grant')
  context.output.say(`${what}:\n${partLines(executable, grants.parts).map((line) => `  ${line}`).join('\n')}`)
  if (!/^y/i.test((await ask('Trust this, here and until it changes? [y/N] ')) ?? '')) {
    throw new Refusal(EXIT.guard, 'it was not trusted, so nothing was run', 'greenlatch trust show')
  }
  grant(context.config)
}

/** Keys that count also for a session that is there: where sessions are, and who is told of them. */
const OUTSIDE_SESSIONS = /^(?:stateDir$|notify\.|hooks\.)/

/** For what runs a session that is there: its setup was trusted when it was opened, but not what a file of the repository says besides. */
export async function requireTrustOfSessions(context: Context, flags: TrustFlags): Promise<void> {
  const isNeeded = Object.entries(context.config.origins).some(([key, { tier }]) => tier === 'project' && OUTSIDE_SESSIONS.test(key))
  if (isNeeded) await requireTrust(context, flags)
  else standingOf(context.config, flags)
}

/** For agents that are taken from the settings as they are now. */
export async function requireTrustOfAgents(context: Context, names: readonly string[], flags: TrustFlags): Promise<void> {
  if (names.some((name) => context.config.origins[`agents.${name}`]?.tier === 'project')) await requireTrust(context, flags)
}

/** One line where something would have to be trusted first; null where nothing would. */
export function trustNotice(config: Config, flags: TrustFlags): string | null {
  const standing = standingOf(config, flags)
  return !standing || standing.by !== null ? null : `${untrusted(standing)}; before a run: greenlatch trust grant`
}

function untrusted({ executable, grants }: Standing): string {
  const { names, shown: parts } = executable
  const files = names.join(' and ')
  if (grants.parts === null) return `what ${files} would run or permit is not trusted yet (${counted(Object.keys(parts).length, 'part')})`
  return `what ${files} would run or permit has changed since it was trusted (${changedParts(grants.parts, parts).map(({ key }) => key).join(', ') || 'another state'})`
}

export function grant(config: Config): void {
  if (config.executable) writeGrant(config.root, config.executable, storePlace())
}

/** Trusts the settings of a repository as they stand, for whoever has just written them in the user's name. */
export async function trustWritten(cwd: string): Promise<void> {
  grant(await loadConfig({ cwd, env: process.env, home: homedir(), flags: {} }))
}

export function storePlace(): StorePlace {
  return { env: process.env, home: homedir() }
}
