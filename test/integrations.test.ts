// What other places run Greenlatch by: the script of the GitHub action against the built command line, and the names the others use.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { CLI } from './support/cli.js'
import { makeWorkshop, type Workshop } from './support/repositories.js'

const folder = join(import.meta.dirname, '../integrations')

type Step = { env: Record<string, string>; run: string }
type Action = { inputs: Record<string, { default?: string }>; outputs: Record<string, { value: string }>; runs: { steps: [Step] } }

const action = parse(readFileSync(join(folder, 'action/action.yml'), 'utf8')) as Action

/** As the runner does it: inputs are put into the variables, and the script is given to bash. */
function runAction(place: Workshop, given: Record<string, string>): { code: number | null; outputs: Record<string, string>; printed: string } {
  const inputs: Record<string, string> = { ...Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ''])), ...given }
  const [step] = action.runs.steps
  const env = Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, value.replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, input: string) => inputs[input] ?? '')]))
  const output = join(place.root, 'github-output')
  writeFileSync(output, '')
  const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', step.run], {
    cwd: place.repo,
    encoding: 'utf8',
    env: { ...place.env, RUNNER_TEMP: place.root, GITHUB_OUTPUT: output, ...env },
  })
  return { code: status, outputs: Object.fromEntries(readFileSync(output, 'utf8').trim().split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string])), printed: stdout + stderr }
}

function configured(): Workshop {
  const place = makeWorkshop({ 'answer.txt': 'wrong\n' })
  const script = place.scripted([{ write: { 'answer.txt': 'right\n' } }]).replace('scripted:', '')
  mkdirSync(join(place.home, '.config/greenlatch'), { recursive: true })
  const settings = { agent: 'worker', agents: { worker: { script } }, gates: [{ name: 'answer', run: 'grep -q right answer.txt' }] }
  writeFileSync(join(place.home, '.config/greenlatch/config.yaml'), JSON.stringify(settings))
  return place
}

describe('the GitHub action', () => {
  it('runs a session, names how it ended, and leaves the page and the patch; no input is run as a script', () => {
    const place = configured()
    writeFileSync(join(place.repo, 'left-by-a-build-step'), 'not committed\n')
    const { code, outputs, printed } = runAction(place, { task: 'mend it $(touch pwned) `touch pwned`; touch pwned', sandbox: 'none', command: `${process.execPath} ${CLI}` })
    expect(code, printed).toBe(0)
    expect(outputs).toMatchObject({ outcome: 'converged', label: 'partly verified', session: expect.stringMatching(/^\d{8}-/) })
    expect(readFileSync(outputs['patch'] ?? '', 'utf8')).toContain('+right')
    expect(readFileSync(outputs['report'] ?? '', 'utf8')).toMatch(/^<!doctype html>/i)
    expect(readFileSync(outputs['patch'] ?? '', 'utf8')).not.toContain('left-by-a-build-step')
    expect(existsSync(join(place.repo, 'pwned'))).toBe(false)
    expect(Object.keys(action.outputs).toSorted()).toEqual(Object.keys(outputs).toSorted())
  })

  it('hands on the exit code and says why when nothing could be run', () => {
    const place = configured()
    const { code, outputs, printed } = runAction(place, { task: 'x', agent: 'nobody-by-that-name', command: `${process.execPath} ${CLI}` })
    expect([code, outputs['session']]).toEqual([2, ''])
    expect(printed).toMatch(/nobody-by-that-name/)
  })

  it('begins anew beside what an earlier job left unfinished, which stays; told otherwise it goes on with the same task alone', async () => {
    const place = configured()
    const left = await place.run(['run', 'another task', '--agent', 'paste', '--sandbox', 'none', '--max-time', '30m', '--dirty', 'ignore'])
    expect(left.code).toBe(8)
    const first = basename(place.session())
    const given = { task: 'mend it', sandbox: 'none', command: `${process.execPath} ${CLI}` }
    const refused = runAction(place, { ...given, fresh: 'false' })
    expect([refused.code, refused.printed]).toEqual([2, expect.stringContaining('goes on with it')])
    const gone = runAction(place, { ...given, task: 'another task', agent: 'paste', fresh: 'false' })
    expect([gone.code, gone.outputs['session']], gone.printed).toEqual([8, first])
    const { code, outputs, printed } = runAction(place, given)
    expect([code, outputs['outcome']], printed).toEqual([0, 'converged'])
    expect(outputs['session']).not.toBe(first)
    expect(JSON.parse((await place.run(['status', first, '--json'])).stdout)).toMatchObject({ state: 'waiting' })
  })

  it('keeps the exit code of a run that did not succeed, and tells of a report or patch that could not be made of one that did', () => {
    const place = configured()
    const command = place.program('half', 'case $1 in report | diff) exit 1 ;; esac', `exec ${process.execPath} ${CLI} "$@"`)
    const given = { task: 'mend it', sandbox: 'none', command }
    const refused = runAction(place, { ...given, require: 'verified' })
    expect([refused.code, refused.outputs['label']], refused.printed).toEqual([6, 'partly verified'])
    expect(runAction(place, given).code).toBe(1)
  })
})

describe('the image and the skill', () => {
  it('name the version of the package, and only commands that there are', () => {
    const { version } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8')) as { version: string }
    expect(readFileSync(join(folder, 'docker/Dockerfile'), 'utf8')).toContain(`ARG PACKAGE=greenlatch@${version}\n`)
    expect(action.inputs['command']?.default).toContain(`greenlatch@${version}`)
    const help = spawnSync(process.execPath, [CLI, '--help'], { encoding: 'utf8' }).stdout
    const skill = readFileSync(join(folder, 'skills/greenlatch/SKILL.md'), 'utf8')
    for (const [, command] of skill.matchAll(/`greenlatch (\w+)/g)) expect(help, command).toMatch(new RegExp(`^  ${command}\\b`, 'm'))
  })
})
