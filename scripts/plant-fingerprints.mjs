// `node scripts/plant-fingerprints.mjs [runner …]`: plants faults in small projects, runs the real runners on them and keeps their
// reports in test/corpus/fingerprints. Run by hand, where all the runners are installed; the evaluation needs none of them.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { CONDITIONS, environmentOf, layOut } from './fingerprints/conditions.mjs'
import * as golang from './fingerprints/golang.mjs'
import * as javascript from './fingerprints/javascript.mjs'
import * as plain from './fingerprints/plain.mjs'
import * as python from './fingerprints/python.mjs'
import * as rust from './fingerprints/rust.mjs'
import { root } from './results.mjs'

const corpus = join(root, 'test', 'corpus', 'fingerprints')
const indexPath = join(corpus, 'index.json')
const RUN_LIMIT_MS = 300_000

const wanted = process.argv.slice(2)
const index = existsSync(indexPath) ? JSON.parse(readFileSync(indexPath, 'utf8')) : []
for (const { FAMILIES, PROJECTS } of [javascript, python, golang, rust, plain]) {
  for (const project of PROJECTS) if (wanted.length === 0 || wanted.includes(project.runner)) plant(project, familiesOf(project, FAMILIES))
}

/** A project has the families of its language, without those its runner cannot show, or some of its own. */
function familiesOf({ families, without = [] }, ofLanguage) {
  return families ?? Object.fromEntries(Object.entries(ofLanguage).filter(([name]) => !without.includes(name)))
}

/** All faults at once under one condition make one report. A near miss is run once, the base under each. */
function plant(project, families) {
  for (const entry of index.filter(({ runner }) => runner === project.runner)) index.splice(index.indexOf(entry), 1)
  rmSync(join(corpus, project.runner), { recursive: true, force: true })
  const others = [...new Set(Object.values(families).flatMap(({ faults }) => faults))]
  const nearMisses = others.map((fault, n) => [fault, n % 2 === 0 ? 'moved' : 'plain'])
  const runs = [...Object.keys(CONDITIONS).map((condition) => ['base', condition]), ...nearMisses]
  for (const [fault, condition] of runs) {
    const faultOf = (name) => (families[name]?.faults.includes(fault) ? fault : 'base')
    const failing = Object.keys(families).filter((name) => faultOf(name) !== 'fixed')
    const tests = Object.fromEntries(failing.map((name) => [project.suffixOf(name), `${name}/${faultOf(name)}`]))
    const file = `${project.runner}/${fault}-${condition}.${project.ending}.gz`
    const { report, folder } = observe(project, CONDITIONS[condition], project.files(faultOf, CONDITIONS[condition]))
    mkdirSync(join(corpus, project.runner), { recursive: true })
    writeFileSync(join(corpus, file), gzipSync(report, { level: 9 }))
    index.push({ file, runner: project.runner, format: project.format, roots: [folder], tests })
    console.log(`${file}  ${report.length} bytes`)
  }
  index.sort((a, b) => (a.file < b.file ? -1 : 1))
  writeFileSync(indexPath, `[\n${index.map((entry) => JSON.stringify(entry)).join(',\n')}\n]\n`)
}

function observe(project, condition, files) {
  const folder = layOut(condition, files)
  const path = join(dirname(folder), `report.${project.ending}`)
  if (project.modules) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const argv = project.command(path)
  const [program, ...args] = project.output === 'merged' ? ['/bin/sh', '-c', 'exec "$0" "$@" 2>&1', ...argv] : argv
  const env = { ...environmentOf(condition, folder), ...project.env }
  const run = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8', timeout: RUN_LIMIT_MS, maxBuffer: 2 ** 28 })
  const report = project.output ? run.stdout : existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (report === '') throw new Error(`no report of ${argv.join(' ')}: ${run.error?.message ?? ''}\n${run.stdout}\n${run.stderr}`)
  rmSync(dirname(folder), { recursive: true, force: true })
  return { report: withoutMachine(report, folder), folder }
}

/** Puts places every machine might have where those of this one stood. */
function withoutMachine(report, folder) {
  const modules = realpathSync(join(root, 'node_modules'))
  const home = process.env.HOME ?? '/root'
  return report
    .replaceAll(modules, `${folder}/node_modules`)
    .replaceAll(new RegExp(`${home}/\\.pyenv/versions/[^/]+/`, 'g'), '/usr/')
    .replaceAll(new RegExp(`${home}/\\.rustup/toolchains/[^/]+/`, 'g'), '/usr/lib/rust/')
    .replaceAll(`hostname="${hostname()}"`, 'hostname="localhost"')
    .replaceAll(`${home}/`, '/home/user/')
    .replaceAll(dirname(modules), '/home/user/greenlatch')
}
