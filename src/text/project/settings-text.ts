// The settings file that `init` writes: short, commented, and the same for the same answers.
import { sanitise } from '../sanitise.js'
import type { Found } from './folder.js'

export const TEMPLATES = ['converge', 'ooda', 'tdd', 'cycle', 'artifact'] as const
export type Template = (typeof TEMPLATES)[number]

/** These prove nothing without a check of the user's. */
export const NEED_A_GATE: ReadonlySet<Template> = new Set(['converge', 'cycle'])

export type Choice = {
  template: Template
  /** Null leaves it to each run: whoever is installed and logged in. */
  agent: string | null
  gates: readonly Found[]
  /** Gates that would make sense as well, written as comments. */
  perhaps: readonly { name: string; found: Found }[]
  schema: string
  /** Whether there is a folder `src`, which is all that `cycle` changes by itself. */
  hasSource: boolean
  /** A new project comes with files for these two. */
  files: { task: string; philosophy: string } | null
}

const SAYS: Readonly<Record<Template, string>> = {
  converge: 'Work is done and checked until every check passes, or nothing gets better.',
  ooda: 'A fresh agent each iteration: observe, orient, decide, act.',
  tdd: 'Tests are planned and fixed first, then work is done until they pass.',
  cycle: 'A specification is implemented on a branch, tested, audited, committed.',
  artifact: 'A plan, files made from it, and a review that may send them back.',
}

export function settingsText(choice: Choice): string {
  const { template, schema, files } = choice
  const blocks = [
    [`# yaml-language-server: $schema=${schema}`, '# Settings of Greenlatch. `greenlatch config` shows all that is in force.'],
    [`# ${SAYS[template]}`, `procedure: ${template}`, ...ofTemplate(choice)],
    agentLines(choice),
    ...(files ? [['# What to do (words after `run` come first), and how work is done here.', `task: ${files.task}`, `philosophy: ${files.philosophy}`]] : []),
    gateLines(choice),
  ]
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function ofTemplate({ template, hasSource }: Choice): string[] {
  switch (template) {
    case 'ooda':
      return ['# Green checks alone do not end it; this does. 0 is no limit.', 'default_iterations: 10']
    case 'tdd':
      return ['# Least iterations before success counts: see `greenlatch estimate`.', 'floor: 2']
    case 'cycle':
      return hasSource ? ['# What may be changed.', 'scope:', '  allow: [src]'] : ['# What may be changed: narrow it to where your sources are.', 'scope:', '  allow: ["**"]']
    case 'converge':
    case 'artifact':
      return []
  }
}

function agentLines({ agent, gates, template }: Choice): string[] {
  if (agent !== null) return ['# Who answers; `greenlatch agents` lists who else could.', `agent: ${scalar(agent)}`]
  const last = gates.length > 0 && template !== 'artifact' ? ', else repair (JavaScript, TypeScript, Python)' : ''
  return [`# Who answers. Without it: whoever is installed and logged in${last}.`, '# agent: claude']
}

function gateLines({ gates, perhaps, template }: Choice): string[] {
  const names = gateNames(gates)
  const lead = '# What has to pass before work counts as done. Greenlatch runs it itself.'
  const some = gates.flatMap((found, at) => gateEntry(names[at] ?? 'test', found))
  const more = perhaps.map(({ name, found }) => `  # - { name: ${name}, run: ${scalar(found.run)}${placeOf(found)} }  # ${comment(found.from)}`)
  const optional = more.length > 0 ? ['  # Take the # away to ask for these too:', ...more] : []
  if (gates.length > 0) return [lead, 'gates:', ...some, ...optional]
  const why = NEED_A_GATE.has(template) ? lead : template === 'tdd' ? '# Without a check of yours, the tests that are planned are run.' : '# Checks of yours, run after each iteration.'
  return [why, '# gates:', '#   - { name: test, run: "<your test command>" }', ...more.map((line) => line.replace(/^ {2}# /, '#   '))]
}

function gateEntry(name: string, found: Found): string[] {
  const report = found.report === undefined ? [] : [`    report: { path: ${scalar(found.report)}, format: junit }`]
  const place = found.cwd === undefined ? [] : [`    cwd: ${scalar(found.cwd)}`]
  return [`  - name: ${name}  # ${comment(found.from)}`, `    run: ${scalar(found.run)}`, ...place, ...report]
}

function placeOf({ cwd }: Found): string {
  return cwd === undefined ? '' : `, cwd: ${scalar(cwd)}`
}

/** `test` where there is one; else by the folder that each is run in. */
function gateNames(gates: readonly Found[]): string[] {
  const taken = new Set<string>()
  return gates.map(({ cwd, run }) => {
    const base = gates.length === 1 ? 'test' : `test-${slug(cwd ?? run)}`
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base}-${n}`
    taken.add(name)
    return name
  })
}

function slug(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '').slice(0, 40) || 'more'
}

/** Plain where YAML would take it as the same text, else in quotes. */
function scalar(text: string): string {
  const isPlain = /^[A-Za-z./][\w ./@+-]*$/.test(text) && !/ $|^(true|false|null|yes|no|on|off|y|n|~)$/i.test(text)
  return isPlain ? text : JSON.stringify(text)
}

function comment(text: string): string {
  return sanitise(text).replaceAll(/\s+/g, ' ').trim()
}
