// An agent without a model: finds where tests go wrong, makes small changes there, and proposes the best that passes.
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { CommandLine, RepairEntry } from '../../../agent-entry.js'
import { inside } from '../../../files/guard.js'
import type { Agent, Answer, AskRequest, Gate, Sandbox } from '../../../ports.js'
import { counted } from '../../../text/amounts.js'
import { repair, type Repaired } from './repair.js'
import { mayChange } from './suspects.js'
import { redact } from '../../../process/secrets.js'

/** What is read of the description of a gate, and the gate itself. */
export type Checked = { entry: { run: CommandLine; cwd?: string; env?: Readonly<Record<string, string | undefined>>; network?: 'none' | 'host'; report?: object }; gate: Gate }

export type RepairAgentOptions = { name: string; entry: RepairEntry; gates: readonly Checked[]; sandbox: Sandbox }

const MOST_LANES = 4

export function repairAgent({ name, entry, gates, sandbox }: RepairAgentOptions): Agent {
  const lanes = Math.max(1, Math.min(MOST_LANES, availableParallelism()))
  return {
    name,
    describe: 'built in: small changes, tried against the tests that fail',
    person: false,
    inText: false,
    priced: true,
    async ready() {
      return gates.length === 0 ? 'it repairs what a gate shows to be broken, and there is no gate' : null
    },
    async ask(request, signal) {
      const began = performance.now()
      const spent = () => ({ seconds: (performance.now() - began) / 1000, tokens: 0, usd: 0 })
      if (request.effect.yields !== 'candidate')
        return answer('exhausted', 'it only repairs code, and was asked for something else', spent())
      try {
        const repaired = await repair({ request, entry, gates, lanes, signal, sandbox })
        if (signal.aborted) return answer('aborted', 'stopped on request', spent())
        return taken(request, repaired, spent())
      } catch (error) {
        return answer('failed', error instanceof Error ? error.message : String(error), spent())
      }
    },
  }
}

function answer(ending: Answer['ending'], note: string, spent: Answer['spent']): Answer {
  return { ending, note, text: '', files: [], spent }
}

function taken({ top, responsePath, onActivity }: AskRequest, repaired: Repaired, spent: Answer['spent']): Answer {
  if (repaired.kind === 'nothing') return answer('exhausted', repaired.why, spent)
  const { path, before, text, line, what, tried } = repaired
  const file = inside(top, path)
  if (!mayChange(top, path) || readFileSync(file, 'utf8') !== before)
    return answer('failed', `${path} was changed while it was repaired`, spent)
  writeFileSync(file, text)
  const note = `${what} in ${path}:${line}, after ${counted(tried, 'candidate')}`
  const said = `${note}\n\n${repaired.lines.join('\n')}\n`
  writeFileSync(responsePath, redact(said), { mode: 0o600 })
  onActivity({ kind: 'output', bytes: Buffer.byteLength(said) })
  return { ending: 'done', note, text: said, files: [responsePath], spent }
}
