// `npm run test:agents -- [names] [--quick]`: drives the real agent programs through the built command line, with a scripted model.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { againAlone, isAlone } from './alone.mjs'
import { AGENTS } from './list.mjs'

const AT_ONCE = 2
const folder = dirname(fileURLToPath(import.meta.url))
const root = join(folder, '../..')
const args = process.argv.slice(2)
const quick = args.includes('--quick')
const asked = args.filter((word) => !word.startsWith('--'))
const only = args.find((word) => word.startsWith('--case='))?.slice('--case='.length)
const unknown = [...asked.filter((name) => !Object.hasOwn(AGENTS, name)), ...args.filter((word) => word.startsWith('--') && word !== '--quick' && !word.startsWith('--case='))]
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}\nusage: npm run test:agents -- [${Object.keys(AGENTS).join(' ')}] [--quick] [--case=words]`)
  process.exit(2)
}
const names = asked.length > 0 ? asked : Object.keys(AGENTS)
process.exit(isAlone() ? await test() : await prepared())

/** Installing and building need the network and the user's own environment; all else does not. */
async function prepared() {
  if (spawnSync(process.execPath, [join(folder, 'install.mjs'), ...names], { stdio: 'inherit' }).status !== 0) return 1
  if (!existsSync(join(root, 'dist/testing.js')) && spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' }).status !== 0) return 1
  return (await againAlone()) ?? test()
}

async function test() {
  const [{ CASES }, { closeAll }] = await Promise.all([import('./cases.mjs'), import('./place.mjs')])
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void closeAll().finally(() => process.exit(130)))
  const cases = CASES.filter((each) => (!quick || each.quick) && (only === undefined || each.name.includes(only)))
  const waiting = [...names]
  const began = performance.now()
  const outcomes = []
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      for (const each of cases.filter((one) => one.only?.has(name) ?? true)) outcomes.push(await holds(name, each))
    }
  })
  await Promise.all(lanes)
  const passed = outcomes.filter(Boolean).length
  console.log(`${passed} passed, ${outcomes.length - passed} failed in ${secondsSince(began)} s`)
  return passed === outcomes.length ? 0 : 1
}

async function holds(name, { name: title, run }) {
  const began = performance.now()
  const trouble = await run(name).then(() => null, (error) => error)
  console.log(`${trouble ? 'FAILED' : 'ok    '} ${name.padEnd(9)} ${title.padEnd(26)} ${secondsSince(began).padStart(6)} s`)
  if (trouble) console.log(String(trouble.stack ?? trouble).replace(/^/gm, '       '))
  return !trouble
}

function secondsSince(began) {
  return ((performance.now() - began) / 1000).toFixed(1)
}
