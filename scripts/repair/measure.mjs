// What the repair agent makes of one bug: searched for with ranking, held against hidden tests, and searched for exhaustively where that failed.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { layOut } from './corpus.mjs'
import { hashOf, openKept, placeOf } from './kept.mjs'
import { runTests, testCommand } from './run-tests.mjs'

/** Of the changes that pass for one bug so many are held against hidden tests. */
const MOST_RIVALS = 12

export async function measure(bug, { trials, bundle, versions, isFresh, ranked, exhaustive }) {
  const { id, origin, kind, lines, program } = bug
  const search = (mode, limits, fresh) => searched(bug, { trials, job: { bundle, versions, mode, limits, isFresh: fresh } })
  const found = await search('ranked', ranked, isFresh)
  const all = found.solved || exhaustive.candidates === 0 ? null : await search('exhaustive', exhaustive, false)
  return { id, language: program.language, origin, kind, lines, ranked: found, exhaustive: all }
}

/** A run of the command takes longer, so fewer of them tell as much. */
const SPEED = { warm: { candidates: 300, seconds: 60 }, plain: { candidates: 40, seconds: 60 } }

export async function speedOf(bug, { trials, bundle, lanes }) {
  const { program } = bug
  const timed = async (limits, isWarm) => {
    const copy = layOut(program, bug)
    try {
      const command = testCommand(program, copy.folder, program.tests)
      const place = placeOf(program, bug)
      return await trials.ask({ bundle, mode: 'speed', limits, lanes, isWarm, place, folder: copy.folder, testCommand: command })
    } finally {
      copy.remove()
    }
  }
  return { id: bug.id, language: program.language, lanes, warm: await timed(SPEED.warm, true), plain: await timed(SPEED.plain, false) }
}

async function searched(bug, { trials, job }) {
  const { program } = bug
  const copy = layOut(program, bug)
  const place = placeOf(program, bug)
  try {
    const command = testCommand(program, copy.folder, program.tests)
    const answer = await trials.ask({ ...job, place, folder: copy.folder, files: program.files, testCommand: command })
    if (answer === null) return { solved: false, correct: false, first: null, tried: 0, seconds: job.limits.seconds, end: 'killed' }
    const { patch, ...told } = answer
    if (patch === null) return { ...told, solved: false, correct: false }
    const judged = (each) => openKept(place).once(`judged ${hashOf(each)}`, () => judge(bug, each))
    const rivals = []
    for (const { path, text, kind, line } of drawn(told.passing)) rivals.push(await judged({ path, text, kind, line }))
    return { ...told, ...(await judged(patch)), by: patch.kind, at: `${patch.path}:${patch.line}`, patch, rivals: rivals.filter(({ solved }) => solved) }
  } finally {
    copy.remove()
  }
}

/** All of a few, and of many the first and others at equal distances: each costs two runs of the tests. */
function drawn(passing) {
  const count = Math.min(passing.length, MOST_RIVALS)
  return Array.from({ length: count }, (_none, at) => passing[Math.floor((at * passing.length) / count)])
}

/** Solved is what the command itself says, whatever the agent believes; correct is what it never saw. */
async function judge(bug, patch) {
  const { program } = bug
  const copy = layOut(program, bug)
  try {
    writeFileSync(join(copy.folder, patch.path), patch.text)
    const began = performance.now()
    const solved = isGreen(await runTests(program, copy.folder, program.tests))
    const commandSeconds = (performance.now() - began) / 1000
    copy.hidden()
    return { solved, commandSeconds, correct: solved && isGreen(await runTests(program, copy.folder, 'hidden')) }
  } finally {
    copy.remove()
  }
}

function isGreen({ total, passed, ended }) {
  return ended && total > 0 && passed === total
}
