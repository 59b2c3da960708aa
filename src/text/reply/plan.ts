// Reads a plan: the tests that it brings and the steps that it names, or a plain text.
import type { TextFile } from '../../ports.js'
import { lastObject } from './json.js'
import { stripReasoning } from './reasoning.js'
import { filesIn, pathsOf, planText, stepsIn } from './values.js'

/** `fault` says what has to be mended; everything else is then empty. */
export type ReadPlan = { kind: 'plan'; text: string; paths: string[]; tests: TextFile[] } | { kind: 'fault'; fault: string }

const MOST_FAULTS = 5
const FORM = 'a JSON object with "tests" and "plan" is wanted'

/** JSON with both lists, each with something in it. */
export function readTestPlan(text: string): ReadPlan {
  const { value, trouble } = lastObject(text, (object) => 'tests' in object || 'plan' in object)
  if (value === null) return { kind: 'fault', fault: `${FORM}: ${trouble}` }
  const { files, faults } = filesIn(value['tests'], 'tests')
  const plan = stepsIn(value['plan'])
  const all = [
    ...lackOf(value['tests'], 'tests', files.length + faults.length),
    ...faults,
    ...lackOf(value['plan'], 'plan', plan.steps.length + plan.faults.length),
    ...plan.faults,
  ]
  if (all.length > 0) return { kind: 'fault', fault: `${FORM}: ${all.slice(0, MOST_FAULTS).join('; ')}` }
  return { kind: 'plan', text: planText(plan.steps, files), paths: pathsOf(plan.steps), tests: files }
}

function lackOf(value: unknown, name: string, entries: number): string[] {
  if (value === undefined) return [`"${name}" is missing`]
  return entries === 0 ? [`"${name}" is empty`] : []
}

/** Any text is a plan; where it is JSON with steps, its tests come with it. */
export function readAnyPlan(text: string): ReadPlan {
  const { value } = lastObject(text, (object) => 'plan' in object && stepsIn(object['plan']).steps.length > 0)
  const said = stripReasoning(text)
  if (value === null && said === '') return { kind: 'fault', fault: 'the plan is empty' }
  if (value === null) return { kind: 'plan', text: `${said}\n`, paths: [], tests: [] }
  const { steps } = stepsIn(value['plan'])
  const { files } = filesIn(value['tests'], 'tests')
  return { kind: 'plan', text: planText(steps, files), paths: pathsOf(steps), tests: files }
}
