// `npm run screenshots`: pictures for the documents, of a real session: report in light and dark, dashboard, and the screen as text.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { readOptions } from './options.mjs'
import { root } from './results.mjs'

const CLI = join(root, 'dist', 'greenlatch.cjs')
const MOST_BYTES = 600_000

const options = readOptions('screenshots', {
  check: { says: 'takes the pictures and keeps none' },
  full: { says: 'also keeps the report in its whole length, in the folder for temporary files' },
})
/** What is wrong at the start, and after each turn of the agent: it mends some, breaks others, and stands still for a while. */
const STATES = [
  ['shipping', 'tax rounding', 'empty basket', 'voucher twice', 'negative amount', 'currency', 'stock'],
  ['tax rounding', 'empty basket', 'voucher twice', 'currency', 'stock'],
  ['tax rounding', 'empty basket', 'voucher twice', 'currency', 'stock', 'refund', 'gift card'],
  ['empty basket', 'voucher twice', 'stock'],
  ['empty basket', 'voucher twice', 'stock', 'shipping'],
  ['empty basket', 'voucher twice', 'stock', 'refund'],
  ['voucher twice', 'stock'],
  ['stock'],
  [],
]
const TESTS = `import { test } from 'node:test'
import assert from 'node:assert/strict'
import { isRight } from '../src/prices.js'

for (const name of ${JSON.stringify([...new Set(STATES.flat())])}) test(name, () => assert.ok(isRight(name), name + ' adds up wrongly'))
`
const place = mkdtempSync(join(tmpdir(), 'greenlatch-pictures-'))
const images = options.check ? join(place, 'images') : join(root, 'docs', 'images')
const repo = join(place, 'shop')
const env = { PATH: process.env.PATH, HOME: place, GREENLATCH_STATE_HOME: join(place, 'state'), GREENLATCH_SANDBOX: 'none', LANG: 'C.UTF-8', TZ: 'UTC' }
const greenlatch = (...args) => execFileSync(process.execPath, [CLI, ...args], { cwd: repo, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
const attempted = (...args) => {
  try {
    greenlatch(...args)
  } catch {
    // A session that ends otherwise than well is one of the pictures.
  }
}

mkdirSync(images, { recursive: true })
try {
  makeRepository()
  makeSessions()
  await picture()
  console.log(sizes())
} finally {
  rmSync(place, { recursive: true, force: true })
}

function makeRepository() {
  mkdirSync(repo)
  const git = (...args) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: repo, env })
  for (const folder of ['src', 'test']) mkdirSync(join(repo, folder))
  writeFileSync(join(repo, 'package.json'), '{ "private": true, "type": "module" }\n')
  writeFileSync(join(repo, 'src/prices.js'), pricesWith(STATES[0]))
  writeFileSync(join(repo, 'test/prices.test.js'), TESTS)
  writeFileSync(join(repo, 'greenlatch.yaml'), JSON.stringify({ agents: Object.fromEntries(['patient', 'stubborn'].map((name) => [name, { script: join(place, `${name}.json`) }])) }))
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'shop')
  greenlatch('trust', 'grant', '--yes')
}

function pricesWith(wrong) {
  return `const wrong = ${JSON.stringify(wrong)}\n\nexport const isRight = (name) => !wrong.includes(name)\n`
}

function makeSessions() {
  const script = (name, turns) => {
    writeFileSync(join(place, name), JSON.stringify({ turns, after: 'repeat' }))
    return name.replace('.json', '')
  }
  const turns = STATES.slice(1).map((wrong, at) => ({ say: `I looked at src/prices.js and mended what candidate ${at} had left.`, write: { 'src/prices.js': pricesWith(wrong), [`notes-${at}.md`]: `${'A line of notes.\n'.repeat(3 + at * 4)}` }, tokens: 4200 + at * 900, sleepSeconds: 0.2 }))
  const gate = ['--gate', 'prices=node --test', '--fresh']
  attempted('run', 'the basket adds up wrongly: make every check of prices pass', ...gate, '--agent', script('patient.json', turns), '--max-iterations', '20', '--max-tokens', '90000')
  attempted('run', 'round taxes as the law wants it', ...gate, '--agent', script('stubborn.json', [{ say: 'I changed nothing that helps.', write: { 'idea.md': 'x' }, tokens: 3100 }]))
  attempted('run', 'ooda', 'write the release notes', '--fresh', '--agent', 'paste', '--max-iterations', '3')
}

async function picture() {
  const ids = greenlatch('sessions', '--json')
  const sessions = JSON.parse(ids)
  const converged = (sessions.sessions ?? sessions).find(({ state }) => state === 'converged')
  if (!converged) throw new Error(`no session converged: ${ids}`)
  greenlatch('report', converged.session ?? converged.id, '--html', join(place, 'report.html'))
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 1000 }, colorScheme })
    await page.goto(pathToFileURL(join(place, 'report.html')).href)
    await page.locator('#panel-H').waitFor()
    await sleep(500)
    await page.screenshot({ path: join(images, `report-${colorScheme}.png`) })
    if (options.full) await page.screenshot({ path: join(tmpdir(), `greenlatch-report-${colorScheme}-full.png`), fullPage: true })
    await page.close()
  }
  const server = spawn(process.execPath, [CLI, 'serve'], { cwd: repo, env, stdio: ['ignore', 'pipe', 'ignore'] })
  const address = await new Promise((told) => server.stdout.setEncoding('utf8').once('data', (text) => told(text.trim())))
  const page = await browser.newPage({ viewport: { width: 1000, height: 560 }, colorScheme: 'light' })
  await page.goto(address)
  await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  await sleep(500)
  await page.screenshot({ path: join(images, 'dashboard.png') })
  await browser.close()
  server.kill('SIGINT')
}

function sizes() {
  const all = readdirSync(images).map((name) => [name, statSync(join(images, name)).size])
  const sum = all.reduce((total, [, bytes]) => total + bytes, 0)
  if (sum > MOST_BYTES) throw new Error(`the pictures have ${sum} bytes, and ${MOST_BYTES} are the most`)
  return [...all, ['all', sum]].map(([name, bytes]) => `${name}: ${bytes} bytes`).join('\n')
}
