// Where a program lies that PATH leads to.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** What is exited with where programs are missing that cannot be installed here. */
export const MISSING = 3

const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)

/** Undefined when there is none. */
export function findProgram(name) {
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
