// Agents, gates and procedures of a program's own, written as little more than a function or a piece of data.
import { resolveProcedure, type ProcedureEntry } from '../config/resolve.js'
import type { Failure, Procedure } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { replaceFile } from '../files/durable.js'
import type { Agent, Answer, AskRequest, Gate, GateOutcome, GateRequest } from '../ports.js'
import { builtinProcedures } from '../procedures/index.js'
import { fingerprintOf } from '../text/failures/failing-lines.js'

const NOTHING_SPENT = { seconds: 0, tokens: 0, usd: 0 }

/** `ask` gives what was said, or more than that; undefined is "not yet". An error it throws is a failed answer. */
export type AgentDefinition = Partial<Omit<Agent, 'name' | 'ask'>> & {
  name: string
  ask: (request: AskRequest, signal: AbortSignal) => Promise<string | Partial<Answer> | undefined> | string | Partial<Answer> | undefined
}

/** An agent of little more than a function. What is not given is that of one that edits files and costs nothing. */
export function defineAgent({ name, ask, ...others }: AgentDefinition): Agent {
  return {
    describe: name,
    person: false,
    inText: false,
    priced: true,
    ready: () => Promise.resolve(null),
    ...others,
    name,
    async ask(request, signal) {
      try {
        const given = await ask(request, signal)
        if (given === undefined) return undefined
        return answerOf(typeof given === 'string' ? { text: given } : given, request)
      } catch (error) {
        return answerOf(signal.aborted ? { ending: 'aborted' } : { ending: 'failed', note: messageOf(error) }, request)
      }
    },
  }
}

/** What was said is kept beside the prompt, as that of every agent is. */
function answerOf(given: Partial<Answer>, { responsePath }: AskRequest): Answer {
  const answer: Answer = { ending: 'done', note: '', text: '', files: [], spent: NOTHING_SPENT, ...given }
  if (answer.text === '' || answer.files.length > 0) return answer
  replaceFile(responsePath, answer.text)
  return { ...answer, files: [responsePath] }
}

/** `run` gives true for a pass, or what fails; an error it throws means that nothing can be said of the tree. */
export type GateDefinition = {
  name: string
  describe?: string
  run: (request: GateRequest, signal: AbortSignal) => Promise<GateVerdict> | GateVerdict
}

/** True for a pass, false for a failure without more, or what fails; an empty list is a pass. */
export type GateVerdict = boolean | readonly { subject: string; message?: string }[]

/** A gate of little more than a function. Throws Refusal for a name that no gate can have. */
export function defineGate({ name, describe = name, run }: GateDefinition): Gate {
  if (!/^[a-z0-9-]{1,64}$/.test(name)) throw new Refusal(EXIT.usage, `"${name}" is no name for a gate (small letters, digits, hyphens)`, 'give it another name')
  return {
    name,
    describe,
    async run(request, signal) {
      const began = performance.now()
      const outcome = (exit: 'pass' | 'fail' | 'error', failures: Failure[], note: string): GateOutcome => ({
        result: { gate: name, exit, complete: exit !== 'error', known: false, missing: 0, seconds: (performance.now() - began) / 1000, note },
        failures,
        ids: null,
        skipped: [],
        files: [],
      })
      try {
        const verdict = await run(request, signal)
        if (signal.aborted) return 'aborted'
        const failing = typeof verdict === 'boolean' ? (verdict ? [] : [{ subject: name }]) : verdict
        return outcome(failing.length === 0 ? 'pass' : 'fail', failing.map((one) => failureOf(name, one)), '')
      } catch (error) {
        return signal.aborted ? 'aborted' : outcome('error', [], messageOf(error))
      }
    },
  }
}

function failureOf(gate: string, { subject, message = '' }: { subject: string; message?: string }): Failure {
  return { gate, subject, class: 'behaviour', fingerprint: fingerprintOf(gate, `${subject} ${message}`), message, runs: { failed: 1, of: 1 } }
}

/** A procedure as it was written, and whole, with what it extends. */
export type ProcedureDefinition = { name: string; entry: ProcedureEntry; procedure: Procedure }

/** A procedure as `greenlatch.yaml` writes it: on its own, or as changes to the one it extends. Throws Refusal for one that is unsound. */
export function defineProcedure(name: string, entry: ProcedureEntry): ProcedureDefinition {
  const { procedure, problems } = resolveProcedure(name, { ...(builtinProcedures as Record<string, ProcedureEntry>), [name]: entry })
  if (problems.length > 0) throw new Refusal(EXIT.usage, `procedure "${name}": ${problems.join('; ')}`, 'greenlatch schema procedure')
  return { name, entry, procedure }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll('\n', ' ')
}
