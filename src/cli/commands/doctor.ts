// `doctor`: whether everything a run needs is there. It runs nothing from the repository, except the gates when asked to.
import { openContext, type Context, type GlobalFlags } from '../context.js'
import { detectAgents } from '../detect-agents.js'
import { gateFindings } from '../doctor-gates.js'
import { gitFindings, nodeFinding, stateFindings, type Finding } from '../doctor-findings.js'
import type { Call } from '../program.js'
import { EXIT, Refusal } from '../../errors.js'

export default async function doctor({ flags, version }: Call<{ gates?: boolean; agent?: string }>): Promise<number> {
  const findings: Finding[] = [nodeFinding()]
  const context = await settings(flags, findings)
  if (context) {
    findings.push(...(await gitFindings(context.cwd)), ...stateFindings(context.store), ...configured(context), ...(await agents(context)))
    const blocked = findings.some(({ state }) => state === 'bad')
    if (flags.gates && !blocked) findings.push(...(await gateFindings(context, version)))
    else if (flags.gates) findings.push({ state: 'warn', what: 'gates', text: 'not run: see above' })
    if (flags.agent !== undefined) findings.push(...(await (await import('../doctor-agent.js')).agentFindings(context, flags.agent, version)))
  }
  return tell(context, findings, flags)
}

async function settings(flags: GlobalFlags, findings: Finding[]): Promise<Context | null> {
  try {
    const context = await openContext(flags)
    const files = context.config.files.length === 0 ? 'no settings file: defaults and flags decide' : context.config.files.join(', ')
    findings.push({ state: 'good', what: 'settings', text: files })
    return context
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    findings.push({ state: 'bad', what: 'settings', text: error.message, next: error.next })
    return null
  }
}

function configured({ config }: Context): Finding[] {
  const { gates } = config.values
  if (gates.length === 0) {
    return [{ state: 'warn', what: 'gates', text: 'none configured', next: 'greenlatch run --gate "<your test command>"' }]
  }
  return gates.map(({ name, run }) => ({ state: 'good', what: `gate ${name}`, text: typeof run === 'string' ? run : run.join(' ') }))
}

async function agents({ config }: Context): Promise<Finding[]> {
  const names = Object.keys(config.values.agents)
  const here = (await detectAgents()).filter(({ program }) => program !== null)
  const found = here.filter(({ name }) => !names.includes(name)).map(({ name, login, obstacle }): Finding => {
    const text = obstacle ?? (login === null ? 'installed; no login was found' : `installed, logged in by ${login}`)
    return { state: obstacle === null && login !== null ? 'good' : 'warn', what: `agent ${name}`, text }
  })
  if (names.length + found.length === 0) return [{ state: 'warn', what: 'agents', text: 'none configured, and none that is known is installed', next: 'greenlatch agents' }]
  const configured = names.map((name): Finding => ({ state: 'good', what: `agent ${name}`, text: JSON.stringify(config.values.agents[name]) }))
  return [...configured, ...found]
}

const MARKS = { good: 'ok  ', warn: 'note', bad: 'BAD ' } as const

function tell(context: Context | null, findings: readonly Finding[], flags: GlobalFlags): number {
  const bad = findings.find(({ state }) => state === 'bad')
  const code = bad?.code ?? (bad ? EXIT.usage : 0)
  if (flags.json || flags.output === 'json' || flags.output === 'jsonl') process.stdout.write(`${JSON.stringify({ findings, code }, null, 2)}\n`)
  else {
    for (const { state, what, text, next } of findings) {
      const line = `${MARKS[state]}  ${what.padEnd(16)} ${text}${next === undefined ? '' : `\n      next: ${next}`}`
      if (context) context.output.data(line)
      else process.stdout.write(`${line}\n`)
    }
  }
  return code
}
