// What a repository's own files would run is inert until the user trusts it, and nothing that only looks ever runs any of it.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makePlace, type Place } from './support/cli.js'
import { plainGit as git } from '../src/git/fixture.js'

const UNTRUSTED = { trust: 'none' } as const

/** A command that leaves a trace, one for each place that could run it. */
function canary(place: Place, name: string): string {
  return `touch ${join(place.root, 'canaries', name)}`
}

function canaries(place: Place): string[] {
  return readdirSync(join(place.root, 'canaries'))
}

function plant(place: Place): void {
  mkdirSync(join(place.root, 'canaries'))
  const program = place.program('planted', canary(place, 'program'))
  place.write('tool.sh', `#!/bin/sh\n${canary(place, 'tool')}\n`)
  chmodSync(join(place.repo, 'tool.sh'), 0o755)
  place.write('greenlatch.yaml', JSON.stringify({
    agent: 'a',
    agents: {
      a: { command: program, env: { LD_CANARY: 'x' }, fallback: 'b' },
      b: { cli: 'claude', program, args: ['--version'] },
      c: { acp: [program] },
      d: { chat: 'http://127.0.0.1:9/v1', key: 'HOME' },
      e: { command: './tool.sh' },
    },
    gates: [{ name: 'g', run: canary(place, 'gate') }],
    setup: canary(place, 'setup'),
    commands: { allow: ['touch *'] },
    permit: ['tests'],
    pass_env: ['HOME'],
    procedures: { own: { extends: 'ooda', phases: { act: { title: 'x' } } } },
  }))
  for (const [key, value] of [
    ['core.fsmonitor', canary(place, 'fsmonitor')],
    ['core.hooksPath', '.hooks'],
    ['core.pager', canary(place, 'pager')],
    ['core.sshCommand', canary(place, 'ssh')],
    ['filter.c.clean', canary(place, 'clean')],
    ['filter.c.smudge', canary(place, 'smudge')],
    ['diff.c.textconv', canary(place, 'textconv')],
    ['diff.external', canary(place, 'external')],
  ] as const) git(place.repo, 'config', key, value)
  for (const path of ['claude', 'git', 'node_modules/.bin/codex']) {
    place.write(path, `#!/bin/sh\n${canary(place, `path-${path.split('/').at(-1)}`)}\n`)
    chmodSync(join(place.repo, path), 0o755)
  }
  place.write('.gitattributes', '* filter=c diff=c\n')
  for (const hook of ['pre-commit', 'post-checkout', 'post-index-change', 'reference-transaction']) {
    place.write(`.hooks/${hook}`, `#!/bin/sh\n${canary(place, hook)}\n`)
    chmodSync(join(place.repo, '.hooks', hook), 0o755)
  }
}

describe('the files of a repository', () => {
  it('run nothing by commands that only look, nor by a dry run, whatever they name.', async () => {
    const place = makePlace()
    git(place.repo, 'init', '-q')
    plant(place)
    const looking = [
      ['--help'], ['run', '--help'], ['status'], ['sessions'], ['doctor'], ['agents'], ['config'], ['procedures', 'show', 'own'], ['trust', 'show'], ['completion', 'bash'], ['schema'],
      ['run', 'x', '--dry-run'], ['run', 'own', 'x', '--dry-run', '--agent', 'e'],
    ]
    const env = { PATH: `.::node_modules/.bin:${process.env['PATH'] ?? ''}`, ANTHROPIC_API_KEY: 'x', CODEX_API_KEY: 'x', IS_SANDBOX: '1' }
    const ended = await Promise.all(looking.map((args) => place.run(args, { ...UNTRUSTED, env })))
    expect(canaries(place)).toEqual([])
    expect(place.starts('planted')).toEqual([])
    const dry = ended.at(-2)
    expect(dry).toMatchObject({ code: 0 })
    expect(dry?.stderr).toContain('is not trusted yet')
  })

  it('are refused with 6 by whatever would run them, until they are trusted; one changed byte is refused again.', async () => {
    const place = makePlace()
    git(place.repo, 'init', '-q')
    plant(place)
    const run = ['run', 'ooda', 'x', '--max-iterations', '1']
    const acting = [run, ['open', 'ooda', 'x'], ['doctor', '--gates'], ['doctor', '--agent', 'a'], [...run, '--yes'], [...run, '--trust', 'a'.repeat(64)]]
    for (const { code, stderr } of await Promise.all(acting.map((args) => place.run(args, UNTRUSTED)))) {
      expect(code).toBe(6)
      expect(stderr).toMatch(/not trusted yet[^]*next: greenlatch trust/)
    }
    expect(canaries(place)).toEqual([])
    expect(await place.run(['trust', 'grant'], UNTRUSTED)).toMatchObject({ code: 6 })
    expect(await place.run(['trust', 'grant', '--yes'], { ...UNTRUSTED, env: { GREENLATCH_TREE: 'an agent' } })).toMatchObject({ code: 6 })
    place.write('tool.sh', '#!/bin/sh\n')
    rmSync(join(place.repo, '.git'), { recursive: true })
    mkdirSync(join(place.repo, '.git'))
    const shown = JSON.parse((await place.run(['trust', 'show', '--json'], UNTRUSTED)).stdout) as { hash: string; trusted: boolean; parts: object }
    expect(shown).toMatchObject({ trusted: false, parts: { 'gates.g': { run: canary(place, 'gate') }, setup: canary(place, 'setup'), 'agents.d': { key: 'HOME' } } })
    expect(await place.run(run, { ...UNTRUSTED, env: { GREENLATCH_TRUST: `${'0'.repeat(64)},${shown.hash}` } })).toMatchObject({ code: 0 })
    expect(canaries(place)).toEqual(expect.arrayContaining(['gate', 'setup', 'program']))
    expect(await place.run(['trust', 'grant', '--yes'], UNTRUSTED)).toMatchObject({ code: 0, stdout: `trusted  ${shown.hash}\n` })
    const [file = ''] = readdirSync(join(place.state, 'trust'))
    expect(statSync(join(place.state, 'trust', file)).mode & 0o777).toBe(0o600)
    const settings = readFileSync(join(place.repo, 'greenlatch.yaml'), 'utf8')
    place.write('greenlatch.yaml', settings.replace('"agent":"a"', '"default_iterations":7,"agent":"a"'))
    expect(await place.run([...run, '--fresh'], UNTRUSTED)).toMatchObject({ code: 0 })
    place.write('greenlatch.yaml', settings.replace('/gate"', '/gatf"'))
    const changed = await place.run([...run, '--fresh'], UNTRUSTED)
    expect(changed).toMatchObject({ code: 6 })
    expect(changed.stderr).toContain('has changed since it was trusted (gates.g)')
    place.write('greenlatch.yaml', settings)
    place.write('tool.sh', '#!/bin/sh\ntrue\n')
    expect((await place.run([...run, '--fresh'], UNTRUSTED)).stderr).toContain('(agents.e)')
  })

  it('are asked about at a terminal; what is on the command line and in the own settings of the user needs no trust.', async () => {
    const place = makePlace()
    git(place.repo, 'init', '-q')
    place.write('greenlatch.yaml', 'gates: [{ name: g, run: "true" }]\n')
    const agent = place.program('agent', 'true')
    const args = ['run', 'ooda', 'x', '--max-iterations', '1', '--ai-cmd', agent, '--ui', 'stream']
    const refused = place.startInTerminal(args, UNTRUSTED)
    await refused.says(/Trust this/)
    refused.type('n\n')
    expect(await refused.ended).toMatchObject({ code: 6 })
    const granted = place.startInTerminal(args, UNTRUSTED)
    await granted.says(/Trust this/)
    granted.type('y\n')
    expect(await granted.ended).toMatchObject({ code: 0 })
    writeFileSync(join(place.repo, 'greenlatch.yaml'), '')
    mkdirSync(join(place.home, '.config/greenlatch'), { recursive: true })
    writeFileSync(join(place.home, '.config/greenlatch/config.yaml'), 'gates: [{ name: mine, run: "true" }]\n')
    expect(await place.run([...args, '--fresh'], UNTRUSTED)).toMatchObject({ code: 0 })
  })
})

describe('a session', () => {
  it('goes on with what was trusted when it began; agents that are taken from the settings of now need trust, and so do sessions that a repository brings.', async () => {
    const place = makePlace()
    git(place.repo, 'init', '-q')
    place.write('greenlatch.yaml', `gates: [{ name: g, run: "true" }]\nagent: a\nagents: { a: { command: ${place.program('a', 'true')} } }\n`)
    await place.run(['open', 'ooda', 'x', '--max-iterations', '2'])
    place.write('greenlatch.yaml', `gates: [{ name: g, run: "false" }]\nagent: a\nagents: { a: { command: ${place.program('b', 'true')} } }\n`)
    expect(await place.run(['step'], UNTRUSTED)).toMatchObject({ code: 0 })
    expect(await place.run(['resume', '--agent', 'a'], UNTRUSTED)).toMatchObject({ code: 6 })
    expect(place.starts('b')).toEqual([])
    expect(await place.run(['resume'], UNTRUSTED)).toMatchObject({ code: 0 })
    place.write('greenlatch.yaml', `stateDir: ${place.state}\n`)
    const elsewhere = { ...UNTRUSTED, env: { GREENLATCH_STATE_HOME: '' } }
    expect(await place.run(['status'], elsewhere)).toMatchObject({ code: 0 })
    for (const verb of ['resume', 'step', 'verify']) expect(await place.run([verb], elsewhere)).toMatchObject({ code: 6 })
  })

  it('takes the hash that was typed into the background, where the settings of now need trust again.', async () => {
    const place = makePlace()
    git(place.repo, 'init', '-q')
    place.write('greenlatch.yaml', 'hooks: { told: { on: converged, run: "true" } }\n')
    const { hash } = JSON.parse((await place.run(['trust', 'show', '--json'], UNTRUSTED)).stdout) as { hash: string }
    const words = ['ooda', 'x', '--max-iterations', '1', '--ai-cmd', place.program('agent', 'true'), '--trust', hash]
    const begun = await place.run(['run', ...words, '--detach'], UNTRUSTED)
    expect(begun, begun.stderr).toMatchObject({ code: 0 })
    expect(await place.run(['status', '--wait'], UNTRUSTED)).toMatchObject({ code: 0 })
    await place.run(['open', ...words], UNTRUSTED)
    const resumed = await place.run(['resume', '--trust', hash, '--detach'], UNTRUSTED)
    expect(resumed, resumed.stderr).toMatchObject({ code: 0 })
    expect(await place.run(['status', '--wait'], UNTRUSTED)).toMatchObject({ code: 0 })
  })
})

describe('gates in AGENTS.md', () => {
  it('RO-16 are inert until they are trusted, and then run as those of the settings do.', async () => {
    const place = makePlace()
    place.write('AGENTS.md', `# For agents\n\n\`\`\`yaml greenlatch\ngates:\n  - { name: told, run: "touch ${join(place.root, 'ran')}; exit 1" }\n\`\`\`\n`)
    const run = ['run', 'ooda', 'x', '--ai-cmd', place.program('agent', 'true')]
    const refused = await place.run(run, UNTRUSTED)
    expect(refused).toMatchObject({ code: 6 })
    expect(refused.stderr).toContain('what AGENTS.md would run or permit is not trusted yet')
    expect(existsSync(join(place.root, 'ran'))).toBe(false)
    const ended = await place.run(run)
    expect(ended).toMatchObject({ code: 3 })
    expect(existsSync(join(place.root, 'ran'))).toBe(true)
    expect(await place.run([...run, '--fresh', '--max-iterations', '1', '--gate', 'true'], UNTRUSTED)).toMatchObject({ code: 0 })
  })
})
