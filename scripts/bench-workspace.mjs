// `npm run bench:workspace`: what a durable checkpoint costs against bare git plumbing, and a second survey against the first.
import { build } from 'esbuild'
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './results.mjs'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const SIZES = options.quick ? [100, 1000] : [100, 10_000, 100_000]
const SURVEYED = options.quick ? 300 : 10_000
const ROUNDS = options.quick ? 3 : 9
const GOALS = { checkpoint: 1.3, survey: 0.05 }

const place = mkdtempSync(join(tmpdir(), 'greenlatch-bench-'))
try {
  const ours = await loadOurs()
  const checkpoints = []
  for (const size of SIZES) checkpoints.push(await measureCheckpoints(ours, size))
  const survey = await measureSurvey(ours)
  const text = documentOf(checkpoints, survey)
  console.log(text)
  if (!options.quick) writeFileSync(join(root, 'docs', 'performance-workspace.md'), text)
} finally {
  rmSync(place, { recursive: true, force: true })
}

/** The adapters as they are shipped, bundled for this one run. */
async function loadOurs() {
  const outfile = join(root, 'dist', 'bench-workspace.mjs')
  const names = ['store', 'snapshot', 'salvage', 'blobs'].map((name) => `export * from './src/adapters/workspace/${name}.js'`)
  const survey = ['survey', 'listing'].map((name) => `export * from './src/adapters/survey/${name}.js'`)
  const stdin = { contents: [...names, ...survey].join('\n'), resolveDir: root, loader: 'ts' }
  await build({ absWorkingDir: root, stdin, outfile, bundle: true, format: 'esm', platform: 'node', target: 'node20.19', logLevel: 'error' })
  try {
    return await import(outfile)
  } finally {
    rmSync(outfile)
  }
}

// ───────────────────────────── checkpoints ─────────────────────────────

/** Ours and the bare commands take turns on the same folder, each with a store and an index of its own, one file changed each time. */
async function measureCheckpoints(ours, size) {
  const folder = join(place, `files-${size}`)
  fill(folder, size)
  const store = await ours.openStore(join(place, `ours-${size}.git`))
  const site = { store, folder, index: join(place, `ours-${size}.index`), aside: join(place, 'aside'), strays: 'aside' }
  const first = await ours.snapshot({ ...site, base: ours.emptyTree(store) })
  const bare = { gitDir: join(place, `bare-${size}.git`), index: join(place, `bare-${size}.index`), folder }
  spawnSync('git', ['init', '-q', '--bare', bare.gitDir])
  await bareCheckpoint(bare, 0)
  const costs = { ours: [], bare: [] }
  let base = first.tree
  for (let round = 1; round <= ROUNDS; round++) {
    appendFileSync(join(folder, 'd0', 'f0.txt'), `round ${round}\n`)
    costs.ours.push(await timed(async () => {
      const { tree } = await ours.snapshot({ ...site, base })
      await ours.keep(store, { session: 'bench', name: `checkpoints/${round}`, tree, parents: [], message: `iteration ${round}`, at: 0 })
      base = tree
    }))
    costs.bare.push(await timed(() => bareCheckpoint(bare, round)))
    console.error(`${size} files, round ${round}: ours ${ms(costs.ours.at(-1))}, bare ${ms(costs.bare.at(-1))}`)
  }
  const [mine, theirs] = [median(costs.ours), median(costs.bare)]
  return { size, ours: mine, bare: theirs, ratio: mine / theirs }
}

/** The same durability by the same git: add, write-tree, commit-tree, update-ref, and a sync of the folder the ref lies in. */
async function bareCheckpoint({ gitDir, index, folder }, round) {
  const git = (...args) => run(['-c', 'core.fsync=all', '-c', 'core.fsyncMethod=fsync', `--git-dir=${gitDir}`, `--work-tree=${folder}`, ...args], index)
  await git('add', '-A')
  const tree = await git('write-tree')
  const commit = await git('commit-tree', '-m', `iteration ${round}`, tree)
  await git('update-ref', `refs/checkpoints/${round}`, commit)
  const fd = openSync(join(gitDir, 'refs/checkpoints'), 'r')
  fsyncSync(fd)
  closeSync(fd)
}

function run(args, index) {
  const who = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' }
  const env = { PATH: process.env.PATH, HOME: place, GIT_INDEX_FILE: index, ...who }
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

// ───────────────────────────── survey ─────────────────────────────

async function measureSurvey(ours) {
  const folder = join(place, 'sources')
  for (let n = 0; n < SURVEYED; n++) {
    const { ending, text } = source(n)
    const path = join(folder, `p${Math.floor(n / 100)}`, `module${n}.${ending}`)
    if (n % 100 === 0) mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const store = await ours.openStore(join(place, 'survey.git'))
  const site = { store, folder, index: join(place, 'survey.index'), aside: join(place, 'aside'), strays: 'aside', base: ours.emptyTree(store) }
  const { tree } = await ours.snapshot(site)
  const survey = () => timed(async () => {
    const entries = ours.readListing(await ours.listTree(store, tree))
    await ours.surveyTree({ entries, read: (ids) => ours.readBlobs(store, ids), cacheFolder: join(place, 'survey-cache') })
  })
  const first = await survey()
  const again = median([await survey(), await survey(), await survey()])
  return { first, again, ratio: again / first }
}

/** A few functions in one of six languages, no two files alike. */
function source(n) {
  const lines = (make) => Array.from({ length: 20 }, (_, k) => make(`work${n}_${k}`, k)).join('\n')
  const kinds = [
    { ending: 'py', text: `import os\nclass C${n}:\n  pass\n${lines((name, k) => `def ${name}(a, b=${k}):\n    return a + b\n`)}` },
    { ending: 'ts', text: `import { x } from './x.js'\n${lines((name, k) => `export function ${name}(a: number): number {\n  return a + ${k}\n}`)}` },
    { ending: 'js', text: `import { x } from './x.js'\n${lines((name, k) => `export function ${name}(a) {\n  return a + ${k}\n}`)}` },
    { ending: 'go', text: `package p${n}\nimport "fmt"\n${lines((name, k) => `func ${name}(a int) int {\n\treturn a + ${k}\n}`)}` },
    { ending: 'rs', text: `use std::fmt;\n${lines((name, k) => `pub fn ${name}(a: i32) -> i32 {\n    a + ${k}\n}`)}` },
    { ending: 'java', text: `import java.util.List;\nclass C${n} {\n${lines((name, k) => `  int ${name}(int a) { return a + ${k}; }`)}\n}` },
  ]
  return kinds[n % kinds.length]
}

// ───────────────────────────── telling ─────────────────────────────

async function timed(work) {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2
}

function ms(milliseconds) {
  return `${milliseconds.toFixed(milliseconds < 20 ? 1 : 0)} ms`
}

function goal(value, most, unit) {
  return `${value <= most ? 'met' : '**missed**'} (at most ${most}${unit})`
}

function documentOf(checkpoints, survey) {
  const row = ({ size, ours, bare, ratio }) => `| ${size.toLocaleString('en')} | ${ms(bare)} | ${ms(ours)} | ${ratio.toFixed(2)} × | ${goal(ratio, GOALS.checkpoint, ' ×')} |`
  return `# Performance of the workspace

Made by \`npm run bench:workspace\`; do not edit. Absolute figures are those of one machine, ratios come from the same run. Medians of ${ROUNDS} rounds, wall time.

## A durable checkpoint after one changed file

Against the bare commands with the same durability: \`git add -A\`, \`write-tree\`, \`commit-tree\`, \`update-ref\` with \`core.fsync=all\`, and a sync of the folder the ref lies in. Both take turns on the same folder. What grows with the tree is git's own look at every file, in both.

| tracked files | bare plumbing | checkpoint | ratio | goal |
|---:|---:|---:|---:|---|
${checkpoints.map(row).join('\n')}

## Survey

${SURVEYED.toLocaleString('en')} sources in six languages. The second survey knows every file by its contents.

| first | again | ratio | goal |
|---:|---:|---:|---|
| ${ms(survey.first)} | ${ms(survey.again)} | ${(survey.ratio * 100).toFixed(1)} % | ${goal(survey.ratio, GOALS.survey, '')} |
`
}
