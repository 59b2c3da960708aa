// Tests that every bad settings file is refused in one clear line.
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePlace, type Place, PROJECT, refusalOf, USER } from './fixture.js'

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

const ALL_KEYS = [
  'procedure, default_iterations, agent, agents, gates, pass_env, setup, budget, setbacks, floor, limits',
  'scope, commands, sandbox, target, excuse, require, permit, promptTokens, notify, hooks, persistence, stateDir, task, philosophy, prompts, context, procedures',
].join(', ')
const NAME = 'expected a name of letters, digits, ".", "_" and "-"'
const SHORT_NAME = 'expected a name of small letters, digits and "-"'
const BELOW_ROOT = 'expected a glob below the root of the repository, without "./", "../" or "//"'
const NOT_NEGATED = 'expected a glob without "!" before it (what is forbidden stands under deny)'
const LIMIT = 'expected a number from 0.1 to 2147483'
const FRAGMENT = 'expected text, or a map with text, file or builtin'
const OUTCOMES = '@converged, @completed, @stalled, @exhausted, @refused, @failed, @cancelled'

/** Text of the file, and the message after `greenlatch.yaml:`. */
const BAD_VALUES: [string, string][] = [
  ['gate: []', '1: unknown key "gate" (did you mean "gates"?)'],
  ['floor: 1\n\ngate: []', '3: unknown key "gate" (did you mean "gates"?)'],
  ['zoo: 1', `1: unknown key "zoo" (allowed: ${ALL_KEYS})`],
  ['constructor: 1', `1: unknown key "constructor" (allowed: ${ALL_KEYS})`],
  ['<<: { floor: 1 }', `1: unknown key "<<" (allowed: ${ALL_KEYS})`],
  ['"a\\nb\\e[31m": 1', `1: unknown key "a\\u000ab\\u001b[31m" (allowed: ${ALL_KEYS})`],
  ['- gates', '1: expected a map, found a list'],
  ['hello', '1: expected a map, found "hello"'],
  ['procedure: 1', `1: procedure: ${NAME}, found 1`],
  ['procedure: "a b"', `1: procedure: ${NAME}, found "a b"`],
  ['procedure: [converge]', `1: procedure: ${NAME}, found a list`],
  ['default_iterations: -1', '1: default_iterations: expected a whole number of at least 0, found -1'],
  ['default_iterations: 1.5', '1: default_iterations: expected a whole number of at least 0, found 1.5'],
  ['default_iterations: "3"', '1: default_iterations: expected a whole number of at least 0, found "3"'],
  ['default_iterations: 1e30', '1: default_iterations: expected a whole number of at least 0, found 1e+30'],
  ['default_iterations: .inf', '1: default_iterations: expected a whole number of at least 0, found Infinity'],
  ['default_iterations: 1_000', '1: default_iterations: expected a whole number of at least 0, found "1_000"'],
  ['defaultIterations: 3', '1: unknown key "defaultIterations" (did you mean "default_iterations"?)'],
  ['agent: 3', '1: agent: expected the name of an agent, or a map of role to name, found 3'],
  ['agent: { implementer: 3 }', `1: agent.implementer: ${NAME}, found 3`],
  ['agent: { "a b": x }', `1: agent: ${NAME}, found "a b"`],
  ['agents: 3', '1: agents: expected a map of agents by name, or a list of names, found 3'],
  ['agents: [claude, 3]', '1: agents[1]: expected a name of letters, digits, ".", "_" and "-", found 3'],
  ['agents: { claude: null }', '1: agents.claude: expected a map, found nothing'],
  ['agents: { claude: claude -p }', '1: agents.claude: expected a map, found "claude -p"'],
  ['agents: { claude: {} }', '1: agents.claude: expected one of command, cli, acp, chat, repair, script, paste'],
  ['agents:\n  claude:\n    comand: x', '3: unknown key "comand" in agents.claude (did you mean "command"?)'],
  ['agents: { claude: { command: 3 } }', '1: agents.claude.command: expected a command: text, or a list of program and arguments, found 3'],
  ['agents: { claude: { command: x, script: y } }', '1: agents.claude: "command" and "script" cannot stand together'],
  ['agents: { claude: { script: y, env: { A: b } } }', '1: agents.claude.env: "env" needs command or cli or acp'],
  ['agents: { claude: { command: x, env: { A: 3 } } }', '1: agents.claude.env.A: expected text (put it in quotes), found 3'],
  ['agents: { c: { command: x, env: { "A B": b } } }', '1: agents.c.env: expected the name of an environment variable, found "A B"'],
  ['agents: { claude: { paste: false } }', '1: agents.claude.paste: expected true, or leave it out, found false'],
  ['agents: { "a b": { paste: true } }', `1: agents: ${NAME}, found "a b"`],
  ['agents: { "a\\u202eb": { paste: true } }', `1: agents: ${NAME}, found "a\\u202eb"`],
  ['gates:', '1: gates: expected a list, found nothing'],
  ['gates: {}', '1: gates: expected a list, found a map'],
  ['gates: [test]', '1: gates[0]: expected a map, found "test"'],
  ['gates: [{ run: x }]', '1: gates[0]: "name" is missing'],
  ['gates:\n  - name: a\n    run: x\n  - name: b', '4: gates[1]: "run" is missing'],
  ['gates: [{ name: A, run: x }]', '1: gates[0].name: expected a name of a-z, 0-9 and "-", found "A"'],
  ['gates:\n  - { name: a, run: x }\n  - { name: a, run: y }', '3: gates[1].name: "a" is the name of another gate'],
  ['gates: [{ name: a, run: [] }]', '1: gates[0].run: expected at least one entry, found an empty list'],
  ['gates: [{ name: a, run: [1] }]', '1: gates[0].run[0]: expected text, found 1'],
  ['gates: [{ name: a, run: " " }]', '1: gates[0].run: expected some text, found " "'],
  ['gates: [{ name: a, run: x, timeout: 3 }]', '1: unknown key "timeout" in gates[0] (did you mean "timeoutSeconds"?)'],
  ['gates:\n  - name: a\n    run: x\n    timeoutSeconds: soon', `4: gates[0].timeoutSeconds: ${LIMIT}, found "soon"`],
  ['gates: [{ name: a, run: x, cwd: ../y }]', '1: gates[0].cwd: expected a folder inside the repository, found "../y"'],
  ['gates: [{ name: a, run: x, cwd: /y }]', '1: gates[0].cwd: expected a folder inside the repository, found "/y"'],
  ['gates: [{ name: a, run: x, cwd: y/.. }]', '1: gates[0].cwd: expected a folder inside the repository, found "y/.."'],
  ['gates: [{ name: a, run: x, cwd: "y\\n/../z" }]', '1: gates[0].cwd: expected a folder inside the repository, found "y\\u000a/../z"'],
  ['budget: 3', '1: budget: expected a map, found 3'],
  ['budget: { second: 3 }', '1: unknown key "second" in budget (did you mean "seconds"?)'],
  ['budget: { money: 3 }', '1: unknown key "money" in budget (allowed: seconds, tokens, usd)'],
  ['budget: { usd: -1 }', '1: budget.usd: expected a number of at least 0, found -1'],
  ['budget: { seconds: 2h }', '1: budget.seconds: expected a number of at least 0, found "2h"'],
  ['budget:\n  usd:\n    -1', '2: budget.usd: expected a number of at least 0, found -1'],
  ['setbacks: 0', '1: setbacks: expected a whole number of at least 1, found 0'],
  ['floor: 0', '1: floor: expected a whole number of at least 1, found 0'],
  ['limits: { agentSeconds: 0 }', `1: limits.agentSeconds: ${LIMIT}, found 0`],
  ['limits: { gateSeconds: 9999999 }', `1: limits.gateSeconds: ${LIMIT}, found 9999999`],
  ['limits: { agent_silence_seconds: 9 }', '1: unknown key "agent_silence_seconds" in limits (did you mean "agentSilenceSeconds"?)'],
  ['limits: { outputBytes: 10 }', '1: limits.outputBytes: expected a whole number from 1024 to 1073741824, found 10'],
  ['promptTokens: 0', '1: promptTokens: expected a whole number of at least 1, found 0'],
  ['notify: { webhook: "http://chat.example/x" }', '1: notify.webhook: expected https: what is sent can be read on the way; "plainHttp: true" allows it'],
  ['notify: { webhook: "https://me:pass@chat.example/x" }', '1: notify.webhook: expected an address without a name and a password in it'],
  ['notify: { on: [always] }', '1: notify.on[0]: expected one of needs-you, rung, blocked, stopped, converged, found "always"'],
  ['hooks: { late: { run: x } }', '1: hooks.late: "on" is missing'],
  ['stateDir: ""', '1: stateDir: expected some text, found ""'],
  ['prompts: x', '1: prompts: expected a map, found "x"'],
  ['prompts: { plan: x }', '1: unknown key "plan" in prompts (allowed: observe, orient, decide, act)'],
  ['prompts: { act: 3 }', `1: prompts.act: ${FRAGMENT}, or a list of these, found 3`],
  ['prompts: { act: [3] }', `1: prompts.act[0]: ${FRAGMENT}, found 3`],
  ['prompts: { act: {} }', '1: prompts.act: expected one of text, file, builtin'],
  ['prompts: { act: { text: a, file: b } }', '1: prompts.act: "text" and "file" cannot stand together'],
  ['prompts:\n  act:\n    - x\n    - fil: y', '4: unknown key "fil" in prompts.act[1] (did you mean "file"?)'],
  ['prompts: { act: { section: task } }', '1: unknown key "section" in prompts.act (allowed: text, file, builtin)'],
  ['context: ""', '1: context: expected some text, found ""'],
  ['floor: 0\nsetbacks: 0', '1: floor: expected a whole number of at least 1, found 0'],
  ['zoo: 1\nfloor: 0\nsetbacks: 0', `1: unknown key "zoo" (allowed: ${ALL_KEYS})`],
  ['procedures: { p: { extends: converge, phases: { check: { retries: 1000000 } } } }', '1: procedures.p.phases.check.retries: expected a whole number from 0 to 100, found 1000000'],
  ['scope: src', '1: scope: expected a map, found "src"'],
  ['scope: { alow: [src] }', '1: unknown key "alow" in scope (did you mean "allow"?)'],
  ['scope: { allow: src }', '1: scope.allow: expected a list, found "src"'],
  ['scope:\n  deny:\n    - src\n    - 3', '4: scope.deny[1]: expected a glob such as src/**, found 3'],
  ['scope: { allow: [""] }', '1: scope.allow[0]: expected a glob such as src/**, found ""'],
  ['scope: { deny: ["../x"] }', `1: scope.deny[0]: ${BELOW_ROOT}, found "../x"`],
  ['scope: { allow: ["!x"] }', `1: scope.allow[0]: ${NOT_NEGATED}, found "!x"`],
  ['scope: { files: -1 }', '1: scope.files: expected a whole number of at least 0, found -1'],
  ['scope: { lines: many }', '1: scope.lines: expected a whole number of at least 0, found "many"'],
  ['commands: { allow: [""] }', '1: commands.allow[0]: expected some text, found ""'],
  ['commands: { deny: ["a \'b"] }', '1: commands.deny[0]: expected a program and how its arguments begin, found "a \'b"'],
  ['commands: { timeoutSeconds: 0 }', '1: commands.timeoutSeconds: expected a number from 0.1 to 2147483, found 0'],
  ['scope: { mode: stop }', '1: scope.mode: expected one of block, warn, found "stop"'],
]

/** The entry of a procedure called `mine`, and the message after `greenlatch.yaml:1: procedures.mine`. */
const BAD_PROCEDURES: [string, string][] = [
  ['null', ': expected a map, found nothing'],
  ['{ extends: Converge }', `.extends: ${SHORT_NAME}, found "Converge"`],
  ['{ phases: { A: {} } }', `.phases: ${SHORT_NAME}, found "A"`],
  ['{ phases: { a: { kind: asks } } }', '.phases.a.kind: expected one of ask, check, workspace, found "asks"'],
  ['{ phases: { a: { kind: ask, gates: [x] } } }', '.phases.a.gates: does not belong to a phase of kind "ask"'],
  ['{ phases: { a: { on: { pass: "@done" } } } }', `.phases.a.on.pass: expected a phase, or one of ${OUTCOMES}, found "@done"`],
  ['{ phases: { a: { opensIteration: false } } }', '.phases.a.opensIteration: expected true, or leave it out, found false'],
  ['{ phases: { a: { judges: 1 } } }', '.phases.a.judges: expected true or false, found 1'],
  ['{ phases: { a: { prompt: [{ title: x }] } } }', '.phases.a.prompt[0]: "fragments" is missing'],
  ['{ phases: { a: { gates: ["@all"] } } }', '.phases.a.gates[0]: expected the name of a gate, or "@configured", found "@all"'],
  ['{ phases: { a: { status: decide } } }', '.phases.a.status: expected "decides", found "decide"'],
  ['{ policies: { ladder: { rungs: [{ to: x }] } } }', '.policies.ladder.rungs[0]: "at" is missing'],
  ['{ policies: { ladder: { signals: [x] } } }', '.policies.ladder.signals[0]: expected one of repeats, subjects, revisits, plateau, found "x"'],
  ['{ policies: { ratchet: { patience: 0 } } }', '.policies.ratchet.patience: expected a whole number of at least 1, found 0'],
  ['{ final: first }', '.final: expected one of best, last, found "first"'],
  ['{ budget: { then: stop } }', '.budget.then: expected one of exhausted, completed, found "stop"'],
  ['{ stances: { a: 3 } }', '.stances.a: expected text, found 3'],
]

const BAD_YAML: [string, string][] = [
  ['floor: 1\nfloor: 2', '2: duplicate key "floor" (first on line 1)'],
  ['budget: { usd: 1, usd: 2 }', '1: duplicate key "usd" (first on line 1)'],
  ['gates:\n\t- a', '2: a tab is used as indentation: use spaces'],
  ['gates: [', '1: not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]'],
  ['"unclosed', '1: not valid YAML: Missing closing "quote'],
  ['floor: 1\ngates: @x', '2: not valid YAML: Plain value cannot start with reserved character @'],
  ['a: b: c', '1: not valid YAML: Nested mappings are not allowed in compact mappings'],
  ['floor: !foo 1', '1: Unresolved tag: !foo: tags are not supported'],
  ['floor: 1\n---\nfloor: 2', '2: a second document begins here: only one is read'],
  ['floor: *x', '1: the alias "*x" has no anchor before it'],
  ['agents: &a { x: *a }', '1: the alias "*a" contains itself'],
  ['? [a]\n: 1', '1: a key has to be plain text'],
  ['agents: { __proto__: { paste: true } }', '1: "__proto__" cannot be a key'],
  ['stateDir: "a\\0b"', '1: stateDir: contains a NUL character'],
  ['"a\\0": 1', '1: "a\\u0000" cannot be a key'],
]

async function expectRefusal(loading: Promise<unknown>, message: string, next: string): Promise<void> {
  const refusal = await refusalOf(loading)
  expect(refusal?.message).toBe(message)
  expect(refusal).toMatchObject({ code: 2, next })
  expect(message).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u)
}

/** Root may read everything, so that as root this becomes nobody for a moment. */
async function asOrdinaryUser<T>(action: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return action()
  process.seteuid?.(65_534)
  try {
    return await action()
  } finally {
    process.seteuid?.(0)
  }
}

describe('A settings file', () => {
  test.each(BAD_VALUES)('with a bad value is refused: %j', async (text, message) => {
    place.write(PROJECT, text)
    await expectRefusal(place.load(), `greenlatch.yaml:${message}`, 'greenlatch schema')
  })

  test.each(BAD_PROCEDURES)('with a bad procedure is refused: %j', async (entry, message) => {
    place.write(PROJECT, `procedures: { mine: ${entry} }`)
    await expectRefusal(place.load(), `greenlatch.yaml:1: procedures.mine${message}`, 'greenlatch schema')
  })

  test.each(BAD_YAML)('that is not plain YAML is refused: %j', async (text, message) => {
    place.write(PROJECT, text)
    await expectRefusal(place.load(), `greenlatch.yaml:${message}`, 'greenlatch schema config')
  })

  test.each(['', '\n', '# nothing yet\n', '---\n', 'null', '{}', '\ufeff'])('that says nothing is taken: %j', async (text) => {
    place.write(PROJECT, text)
    expect((await place.load()).values.procedure).toBe('converge')
  })

  test('is refused by the name it was given on the command line, or under the home folder.', async () => {
    place.write('repository/other.yaml', 'gate: 1')
    await expectRefusal(place.load({ file: 'other.yaml' }), 'other.yaml:1: unknown key "gate" (did you mean "gates"?)', 'greenlatch schema')
    place.write(USER, 'gate: 1')
    const message = '~/.config/greenlatch/config.yaml:1: unknown key "gate" (did you mean "gates"?)'
    await expectRefusal(place.load(), message, 'greenlatch schema')
  })

  test('is named relative to the working folder when that is deeper in the repository.', async () => {
    place.write(PROJECT, 'floor: 0')
    mkdirSync(join(place.root, 'deep/er'), { recursive: true })
    const loading = place.load({ cwd: join(place.root, 'deep/er') })
    await expectRefusal(loading, '../../greenlatch.yaml:1: floor: expected a whole number of at least 1, found 0', 'greenlatch schema')
  })
})

describe('A settings file that cannot be read is refused when it', () => {
  test('is a folder.', async () => {
    mkdirSync(join(place.root, 'greenlatch.yaml'))
    await expectRefusal(place.load(), 'greenlatch.yaml is a folder, not a file', `ls -ld ${place.root}/greenlatch.yaml`)
  })

  test('is larger than 1 MB.', async () => {
    place.write(PROJECT, `#${'x'.repeat(1_048_576)}`)
    await expectRefusal(place.load(), 'greenlatch.yaml is too large: 1048577 bytes, at most 1048576', `ls -ld ${place.root}/greenlatch.yaml`)
  })

  test('is not UTF-8.', async () => {
    place.write(PROJECT, Buffer.from('procedure: caf\u00e9', 'latin1'))
    await expectRefusal(place.load(), 'greenlatch.yaml is not UTF-8 text', `ls -ld ${place.root}/greenlatch.yaml`)
  })

  test('is named on the command line and does not exist.', async () => {
    await expectRefusal(place.load({ file: 'no\n.yaml' }), 'no\\u000a.yaml does not exist', `ls -la ${place.root}`)
    await expectRefusal(place.load({ file: 'no\0.yaml' }), 'no\\u0000.yaml cannot be read: ERR_INVALID_ARG_VALUE', `ls -la ${place.root}`)
    await expectRefusal(place.load({ file: 'no/such/file.yaml' }), 'no/such/file.yaml does not exist', `ls -la ${place.root}`)
  })

  test('is a link to nothing, or to itself.', async () => {
    symlinkSync('nowhere', join(place.root, 'greenlatch.yaml'))
    await expectRefusal(place.load(), 'greenlatch.yaml does not exist', `ls -ld ${place.root}/greenlatch.yaml`)
    symlinkSync('circle.yaml', join(place.root, 'circle.yaml'))
    const loading = place.load({ file: 'circle.yaml' })
    await expectRefusal(loading, 'circle.yaml cannot be read: its links lead round in a circle', `ls -ld ${place.root}/circle.yaml`)
  })

  test('may not be read by this user.', async () => {
    const path = place.write(PROJECT, 'floor: 1')
    chmodSync(path, 0)
    const refusal = await asOrdinaryUser(() => refusalOf(place.load({ file: path })))
    expect(refusal?.message).toBe(`${path} cannot be read: permission denied`)
  })

  test('has the other usual ending.', async () => {
    place.write('repository/greenlatch.yml', 'floor: 1')
    const message = 'greenlatch.yml is not read: the file is called greenlatch.yaml'
    await expectRefusal(place.load(), message, 'mv greenlatch.yml greenlatch.yaml')
  })
})

describe('A settings file made to exhaust the reader is refused:', () => {
  const keys = Array.from({ length: 100_000 }, (_, index) => `k${index}: 1`)
  const levels = Array.from({ length: 9 }, (_, level) => `l${level}: &l${level} [${level === 0 ? '' : `*l${level - 1}, `.repeat(9)}1]`)
  const chain = Array.from({ length: 200 }, (_, level) => `c${level}: &c${level} [${level === 0 ? '' : `*c${level - 1}`}]`)
  const BOMBS: [string, string, RegExp][] = [
    ['brackets on one line', '['.repeat(1_000_000), /^greenlatch.yaml:1: nested more than 100 levels deep$/],
    ['brackets on many lines', '[\n'.repeat(500_000), /^greenlatch.yaml:\d+: nested more than 100 levels deep$/],
    ['braces', '{a: '.repeat(250_000), /^greenlatch.yaml:1: nested more than 100 levels deep$/],
    ['nested lists', '- '.repeat(500_000), /^greenlatch.yaml:1: nested more than 100 levels deep$/],
    ['many keys', keys.join('\n'), /^greenlatch.yaml:\d+: too many entries up to here$/],
    ['aliases that multiply', levels.join('\n'), /^greenlatch.yaml:\d+: more than 50000 values once aliases are followed$/],
    ['aliases that nest', chain.join('\n'), /^greenlatch.yaml:\d+: nested more than 100 levels deep once aliases are followed$/],
  ]

  test.each(BOMBS)('%s.', async (_, text, message) => {
    place.write(PROJECT, text)
    const refusal = await refusalOf(place.load())
    expect(refusal?.message).toMatch(message)
    expect(refusal?.code).toBe(2)
  })
})
