// An image for containers made of programs of this machine, for tests that make real ones: no registry is asked.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const PROGRAMS = ['sh', 'cat', 'env', 'grep', 'ls', 'sed', 'setsid', 'sleep', 'git']

/** Its name, and how it is taken away again. */
export function makeImage(): { image: string; remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'greenlatch-image-'))
  const image = `localhost/greenlatch-test-${randomBytes(4).toString('hex')}`
  try {
    for (const folder of ['usr/bin', 'usr/lib', 'usr/lib64', 'tmp', 'run', 'etc']) mkdirSync(join(root, folder), { recursive: true })
    for (const name of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name))
    copyProgram(root, process.execPath, 'node')
    for (const name of PROGRAMS) copyProgram(root, output('sh', ['-c', `command -v ${name}`]).trim(), name)
    output('sh', ['-c', 'tar -C "$1" -c . | podman import --quiet - "$2"', 'sh', root, image])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  return { image, remove: () => void spawnSync('podman', ['rmi', '--force', image]) }
}

/** A program with the libraries that it is linked with. */
function copyProgram(root: string, path: string, name: string): void {
  copyFileSync(realpathSync(path), join(root, 'usr/bin', name))
  for (const [, library = ''] of output('ldd', [path]).matchAll(/(\/\S+) \(0x/g)) {
    const to = join(root, library)
    if (existsSync(to)) continue
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(realpathSync(library), to)
  }
}

function output(program: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
  return stdout
}
