// `doctor`: whether everything a run needs is there, each line with its fix. It runs nothing from the repository, except the gates when asked to.
import { dirname, join } from 'node:path'
import { ManyFaults } from '../../config/many-faults.js'
import { EXIT, Refusal } from '../../errors.js'
import { redact } from '../../process/secrets.js'
import { counted } from '../../text/amounts.js'
import { sanitise } from '../../text/sanitise.js'
import { openContext, type Context, type GlobalFlags } from '../context.js'
import { agentsFindings } from '../doctor-agents.js'
import { gitFindings, nodeFinding, stateFindings, type Finding } from '../doctor-findings.js'
import { sandboxFindings } from '../doctor-sandbox.js'
import { settingsFindings } from '../doctor-settings.js'
import type { Call } from '../program.js'
import { ownFiles } from '../recorded.js'
import { requireTrust, standingOf, trustNotice, type TrustFlags } from '../trust.js'

export default async function doctor({ flags, version }: Call<TrustFlags & { gates?: boolean; agent?: string }>): Promise<number> {
  const { context, findings: settings } = await openSettings(flags)
  const findings = [nodeFinding(), ...settings]
  if (context) {
    const { config, cwd, store } = context
    const ours = ownFiles(config.root, dirname(store)).map((path) => join(config.root, path))
    findings.push(...(await gitFindings(cwd, ours)), ...stateFindings(store), ...settingsFindings(config), ...trust(context, flags), ...(await agentsFindings(context)))
    findings.push(...(await sandboxFindings(config.values.sandbox)))
    const isBlocked = findings.some(({ state }) => state === 'fail')
    if ((flags.gates && !isBlocked) || flags.agent !== undefined) await requireTrust(context, flags)
    if (flags.gates && !isBlocked) findings.push(...(await (await import('../doctor-gates.js')).gateFindings(context, version)))
    else if (flags.gates) findings.push({ state: 'warn', what: 'gates', text: 'not run: see above' })
    if (flags.agent !== undefined) findings.push(...(await (await import('../doctor-agent.js')).agentFindings(context, flags.agent, version)))
  }
  return tell(findings, flags)
}

/** Settings that cannot be read are no reason not to look at the rest. */
async function openSettings(flags: GlobalFlags): Promise<{ context: Context | null; findings: Finding[] }> {
  try {
    const context = await openContext(flags)
    const { files } = context.config
    return { context, findings: [{ state: 'ok', what: 'settings', text: files.length === 0 ? 'no settings file: defaults and flags decide' : files.join(', ') }] }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const faults = [error.message, ...(error instanceof ManyFaults ? error.others : [])]
    const findings = faults.map((text): Finding => ({ state: 'fail', what: 'settings', text, next: error.next, code: error.code }))
    return { context: await withoutFiles(flags), findings }
  }
}

async function withoutFiles(flags: GlobalFlags): Promise<Context | null> {
  try {
    return await openContext(flags, {}, 'none')
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

function trust({ config }: Context, flags: TrustFlags): Finding[] {
  const standing = standingOf(config, flags)
  if (!standing) return []
  const notice = trustNotice(config, flags)
  return [notice === null ? { state: 'ok', what: 'trust', text: `trusted by ${standing.by}` } : { state: 'warn', what: 'trust', text: notice, next: 'greenlatch trust show' }]
}

const ROOM = 16

function tell(findings: readonly Finding[], { json, output, quiet }: GlobalFlags): number {
  const failed = findings.filter(({ state }) => state === 'fail')
  const code = failed.length === 0 ? EXIT.ok : (failed[0]?.code ?? EXIT.usage)
  if (json || output === 'json' || output === 'jsonl') {
    process.stdout.write(`${redact(JSON.stringify({ findings, code }, null, output === 'jsonl' ? 0 : 2))}\n`)
    return code
  }
  for (const { state, what, text, next } of findings) {
    process.stdout.write(`${sanitise(`${state.padEnd(4)}  ${what.padEnd(ROOM)} ${redact(text)}`).replaceAll('\n', ' ')}\n${next === undefined ? '' : `      next: ${sanitise(next)}\n`}`)
  }
  const warned = findings.filter(({ state }) => state === 'warn').length
  if (!quiet) process.stderr.write(failed.length + warned === 0 ? 'all is well\n' : `${counted(failed.length, 'failure')}, ${counted(warned, 'warning')}\n`)
  return code
}
