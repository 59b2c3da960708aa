// A durable checkpoint against bare git with the same durability, for more and more files.
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, closeSync, fsyncSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { count, goal, largest, median, medians, megabytes, ms, table, times, verdict } from '../figures.mjs'
import { inChild } from '../measure.mjs'
import { bundled } from '../ours.mjs'

const GOAL_RATIO = 1.3

export const title = 'A checkpoint, from 100 files to 100,000'

export async function measure({ quick, place, tell }) {
  const module = await bundled(['store', 'snapshot', 'salvage'].map((name) => `adapters/workspace/${name}`))
  const rows = []
  for (const size of quick ? [100, 1000] : [100, 1000, 10_000, 100_000]) {
    rows.push(await inChild(import.meta.filename, 'checkpointsOf', { module, place, size, rounds: quick ? 3 : 9 }))
    tell(`${count(size)} files`)
  }
  return { rows }
}

/** Ours and the bare commands take turns on the same folder, each with a store and an index of its own, one file changed each time. */
export async function checkpointsOf({ module, place, size, rounds }) {
  const ours = await import(module)
  const folder = join(place, `files-${size}`)
  fill(folder, size)
  const store = await ours.openStore(join(place, `ours-${size}.git`))
  const site = { store, folder, index: join(place, `ours-${size}.index`), aside: join(place, 'aside'), strays: 'aside' }
  const first = await ours.snapshot({ ...site, base: ours.emptyTree(store) })
  const bare = { gitDir: join(place, `bare-${size}.git`), index: join(place, `bare-${size}.index`), folder, home: place }
  spawnSync('git', ['init', '-q', '--bare', bare.gitDir])
  await bareCheckpoint(bare, 0)
  const costs = { ours: [], bare: [] }
  let base = first.tree
  for (let round = 1; round <= rounds; round++) {
    appendFileSync(join(folder, 'd0', 'f0.txt'), `round ${round}\n`)
    const began = performance.now()
    const { tree } = await ours.snapshot({ ...site, base })
    await ours.keep(store, { session: 'bench', name: `checkpoints/${round}`, tree, parents: [], message: `iteration ${round}`, at: 0 })
    base = tree
    costs.ours.push(performance.now() - began)
    costs.bare.push(await bareCheckpoint(bare, round))
  }
  const parts = medians(costs.bare)
  return { size, ours: median(costs.ours), bare: median(costs.bare.map((each) => Object.values(each).reduce((sum, value) => sum + value, 0))), parts }
}

/** The same durability by the same git, each command with its time. */
async function bareCheckpoint({ gitDir, index, folder, home }, round) {
  const took = {}
  const git = async (...args) => {
    const began = performance.now()
    const text = await gitCommand(['-c', 'core.fsync=all', '-c', 'core.fsyncMethod=fsync', `--git-dir=${gitDir}`, `--work-tree=${folder}`, ...args], { index, home })
    took[`\`git ${args[0]}\``] = performance.now() - began
    return text
  }
  await git('add', '-A')
  const tree = await git('write-tree')
  const commit = await git('commit-tree', '-m', `iteration ${round}`, tree)
  await git('update-ref', `refs/checkpoints/${round}`, commit)
  const began = performance.now()
  const fd = openSync(join(gitDir, 'refs/checkpoints'), 'r')
  fsyncSync(fd)
  closeSync(fd)
  return { ...took, 'a sync of the folder the ref lies in': performance.now() - began }
}

function gitCommand(args, { index, home }) {
  const who = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' }
  const env = { PATH: process.env.PATH, HOME: home, GIT_INDEX_FILE: index, ...who }
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk) => (text += chunk))
    child.on('close', (code) => (code === 0 ? resolve(text.trim()) : reject(new Error(`git ${args.at(-1)}: exit ${code}`))))
  })
}

function fill(folder, size) {
  for (let n = 0; n < size; n++) {
    const path = join(folder, `d${Math.floor(n / 100)}`, `f${n % 100}.txt`)
    if (n % 100 === 0) mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `file ${n}\n`)
  }
}

export function render({ rows }) {
  const last = rows.at(-1)
  const line = ({ size, bare, ours, megabytes: peak }) => [count(size), ms(bare), ms(ours), times(ours / bare), ms((ours / size) * 1000), megabytes(peak)]
  return {
    goals: rows.map(({ size, ours, bare }) => goal(`checkpoint of ${count(size)} files against bare plumbing`, ours / bare, { most: GOAL_RATIO, write: times })),
    body: `One changed file, by the clock, against the bare commands with the same durability: \`git add -A\`, \`write-tree\`, \`commit-tree\`, \`update-ref\` with \`core.fsync=all\`, and a sync of the folder the ref lies in. Both take turns on the same folder. Peak RSS is that of the process that makes checkpoints, with the first one of the whole folder.

${table(['tracked files', 'bare plumbing', 'checkpoint', 'ratio', 'checkpoint, for 1,000 files', 'peak RSS'], rows.map(line))}

${verdict({
  slowest: `at ${count(last.size)} files ${largest(last.parts)}: git looks at every file`,
  limit: 'bare plumbing',
  near: `${times(last.ours / last.bare)} of it`,
})}`,
  }
}
