// Makes the program that stands in for an agent's: an executable file, its plan, and what it saw of how it was started.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { stepsOf, type Behaviour, type Step, type StepOptions } from './behaviours.js'
import type { Speech } from './speech.js'

/** How the stand-in was started, once for each time. */
export type StubStart = { pid: number; argv: string[]; cwd: string; env: Record<string, string>; stdin: string; stdinEnded: boolean }

/** A stand-in for an agent's program. */
export type StubAgent = {
  /** An executable file, to be started in place of the agent's own program. */
  readonly program: string
  /** Every start so far, the newest last. */
  starts(): StubStart[]
}

/** Where the stand-in lies, how it speaks, and what it does at each start. */
export type StubOptions = Partial<StepOptions> & {
  /** Where the program will lie; its plan and its notes lie beside it. */
  path: string
  /** How it speaks. */
  speech: Speech
  /** The first is for the first start, and so on; the last one for every further start. */
  behaves: readonly [Behaviour, ...Behaviour[]]
}

/** Writes a program that speaks as one agent does and behaves as it is told. */
export function writeStubAgent({ path, speech, behaves, ...rest }: StubOptions): StubAgent {
  const [planPath, seenPath] = [`${path}.plan.json`, `${path}.starts.jsonl`]
  const options: StepOptions = { until: 0, noteIn: `${path}.orphan`, ...rest }
  const runs: Step[][] = behaves.map((behaviour) => stepsOf(behaviour, speech, options))
  writeFileSync(planPath, JSON.stringify({ seen: seenPath, runs }))
  writeFileSync(path, `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(stubScript())} ${quoted(planPath)} "$@"\n`)
  chmodSync(path, 0o755)
  return { program: path, starts: () => startsIn(seenPath) }
}

function startsIn(path: string): StubStart[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as StubStart)
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** Beside this file in the sources, and in a folder of its own in the package. */
function stubScript(): string {
  const places = ['./stub-agent.mjs', './stub/stub-agent.mjs', '../stub/stub-agent.mjs'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
  const found = places.find((path) => existsSync(path))
  if (found === undefined) throw new Error('the stand-in for agents is missing from the installed package')
  return found
}
