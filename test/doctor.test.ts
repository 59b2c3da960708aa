// `doctor` and `estimate`: what is there and what is missing, with the fix; what a task will take, and by what that is known.
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashesOf, makePlace } from './support/cli.js'
import { makeWorkshop } from './support/repositories.js'

type Findings = { findings: { state: string; what: string; text: string; next?: string }[]; code: number }

describe('doctor', () => {
  it('tells of each thing that it is there, or what to do about it, runs nothing of the repository and writes nothing', async () => {
    const place = makeWorkshop({ 'run.sh': '#!/bin/sh\ntouch "$0.ran"\n', 'a.txt': 'x' })
    chmodSync(join(place.repo, 'run.sh'), 0o755)
    place.commit('executable')
    place.write('greenlatch.yaml', 'agent: paste\ngates:\n  - { name: good, run: ./run.sh && true }\n  - { name: gone, run: no-such-program --all }\n  - { name: nowhere, run: "true", cwd: none }\nphilosophy: none.md\n')
    const before = hashesOf(place.root)
    const { code, stdout } = await place.run(['doctor', '--json'], { trust: 'none' })
    const told = JSON.parse(stdout) as Findings
    expect([code, told.code]).toEqual([5, 5])
    const of = (what: string): object => told.findings.find((finding) => finding.what === what) ?? {}
    for (const what of ['node', 'settings', 'git', 'identity', 'repository', 'state', 'disk', 'procedure', 'gate good']) expect(of(what), what).toMatchObject({ state: 'ok' })
    expect(of('git')).toMatchObject({ text: expect.stringMatching(/^\d+\.\d+\S* \(\//) as string })
    expect(of('identity')).toMatchObject({ text: 'A User <user@example.com>' })
    expect(of('gate gone')).toMatchObject({ state: 'fail', text: expect.stringContaining('no-such-program is not an executable program: install it, or change "gates:"') as string, next: 'greenlatch config' })
    expect(of('gate nowhere')).toMatchObject({ state: 'fail' })
    expect(of('philosophy')).toMatchObject({ state: 'warn' })
    expect(told.findings.filter(({ state, next }) => state === 'fail' && next === undefined)).toEqual([])
    expect(hashesOf(place.root)).toEqual(before)
  })

  it('goes on where the settings are broken, names every fault, and tells a name that git does not know', async () => {
    const place = makeWorkshop()
    place.git('config', '--unset', 'user.name')
    place.git('config', '--unset', 'user.email')
    writeFileSync(join(place.home, '.gitconfig'), '[user]\n  useConfigOnly = true\n')
    place.put({ a: 'changed\n' })
    place.write('greenlatch.yaml', 'agnet: claude\nbudgte: 3\n')
    const { code, stdout, stderr } = await place.run(['doctor'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^2 failures, \d warnings\n$/)])
    expect(stdout).toMatch(/^fail {2}settings +greenlatch\.yaml:1: unknown key "agnet" \(did you mean "agent"\?\)\n {6}next: .*\nfail {2}settings +greenlatch\.yaml:2: unknown key "budgte"/m)
    expect(stdout).toMatch(/^warn {2}identity .*\n {6}next: git config --global user\.name/m)
    expect(stdout).toMatch(/^warn {2}repository +not everything is committed/m)
    expect(stdout).toMatch(/^ok {4}disk /m)
  })

  it('takes an agent that the settings only name for one that is there or is not', async () => {
    const place = makeWorkshop()
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` }
    place.write('greenlatch.yaml', 'agent: repair\n')
    const there = await place.run(['doctor'], { env })
    expect([there.code, there.stdout]).toEqual([0, expect.stringMatching(/^ok {4}agent repair +ready: built in/m)])
    expect(there.stdout).not.toContain('none configured, and none that is known')
    place.write('greenlatch.yaml', 'agent: gemini\n')
    expect(await place.run(['doctor'], { env })).toMatchObject({ code: 7, stdout: expect.stringMatching(/^fail {2}agent gemini +missing: gemini is not an executable program/m) as string })
  })

  it('fails in a repository that no run can begin in, with the command that run names', async () => {
    const place = makeWorkshop()
    if (process.geteuid?.() === 0) chownSync(place.repo, 65_534, 65_534)
    else {
      // Nobody but root can give a repository away: one that is broken is refused in the same way.
      rmSync(join(place.repo, '.git'), { recursive: true })
      place.put({ '.git': 'gitdir: /nowhere\n' })
    }
    const refused = await place.run(['run', 'mend it', '--gate', 'true', '--ai-cmd', 'true'])
    const next = /next: (.*)\n$/.exec(refused.stderr)?.[1]
    const { code, stdout } = await place.run(['doctor', '--json'])
    expect([refused.code, code]).toEqual([10, 10])
    expect((JSON.parse(stdout) as Findings).findings).toContainEqual(expect.objectContaining({ state: 'fail', what: 'repository', next }))
  })

  it('--gates fails where no gate is configured, and names what writes some down', async () => {
    const place = makeWorkshop()
    const { code, stdout } = await place.run(['doctor', '--gates'])
    expect([code, stdout]).toEqual([2, expect.stringMatching(/^fail {2}gates +none was run, as none is configured; .*\n {6}next: greenlatch init$/m)])
  })

  it('--gates says of a gate that ran no tests that it ran none, not that it names its tests', async () => {
    const place = makeWorkshop()
    place.write('greenlatch.yaml', 'gates:\n  - { name: empty, run: mkdir -p none && cd none && node --test }\n')
    const { code, stdout } = await place.run(['doctor', '--gates'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^warn {2}gate empty +fail in \S+ s: exit \d; no tests ran\n {6}next: greenlatch config$/m)])
    expect(stdout).not.toContain('names its tests')
  })

  it('--gates runs them twice, and names a test that comes out differently', async () => {
    const place = makeWorkshop()
    mkdirSync(join(place.root, 'count'))
    const flip = `if [ -e ${place.root}/count/once ]; then exit 1; fi; touch ${place.root}/count/once`
    place.write('greenlatch.yaml', `gates:\n  - { name: flip, run: ${JSON.stringify(flip)} }\n`)
    const { code, stdout } = await place.run(['doctor', '--gates'])
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(/^warn {2}flaky +1 test/m)
    place.write('greenlatch.yaml', 'gates:\n  - { name: gone, run: sh -c no-such-program }\n')
    expect(await place.run(['doctor', '--gates'])).toMatchObject({ code: 5, stdout: expect.stringMatching(/^fail {2}gate gone +error in .*no-such-program/m) as string })
  })
})

describe('estimate', () => {
  it('IS-22 prints the published table by formula, and goes by the history of the project once there is one, and says which', async () => {
    const place = makePlace()
    const first = await place.run(['estimate'])
    expect(first).toMatchObject({ code: 0, stderr: expect.stringMatching(/^by formula: /) as string })
    for (const row of ['minor +3 +20 tok/s +18 min', 'minor +3 +60 tok/s +6 min', 'feature +6 +20 tok/s +36 min', 'feature +6 +60 tok/s +12 min', 'project +12 +20 tok/s +72 min', 'project +12 +60 tok/s +24 min']) {
      expect(first.stdout).toMatch(new RegExp(`^${row} `, 'm'))
    }
    place.write('greenlatch.yaml', 'procedure: ooda\nagent: priced\nagents: { priced: { command: cat, price: { input: 1, output: 10 } } }\n')
    const agent = place.scripted([{ say: 'one', tokens: 100 }])
    expect((await place.run(['run', 'a task', '--agent', agent, '--max-iterations', '2'])).code).toBe(0)
    const history = JSON.parse((await place.run(['estimate', '--json'])).stdout) as { basis: string; estimates: { iterations: number; tokens: number }[] }
    expect(history).toMatchObject({ basis: 'history', estimates: [{ iterations: 2, scope: null }] })
    expect(history.estimates[0]?.tokens).toBeGreaterThanOrEqual(200)
    const formula = JSON.parse((await place.run(['estimate', '--tok-s', '40', '--scope', 'feature', '--json'])).stdout) as object
    expect(formula).toMatchObject({ basis: 'formula', estimates: [{ iterations: 6, seconds: 1080, tokens: 36_864, tokens_per_second: 40, usd: { least: 0.36864, most: 1.56864 } }] })
  })
})
