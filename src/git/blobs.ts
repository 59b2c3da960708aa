// Reads contents of files out of a repository by the names of their objects, a bounded number at a time.
import { git, type Repository } from './git.js'

/** Files are asked for in lots: one process for many, and never all contents in memory at once. */
const LOT = 200

/** What is not there is left out. */
export async function* blobsOf(repository: Repository, ids: readonly string[]): AsyncGenerator<readonly [id: string, bytes: Buffer]> {
  for (let at = 0; at < ids.length; at += LOT) {
    const lot = ids.slice(at, at + LOT)
    const { stdout } = await git(repository, ['cat-file', '--batch'], { input: lot.map((id) => `${id}\n`).join('') })
    yield* blobsIn(stdout)
  }
}

/** `<id> blob <size>`, a line break, the bytes, a line break; `<id> missing` for what is not there. */
function* blobsIn(output: Buffer): Generator<readonly [id: string, bytes: Buffer]> {
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\n', at)
    const [id = '', kind = '', size = ''] = output.toString('latin1', at, end).split(' ')
    at = end + 1
    if (kind !== 'blob') continue
    yield [id, output.subarray(at, at + Number(size))]
    at += Number(size) + 1
  }
}
