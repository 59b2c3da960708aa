// A place to try a sandbox in: a home with a secret, a repository, our state, a checkout, and a shell that tries things in it.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../../files/fixture.js'
import type { Confined, Reach, Sandbox } from '../../ports.js'
import type { ProcessResult } from '../../process/types.js'
import type { Ground } from './ground.js'

export type Tried = ProcessResult & { out: string; denied: string[] }

export type Trial = {
  root: string
  ground: Ground
  file(path: string, text?: string): string
  /** Runs a line of shell in the checkout. */
  sh(sandbox: Sandbox, line: string, reach?: Partial<Reach>, more?: Partial<Confined>): Promise<Tried>
}

export function makeTrial(changes: Partial<Ground> = {}): Trial {
  const root = realpathSync(temporaryFolder())
  const file = (path: string, text = ''): string => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    return join(root, path)
  }
  file('home/.ssh/id_ed25519', 'the key\n')
  file('repo/.git/config', 'theirs\n')
  file('state/journal.jsonl', 'the journal\n')
  file('state/checkouts/other/file', 'of another session\n')
  const checkout = dirname(file('state/checkouts/s1/sum.txt', '1\n'))
  const ground: Ground = {
    home: join(root, 'home'),
    hidden: [join(root, 'repo'), join(root, 'state')],
    read: [],
    write: [],
    workOf: () => ({ folder: checkout, fixed: [], home: 'kept' }),
    allow: [],
    limits: { processes: 200, memoryMegabytes: 0, fileMegabytes: 64 },
    ...changes,
  }
  return {
    root,
    ground,
    file,
    async sh(sandbox, line, reach = {}, more = {}) {
      const denied: string[] = []
      const result = await sandbox.run({
        argv: ['/bin/sh', '-c', line],
        cwd: checkout,
        limits: { wallSeconds: 30, silenceSeconds: 30, outputBytes: 1024 * 1024 },
        reach: { network: 'none', ...reach },
        onDenied: (address) => denied.push(address),
        ...more,
        env: { HOME: ground.home, ...more.env },
      })
      return { ...result, out: (result.stdout.text + result.stderr.text).trim(), denied }
    },
  }
}
