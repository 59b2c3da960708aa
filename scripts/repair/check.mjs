// Proves the corpus: programs are green, and every bug is seen by some visible tests, not by all, and by hidden ones.
import { inLanes } from '../faults/lanes.mjs'
import { layOut } from './corpus.mjs'
import { runTests } from './run-tests.mjs'

const VISIBLE = { least: 5, most: 12 }
const HIDDEN_LEAST = 8

/** Sentences about what is wrong; empty when all is as promised. */
export async function checkCorpus(programs, bugs, onProgress) {
  const jobs = [...programs.map((program) => () => checkProgram(program)), ...bugs.map((bug) => () => checkBug(bug))]
  return (await inLanes(jobs, (job) => job(), onProgress)).flat()
}

async function checkProgram(program) {
  const { visible, hidden } = await both(program)
  const name = `${program.language}/${program.name}`
  return [
    ...(visible.passed === visible.total ? [] : [`${name}: ${visible.total - visible.passed} visible tests fail`]),
    ...(hidden.passed === hidden.total ? [] : [`${name}: ${hidden.total - hidden.passed} hidden tests fail`]),
    ...(visible.total >= VISIBLE.least && visible.total <= VISIBLE.most ? [] : [`${name}: ${visible.total} visible tests`]),
    ...(hidden.total >= HIDDEN_LEAST ? [] : [`${name}: only ${hidden.total} hidden tests`]),
  ]
}

async function checkBug(bug) {
  const { visible, hidden } = await both(bug.program, bug)
  return [
    ...(visible.passed < visible.total ? [] : [`${bug.id}: no visible test fails`]),
    ...(visible.passed > 0 ? [] : [`${bug.id}: all visible tests fail`]),
    ...(hidden.passed < hidden.total || hidden.total === 0 ? [] : [`${bug.id}: no hidden test fails`]),
  ]
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
