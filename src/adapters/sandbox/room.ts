// Folders that stand in for the real ones inside a sandbox: a temporary folder for each process, and a home that is new or kept.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openOwnedFolder, removeFolder } from '../../files/owned-folder.js'
import type { Room } from './view.js'

export type RunRoom = Room & { sockets: string; remove(): void }

export type Rooms = {
  /** `kept`: a home that stays until all is closed, under this name. */
  open(kept: string | null): RunRoom
  close(): void
}

/** Nothing is made before it is first needed. */
export function openRooms(): Rooms {
  let owned: ReturnType<typeof openOwnedFolder> | null = null
  let made = 0
  const remove = (): void => owned?.remove()
  return {
    open(kept) {
      if (owned === null) {
        owned = openOwnedFolder('sandbox')
        process.once('exit', remove)
      }
      const folder = join(owned.folder, String(++made))
      const home = kept === null ? join(folder, 'home') : join(owned.folder, kept)
      const temporary = join(folder, 'tmp')
      for (const each of [home, temporary]) mkdirSync(each, { recursive: true, mode: 0o700 })
      return { home, temporary, sockets: join(folder, 'net'), remove: () => removeFolder(folder) }
    },
    close() {
      process.off('exit', remove)
      remove()
      owned = null
    },
  }
}
