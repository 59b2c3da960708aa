// Dependencies and clean copies of a session, made from its setup.
import { appendFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { openFolder } from '../adapters/journal/folder.js'
import { excludesPath } from '../adapters/workspace/checkout-mark.js'
import type { DependencyPlan, firstDependencies } from '../adapters/workspace/copy-dependencies.js'
import { copyFolders, dependencyFolders, type Copied } from '../adapters/workspace/dependencies.js'
import { giveDependencies } from '../adapters/workspace/dependencies-kept.js'
import { limitsOf } from './agents-and-gates.js'
import { handedOn } from '../process/environment.js'
import { sandboxFor } from './sandbox.js'
import type { Setup } from './setup.js'
import { roomsOf } from './recorded.js'

type Argv = readonly [string, ...string[]]

/** The command that makes a checkout ready, as it is started; null when there is none. */
export function prepareArgv({ prepare }: Pick<Setup, 'prepare'>): Argv | null {
  return typeof prepare === 'string' ? ['/bin/sh', '-c', prepare] : prepare
}

/** `folder` is the session's. */
export function dependencyPlan(setup: Setup, id: string, folder: string): DependencyPlan {
  const { source, place, prepare } = setup
  const argv = prepareArgv(setup)
  const log = openFolder(folder).resolve('copy-setup.log')
  return {
    room: roomsOf(dirname(folder)).dependencies,
    session: id,
    users: prepare === null || place.inPlace ? { folder: source.top, by: place.inPlace ? 'agents' : 'the user' } : null,
    setup: argv && { argv, below: relative(source.top, setup.root), limits: limitsOf(setup).gate, log, sandbox: sandboxFor(setup, dirname(folder)), env: handedOn(process.env, setup.passes ?? []) },
  }
}

type Find = typeof firstDependencies

/** Dependencies come as copies, out of one of our own that checks use too; without checks there need be none. Returns lines for people. */
export async function layDependencies(setup: Setup, plan: DependencyPlan, checkout: string | null, find: Find): Promise<string[]> {
  const started = performance.now()
  const { kept, notices } = setup.gates.length > 0 ? await find(plan) : { kept: null, notices: [] }
  if (checkout === null) return notices
  const { paths } = kept ? await giveDependencies(plan.room, kept, checkout) : await copyUsers(plan, checkout)
  // They are no part of the tree, even where nobody has thought of ignoring them.
  appendFileSync(excludesPath(checkout), paths.map((path) => `/${path}/\n`).join(''))
  const seconds = (performance.now() - started) / 1000
  return [...notices, ...(paths.length === 0 ? [] : [`copied ${paths.join(', ')} into the checkout (${seconds.toFixed(1)} s)`])]
}

async function copyUsers({ users }: DependencyPlan, checkout: string): Promise<Copied> {
  return users ? copyFolders(users.folder, checkout, dependencyFolders(users.folder)) : { paths: [], seconds: 0 }
}
