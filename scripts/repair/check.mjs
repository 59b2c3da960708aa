// Proves the corpus: programs are green, and every bug is seen by some visible tests, not by all, and by hidden ones, in every copy alike.
import { inLanes } from '../faults/lanes.mjs'
import { layOut } from './corpus.mjs'
import { runTests } from './run-tests.mjs'

const VISIBLE = { least: 5, most: 20 }
const HIDDEN_LEAST = 8
/** A bug that is seen in one copy and not in the next depends on chance. */
const COPIES = 2

/** Sentences about what is wrong; empty when all is as promised. */
export async function checkCorpus(programs, bugs, onProgress) {
  const totals = new Map()
  const whole = await inLanes(programs, (program) => checkProgram(program, totals), onProgress)
  const spoilt = await inLanes(bugs, (bug) => checkBug(bug, totals.get(bug.program)), onProgress)
  return [...whole, ...spoilt].flat()
}

async function checkProgram(program, totals) {
  const { visible, hidden } = await both(program)
  totals.set(program, { visible: visible.total, hidden: hidden.total })
  const name = `${program.language}/${program.name}`
  return told(name, [
    [isGreen(visible), `${visible.total - visible.passed} visible tests fail`],
    [isGreen(hidden), `${hidden.total - hidden.passed} hidden tests fail`],
    [visible.total >= VISIBLE.least && visible.total <= VISIBLE.most, `${visible.total} visible tests`],
    [hidden.total >= HIDDEN_LEAST, `only ${hidden.total} hidden tests`],
  ])
}

async function checkBug(bug, totals) {
  const runs = []
  for (let copy = 0; copy < COPIES; copy += 1) runs.push(await both(bug.program, bug))
  const isSame = runs.every((run) => JSON.stringify(run) === JSON.stringify(runs[0]))
  return told(
    bug.id,
    [...new Set(runs.flatMap((run) => faultsOf(run, totals))), ...(isSame ? [] : ['two copies do not say the same'])].map((fault) => [
      false,
      fault,
    ]),
  )
}

function faultsOf({ visible, hidden }, totals) {
  return [
    [visible.ended && hidden.ended, 'a run does not end'],
    [
      visible.total === totals.visible && hidden.total === totals.hidden,
      `${visible.total} visible and ${hidden.total} hidden tests run, of ${totals.visible} and ${totals.hidden}`,
    ],
    [visible.passed < visible.total, 'no visible test fails'],
    [visible.passed > 0, 'all visible tests fail'],
    [hidden.passed < hidden.total, 'no hidden test fails'],
  ].flatMap(([isRight, fault]) => (isRight ? [] : [fault]))
}

function told(name, promises) {
  return promises.flatMap(([isKept, otherwise]) => (isKept ? [] : [`${name}: ${otherwise}`]))
}

function isGreen({ total, passed, ended }) {
  return ended && total > 0 && passed === total
}

async function both(program, bug) {
  const copy = layOut(program, bug)
  try {
    const visible = await runTests(program, copy.folder, program.tests)
    copy.hidden()
    return { visible, hidden: await runTests(program, copy.folder, 'hidden') }
  } finally {
    copy.remove()
  }
}
