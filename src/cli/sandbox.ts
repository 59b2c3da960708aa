// Which sandbox a session works in, and what it is made for: chosen by the settings and the machine, refused where there is none and one is needed.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir, totalmem } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { bubblewrap } from '../adapters/sandbox/bubblewrap.js'
import { container } from '../adapters/sandbox/container.js'
import { findBubblewrap, findContainer, type Found } from '../adapters/sandbox/find.js'
import type { Ground, Work } from '../adapters/sandbox/ground.js'
import { noSandbox } from '../adapters/sandbox/none.js'
import type { AgentEntry } from '../agent-entry.js'
import type { SandboxSettings } from '../config/types.js'
import { EXIT, Refusal } from '../errors.js'
import { commonDirOf } from '../git/keys.js'
import type { Sandbox } from '../ports.js'
import type { Setup } from './setup.js'
import { roomsOf } from './recorded.js'

/** What was chosen, for the record. */
export type Confinement = { name: 'bubblewrap' | 'container' | 'none'; program?: string }

type Wish = Pick<Setup, 'agents' | 'sandbox'>

/** Throws Refusal where a model's commands would run with all the user's rights and nobody has said that they may. */
export async function chooseSandbox({ agents, sandbox = AUTO }: Wish, command: string): Promise<Confinement> {
  const found = await findSandbox(sandbox)
  if (found.here) return found.confinement
  if (sandbox.use !== 'auto') throw new Refusal(EXIT.guard, `--sandbox ${sandbox.use}: ${found.why}`, found.next)
  const who = Object.keys(agents).find((name) => runsCommands(agents[name]))
  if (who === undefined) return { name: 'none' }
  const what = `no sandbox can be made here (${found.why}), and agent "${who}" would have a model's commands run with all your rights`
  throw new Refusal(EXIT.guard, `${what}; ${command} --sandbox none lets it`, found.next)
}

/** Which of those that the settings let us take this machine can make; else why none, and what to do about the first. */
export async function findSandbox({ use, image }: SandboxSettings): Promise<{ here: true; confinement: Confinement } | Exclude<Found, { here: true }>> {
  if (use === 'none') return { here: true, confinement: { name: 'none' } }
  const first = use === 'container' ? null : await findBubblewrap()
  if (first?.here) return { here: true, confinement: { name: 'bubblewrap', program: first.program } }
  const second = use === 'bubblewrap' || (use === 'auto' && image === undefined) ? null : await withImage(image)
  if (second?.here) return { here: true, confinement: { name: 'container', program: second.program } }
  const [nearest, ...others] = [first, second].filter((each) => each !== null)
  return { here: false, why: [nearest, ...others].map((each) => each?.why).join('; '), next: nearest?.next ?? 'greenlatch doctor' }
}

export const AUTO: SandboxSettings = { use: 'auto', allow: [], read: [], write: [], processes: 4096, fileMegabytes: 4096 }

/** What a person hands in, what was prepared beforehand and what we make ourselves is no model's. */
function runsCommands(entry: AgentEntry | undefined): boolean {
  return entry !== undefined && !('script' in entry) && !('paste' in entry) && !('repair' in entry)
}

async function withImage(image: string | undefined): Promise<Found> {
  return image === undefined ? { here: false, why: 'a container is made of an image, and none is named (sandbox: { use: container, image: <image> } in greenlatch.yaml)', next: 'greenlatch config' } : findContainer()
}

/** A recorded setup with the sandbox that this machine makes for it now. */
export async function confined<T extends Wish>(setup: T, id: string): Promise<T & { confinement: Confinement }> {
  return { ...setup, confinement: await chooseSandbox(setup, `greenlatch resume ${id}`) }
}

/** `sessions`: the folder that the session is in. */
export function sandboxFor(setup: Omit<Setup, 'source'>, sessions: string): Sandbox {
  switch (setup.confinement?.name) {
    case 'bubblewrap':
      return bubblewrap(groundOf(setup, sessions), setup.confinement.program)
    case 'container':
      return container(groundOf(setup, sessions), { program: setup.confinement.program ?? 'podman', image: setup.sandbox?.image ?? '' })
    case 'none':
    case undefined:
      return noSandbox()
  }
}

const MEMORY_SHARE = 0.75
const MEGABYTE = 1024 * 1024

function groundOf({ root, place, sandbox = AUTO }: Omit<Setup, 'source'>, sessions: string): Ground {
  const top = realpathSync(root)
  const { checkouts } = roomsOf(existsSync(sessions) ? realpathSync(sessions) : sessions)
  const common = commonFolder(top)
  const { allow, read, write, processes, fileMegabytes, memoryMegabytes = Math.floor((totalmem() / MEGABYTE) * MEMORY_SHARE) } = sandbox
  return {
    home: homedir(),
    hidden: [top, dirname(dirname(checkouts)), dirname(checkouts), ...(common === null ? [] : [common])],
    read: [...read, ...(common === null ? [] : objectsIn(join(common, 'objects')))],
    write,
    workOf: (cwd) => workOf(realpathSync(cwd), { top, checkouts, inPlace: place.inPlace }),
    allow,
    limits: { processes, fileMegabytes, memoryMegabytes },
  }
}

/** The whole checkout or copy that a folder is in. In the user's own folder git's part of it stays as it is. */
function workOf(cwd: string, { top, checkouts, inPlace }: { top: string; checkouts: string; inPlace: boolean }): Work {
  const [name = ''] = relative(checkouts, cwd).split(sep)
  if (name !== '' && name !== '..') return { folder: join(checkouts, name), fixed: [], home: name.includes('.copy-') ? 'fresh' : 'kept' }
  const isInside = cwd === top || cwd.startsWith(top + sep)
  return inPlace && isInside ? { folder: top, fixed: [join(top, '.git')], home: 'kept' } : { folder: cwd, fixed: [], home: 'fresh' }
}

/** Where the repository keeps what its work trees share; null for a folder without git. */
function commonFolder(top: string): string | null {
  const git = join(top, '.git')
  const entry = statSync(git, { throwIfNoEntry: false })
  if (!entry) return null
  if (entry.isDirectory()) return git
  const [, place] = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8')) ?? []
  const gitDir = place === undefined ? null : resolve(top, place)
  return gitDir !== null && existsSync(gitDir) ? realpathSync(commonDirOf(gitDir)) : null
}

/** Checkouts read the history where it lies; it may lie in several places. */
function objectsIn(folder: string): string[] {
  const others = join(folder, 'info', 'alternates')
  const lines = existsSync(others) ? readFileSync(others, 'utf8').split('\n') : []
  return [folder, ...lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => resolve(folder, line))]
}
