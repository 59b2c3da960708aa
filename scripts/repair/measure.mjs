// What the repair agent makes of one bug: searched for with ranking, held against hidden tests, and searched for exhaustively where that failed.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { layOut } from './corpus.mjs'
import { bounded, runTests, testCommand } from './run-tests.mjs'

const TRIAL = join(import.meta.dirname, 'trial.mjs')
/** Beyond its own limit a search is stopped politely first. */
const KILL_AFTER_SECONDS = 60

export async function measure(bug, { bundle, ranked, exhaustive }) {
  const { id, origin, kind, lines, program } = bug
  const found = await search(bug, { bundle, mode: 'ranked', limits: ranked })
  const all = found.solved || exhaustive.candidates === 0 ? null : await search(bug, { bundle, mode: 'exhaustive', limits: exhaustive })
  return { id, language: program.language, origin, kind, lines, ranked: found, exhaustive: all }
}

async function search(bug, { bundle, mode, limits }) {
  const { program } = bug
  const copy = layOut(program, bug)
  try {
    const job = { bundle, mode, limits, folder: copy.folder, files: program.files, testCommand: testCommand(program, copy.folder, program.tests) }
    const wallSeconds = limits.seconds + KILL_AFTER_SECONDS
    const { output } = await bounded([process.execPath, TRIAL], copy.folder, { cpuSeconds: wallSeconds * 2, wallSeconds, input: JSON.stringify(job) })
    const line = /^answer (.*)$/m.exec(output)?.[1]
    if (line === undefined) return { solved: false, correct: false, first: null, tried: 0, seconds: wallSeconds, end: 'killed', note: output.slice(-400) }
    return await judged(program, copy, JSON.parse(line))
  } finally {
    copy.remove()
  }
}

/** Solved is what the command itself says, whatever the agent believes; correct is what it never saw. */
async function judged(program, copy, { patch, first, tried, seconds, end }) {
  const told = { first, tried, seconds, end }
  if (patch === null) return { ...told, solved: false, correct: false }
  writeFileSync(join(copy.folder, patch.path), patch.text)
  const visible = await runTests(program, copy.folder, program.tests)
  const solved = isGreen(visible)
  copy.hidden()
  const correct = solved && isGreen(await runTests(program, copy.folder, 'hidden'))
  return { ...told, solved, correct, by: patch.kind, at: `${patch.path}:${patch.line}` }
}

function isGreen({ total, passed, ended }) {
  return ended && total > 0 && passed === total
}
