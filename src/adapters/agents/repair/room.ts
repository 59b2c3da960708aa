// The folder that copies stand in.
import { openOwnedFolder } from '../../../files/owned-folder.js'

/** Not in the session's folder: runners look for settings and packages in all folders above, and would find the project's own. */
export function openRoom(): { folder: string; remove(): void } {
  return openOwnedFolder('repair')
}
