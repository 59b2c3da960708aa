// Who answers, and by whose word: aliases, flags, environment, files and what is found on the machine.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLI_NAMES } from '../src/agent-entry.js'
import { makePlace, type Options, type Place } from './support/cli.js'

/** What a dry run says of the command, which it does not start. */
async function chosen(place: Place, flags: readonly string[], options?: Options): Promise<string> {
  const { code, stdout, stderr } = await place.run(['run', 'ooda', '--dry-run', ...flags], options)
  expect(code, stderr).toBe(0)
  return /Would execute with: (.*)/.exec(stdout)?.[1] ?? ''
}

/** Programs of these names on PATH. As root Claude Code has to be told that it may do as it likes. */
function installed(place: Place, ...names: string[]): Required<Pick<Options, 'env'>> {
  const bin = join(place.root, 'bin')
  mkdirSync(bin, { recursive: true })
  for (const name of names) {
    writeFileSync(join(bin, name), '#!/bin/sh\nexit 1\n')
    chmodSync(join(bin, name), 0o755)
  }
  return { env: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, IS_SANDBOX: '1' } }
}

describe('who answers', () => {
  it('RO-21 can be said with the name of any common agent, and its whole command line and the origin of the choice are printed', async () => {
    const place = makePlace()
    const all = installed(place, ...CLI_NAMES)
    const commands = await Promise.all(CLI_NAMES.map((name) => chosen(place, ['--ai-cmd-alias', name], all)))
    expect(commands.map((command) => command.split(' ')[0])).toEqual([...CLI_NAMES])
    expect(commands.every((command) => command.endsWith(' (from --ai-cmd-alias)'))).toBe(true)
    expect(commands[0]).toBe('claude -p --output-format stream-json --verbose --dangerously-skip-permissions (from --ai-cmd-alias)')
  })

  it('RO-21 is decided by a flag, the environment, the project, the user and what is installed, in this order, each named as the origin', async () => {
    const place = makePlace()
    const codex = installed(place, 'codex', 'gemini', 'qwen', 'pi', 'goose')
    mkdirSync(join(place.home, '.codex'))
    writeFileSync(join(place.home, '.codex/auth.json'), '{}')
    expect(await chosen(place, [], codex)).toMatch(/^codex exec .*\(from .*bin\/codex, logged in by ~\/\.codex\/auth\.json\)$/)
    mkdirSync(join(place.home, '.config/greenlatch'), { recursive: true })
    writeFileSync(join(place.home, '.config/greenlatch/config.yaml'), 'agent: gemini\n')
    expect(await chosen(place, [], codex)).toMatch(/^gemini .*\(from ~?.*config\.yaml:1\)$/)
    place.write('greenlatch.yaml', 'agent: qwen\n')
    expect(await chosen(place, [], codex)).toMatch(/^qwen .*\(from greenlatch\.yaml:1\)$/)
    const environment = { env: { ...codex.env, GREENLATCH_AGENT: 'pi' } }
    expect(await chosen(place, [], environment)).toMatch(/^pi .*\(from GREENLATCH_AGENT\)$/)
    expect(await chosen(place, ['--agent', 'goose'], environment)).toMatch(/^goose .*\(from --agent\)$/)
    expect(await chosen(place, ['--ai-cmd', 'cat notes'], environment)).toBe('cat notes (from --ai-cmd)')
  })

  it('RO-21 is decided by the flag even where a file names somebody for the very role', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'agent: { implementer: codex }\n')
    const both = installed(place, 'codex', 'claude')
    expect(await chosen(place, [], both)).toMatch(/^codex .*\(from greenlatch\.yaml:1\)$/)
    expect(await chosen(place, ['--agent', 'claude'], both)).toMatch(/^claude .*\(from --agent\)$/)
    expect(await chosen(place, ['--ai-cmd-alias', 'claude'], both)).toMatch(/^claude .*\(from --ai-cmd-alias\)$/)
    expect(await chosen(place, ['--agent', 'implementer=claude'], both)).toMatch(/^claude .*\(from --agent\)$/)
  })

  it('RO-21 is told which model to use by a flag, over the settings; one that takes none is refused', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'agents: { claude: { cli: claude, model: sonnet } }\n')
    const claude = installed(place, 'claude')
    expect(await chosen(place, ['--agent', 'claude'], claude)).toContain('--model sonnet ')
    expect(await chosen(place, ['--agent', 'claude', '--model', 'opus'], claude)).toContain('--model opus ')
    const refused = await place.run(['run', 'mend it', '--gate', 'false', '--dry-run', '--ai-cmd', 'true', '--model', 'opus'])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--model: "ai-cmd" cannot be told which model to use') as string })
  })

  it('RO-21 is printed with its origin for as long as the session is kept', async () => {
    const place = makePlace()
    await place.run(['open', 'ooda', '--ai-cmd', 'true'])
    expect((await place.run(['status'])).stdout).toContain('implementer: ai-cmd (from --ai-cmd)')
  })

  it('is asked for by a name that nobody has: the nearest is offered, with who named it and where those are listed that there are', async () => {
    const place = makePlace()
    const by = async (...flags: string[]): Promise<string> => (await place.run(['run', 'ooda', ...flags])).stderr
    const said = (origin: string): string => `greenlatch: there is no agent "cluade" (did you mean "claude"?); named by ${origin}\n  next: greenlatch agents\n`
    expect(await by('--ai-cmd-alias', 'cluade')).toBe(said('--ai-cmd-alias'))
    expect(await by('--agent', 'implementer=cluade')).toBe(said('--agent'))
    place.write('greenlatch.yaml', 'default_iterations: 1\nagent: cluade\n')
    expect(await by()).toBe(said('agent: in greenlatch.yaml:2'))
    place.write('greenlatch.yaml', 'agent: a\nagents:\n  a: { command: "true", fallback: cluade }\n')
    expect(await by()).toBe(said('agents.a.fallback: in greenlatch.yaml:3'))
  })

  it('is nobody where none is named and none is found: what was looked for and the ways on are said', async () => {
    const refused = await makePlace().run(['run', 'ooda'], { env: { PATH: '/usr/bin:/bin' } })
    expect(refused.code).toBe(2)
    for (const word of [...CLI_NAMES, '--url', '--ai-cmd', '--agent paste', 'greenlatch agents']) expect(refused.stderr).toContain(word)
    expect(refused.stderr).not.toContain('--agent repair')
  })

  it('may be known and not installed: the list of all of them comes next', async () => {
    const refused = await makePlace().run(['run', 'x', '--agent', 'claude', '--gate', 'true'], { env: { PATH: '/usr/bin:/bin' } })
    expect(refused.code).toBe(7)
    expect(refused.stderr).toMatch(/agent "claude" is not ready: claude is not an executable program, .*\n {2}next: greenlatch agents\n$/)
  })

  it('is said twice for the same role: that is refused, and the way to write a chain is named', async () => {
    const refused = await makePlace().run(['run', 'ooda', '--agent', 'codex', '--agent', 'claude'])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--agent: both "codex" and "claude" are to answer every role; "fallback:" in the entry of the first names who stands in for it') as string })
    const role = await makePlace().run(['run', 'ooda', '--agent', 'implementer=codex', '--agent', 'implementer=claude'])
    expect(role.stderr).toContain('are to answer as implementer')
  })

  it('is refused by a dry run for the same reasons as by a run', async () => {
    const place = makePlace()
    const { env } = installed(place, 'gemini')
    const same = async (...flags: string[]): Promise<string> => {
      const [dry, real] = [await place.run(['run', 'ooda', '--dry-run', ...flags], { env }), await place.run(['run', 'ooda', ...flags], { env })]
      expect([dry.code, dry.stderr.replace(' --dry-run', '')]).toEqual([real.code, real.stderr])
      return dry.stderr
    }
    expect(await same('--agent', 'codex')).toContain('agent "codex" is not ready')
    expect(await same('--agent', 'gemini', '--max-cost', '1')).toContain('--max-cost: what agent "gemini" costs is not known')
  })

  it('is told to programs: role, model and origin, by a dry run and by status', async () => {
    const place = makePlace()
    const options = installed(place, 'claude', 'codex')
    place.write('greenlatch.yaml', 'agent: claude\nagents: { claude: { cli: claude, model: opus, fallback: codex } }\n')
    const dry = JSON.parse((await place.run(['run', 'ooda', '--dry-run', '--json'], options)).stdout) as object
    const agents = [{ agent: 'claude', roles: ['implementer'], model: 'opus', version: null, cost: 'unknown', fallbacks: ['codex'] }]
    expect(dry).toMatchObject({ agents: [{ ...agents[0], cost: 'known' }], agents_from: 'greenlatch.yaml:1' })
    await place.run(['open', 'ooda'], options)
    expect(await place.status()).toMatchObject({ agents: [{ agent: 'claude', model: 'opus', fallbacks: ['codex'] }], agents_from: 'greenlatch.yaml:1' })
  })

  it('stands in the first lines of a run with version, model and origin; whoever was found has the origin said in ooda too', async () => {
    const place = makePlace()
    const { env } = installed(place)
    for (const name of ['codex']) {
      writeFileSync(join(place.root, 'bin', name), '#!/bin/sh\n[ "$1" = --version ] && echo "codex-cli 4.5.6"\nexit 0\n')
      chmodSync(join(place.root, 'bin', name), 0o755)
    }
    const run = ['--max-iterations', '1', '--failure-threshold', '1']
    const named = await place.run(['run', 'mend it', '--gate', 'false', '--agent', 'codex', '--model', 'big', ...run], { env: { ...env, CODEX_API_KEY: 'x' } })
    expect(named.stderr).toContain(' · agent codex 4.5.6, model big (from --agent) · ')
    const found = await place.run(['run', 'ooda', ...run], { env: { ...env, CODEX_API_KEY: 'x' } })
    expect(found.stderr).toMatch(/Starting procedure.*\n.*Agent: codex 4\.5\.6 \(from \S+bin\/codex, logged in by CODEX_API_KEY\)\n/)
  })

  it('costs nobody knows what: that is said, and not counted as nothing', async () => {
    const place = makePlace()
    await place.run(['run', 'ooda', '--max-iterations', '1', '--ai-cmd', 'true'])
    expect((await place.run(['status'])).stdout).toMatch(/^spent .* · what ai-cmd costs is not known$/m)
    expect(await place.status()).toMatchObject({ spent: { usd: null } })
    await place.run(['run', 'ooda', '--max-iterations', '1', '--agent', place.scripted([{ say: 'x' }])])
    expect(await place.status()).toMatchObject({ spent: { usd: 0 } })
  })

  it('is started without a login only with a word about it, and with the command that logs in', async () => {
    const place = makePlace()
    const options = installed(place, 'codex')
    const ended = await place.run(['run', 'ooda', '--agent', 'codex', '--max-iterations', '1'], options)
    expect(ended.stderr).toContain('warning: no login of codex was found; if it needs one: codex login, or set CODEX_API_KEY')
    const shown = await place.run(['run', 'ooda', '--agent', 'codex', '--dry-run'], options)
    expect(shown.stdout).toContain('[DRY RUN] WARNING: no login of codex was found')
  })
})
