// `npm run bench:sandbox [-- --write]`: what a process costs in a sandbox beside a bare one; with --write into docs/sandbox.md.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const STARTS = 40
const MOST_MILLISECONDS = 60
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { bubblewrap, noSandbox } = await import(pathToFileURL(join(root, 'dist/index.js')).href)
const folder = mkdtempSync(join(tmpdir(), 'greenlatch-bench-'))
const checkout = join(folder, 'checkout')
mkdirSync(checkout)
const ground = {
  home: homedir(), hidden: [folder], read: [], write: [], allow: [],
  workOf: () => ({ folder: checkout, fixed: [], home: 'kept' }),
  limits: { processes: 4096, memoryMegabytes: 4096, fileMegabytes: 4096 },
}
const [bare, confined] = [noSandbox(), bubblewrap(ground)]
const ROWS = [
  ['bare', bare, 'none'],
  ['bubblewrap, as gates run', confined, 'none'],
  ['bubblewrap with a way to some hosts, as agents run', confined, { hosts: ['example.com'] }],
]

async function once(sandbox, network) {
  const began = performance.now()
  const { exitCode, note, stderr } = await sandbox.run({ argv: ['/bin/true'], cwd: checkout, limits: { wallSeconds: 60, silenceSeconds: 60, outputBytes: 1000 }, reach: { network } })
  if (exitCode !== 0) throw new Error(`${note} ${stderr.text}`)
  return performance.now() - began
}

const times = ROWS.map(() => [])
// In turns, so that a busy moment of the machine falls on all of them.
for (let round = 0; round < STARTS; round++) for (const [at, [, sandbox, network]] of ROWS.entries()) times[at].push(await once(sandbox, network))
await confined.close()
rmSync(folder, { recursive: true, force: true })

const medians = times.map((all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)])
/** What it costs by itself: a busy machine only ever adds to it. */
const quickest = times.map((all) => Math.min(...all))
const rows = ROWS.map(([name], at) => `| ${name} | ${medians[at].toFixed(0)} ms | ${quickest[at].toFixed(0)} ms | ${at === 0 ? '' : `+${(medians[at] - medians[0]).toFixed(0)} ms`} | ${(medians[at] / medians[0]).toFixed(1)} × |`)
const table = ['| a process that does nothing | median | quickest | more | ratio of medians |', '|---|---|---|---|---|', ...rows].join('\n')
console.log(`${table}\n${STARTS} starts each; a gate costs ${(medians[1] - medians[0]).toFixed(0)} ms more of at most ${MOST_MILLISECONDS}`)
if (process.argv.includes('--write')) {
  const path = join(root, 'docs/sandbox.md')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace(/(<!-- bench:sandbox -->\n)[^]*?(<!-- end -->)/, `$1${table}\n$2`))
}
process.exit(medians[1] - medians[0] <= MOST_MILLISECONDS ? 0 : 1)
