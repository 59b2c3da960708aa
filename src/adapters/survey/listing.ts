// The files of a tree as `git ls-tree -r -z -l` lists them.
import type { BytePath } from '../../files/byte-path.js'

export type TreeEntry = {
  path: BytePath
  mode: string
  blob: string
  sizeBytes: number
}

const LINE = /^(\d{6}) (?:blob|commit) ([0-9a-f]{40,64}) +(\d+|-)\t(.+)$/s

export function readListing(output: Buffer): TreeEntry[] {
  return output.toString('latin1').split('\0').filter((line) => line !== '').map((line) => {
    const [, mode = '', blob = '', size = '', path = ''] = LINE.exec(line) ?? []
    if (path === '') throw new Error(`not a line of git ls-tree -r -z -l: ${JSON.stringify(line.slice(0, 200))}`)
    return { path, mode, blob, sizeBytes: size === '-' ? 0 : Number(size) }
  })
}
