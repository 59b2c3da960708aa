// Tests of the command line of containers, and of what becomes of one that cannot be made. No container is made here.
import { chmodSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { container, containerArgv } from './container.js'
import { makeTrial } from './fixture.js'

const PLAN = {
  program: '/usr/bin/podman', image: 'node:22', name: 'n', cwd: '/w/a', variables: ['HOME', 'CI'], network: 'none' as const,
  folders: [{ from: '/w', to: '/w', may: 'write' as const }, { from: '/r,x', to: '/r,x', may: 'read' as const }],
  limits: { processes: 10, memoryMegabytes: 20, fileMegabytes: 0 }, argv: ['sh', '-c', 'x; y'],
}

describe('a container', () => {
  it('AC-07 has no network, no rights and no file of the machine but those it is given', () => {
    const words = containerArgv(PLAN).join(' ')
    expect(words).toMatch(/^\/usr\/bin\/podman run --rm --interactive --init --name n --network none --read-only --cap-drop ALL --security-opt no-new-privileges/)
    expect(words).toContain('--userns keep-id --pids-limit 10 --memory 20m --mount type=bind,"source=/w","target=/w" --mount type=bind,"source=/r,x","target=/r,x",readonly --env HOME --env CI --workdir /w/a --entrypoint sh node:22 -c x; y')
    expect(words).not.toContain('fsize')
    expect(containerArgv({ ...PLAN, program: 'docker', network: 'host' }).join(' ')).toMatch(/--network host .*--user \d+:\d+/)
  })

  it('is asked for with the checkout alone, is taken away at the end, and says when it cannot be made', async () => {
    const { ground, sh, file, root } = makeTrial()
    const log = `${root}/asked`
    const program = file('podman', `#!/bin/sh\nfor word; do echo "$word"; done >> ${log}\necho Error: no such image >&2; exit 125\n`)
    chmodSync(program, 0o755)
    const result = await sh(container(ground, { program, image: 'none' }), 'echo x')
    expect(result).toMatchObject({ ending: 'unstartable', note: 'the container cannot be made: Error: no such image' })
    const asked = readFileSync(log, 'utf8')
    expect(asked).toContain(`type=bind,"source=${root}/state/checkouts/s1","target=${root}/state/checkouts/s1"\n`)
    expect(asked).not.toContain(`${root}/repo`)
    expect(asked).toMatch(/\nrm\n--force\ngreenlatch-[0-9a-f]{16}\n$/)
  })
})
