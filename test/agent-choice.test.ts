// Who answers, and by whose word: aliases, flags, environment, files and what is found on the machine.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLI_NAMES } from '../src/config/types.js'
import { makePlace, type Options, type Place } from './support/cli.js'

/** What a dry run says of the command, which it does not start. */
async function chosen(place: Place, flags: readonly string[], options?: Options): Promise<string> {
  const { code, stdout, stderr } = await place.run(['run', 'ooda', '--dry-run', ...flags], options)
  expect(code, stderr).toBe(0)
  return /Would execute with: (.*)/.exec(stdout)?.[1] ?? ''
}

/** A program of that name on PATH, and a login of it. */
function installed(place: Place, name: string): Options {
  const bin = join(place.root, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, name), '#!/bin/sh\nexit 1\n')
  chmodSync(join(bin, name), 0o755)
  return { env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } }
}

describe('who answers', () => {
  it('RO-21 can be said with the name of any common agent, and its whole command line and the origin of the choice are printed', async () => {
    const place = makePlace()
    const commands = await Promise.all(CLI_NAMES.map((name) => chosen(place, ['--ai-cmd-alias', name])))
    expect(commands.map((command) => command.split(' ')[0])).toEqual([...CLI_NAMES])
    expect(commands.every((command) => command.endsWith(' (from --ai-cmd-alias)'))).toBe(true)
    expect(commands[0]).toBe('claude -p --output-format stream-json --verbose --dangerously-skip-permissions (from --ai-cmd-alias)')
  })

  it('RO-21 is decided by a flag, the environment, the project, the user and what is installed, in this order, each named as the origin', async () => {
    const place = makePlace()
    const codex = installed(place, 'codex')
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
    expect(await chosen(place, [])).toMatch(/^codex .*\(from greenlatch\.yaml:1\)$/)
    expect(await chosen(place, ['--agent', 'claude'])).toMatch(/^claude .*\(from --agent\)$/)
    expect(await chosen(place, ['--ai-cmd-alias', 'claude'])).toMatch(/^claude .*\(from --ai-cmd-alias\)$/)
    expect(await chosen(place, ['--agent', 'implementer=claude'])).toMatch(/^claude .*\(from --agent\)$/)
  })

  it('RO-21 is told which model to use by a flag, over the settings; one that takes none is refused', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'agents: { claude: { cli: claude, model: sonnet } }\n')
    expect(await chosen(place, ['--agent', 'claude'])).toContain('--model sonnet ')
    expect(await chosen(place, ['--agent', 'claude', '--model', 'opus'])).toContain('--model opus ')
    const refused = await place.run(['run', 'ooda', '--dry-run', '--ai-cmd', 'true', '--model', 'opus'])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('"ai-cmd" cannot be told which model to use') as string })
  })

  it('RO-21 is printed with its origin for as long as the session is kept', async () => {
    const place = makePlace()
    await place.run(['open', 'ooda', '--ai-cmd', 'true'])
    expect((await place.run(['status'])).stdout).toContain('implementer: ai-cmd (from --ai-cmd)')
  })

  it('is asked for by a name that nobody has: the nearest is offered', async () => {
    const refused = await makePlace().run(['run', 'ooda', '--ai-cmd-alias', 'cluade'])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean "claude"') as string })
  })
})
