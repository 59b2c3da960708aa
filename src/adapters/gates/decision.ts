// A gate whose command decides: it writes what it decided to a file made for this one run, under a code that no other run has.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Failure, GateResult } from '../../core/types.js'
import { readPlainFile } from '../../files/plain-file.js'
import type { Gate, GateOutcome } from '../../ports.js'
import { counted } from '../../text/amounts.js'
import { contradiction, failuresOfDecision, readDecision, type Decision } from '../../text/reply/decision.js'
import { baseOf, commandGate, type CommandGateOptions } from './command.js'

/** A decision is short. What is longer is cut, and then no decision any more. */
const LONGEST_FILE_BYTES = 1024 * 1024
/** How much of the end of an output is looked at. */
const LONGEST_OUTPUT_BYTES = 4 * 1024 * 1024
/** How many of the lines that say what is wrong are told where no reason is given. */
const MOST_LINES = 3

type Heard = Exclude<GateOutcome, 'aborted'>

export function decisionGate(options: CommandGateOptions): Gate {
  const { name } = options
  return {
    name,
    describe: `${commandGate(options).describe} (decides by itself)`,
    async run(request, signal) {
      const checkId = randomUUID()
      // The name is made afresh as well: nothing that an earlier run has left, or may still write, is taken for this one's.
      const room = `${baseOf(name, request)}.decision-${randomBytes(6).toString('hex')}`
      const file = join(room, 'decision.json')
      makeRoom(file)
      const env = { ...options.env, GREENLATCH_CHECK_ID: checkId, GREENLATCH_DECISION_FILE: file }
      // Whatever test runners it starts, it is what the command makes of them that counts.
      const heard = await commandGate({ ...options, env, runner: 'none', writes: [room] }).run({ ...request, only: null }, signal)
      if (heard === 'aborted') return 'aborted'
      const written = textOf(readPlainFile(file, { mostBytes: LONGEST_FILE_BYTES }))
      const output = textOf(readPlainFile(heard.files[0] ?? '', { mostBytes: LONGEST_OUTPUT_BYTES, from: 'end' })) ?? ''
      const files = written === null ? heard.files : [...heard.files, file]
      return judged({ ...heard, files }, readDecision({ file: written, output, checkId }))
    },
  }
}

/** Where it cannot be made, the command cannot write there either, and that is undecidable. */
function makeRoom(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  } catch {}
}

/** A run that was cut off or could not be started has decided nothing: then it is what any command is. A decision has no tests. */
function judged(heard: Heard, decision: Decision): Heard {
  const { gate, exit } = heard.result
  const nameless = { ...heard, ids: null, skipped: [], result: { ...heard.result, known: false } }
  if (exit !== 'pass' && exit !== 'fail') return nameless
  const failures = failuresOf(heard, decision)
  const result: GateResult = {
    ...nameless.result,
    gate,
    exit: failures.length === 0 ? 'pass' : 'fail',
    note: [noteOf(decision), heard.result.note].join('; '),
  }
  return { ...nameless, result, failures }
}

function failuresOf({ result, failures }: Heard, decision: Decision): Failure[] {
  if (decision.verdict === 'complete') return result.exit === 'pass' ? [] : [contradiction(result.gate, result.note)]
  const said = failures.slice(0, MOST_LINES).map(({ message }) => message).join('\n')
  return failuresOfDecision(result.gate, decision, said)
}

function noteOf({ verdict, from, reasons, note }: Decision): string {
  const aside = note === '' ? '' : ` (${note})`
  switch (verdict) {
    case 'undecidable':
      return `undecidable${aside}`
    case 'complete':
    case 'incomplete':
      return `${verdict} by its ${from}${reasons.length === 0 ? '' : `, ${counted(reasons.length, 'reason')}`}${aside}`
  }
}

function textOf(bytes: Buffer | null): string | null {
  return bytes === null ? null : bytes.toString('utf8')
}
