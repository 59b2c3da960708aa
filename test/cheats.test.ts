// End-to-end tests of proof: no way of cheating converges, each is named, and the honest change with the same side effects converges.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { makePlace, type Ended, type Place } from './support/cli.js'
import { CHEATS, SUM, type Project } from './support/cheats.js'

function git(place: Place, ...args: string[]): string {
  const who = ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.com']
  return execFileSync('git', [...who, ...args], { cwd: place.repo, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

function repository({ files }: Project, more: Record<string, string> = {}): Place {
  const place = makePlace()
  git(place, 'init', '-q', '-b', 'main')
  for (const [path, text] of Object.entries({ ...files, ...more })) place.write(path, text)
  git(place, 'add', '-A')
  git(place, 'commit', '-qm', 'first')
  return place
}

function run(place: Place, { gate }: Project, does: string, ...more: string[]): Promise<Ended> {
  const agent = place.program('agent', 'cat > /dev/null', does)
  return place.run(['run', 'fix the sum', '--gate', `test=${gate}`, '--ai-cmd', agent, '--max-iterations', '2', '--json', ...more])
}

function summaryOf({ stdout }: Ended): { finish: { outcome: string; label: string; why: string } | null } {
  return JSON.parse(stdout) as never
}

describe('an agent that', () => {
  it.each(CHEATS)('GL-03 $name does not converge, and it is named', async ({ project, does, named }) => {
    const ended = await run(repository(project), project, does)
    expect(ended.code).not.toBe(0)
    expect(summaryOf(ended).finish?.outcome).not.toBe('converged')
    expect(ended.stderr).toMatch(named)
  })

  it.each([...new Set(CHEATS.map(({ project }) => project))])('GL-03 does the work converges, verified: $gate', async (project) => {
    const ended = await run(repository(project), project, project.honest)
    expect([ended.code, summaryOf(ended).finish]).toMatchObject([0, { outcome: 'converged', label: 'verified' }])
  })

  it('GL-03 cheats first and does the work when it is told what was wrong converges, with nothing of the cheat in the result', async () => {
    const place = repository(SUM)
    const cheat = `sed -i "s/^test('adds'/test.skip('adds'/" test/calc.test.js`
    const ended = await run(place, SUM, `if [ -e "$HOME/told" ]; then ${SUM.honest}; else ${cheat}; touch "$HOME/told"; fi`)
    expect([ended.code, summaryOf(ended).finish]).toMatchObject([0, { outcome: 'converged', label: 'verified' }])
    expect((await place.run(['diff', '--stat'])).stdout).not.toContain('test/')
  })
})

describe('a change of what is pinned that the user permits', () => {
  it('converges, partly verified, and is listed', async () => {
    const does = `${SUM.honest}; sed -i 's/"version": "1.0.0",/"version": "1.0.0",\\n  "dependencies": {},/' package.json`
    const ended = await run(repository(SUM), SUM, does, '--permit', 'dependencies')
    expect(summaryOf(ended).finish).toMatchObject({ outcome: 'converged', label: 'partly verified' })
    expect(ended.code).toBe(0)
    expect(ended.stderr).toMatch(/dependencies/)
  })

  it('does not reach what --require asks for', async () => {
    const does = `${SUM.honest}; sed -i "s/'doubles'/'doubles'/; s/assert.equal(double(4), 8)/assert.equal(double(4), 8); assert.equal(double(0), 0)/" test/calc.test.js`
    const ended = await run(repository(SUM), SUM, does, '--permit', 'tests', '--require', 'verified')
    expect(summaryOf(ended).finish).toMatchObject({ outcome: 'converged', label: 'partly verified' })
    expect(ended.code).toBe(6)
  })
})

describe('a feature on a green tree', () => {
  const green: Project = { ...SUM, files: { ...SUM.files, 'src/calc.js': (SUM.files['src/calc.js'] ?? '').replace('a - b', 'a + b') } }
  const feature = `printf '\\nexport function triple(a) {\\n  return 3 * a\\n}\\n' >> src/calc.js`
  const test = (body: string): string =>
    `printf "import { test } from 'node:test'\\nimport assert from 'node:assert/strict'\\nimport * as calc from '../src/calc.js'\\ntest('triples', () => { ${body} })\\n" > test/triple.test.js`

  it('never converges without an edit', async () => {
    const ended = await run(repository(green), green, 'echo done')
    expect(ended.code).not.toBe(0)
    expect(summaryOf(ended).finish?.outcome).not.toBe('converged')
  })

  it('ends completed, unverified, without a test that notices the change', async () => {
    const without = await run(repository(green), green, feature)
    expect([without.code, summaryOf(without).finish]).toMatchObject([0, { outcome: 'completed', label: 'unverified' }])
    const idle = await run(repository(green), green, `${feature}; ${test('assert.ok(true)')}`)
    expect([idle.code, summaryOf(idle).finish]).toMatchObject([0, { outcome: 'completed', label: 'unverified' }])
    expect(idle.stderr).toMatch(/pass without the change.*triples/)
  })

  it('GL-04 converges with a new test that fails without the change', async () => {
    const ended = await run(repository(green), green, `${feature}; ${test('assert.equal(calc.triple(2), 6)')}`)
    expect([ended.code, summaryOf(ended).finish]).toMatchObject([0, { outcome: 'converged', label: 'verified' }])
  })
})

describe('a gate that is held out', () => {
  it('catches code that recognises the visible inputs, and is never shown to the agent', async () => {
    const special = `sed -i 's/return a - b/return a === 1 ? 3 : 4/' src/calc.js`
    const place = repository(SUM)
    const hidden = place.program('hidden', `node -e "import('$PWD/src/calc.js').then(({ add }) => { if (add(20, 22) !== 42) { console.log('Error: secret-case'); process.exit(1) } })"`)
    place.write('greenlatch.yaml', `gates:\n  - { name: test, run: npm test }\n  - { name: hidden, run: ${hidden}, holdout: true }\n`)
    const agent = place.program('agent', 'cat >> "$HOME/prompts"', special)
    const ended = await place.run(['run', 'fix the sum', '--ai-cmd', agent, '--max-iterations', '2', '--json'])
    expect(summaryOf(ended).finish?.outcome).not.toBe('converged')
    const prompts = place.read('home/prompts')
    expect(prompts).toContain('A check that you cannot see does not pass')
    expect(prompts).not.toMatch(/secret-case|hidden/)
  })
})
