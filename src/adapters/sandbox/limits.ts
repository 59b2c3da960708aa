// What a process in a sandbox may use up: by limits that the system sets for each process, and for all together where we may make groups.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { findExecutable } from '../../process/command-line.js'
import type { SandboxLimits } from './ground.js'

const MEGABYTE = 1024 * 1024
const CGROUPS = '/sys/fs/cgroup'
const LIMITS = '/proc/self/limits'
const MOST_NUMBERS = '/proc/sys/kernel/pid_max'
const MOST_FILES = 1_048_576

/** To be put in front of a command, inside. The number of processes counts for the whole sandbox, memory and file size for each process. */
export function limitWords({ processes, memoryMegabytes, fileMegabytes }: SandboxLimits): string[] {
  const prlimit = findExecutable('prlimit', process.env)
  if (prlimit === null) return []
  const limit = (name: string, value: number): string[] => (value > 0 ? [`--${name}=${value}:${value}`] : [])
  return [prlimit, '--core=0:0', ...limit('nproc', processes), ...limit('data', memoryMegabytes * MEGABYTE), ...limit('fsize', fileMegabytes * MEGABYTE)]
}

/** How many of each a process that we start may have at most. */
export type OwnLimits = { files: number; processes: number }

/** Null where it cannot be told. Podman takes no more processes than the system has numbers for, and cannot go back on that. */
export function ownLimits(): OwnLimits | null {
  if (!existsSync(LIMITS) || !existsSync(MOST_NUMBERS)) return null
  const text = readFileSync(LIMITS, 'utf8')
  const [files = 0, processes = 0] = ['open files', 'processes'].map((name) => Number(new RegExp(`^Max ${name} +\\S+ +(\\d+)`, 'm').exec(text)?.[1] ?? Infinity))
  const numbers = Number(readFileSync(MOST_NUMBERS, 'utf8'))
  return { files: Math.min(files, MOST_FILES), processes: Math.min(processes, numbers) }
}

/** A group of the system's that holds all processes of one sandbox; `joins` are the files by which a process comes into it. */
export type Group = { joins: string[]; remove(): Promise<void> }

type Controller = { folder: string; files: Record<string, string> }

/** Null where we may make none: mostly only root may. */
export function openGroup(limits: SandboxLimits): Group | null {
  if (process.getuid?.() !== 0) return null
  const name = `greenlatch-${randomBytes(6).toString('hex')}`
  const made = controllersFor(name, limits).filter(tryMake)
  if (made.length === 0) return null
  return { joins: made.map(({ folder }) => join(folder, 'cgroup.procs')), remove: () => removeGroups(made.map(({ folder }) => folder)) }
}

function controllersFor(name: string, { processes, memoryMegabytes }: SandboxLimits): Controller[] {
  const memory = memoryMegabytes > 0 ? String(memoryMegabytes * MEGABYTE) : null
  const pids = processes > 0 ? String(processes) : null
  if (existsSync(join(CGROUPS, 'cgroup.controllers'))) {
    return [{ folder: join(CGROUPS, name), files: { ...(pids && { 'pids.max': pids }), ...(memory && { 'memory.max': memory }) } }]
  }
  return [
    ...(pids ? [{ folder: join(CGROUPS, 'pids', ownPath('pids'), name), files: { 'pids.max': pids } }] : []),
    ...(memory ? [{ folder: join(CGROUPS, 'memory', ownPath('memory'), name), files: { 'memory.limit_in_bytes': memory } }] : []),
  ]
}

function ownPath(controller: string): string {
  const line = readFileSync('/proc/self/cgroup', 'utf8').split('\n').find((each) => each.split(':')[1]?.split(',').includes(controller))
  return line?.split(':').slice(2).join(':') ?? ''
}

function tryMake({ folder, files }: Controller): boolean {
  try {
    mkdirSync(folder)
  } catch {
    return false
  }
  try {
    for (const [name, value] of Object.entries(files)) writeFileSync(join(folder, name), value)
    return true
  } catch {
    rmdirSync(folder)
    return false
  }
}

const TRIES = 20

/** The last process may need a moment to be gone. */
async function removeGroups(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    for (let tried = 0; tried < TRIES && !isRemoved(folder); tried++) await sleep(5 + tried * 5)
  }
}

function isRemoved(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
