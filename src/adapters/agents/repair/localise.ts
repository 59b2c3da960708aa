// Which lines are suspicious: those that failing tests went through and passing ones did not, those in a stack, or simply all.
import { isAbsolute, join } from 'node:path'
import { frameAt, pythonFrame } from '../../../text/failures/frames.js'

/** One test of a run with coverage. `lines`: path → lines it went through, without the tests' own files. */
export type Covered = { id: string; passed: boolean; lines: Readonly<Record<string, readonly number[]>>; message: string }

export type Run = {
  /** Where the tests ran, from the top of the tree: they, and what their messages name, are told from there. Sources are told from the top. */ folder: string
  tests: readonly Covered[]
  /** What importing alone went through. */ loaded: Readonly<Record<string, readonly number[]>>
}

export type Suspicion = { line: (path: string, line: number) => number; paths: readonly string[] }

const LEAST = 0.05
/** Lines that run when a file is loaded hold tables and constants, and every test depends on them. */
const LOADED = 0.5
const IN_STACK = 1.35

/** Ochiai: failing tests through a line, against all failing tests and all tests through it. */
export function suspicionOf({ folder, tests, loaded }: Run, isTarget: (id: string) => boolean): Suspicion {
  const failing = tests.filter(({ id, passed }) => !passed && isTarget(id))
  const passing = tests.filter(({ passed }) => passed)
  const lines = new Map<string, { failed: number; passed: number }>()
  const count = (covered: readonly Covered[], what: 'failed' | 'passed'): void => {
    for (const { lines: byPath } of covered)
      for (const [path, numbers] of Object.entries(byPath)) for (const number of numbers) noted(lines, `${path}:${number}`)[what] += 1
  }
  count(failing, 'failed')
  count(passing, 'passed')
  const scores = new Map<string, number>()
  for (const [key, { failed, passed }] of lines)
    if (failed > 0) scores.set(key, Math.max(LEAST, failed / Math.sqrt(failing.length * (failed + passed))))
  const everywhere = LOADED * Math.sqrt(failing.length / Math.max(1, failing.length + passing.length))
  const touched = new Set([...scores.keys()].map((key) => key.replace(/:\d+$/, '')))
  for (const [path, numbers] of Object.entries(loaded)) {
    if (touched.has(path) || touched.size === 0)
      for (const number of numbers) if (!scores.has(`${path}:${number}`)) scores.set(`${path}:${number}`, everywhere)
  }
  for (const { path, line } of failing.flatMap(({ message }) => framesIn(message, folder))) {
    const key = [...scores.keys()].find(
      (known) => known === `${path}:${line}` || (path.endsWith(`/${known.replace(/:\d+$/, '')}`) && known.endsWith(`:${line}`)),
    )
    if (key) scores.set(key, Math.min(1, (scores.get(key) ?? 0) * IN_STACK))
  }
  return {
    line: (path, line) => scores.get(`${path}:${line}`) ?? 0,
    paths: [...new Set([...scores.keys()].map((key) => key.replace(/:\d+$/, '')))].toSorted(),
  }
}

function noted(lines: Map<string, { failed: number; passed: number }>, key: string): { failed: number; passed: number } {
  const found = lines.get(key) ?? { failed: 0, passed: 0 }
  lines.set(key, found)
  return found
}

function framesIn(text: string, folder: string): { path: string; line: number }[] {
  return text.split('\n').flatMap((row) => {
    const frame = pythonFrame(row.trim()) ?? frameAt(row.trim())
    return frame && frame.line !== null ? [{ path: isAbsolute(frame.file) ? frame.file : join(folder, frame.file), line: frame.line }] : []
  })
}

const NEAR_LINES = 12

/** Without coverage: what the stacks name, and what lies around it; a file that no stack names is suspected everywhere alike. */
export function suspicionFromFrames(paths: readonly string[], messages: readonly string[], folder: string): Suspicion {
  const frames = messages.flatMap((message) => framesIn(message, folder))
  const named = (path: string): number[] =>
    frames.filter((frame) => frame.path === path || frame.path.endsWith(`/${path}`)).map(({ line }) => line)
  const byPath = new Map(paths.map((path) => [path, named(path)]))
  const isNamed = [...byPath.values()].some((lines) => lines.length > 0)
  return {
    paths,
    line: (path, line) => {
      const distance = Math.min(...(byPath.get(path) ?? []).map((each) => Math.abs(each - line)), Infinity)
      if (distance === Infinity) return isNamed ? 0.3 : 0.6
      return distance === 0 ? 1 : distance <= NEAR_LINES ? 0.7 : 0.4
    },
  }
}
