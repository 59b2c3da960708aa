// Disks that are full, out of file names, read-only or broken while a session works on them: it stops and says why, and goes on afterwards.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fsck, stateOf, differences } from './repository.mjs'
import { STORIES } from './stories.mjs'
import { greenlatch, journalIn, makeWorld, storeIn } from './world.mjs'

const MEBIBYTE = 1024 * 1024
const SIZE = 64 * MEBIBYTE

/**
 * `before` makes the trouble and returns what takes it away. `wrapper` stands before the command, and is given a file for a log. `codes` are right
 * ends of the first attempt. `endsWhenHit`: a call that failed is never tried again and believed.
 */
function casesFor(size) {
  const left = size === 'full' ? [0, 20, 100, 300, 600, 1200, 4000, 12_000, 20_000] : [0, 600]
  const syncs = size === 'full' ? Array.from({ length: 36 }, (_, at) => at + 1) : [3]
  const files = size === 'full' ? [32, 36, 40, 48, 64, 96] : [40]
  const eio = (call, nth) => ({ name: `EIO on ${call}`, at: nth, wrapper: (log) => ['strace', '-qq', '-f', '-o', log, '-e', `trace=${call}`, '-e', `inject=${call}:error=EIO:when=${nth}`], codes: [0, 10], endsWhenHit: true })
  return [
    ...left.map((kilobytes) => ({ name: 'no space (ENOSPC)', at: `${kilobytes} KB left`, before: (folder) => fill(folder, kilobytes * 1024), codes: [0, 10] })),
    ...left.slice(0, 4).map((names) => ({ name: 'no file names (inodes)', at: `${names} left`, before: (folder) => useUpNames(folder, names), codes: [0, 10] })),
    ...syncs.slice(0, 24).map((nth) => eio('fdatasync', nth)),
    ...syncs.map((nth) => eio('fsync', nth)),
    ...syncs.slice(0, 12).map((nth) => ({ name: 'quota (EDQUOT)', at: nth, wrapper: () => ['strace', '-qq', '-o', '/dev/null', '-e', 'trace=mkdir,rename', '-e', `inject=mkdir,rename:error=EDQUOT:when=${nth}`], codes: [0, 10] })),
    ...files.map((most) => ({ name: 'too many open files (EMFILE)', at: most, wrapper: () => ['prlimit', `--nofile=${most}`], codes: 'any' })),
    { name: 'read-only', at: 'from the start', before: readOnly, codes: [10, 2] },
  ]
}

function fill(folder, leave) {
  const path = join(folder, 'filler')
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(path, Buffer.alloc(Math.max(0, bavail * bsize - leave)))
  return () => rmSync(path)
}

function useUpNames(folder, leave) {
  const room = join(folder, 'names')
  mkdirSync(room)
  for (let at = 0; statfsSync(folder).ffree > leave; at += 1) writeFileSync(join(room, String(at)), '')
  return () => rmSync(room, { recursive: true })
}

function readOnly(folder) {
  mount('-o', 'remount,ro', folder)
  return () => mount('-o', 'remount,rw', folder)
}

function mount(...args) {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${stderr.trim()}`)
}

export async function breakDisks(size) {
  const results = []
  for (const one of casesFor(size)) results.push({ name: one.name, ...(await trial(one)) })
  return [...new Set(results.map(({ name }) => name))].map((name) => {
    const own = results.filter((result) => result.name === name)
    return { name, tried: own.length, stopped: own.filter(({ isStopped }) => isStopped).length, faults: own.flatMap(({ faults }) => faults) }
  })
}

async function trial({ name, at, before, wrapper = () => [], codes, endsWhenHit = false }) {
  const disk = mkdtempSync(join(tmpdir(), 'greenlatch-broken-'))
  mount('-t', 'tmpfs', '-o', `size=${SIZE},nr_inodes=4000`, 'tmpfs', disk)
  const world = makeWorld(disk)
  const faults = []
  const log = `${disk}.log`
  const check = (isRight, text) => isRight || faults.push(`${name}, ${at}: ${text}`)
  try {
    mkdirSync(world.state)
    const user = stateOf(world.work)
    const restore = before?.(disk)
    const calls = () => world.logged().split('\n').length
    const first = await greenlatch(world, STORIES.run.next(world), wrapper(log))
    const asked = calls()
    const said = `${first.stderr}${first.stdout.split('\n').slice(-2).join('\n')}`
    check(codes === 'any' || codes.includes(first.code), `exit ${first.code ?? first.signal}: ${said.trim().slice(-400)}`)
    if (endsWhenHit && existsSync(log) && readFileSync(log, 'utf8').includes('INJECTED')) check(first.code === 10, `exit ${first.code} though a sync failed: ${said.trim().slice(-300)}`)
    check(!/^ {4}at /m.test(first.stderr), `a stack trace: ${first.stderr.trim().slice(0, 300)}`)
    check(first.code === 0 || /next\b/.test(said), `no next command: ${said.trim().slice(-300)}`)
    if (/no space|inodes/.test(name) && first.code === 10) check(/need .*have /.test(said), `neither need nor have: ${said.trim().slice(-300)}`)
    if (name === 'read-only') check(asked === 1, 'an agent was asked')
    restore?.()
    for (let tries = 0; tries < 3 && STORIES.run.next(world) !== null; tries += 1) await greenlatch(world, STORIES.run.next(world))
    check(STORIES.run.next(world) === null, 'it does not come to its end afterwards')
    check(differences(user, stateOf(world.work)).length === 0, "the user's repository changed")
    if (storeIn(world)) for (const text of fsck(storeIn(world))) check(false, `fsck of the store: ${text}`)
    check(journalIn(world).length >= 1, 'there is no session')
    return { isStopped: first.code !== 0, faults }
  } catch (error) {
    return { isStopped: true, faults: [`${name}, ${at}: ${error.stack}`] }
  } finally {
    spawnSync('umount', ['-l', disk])
    world.remove()
    rmSync(log, { force: true })
    if (existsSync(disk)) rmSync(disk, { recursive: true, force: true })
  }
}
