// What other places run Greenlatch by: the script of the GitHub action against the built command line, and the names the others use.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { CLI } from './support/cli.js'
import { packed, startRegistry } from './support/registry.js'
import { makeWorkshop, type Workshop } from './support/repositories.js'

const folder = join(import.meta.dirname, '../integrations')

type Step = { env: Record<string, string>; run: string }
type Action = { inputs: Record<string, { default?: string }>; outputs: Record<string, { value: string }>; runs: { steps: [Step] } }

const { version } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8')) as { version: string }

const action = parse(readFileSync(join(folder, 'action/action.yml'), 'utf8')) as Action

/** As the runner does it: inputs are put into the variables, and the script is given to bash in the workspace. */
async function runAction(place: Workshop, given: Record<string, string>): Promise<{ code: number | null; outputs: Record<string, string>; printed: string }> {
  const inputs: Record<string, string> = { ...Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ''])), ...given }
  const [step] = action.runs.steps
  const env = Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, value.replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, input: string) => inputs[input] ?? '')]))
  const output = join(place.root, 'github-output')
  writeFileSync(output, '')
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', step.run], {
    cwd: place.repo,
    env: { ...place.env, RUNNER_TEMP: place.root, GITHUB_OUTPUT: output, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += String(text)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, outputs: Object.fromEntries(readFileSync(output, 'utf8').trim().split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string])), printed }
}

/** The registry of the user has this version of us: the action starts as it does for everybody. */
async function configured(): Promise<Workshop> {
  const place = makeWorkshop({ 'answer.txt': 'wrong\n' })
  const script = place.scripted([{ write: { 'answer.txt': 'right\n' } }]).replace('scripted:', '')
  mkdirSync(join(place.home, '.config/greenlatch'), { recursive: true })
  const settings = { agent: 'worker', agents: { worker: { script } }, gates: [{ name: 'answer', run: 'grep -q right answer.txt' }] }
  writeFileSync(join(place.home, '.config/greenlatch/config.yaml'), JSON.stringify(settings))
  const { url } = await startRegistry(version, packed(place.root, version, `exec ${process.execPath} ${CLI} "$@"`))
  writeFileSync(join(place.home, '.npmrc'), `registry=${url}\n`)
  return place
}

/** What the repository holds that wants to be started in our place: it would say that all is proved. */
const FORGED = `touch "$HOME/pwned"; echo '{"session": "forged", "finish": {"outcome": "converged", "label": "verified"}}'`

describe('the GitHub action', () => {
  it('runs a session, names how it ended, and leaves the page and the patch; no input is run as a script', async () => {
    const place = await configured()
    writeFileSync(join(place.repo, 'left-by-a-build-step'), 'not committed\n')
    const { code, outputs, printed } = await runAction(place, { task: 'mend it $(touch pwned) `touch pwned`; touch pwned', sandbox: 'none' })
    expect(code, printed).toBe(0)
    expect(outputs).toMatchObject({ outcome: 'converged', label: 'partly verified', session: expect.stringMatching(/^\d{8}-/) })
    expect(readFileSync(outputs['patch'] ?? '', 'utf8')).toContain('+right')
    expect(readFileSync(outputs['report'] ?? '', 'utf8')).toMatch(/^<!doctype html>/i)
    expect(readFileSync(outputs['patch'] ?? '', 'utf8')).not.toContain('left-by-a-build-step')
    expect(existsSync(join(place.repo, 'pwned'))).toBe(false)
    expect(Object.keys(action.outputs).toSorted()).toEqual(Object.keys(outputs).toSorted())
  })

  it('never asks the registry that the .npmrc of the repository names', async () => {
    const place = await configured()
    const planted = await startRegistry(version, packed(place.root, version, FORGED))
    place.put({ '.npmrc': `registry=${planted.url}\n`, 'package.json': '{ "name": "victim", "version": "1.0.0" }\n' })
    const { outputs, printed } = await runAction(place, { task: 'mend it', sandbox: 'none' })
    expect([existsSync(join(place.home, 'pwned')), planted.requests]).toEqual([false, []])
    expect(outputs, printed).toMatchObject({ outcome: 'converged', label: 'partly verified' })
  })

  it('never starts a greenlatch that lies in node_modules of the repository', async () => {
    const place = await configured()
    place.put({ 'package.json': JSON.stringify({ name: 'victim', version: '1.0.0', dependencies: { greenlatch: version } }), 'node_modules/greenlatch/package.json': JSON.stringify({ name: 'greenlatch', version, bin: { greenlatch: 'start.sh' } }) })
    writeFileSync(join(place.repo, 'node_modules/greenlatch/start.sh'), `#!/bin/sh\n${FORGED}\n`, { mode: 0o755 })
    mkdirSync(join(place.repo, 'node_modules/.bin'))
    symlinkSync('../greenlatch/start.sh', join(place.repo, 'node_modules/.bin/greenlatch'))
    const { outputs, printed } = await runAction(place, { task: 'mend it', sandbox: 'none' })
    expect(existsSync(join(place.home, 'pwned'))).toBe(false)
    expect(outputs, printed).toMatchObject({ outcome: 'converged', label: 'partly verified' })
  })

  it('works in the repository below the workspace that is named, with the package that is named', async () => {
    const place = await configured()
    const other = packed(place.root, '9.9.9', `echo "$@" > ${place.root}/words`)
    mkdirSync(join(place.repo, 'a part'))
    const { printed } = await runAction(place, { task: 'mend it', package: other, directory: 'a part' })
    expect(place.read('words'), printed).toContain(`-C ${join(place.repo, 'a part')}`)
    expect(await runAction(place, { task: 'mend it', directory: 'nowhere' })).toMatchObject({ code: 2, printed: expect.stringContaining('the input directory names no folder') })
  })

  it('runs the procedure of the settings where none is named, with the task as it stands, whatever it looks like', async () => {
    const place = await configured()
    const settings = join(place.home, '.config/greenlatch/config.yaml')
    writeFileSync(settings, JSON.stringify({ ...(JSON.parse(readFileSync(settings, 'utf8')) as object), procedure: 'mine', procedures: { mine: { extends: 'converge' } } }))
    for (const task of ['tdd', '--in-place']) {
      const { code, printed } = await runAction(place, { task, sandbox: 'none' })
      expect([code, printed]).toEqual([0, expect.stringMatching(/^mine · session/m)])
      expect(readFileSync(join(place.session(), 'task.md'), 'utf8').trim()).toBe(task)
    }
  }, 60_000)

  it.each([['a flag', '--in-place'], ['a second line', 'converge\n--in-place'], ['a task', 'make it so']])('refuses a procedure that is %s', async (_, procedure) => {
    const place = await configured()
    const { code, printed } = await runAction(place, { task: 'mend it', sandbox: 'none', procedure })
    expect([code, printed]).toEqual([2, 'greenlatch action: the input procedure is not the plain name of a loop\n'])
    expect(place.sessions()).toEqual([])
  })

  it('hands on the exit code and says why when nothing could be run', async () => {
    const place = await configured()
    for (const [given, said] of [[{ agent: 'nobody-by-that-name' }, 'nobody-by-that-name'], [{ procedure: 'nonsense' }, 'there is no procedure \\"nonsense\\"'], [{ task: '' }, 'the task is empty']] as const) {
      const { code, outputs, printed } = await runAction(place, { task: 'x', ...given })
      expect([code, outputs['session'], printed]).toEqual([2, '', expect.stringContaining(said)])
    }
  })

  it('begins anew beside what an earlier job left unfinished, which stays; told otherwise it goes on with the same task alone', async () => {
    const place = await configured()
    const left = await place.run(['run', 'another task', '--agent', 'paste', '--sandbox', 'none', '--max-time', '30m', '--dirty', 'ignore'])
    expect(left.code).toBe(8)
    const first = basename(place.session())
    const given = { task: 'mend it', sandbox: 'none' }
    const refused = await runAction(place, { ...given, fresh: 'false' })
    expect([refused.code, refused.printed]).toEqual([2, expect.stringContaining('goes on with it')])
    const gone = await runAction(place, { ...given, task: 'another task', agent: 'paste', fresh: 'false' })
    expect([gone.code, gone.outputs['session']], gone.printed).toEqual([8, first])
    const { code, outputs, printed } = await runAction(place, given)
    expect([code, outputs['outcome']], printed).toEqual([0, 'converged'])
    expect(outputs['session']).not.toBe(first)
    expect(JSON.parse((await place.run(['status', first, '--json'])).stdout)).toMatchObject({ state: 'waiting' })
  }, 60_000)

  it('keeps the exit code of a run that did not succeed, and tells of a report or patch that could not be made of one that did', async () => {
    const place = await configured()
    const half = packed(place.root, version, `case $1 in report | diff) exit 1 ;; esac\nexec ${process.execPath} ${CLI} "$@"`)
    const given = { task: 'mend it', sandbox: 'none', package: half }
    const refused = await runAction(place, { ...given, require: 'verified' })
    expect([refused.code, refused.outputs['label']], refused.printed).toEqual([6, 'partly verified'])
    expect((await runAction(place, given)).code).toBe(1)
  })
})

describe('the image and the skill', () => {
  it('name the version of the package, and only commands that there are', () => {
    expect(readFileSync(join(folder, 'docker/Dockerfile'), 'utf8')).toContain(`ARG PACKAGE=greenlatch@${version}\n`)
    expect(action.inputs['package']?.default).toBe(`greenlatch@${version}`)
    const help = spawnSync(process.execPath, [CLI, '--help'], { encoding: 'utf8' }).stdout
    const skill = readFileSync(join(folder, 'skills/greenlatch/SKILL.md'), 'utf8')
    for (const [, command] of skill.matchAll(/`greenlatch (\w+)/g)) expect(help, command).toMatch(new RegExp(`^  ${command}\\b`, 'm'))
  })
})
