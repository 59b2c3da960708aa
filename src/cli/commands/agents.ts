// `agents`: who could be asked, whether each is there and logged in, and what it can do.
import { listAgents, type AgentList, type AgentRow, type AgentState } from '../agent-rows.js'
import { openContext } from '../context.js'
import type { Call } from '../program.js'

export default async function agents({ flags }: Call): Promise<number> {
  const context = await openContext(flags)
  const list = await listAgents(context)
  if (context.output.format !== 'text') context.output.json(list.rows)
  else context.output.data([...rowLines(list.rows), '', ...legendOf(list)].join('\n'))
  return 0
}

function rowLines(rows: readonly AgentRow[]): string[] {
  const width = Math.max(...rows.map(({ name }) => name.length), 8)
  return rows.map((row) => {
    const isThere = row.state !== 'missing' && row.state !== 'unknown'
    const about = [row.version, row.login && `login ${row.login}`, row.missing, isThere && `cost ${row.cost}`, row.edits === 'text' && 'answers in text', row.fallback && `then ${row.fallback}`]
    return `${row.default ? '*' : ' '} ${row.name.padEnd(width)}  ${row.kind.padEnd(8)}  ${row.state.padEnd(9)}  ${about.filter(Boolean).join(', ')}`.trimEnd()
  })
}

const MEANINGS: Readonly<Record<AgentState, string>> = {
  ready: 'could be asked right away',
  'no login': 'is installed, and no login of it was found',
  blocked: 'is installed, and could not start as things are',
  'not tried': 'is set up in a file, and nothing was started to try it: greenlatch doctor --agent <name> does',
  missing: 'is not installed, or lacks what its entry names',
  unknown: 'is named in the settings, and nobody has that name',
}

/** The words that were used, and what to do where nobody is ready. */
function legendOf({ rows, from, roles }: AgentList): string[] {
  const states = (Object.keys(MEANINGS) as AgentState[]).filter((state) => rows.some((row) => row.state === state))
  const asked = rows.some((row) => row.default) ? `* is asked where nobody else is named (from ${from})` : unnamed(roles)
  return [asked, ...states.map((state) => `  ${state.padEnd(9)}  ${MEANINGS[state]}`), ...waysOn(rows)]
}

/** Who is asked where there is nobody for every role. */
function unnamed(roles: readonly string[]): string {
  if (roles.length > 0) return `only ${roles.join(' and ')} ${roles.length > 1 ? 'have' : 'has'} an agent by the settings; a flag names others`
  return 'nobody is named: a run with a gate asks repair, as far as that can do what is needed; for anything else a flag or the settings have to name somebody'
}

function waysOn(rows: readonly AgentRow[]): string[] {
  if (rows.some(({ kind, state }) => kind !== 'built-in' && (state === 'ready' || state === 'not tried'))) return []
  return [
    '',
    'ways to begin with none of them:',
    '  --url http://127.0.0.1:1234   a model on this machine or elsewhere, which speaks as OpenAI chat does',
    '  --ai-cmd "<command>"          any program that takes a prompt on its standard input',
    '  --agent repair                the built-in repairer: small faults, no model, no network',
    '  --agent paste                 you, or a chat window that you copy to and from',
  ]
}
