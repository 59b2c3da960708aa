// A disk that can lose its power: an image mounted through a loop device, which forgets at once whatever was not synced.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Size in MiB: the least that each takes. */
const SIZES = { ext4: 64, xfs: 320 }
export const KINDS = Object.keys(SIZES)
const MOST_TRIES = 100

/** Why no disk can be made here; null when one can. */
export function whyNoDisk() {
  if (process.platform !== 'linux') return `loop mounts need Linux, and this is ${process.platform}`
  if (process.getuid() !== 0) return 'loop mounts need root'
  const isMissing = (program) => spawnSync('/bin/sh', ['-c', `command -v ${program}`], { env: pathEnv() }).status !== 0
  const missing = ['mkfs.ext4', 'mkfs.xfs', 'xfs_io', 'mount', 'unshare'].filter(isMissing)
  if (missing.length > 0) return `${missing.join(', ')} missing: apt-get install e2fsprogs xfsprogs mount util-linux`
  try {
    for (const kind of KINDS) makeDisk(kind).remove()
    return null
  } catch (error) {
    return error.message
  }
}

/** Folders of administrators are often not on PATH. */
function pathEnv() {
  return { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` }
}

export function makeDisk(kind) {
  const folder = mkdtempSync(join(tmpdir(), 'greenlatch-disk-'))
  const [image, mounted] = [join(folder, 'image'), join(folder, 'mounted')]
  mkdirSync(mounted)
  const mount = () => run('mount', '-o', 'loop', '-t', kind, image, mounted)
  const remove = () => {
    spawnSync('umount', [mounted], { env: pathEnv() })
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    run('truncate', '-s', `${SIZES[kind]}M`, image)
    run(`mkfs.${kind}`, '-q', image)
    mount()
  } catch (error) {
    remove()
    throw error
  }
  return {
    folder: mounted,
    sync: () => run('sync', '-f', mounted),
    /** From here on nothing reaches the disk, and what had not reached it is lost. */
    cut: () => run('xfs_io', '-x', '-c', 'shutdown', mounted),
    /** Call when no process has anything open there. */
    async restart() {
      await unmount(mounted)
      mount()
    },
    remove,
  }
}

/** What was just killed may hold a file for a moment longer. */
async function unmount(folder) {
  for (let tries = 1; ; tries += 1) {
    const { status, stderr } = spawnSync('umount', [folder], { env: pathEnv(), encoding: 'utf8' })
    if (status === 0) return
    if (tries === MOST_TRIES) throw new Error(`umount: ${stderr.trim()}`)
    await sleep(50)
  }
}

function run(program, ...args) {
  const { status, error, stderr } = spawnSync(program, args, { env: pathEnv(), encoding: 'utf8' })
  if (error || status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr.trim()}`)
}
