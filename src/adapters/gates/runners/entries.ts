// What lies in a folder, as far as it can be seen.
import { readdirSync, type Dirent } from 'node:fs'

/** None for a folder that is not there or may not be read. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
