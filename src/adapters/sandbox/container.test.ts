// Tests of the command line of containers, and of what becomes of one that cannot be made; real ones are made by test/sandbox-container.test.ts.
import { chmodSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { container } from './container.js'
import { containerArgv, variablesInside } from './container-argv.js'
import { makeTrial } from './fixture.js'

// Before anything is started: an environment is read once.
Object.assign(process.env, { JAVA_HOME: '/usr/lib/jvm', DOCKER_HOST: 'tcp://x', LANG: 'C.UTF-8' })

const PLAN = {
  program: '/usr/bin/podman', image: 'node:22', name: 'n', cwd: '/w/a', variables: ['LANG', 'CI'], network: 'none' as const, set: { HOME: '/h', PATH: '/p' }, own: { files: 7, processes: 8 },
  folders: [{ from: '/w', to: '/w', may: 'write' as const }, { from: '/r,x', to: '/r,x', may: 'read' as const }],
  limits: { processes: 10, memoryMegabytes: 20, fileMegabytes: 0 }, argv: ['sh', '-c', 'x; y'],
}

describe('a container', () => {
  it('AC-07 has no network, no rights and no file of the machine but those it is given', () => {
    const words = containerArgv(PLAN).join(' ')
    expect(words).toMatch(/^\/usr\/bin\/podman run --rm --interactive --init --name n --network none --read-only --cap-drop ALL --security-opt no-new-privileges/)
    expect(words).toContain(' --pids-limit 10 --memory 20m --ulimit nofile=7:7 --ulimit nproc=8:8 --mount type=bind,"source=/w","target=/w" --mount type=bind,"source=/r,x","target=/r,x",readonly --env LANG --env CI --env HOME=/h --env PATH=/p --workdir /w/a --entrypoint sh node:22 -c x; y')
    expect(words).not.toContain('fsize')
    expect(words).toContain(process.getuid?.() === 0 ? '--user 0:0' : '--userns keep-id')
    const docker = containerArgv({ ...PLAN, program: 'docker', network: 'host' }).join(' ')
    expect(docker).toMatch(/--network host .*--user \d+:\d+/)
    expect(docker).not.toContain('--ulimit')
  })

  it('is told no path of this machine but those it is asked for, and finds programs where its image has them', () => {
    const told = variablesInside({ PATH: `/shims:${process.env['PATH']}`, REPORTS: '/reports', XDG_CONFIG_HOME: '/c' }, { cwd: '/w', home: '/h', ofImage: ['A=b', 'PATH=/go/bin:/bin'] })
    expect(told.set).toEqual({ HOME: '/h', XDG_CONFIG_HOME: '/c', PATH: '/shims:/go/bin:/bin' })
    expect(told.variables).toEqual(expect.arrayContaining(['PWD', 'REPORTS', 'LANG']))
    expect(told.variables).not.toContain('JAVA_HOME')
    expect(told.variables).not.toContain('DOCKER_HOST')
  })

  it('is asked for with the checkout alone, is taken away at the end, and says when it cannot be made', async () => {
    const { ground, sh, file, root } = makeTrial()
    const log = `${root}/asked`
    const program = file('podman', `#!/bin/sh\nfor word; do echo "$word"; done >> ${log}\necho Error: no such image >&2; exit 125\n`)
    chmodSync(program, 0o755)
    const result = await sh(container(ground, { program, image: 'none' }), 'echo x')
    expect(result).toMatchObject({ ending: 'unstartable', note: 'the container cannot be made: Error: no such image' })
    const created = file('late/podman', '#!/bin/sh\necho "Error: runc: create failed" >&2; exit 126\n')
    chmodSync(created, 0o755)
    expect(await sh(container(ground, { program: created, image: 'none' }), 'echo x')).toMatchObject({ ending: 'unstartable', note: 'the container cannot be made: Error: runc: create failed' })
    const asked = readFileSync(log, 'utf8')
    expect(asked).toContain(`type=bind,"source=${root}/state/checkouts/s1","target=${root}/state/checkouts/s1"\n`)
    expect(asked).not.toContain(`${root}/repo`)
    expect(asked).toMatch(/^image\ninspect\n/)
    expect(asked).toMatch(/\nrm\n--force\ngreenlatch-[0-9a-f]{16}\n$/)
  })

  it('takes an image that tells nothing of its variables for one that has none', async () => {
    const { ground, sh, file } = makeTrial()
    const program = file('podman', '#!/bin/sh\n[ "$1" = run ] && echo made\nexit 0\n')
    chmodSync(program, 0o755)
    expect(await sh(container(ground, { program, image: 'none' }), 'true')).toMatchObject({ ending: 'exited', exitCode: 0 })
  })

  it('tells of an address that it may not reach once, however often it is tried', async () => {
    const { ground, sh, file } = makeTrial()
    const program = file('podman', `#!${process.execPath}
const [, socket] = /"source=([^"]*)","target=\\/run\\/greenlatch"/.exec(process.argv.join(' ')) ?? []
const ask = () => new Promise((done) => {
  const near = require('node:net').connect(socket + '/proxy', () => near.write('CONNECT other.example:443 HTTP/1.1\\r\\n\\r\\n'))
  near.on('data', () => {}).on('close', done)
})
if (process.argv[2] === 'image') console.log('null')
if (socket) ask().then(ask)
`)
    chmodSync(program, 0o755)
    const box = container(ground, { program, image: 'none' })
    const reach = { network: { hosts: ['api.example.com'] } }
    const denied = [...(await sh(box, 'true', reach)).denied, ...(await sh(box, 'true', reach)).denied]
    expect(denied).toEqual(['other.example:443'])
  })
})
