// End-to-end tests of the procedure `cycle`: the loop, its prompts, its limit and its audits, in real repositories.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsOf, type Place } from './support/cli.js'
import { cycle, finds, git, PASS, phasesOf, players, repository, writes } from './support/cycle.js'

const query = (table: string, rest: string): string => `export const find = (name) => ({ sql: 'select * from ${table} where name = ${rest} })\n`

const USERS = {
  'package.json': '{ "name": "users", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test" } }\n',
  'SPEC.md': '# Find users by name\n\n`find(name)` gives the query for the table `users`.\n',
  'src/users.js': 'export const find = () => { throw new Error("not written yet") }\n',
  'test/users.test.js': [
    "import assert from 'node:assert/strict'", "import { test } from 'node:test'", "import { find } from '../src/users.js'", '',
    "test('finds by name', () => {", "  assert.match(find('ann').sql, /^select \\* from users where name = /)", '})', '',
  ].join('\n'),
}

const INJECTION = {
  category: 'security', severity: 'error', path: 'src/users.js', line: 1, snippet: "'… name = ' + name",
  description: 'The name becomes part of the query.', fix: 'Pass it as a parameter.',
}

function prompt(place: Place, path: string): string {
  return readFileSync(join(place.session(), `${path}-prompt.md`), 'utf8')
}

describe('a cycle', () => {
  it('AC-10 AC-01 AC-03 AC-05 AC-08 goes from a bug over its fix and a security finding to one commit of the corrected file.', async () => {
    const place = repository(USERS)
    const buggy = query('user', "' + name")
    const unsafe = query('users', "' + name")
    const safe = query('users', "?', values: [name]")
    const coder = [buggy, unsafe, safe].map((text) => ({ write: { 'src/users.js': text } }))
    const ended = await cycle(place, { coder, auditor: [finds(INJECTION), PASS], gates: ['npm test'] })
    expect(ended.code, ended.stderr).toBe(0)

    const events = eventsOf(place.session())
    const round = (...rest: string[]): string[] => ['code', 'test', ...rest]
    expect(phasesOf(events)).toEqual(['branch', 'setup', 'baseline', ...round(), ...round('audit'), ...round('audit', 'seal', 'commit')])
    const [first, second, third] = [1, 2, 3].map((iteration) => prompt(place, `iteration-${iteration}/code`))
    expect(first).toMatch(/Implement the specification/)
    expect(second).toMatch(/Your previous attempt failed[^]*not ok 1 - finds by name/)
    expect(third).toMatch(/Your previous attempt failed[^]*The name becomes part of the query\.[^]*Pass it as a parameter\./)
    expect([first?.includes('not ok 1'), second?.includes('becomes part'), third?.includes('not ok 1')]).toEqual([false, false, false])

    expect(git(place, 'symbolic-ref', '--short', 'HEAD')).toBe('feature/cycle-05')
    expect(git(place, 'log', '--format=%s', 'main..HEAD')).toBe('feat: find users by name')
    expect([git(place, 'show', 'HEAD:src/users.js'), git(place, 'diff', '--name-only', 'main', 'HEAD')]).toEqual([safe.trim(), 'src/users.js'])
    expect(git(place, 'status', '--porcelain')).toBe('')
    const sealed = events.flatMap((event) => (event.type === 'observed' && event.report.sealed ? [event.report.sealed.tree] : []))
    expect(sealed).toEqual([git(place, 'rev-parse', 'HEAD^{tree}')])
    expect(git(place, 'log', '-1', '--format=%B')).toContain('Greenlatch-Outcome: converged, verified, 3 iterations')
  })

  it('AC-02 AC-01 that never passes makes exactly as many rounds as its limit, is never audited, and ends exhausted.', async () => {
    const place = repository()
    const coder = ['a', 'b', 'c', 'd', 'e', 'f'].map((text) => writes(text))
    const ended = await cycle(place, { coder, gates: ['grep -q two src/a.txt'] })
    expect([ended.code, ended.stdout]).toEqual([4, expect.stringMatching(/^exhausted\t/)])
    const phases = phasesOf(eventsOf(place.session()))
    expect(phases.filter((phase) => phase === 'code' || phase === 'test')).toEqual(Array.from({ length: 5 }, () => ['code', 'test']).flat())
    expect([phases.includes('audit'), phases.includes('commit')]).toEqual([false, false])
    expect((await place.run(['resume', '--max-iterations', '6'])).code).toBe(4)
    expect(phasesOf(eventsOf(place.session())).filter((phase) => phase === 'code')).toHaveLength(6)
  })

  it('AC-09 has its audit see exactly the tree that was made, and not see it twice while it stays the same.', async () => {
    const place = repository()
    const look = `cat > /dev/null; cat src/a.txt >> "$ROOT/seen.txt"; echo '${finds({ ...INJECTION, path: 'src/a.txt' }).say}'`
    const auditor = place.program('auditor', look)
    place.write('greenlatch.yaml', `agents: { strict: { command: ${JSON.stringify([auditor])} } }\n`)
    const coder = [writes('two'), writes('two'), writes('two again')]
    const args = players(place, { coder, gates: ['grep -q two src/a.txt'] }).map((word) => (word.startsWith('auditor=') ? 'auditor=strict' : word))
    const ended = await place.run(['run', 'cycle', '--id', '05', '--spec', 'SPEC.md', '--max-iterations', '3', ...args])
    expect(ended.code, ended.stderr).toBe(4)
    expect([place.starts('auditor').length, place.read('seen.txt')]).toEqual([2, 'two\ntwo again\n'])
    const audits = eventsOf(place.session()).flatMap((event) => (event.type === 'observed' && event.report.effect.endsWith('.audit') ? [event.report] : []))
    expect(audits.map(({ verdict, note }) => [verdict, note.includes('not asked again')])).toEqual([['fail', false], ['fail', true], ['fail', false]])
    expect([audits[1]?.spent, audits[1]?.files]).toEqual([{ seconds: 0, tokens: 0, usd: 0 }, []])
    expect(prompt(place, 'iteration-3/code')).toContain('The name becomes part of the query.')
  })

  it('gives its auditor what was changed since the start, and asks again for an audit that cannot be read.', async () => {
    const place = repository()
    const ended = await cycle(place, { coder: [writes('two')], auditor: [{ say: 'It looks nice.' }, PASS], gates: ['grep -q two src/a.txt'] })
    expect(ended.code, ended.stderr).toBe(0)
    expect(prompt(place, 'iteration-1/audit')).toMatch(/^-one\n\+two$/m)
    expect(prompt(place, 'iteration-1/audit-2')).toMatch(/WHAT WAS WRONG WITH YOUR LAST ANSWER[^]*neither pass nor fail/)
  })

  it('AC-03 shows nothing of what a gate says that is held out, only that one does not pass.', async () => {
    const place = repository()
    place.write('greenlatch.yaml', 'gates: [{ name: seen, run: grep -q two src/a.txt }, { name: held, run: echo secret words; grep -q three src/a.txt, holdout: true }]\n')
    const ended = await cycle(place, { coder: [writes('two'), writes('two three')], gates: [] })
    expect(ended.code, ended.stderr).toBe(0)
    const second = prompt(place, 'iteration-2/code')
    expect(second).toMatch(/Your previous attempt failed[^]*A check that you cannot see does not pass/)
    expect(second).not.toMatch(/secret words|held/)
  })

  it('AC-03 shows a log that is too long for the prompt by its path.', async () => {
    const place = repository()
    place.write('greenlatch.yaml', 'promptTokens: 2000\n')
    const gate = place.program('loud', 'seq 1 20000; echo "FAIL: it does not say two"; grep -q two src/a.txt')
    expect((await cycle(place, { coder: [writes('three'), writes('two')], gates: [`loud=${gate}`] }, '--max-iterations', '2')).code).toBe(0)
    const second = prompt(place, 'iteration-2/code')
    expect(second).toContain(`Whole output: \`${join(place.session(), 'iteration-1/test.loud.log')}\``)
    expect([/Your previous attempt failed/.test(second), second.includes('19999')]).toEqual([true, false])
  })
})
