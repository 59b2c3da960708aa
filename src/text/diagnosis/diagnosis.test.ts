// Tests of diagnoses: every pattern by name, from sessions that the real engine decided, with the evidence it rests on.
import { describe, expect, it } from 'vitest'
import {
  adds, after, ask, check, errs, failureOf, fails, gateFails, gateResult, MIXED, openedWith, opening, passes, play, procedureOf, proves,
  repeated, seal,
  type Answer, type Played, type Script,
} from '../../../test/support/core-cases.js'
import { COMMANDS } from '../../cli/command-list.js'
import type { Effect, Event, Failure, Procedure, Report } from '../../core/types.js'
import { converge } from '../../procedures/converge.js'
import { diagnose, PATTERNS, type Diagnosis } from './diagnosis.js'
import { nextCommands } from './next.js'
import { diagnosisText } from './text.js'
import { noTurns, takeEvent, type Turns } from './turns.js'

const FOREVER = 60
const TWO = fails('a', 'b')

/** A session of `converge`: each iteration leaves this tree and fails by these subjects. */
type Try = { tree?: string; fails?: string[]; check?: Answer; ask?: Answer }

function converging(tries: (n: number) => Try, baseline: Answer = TWO, part: Partial<Procedure> = {}): Played {
  const nth = Array.from({ length: FOREVER }, (_, n) => tries(n + 1))
  const script: Script = {
    baseline: [baseline],
    implement: nth.map(({ tree, ask: answer }, n) => answer ?? (() => ({ tree: tree ?? `t${n + 1}` }))),
    check: nth.map(({ fails: subjects = ['a', 'b'], check: answer }) => answer ?? fails(...subjects)),
  }
  return play(openedWith({ ...converge, ...part }, { gates: ['unit'] }), script)
}

function diagnosed({ events, session }: Played): Diagnosis {
  return diagnose(events, session)
}

function patternOf(played: Played): string | null {
  return diagnosed(played).pattern
}

function turnsOf({ events }: Played): Turns {
  const turns = noTurns()
  for (const event of events) takeEvent(turns, event)
  return turns
}

const breach = (kind: Failure['class'], subject: string): Answer => (effect) => ({
  tree: `t${effect.iteration}`,
  failures: [failureOf(subject, { gate: kind, class: kind })],
})

describe('a pattern', () => {
  it('"no edits" needs files that stay as they were', () => {
    const played = converging(() => ({ tree: 'start' }))
    expect(diagnosed(played)).toMatchObject({ pattern: 'no edits', evidence: ['10 of 10 iterations changed nothing at all'] })
  })

  it('"no edits" counts a first try as well, which is better than none before it', () => {
    const phases = { make: opening({ pass: 'test' }), test: check({ pass: '@completed', fail: 'make' }) }
    const idle = play(procedureOf(phases, { budget: { iterations: 3 } }), { make: repeated(() => ({ tree: 'start' }), 3), test: repeated(fails('a'), 3) })
    expect(diagnosed(idle)).toMatchObject({ pattern: 'no edits', evidence: ['3 of 3 iterations changed nothing at all'] })
  })

  it('"no edits" holds on a green tree, too', () => {
    const still = converging(() => ({ tree: 'start', check: passes }), passes)
    expect([patternOf(still), still.session.finish?.outcome]).toEqual(['no edits', 'stalled'])
    expect(diagnosed(still).evidence).toContain('every check passed at the start already: nothing may be left to do')
  })

  it('"same patch" needs the same files made again', () => {
    const played = converging(() => ({ tree: 'patched', ask: () => ({ tree: 'patched', changed: 'a.ts (1 line)' }) }))
    const evidence = ['the same files came out 10 times in a row', 'each time: a.ts (1 line)']
    expect(diagnosed(played)).toMatchObject({ pattern: 'same patch', evidence })
  })

  it('"new patch same failures" needs other files each time, and the same failures', () => {
    expect(diagnosed(converging(() => ({})))).toMatchObject({
      pattern: 'new patch same failures',
      evidence: ['10 different changes, and 10 of 10 iterations failed in the same way'],
    })
  })

  it.each([2, 3, 4, 5, 6])('"oscillation" is told with its period: %i', (period) => {
    const played = converging((n) => ({ tree: `s${n % period}`, fails: [`x${n % period}`, `y${n % period}`] }), fails('a', 'b', 'c'))
    expect(diagnosed(played)).toMatchObject({ pattern: 'oscillation', period })
  })

  it('"oscillation" is told by failures alone only after more than a whole round', () => {
    const plain = { policies: { goal: { change: true } }, budget: { iterations: 7 } }
    const fresh = converging((n) => ({ fails: [`x${n % 3}`, 'a', 'b'] }), fails('a', 'b', 'c'), plain)
    const evidence = [expect.stringContaining('the same failures came back'), expect.any(String)]
    expect(diagnosed(fresh)).toMatchObject({ pattern: 'oscillation', period: 3, evidence })
  })

  it('"contradictory tests" needs two that were never green together, each green on two trees', () => {
    const played = converging((n) => ({ fails: [n % 2 === 0 ? 'a' : 'b'] }))
    const { pattern, evidence } = diagnosed(played)
    expect([pattern, evidence[0]]).toEqual(['contradictory tests', 'never green together: b and a'])
  })

  it('"whack-a-mole" needs something fixed and something broken in most tries', () => {
    const patient = { policies: { ...converge.policies, ratchet: { patience: 99 } } }
    const played = converging((n) => ({ fails: [`m${(n * n) % 7}`, `k${n % 5}`] }), fails('a', 'b'), patient)
    const { pattern, evidence } = diagnosed(played)
    expect([pattern, evidence.at(-1)]).toEqual(['whack-a-mole', expect.stringMatching(/^iteration \d+ fixed .* and broke /)])
  })

  it('"regression" needs what passed to be broken, and nothing fixed', () => {
    const played = converging((n) => ({ fails: ['a', 'b', `new ${n}`] }))
    const { pattern, evidence } = diagnosed(played)
    expect([pattern, evidence[0]]).toEqual(['regression', expect.stringContaining('broke what had passed and fixed nothing')])
  })

  it('"flaky gate" needs two answers for one tree, or failures that pass when run again', () => {
    const twoFaced = converging((n) => ({ tree: 'start', fails: [`r${n % 4}`] }))
    expect(patternOf(twoFaced)).toBe('flaky gate')
    const mixed = converging(() => ({ check: gateFails([failureOf('a', { gate: 'unit', runs: MIXED })], { gate: 'unit' }) }), fails('a'))
    const evidence = [expect.stringContaining('passed when it was run again: a')]
    expect(diagnosed(mixed)).toMatchObject({ pattern: 'flaky gate', evidence })
  })

  it('"scope fight" and "cheating" need breaches in most of the last iterations, or an end by them', () => {
    const scope = converging(() => ({ ask: breach('scope', 'docs/a.md') }))
    expect([patternOf(scope), scope.session.finish?.code]).toEqual(['scope fight', 6])
    const cheat = converging(() => ({ ask: breach('integrity', 'a.test.ts') }))
    expect(diagnosed(cheat)).toMatchObject({ pattern: 'cheating', evidence: [expect.any(String), 'named: a.test.ts', 'a.test.ts is wrong'] })
    const varied = converging((n) => ({ ask: breach('scope', `docs/${n}.md`) }))
    expect([patternOf(varied), varied.session.finish?.outcome]).toEqual(['scope fight', 'stalled'])
  })

  it('of breaches says where what was taken back is to be seen, and what would permit it', () => {
    const kept = (effect: Effect): Partial<Report> => ({
      tree: 'start',
      failures: [failureOf('a.test.ts', { gate: 'integrity', class: 'integrity', breach: { kept: `salvage/${effect.iteration}`, permit: ['tests'] } })],
    })
    const { evidence, next } = diagnosed(converging(() => ({ ask: kept })))
    expect(evidence.slice(3)).toEqual([
      'taken back each time, and the last of it kept as salvage/3', 'a run with --permit tests would let it, and prove at most partly',
    ])
    expect(next[0]).toBe('greenlatch diff session --iter salvage/3')
  })

  it('of a scope fight names a run that would be let it, with the scope that there was', () => {
    const { session, events } = converging(() => ({ ask: breach('scope', 'docs/a [1].md') }))
    const next = (scope: object): string | undefined => diagnose(events, { ...session, setup: { scope } }).next.find((command) => command.includes(' run '))
    const rules = { allow: ['src'], deny: [], files: 0, lines: 0 }
    expect(next(rules)).toBe(`greenlatch run converge "<the task>" --allow src --allow 'docs/a \\[1\\].md'`)
    expect(next({ ...rules, deny: ['docs'] })).toBeUndefined()
    expect(next({ ...rules, allow: [] })).toBeUndefined()
    const over = converging(() => ({ ask: breach('scope', 'diff budget') }))
    const wider = diagnose(over.events, { ...over.session, setup: { scope: { ...rules, lines: 9 } } }).next[1]
    expect(wider).toBe('greenlatch run converge "<the task>" --diff-budget "<files>/<lines>"')
  })

  it('"unusable answer" needs an end where the agent had answered and the answers were of no use', () => {
    const phases = { plan: ask({ pass: 'make' }, { yields: 'plan', retries: 1 }), make: opening({ pass: '@completed' }) }
    const unread = play(procedureOf(phases), { plan: [errs('answer'), errs('answer')] })
    expect(diagnosed(unread)).toMatchObject({ pattern: 'unusable answer', evidence: ['2 answers in a row could not be used: broken by answer'] })
    expect(patternOf(play(procedureOf(phases), { plan: [errs('agent'), errs('agent')] }))).toBe('agent failed')
  })

  it('"gate cannot run" needs a check that could not be judged, and says whether it ever ran', () => {
    const cannot: Answer = () => ({ verdict: 'error', cause: 'gate', note: 'unit: not found', gates: [gateResult('unit', { exit: 'error', note: 'not found' })] })
    const never = diagnosed(converging(() => ({}), cannot))
    expect(never).toMatchObject({ pattern: 'gate cannot run', evidence: ['unit: not found', 'it never ran in this session'] })
    expect(never.next[0]).toBe('greenlatch run converge "<the task>" --gate "<a command that runs>"')
    const { session, events } = converging(() => ({}), cannot)
    const confined = diagnose(events, { ...session, setup: { confinement: { name: 'bubblewrap' } } })
    expect(confined.evidence[2]).toMatch(/^it ran in the sandbox bubblewrap, which hides home folders: .*sandbox\.read.*--sandbox none/)
    const broken = diagnosed(converging((n) => ({ ...(n === 2 && { check: cannot }), ...(n === 3 && { check: cannot }) })))
    expect(broken).toMatchObject({ pattern: 'gate cannot run', evidence: ['unit: not found', expect.stringContaining('it ran at the start')] })
    expect(broken.next.slice(0, 2)).toEqual(['greenlatch logs session --iter 2', 'greenlatch resume session'])
  })

  it('"unknown test" needs a baseline that ran and could not be taken', () => {
    const misnamed = diagnosed(converging(() => ({}), () => ({ verdict: 'error', cause: 'gate', note: 'target "x" is no test', gates: [gateResult('unit')] })))
    expect(misnamed).toMatchObject({ pattern: 'unknown test', evidence: ['target "x" is no test'] })
    expect(misnamed.next.join('\n')).not.toContain('resume')
  })

  it('"agent unavailable" needs an end by the agent, or three asks in a row that came to nothing', () => {
    const ended = converging(() => ({ ask: errs('infrastructure') }))
    expect(diagnosed(ended)).toMatchObject({
      pattern: 'agent unavailable',
      evidence: ['3 asks in a row came to nothing', 'it last said: broken by infrastructure'],
    })
  })

  it('"agent failed" needs the same of an agent that was reached and failed by itself, and offers its output and somebody else', () => {
    const played = converging(() => ({ ask: errs('agent') }))
    const found = diagnosed(played)
    expect(found).toMatchObject({
      pattern: 'agent failed',
      evidence: ['the agent failed in 3 of 3 iterations', 'it last said: broken by agent', 'all that it put out lies in iteration-3 of the folder that greenlatch path session names'],
      next: ['greenlatch path session', 'greenlatch resume session --agent paste', 'greenlatch agents'],
    })
    expect(diagnosisText(found)).toContain('its command ends with a failure of its own')
    expect(patternOf(converging(() => ({ ask: errs('timeout') })))).toBe('agent unavailable')
  })

  it('"agent failed" needs no more than one ask where no iteration had an answer, also at the good end of a limit', () => {
    const phases = { make: opening({ pass: 'make', error: 'make' }) }
    const ends = (then: 'completed' | 'exhausted', ...answers: Answer[]): Diagnosis =>
      diagnosed(play(procedureOf(phases, { budget: { iterations: answers.length, then } }), { make: answers }))
    for (const then of ['completed', 'exhausted'] as const) {
      const evidence = ['the agent failed in 1 of 1 iterations', 'it last said: broken by agent', expect.stringContaining('greenlatch path')]
      expect(ends(then, errs('agent'))).toMatchObject({ state: then, pattern: 'agent failed', evidence })
    }
    expect(ends('completed', errs('agent'), () => ({ tree: 't' }))).toMatchObject({ state: 'completed', pattern: null })
    expect(ends('exhausted', errs('agent'), () => ({ tree: 't' })).pattern).not.toBe('agent failed')
  })

  it('"nothing left to try" needs an agent that says so, names who was asked and why, and the ways to somebody else', () => {
    const played = converging((n) => (n === 1 ? { fails: ['a'] } : { ask: errs('over') }))
    const session = { ...played.session, roles: { implementer: 'repair' }, setup: { origins: { agent: 'the package itself' } } }
    expect(diagnosed({ ...played, session })).toMatchObject({
      state: 'stalled',
      pattern: 'nothing left to try',
      evidence: ['it says: broken by over', 'asked: repair (from the package itself)'],
      next: ['greenlatch resume session --agent paste', 'greenlatch agents', 'greenlatch resume session --url "<address of a model>"'],
    })
    const found = diagnosed({ ...played, session })
    const taken = [0, 2].map((iteration) => diagnosisText({ ...found, best: { iteration, tree: 't', failing: 1, subjects: ['a'], delivered: true } }).includes('What was mended can be taken.'))
    expect(taken).toEqual([false, true])
    const again = played.events.flatMap((event): Event[] => {
      if (event.type === 'asked') return [{ ...event, effect: { ...event.effect, opensIteration: false } }]
      return event.type === 'observed' ? [event] : []
    })
    const resumed: Event[] = [{ type: 'extended', budget: {} }, ...again.slice(-2)]
    expect(diagnose([...played.events, ...resumed], session)).toMatchObject({ pattern: 'nothing left to try' })
  })

  it.each([
    ['search out of time', 'more are left than it has time for', 'seconds:', 'greenlatch resume session'],
    ['search out of candidates', 'more are left than it may try', 'candidates:', 'greenlatch resume session --agent paste'],
  ])('"%s" needs an agent that says so, and names the limit and the way on', (pattern, note, key, first) => {
    const found = diagnosed(converging((n) => (n === 1 ? { fails: ['a'] } : { ask: adds(errs('over'), { note: `no repair found: ${note}` }) })))
    expect(found).toMatchObject({ pattern, evidence: [`it says: no repair found: ${note}`, 'asked: x, y'] })
    expect(found.next[0]).toBe(first)
    expect(diagnosisText(found)).toContain(key)
    expect(diagnosisText(found)).toContain('(a line ends with its fingerprint: greenlatch explain session --fingerprint <it> tells its story)')
  })

  it('"nothing fails" needs checks that passed at the start and an agent that finds nothing to mend, and does not offer the same again', () => {
    const found = diagnosed(converging(() => ({ ask: errs('over') }), passes))
    expect(found).toMatchObject({ pattern: 'nothing fails', evidence: ['nothing failed at the start', 'it says: broken by over'] })
    expect(found.next.join('\n')).not.toContain('resume')
    expect(patternOf(converging(() => ({ ask: errs('infrastructure') }), passes))).toBe('agent unavailable')
  })

  it('"impossible target" needs one that was never green while others were fixed, or that fails in ever new ways', () => {
    const left = converging(() => ({ fails: ['a'] }))
    const evidence = ['never green in 10 iterations, whatever was changed: a', 'passed at some time: b']
    expect(diagnosed(left)).toMatchObject({ pattern: 'impossible target', evidence })
    const failsOtherwise = (n: number): Answer => gateFails([failureOf('a', { gate: 'unit', fingerprint: `1:${n}` })], { gate: 'unit' })
    const ways = converging((n) => ({ check: failsOtherwise(n) }), fails('a'))
    expect(patternOf(ways)).toBe('impossible target')
  })

  it('"reviewer ping-pong" needs gates that pass and a review that does not', () => {
    const review = ask({ pass: '@completed', fail: 'make' }, { role: 'reviewer', yields: 'review', judges: true })
    const phases = { make: opening({ pass: 'test' }), test: check({ pass: 'review', fail: 'make' }), review }
    const says = (subject: string): Answer => () => ({ verdict: 'fail', failures: [failureOf(subject, { gate: 'review' })] })
    const review5 = ['long', 'short', 'long', 'short', 'long'].map((how) => says(`too ${how}`))
    const played = play(procedureOf(phases, { budget: { iterations: 5 } }), { review: review5 })
    expect(diagnosed(played)).toMatchObject({
      pattern: 'reviewer ping-pong',
      evidence: ['every check passed and the review did not, in 5 of 5 iterations', 'raised more than once: too long, too short'],
    })
  })

  it('"budget too small" needs a budget that ended it while it still got better', () => {
    const many = fails('a', 'b', 'c', 'd', 'e', 'f')
    const played = converging((n) => ({ fails: [...'abcdef'].slice(Math.ceil(n / 2)) }), many, { budget: { iterations: 4 } })
    const evidence = ['still getting better: 6 failing at first, 4 after iteration 3']
    expect(diagnosed(played)).toMatchObject({ pattern: 'budget too small', evidence })
  })

  it('is "none of these" at a bad end without evidence, and none at all where there is nothing to explain', () => {
    expect(patternOf(converging(() => ({}), TWO, { budget: { iterations: 1 } }))).toBe('none of these')
    const good = play(openedWith(converge, { gates: ['unit'] }), { baseline: [TWO], accept: [proves] })
    expect([patternOf(good), good.session.finish?.outcome]).toEqual([null, 'converged'])
    expect(patternOf(play(openedWith(converge, { gates: ['unit'] }), { baseline: [TWO], implement: [] }))).toBeNull()
  })
})

describe('a diagnosis', () => {
  const played = converging(() => ({}))

  it('says the outcome in one sentence, what fails and for how long, and the best state reached', () => {
    const { outcome, failing, best } = diagnosed(played)
    expect(outcome).toBe('It ended stalled (unverified) after 10 iterations: the same failures 5 times, so the ladder ends here.')
    expect(failing).toEqual([
      { gate: 'unit', subject: 'a', class: 'behaviour', fingerprint: '1:a', first: 1, last: 10, seen: 10 },
      { gate: 'unit', subject: 'b', class: 'behaviour', fingerprint: '1:b', first: 1, last: 10, seen: 10 },
    ])
    expect(best).toEqual({ iteration: 0, tree: 'start', failing: 2, subjects: ['a', 'b'], delivered: true })
  })

  it('lists every rung with the iteration that led to it and what came of it', () => {
    const first = 'back to the best, 1 try, 1 state of the files: no better than 2 failing'
    const why = expect.stringContaining('on to diagnose')
    expect(diagnosed(played).rungs).toEqual([
      { rung: 1, iteration: 2, name: 'minimal-change', why: expect.any(String), effect: first },
      { rung: 2, iteration: 3, name: 'different-strategy, on to diagnose', why, effect: expect.stringMatching(/^2 tries/) },
      { rung: 4, iteration: 5, name: 'on to amend, counted afresh', why: expect.any(String), effect: expect.stringMatching(/^2 tries/) },
      { rung: 1, iteration: 7, name: 'minimal-change', why: expect.any(String), effect: expect.any(String) },
      { rung: 2, iteration: 8, name: 'different-strategy, on to diagnose', why: expect.any(String), effect: expect.any(String) },
      { rung: 6, iteration: 10, name: 'on to @stalled', why: expect.any(String), effect: 'it ended here' },
    ])
  })

  it('says what a rung changed for the better', () => {
    const helped = converging((n) => ({ fails: n < 3 ? ['a', 'b'] : ['a'] }))
    expect(diagnosed(helped).rungs[0]).toMatchObject({ rung: 1, iteration: 2, effect: expect.stringContaining('2→1 failing') })
  })

  it('names three commands, with what has to be raised to go on', () => {
    expect(diagnosed(played).next).toEqual([
      'greenlatch hint session "<what the agent cannot know>"', 'greenlatch logs session --iter 10', 'greenlatch resume session',
    ])
    const spent = converging((n) => ({ fails: ['a', 'b'].slice(n - 1) }), TWO, { budget: { iterations: 2 } })
    const [first] = diagnose(spent.events, spent.session, { raise: ' --max-iterations 4' }).next
    expect(first).toBe('greenlatch resume session --max-iterations 4')
  })

  it.each(PATTERNS)('names only commands that there are, at most three, for "%s"', (pattern) => {
    const known = new Set(COMMANDS.map(({ name }) => name))
    const commands = nextCommands(played.session, { pattern, evidence: [] }, { standing: 'finished', raise: '', turns: turnsOf(played) })
    expect(commands).toHaveLength(3)
    expect(commands.filter((command) => !known.has(command.split(' ')[1] ?? ''))).toEqual([])
  })

  it('of a session under way says where it stands, and names a pattern as soon as the evidence is there', () => {
    const early = converging(() => ({ tree: 'start' }), TWO, { budget: { iterations: 30 } })
    const half = early.events.slice(0, early.events.findIndex((event) => event.type === 'asked' && event.effect.iteration === 4) + 1)
    const session = half.reduce((before, event) => after(before, event), after(early.session, openedWith(converge, { gates: ['unit'] })))
    const outcome = 'It is under way, at implement, after 4 iterations, 3 finished.'
    expect(diagnose(half, session)).toMatchObject({ pattern: 'no edits', outcome })
  })

  it('does not grow with the length of the session', () => {
    const long = procedureOf({ make: opening({ pass: 'test' }), test: check({ pass: '@completed', fail: 'make' }) })
    const { events } = play({ ...openedWith(long), gates: ['test'] }, { test: repeated(fails('a'), 60), make: repeated(passes, 60) })
    const turns = noTurns()
    const sizes = Array.from({ length: 12 }, () => {
      for (const event of events) takeEvent(turns, event)
      return JSON.stringify([turns, [...turns.heardOf], [...turns.seen]]).length
    })
    expect(sizes[1]).toBeGreaterThan(sizes[0] ?? 0)
    expect(Math.abs((sizes[11] ?? 0) - (sizes[5] ?? 0))).toBeLessThan(200)
    expect(turns.judged).toBe(12 * 60)
  })

  it('knows nothing of tests that a gate did not come to', () => {
    const lint = (n: number): Answer => adds(n % 2 === 0 ? fails('a') : fails('style'), {
      gates: [gateResult('lint', { exit: n % 2 === 0 ? 'pass' : 'fail' }), gateResult('unit', { exit: n % 2 === 0 ? 'fail' : 'not run' })],
      failures: n % 2 === 0 ? [failureOf('a', { gate: 'unit' })] : [failureOf('style', { gate: 'lint' })],
    })
    const phases = {
      make: opening({ pass: 'test' }),
      test: check({ pass: 'seal', fail: 'make' }, { gates: ['@configured'] }),
      seal: seal({ pass: '@converged', fail: 'make' }),
    }
    const opened = openedWith(procedureOf(phases, { budget: { iterations: 4 } }), { gates: ['lint', 'unit'] })
    const { pattern } = diagnosed(play(opened, { test: [1, 2, 3, 4].map(lint) }))
    expect(pattern).not.toBe('contradictory tests')
  })
})
